/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong, said so that a person can act on it. */
#include "config.h"
#include "base/problem.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A sentence that was cut must not end inside a UTF-8 character. */
static void drop_cut_character(char *text)
{
	size_t start = strlen(text), want = 1;
	unsigned char first;

	if (start == 0)
		return;
	const size_t end = start--;
	while (start > 0 && ((unsigned char)text[start] & 0xc0) == 0x80)
		start--;
	first = (unsigned char)text[start];
	if (first >= 0xf0)
		want = 4;
	else if (first >= 0xe0)
		want = 3;
	else if (first >= 0xc0)
		want = 2;
	if (end - start < want)
		text[start] = '\0';
}

static void put(char *to, size_t size, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void put(char *to, size_t size, const char *format, va_list args)
{
	const int len = vsnprintf(to, size, format, args);

	if (len < 0)
		to[0] = '\0';
	else if ((size_t)len >= size)
		drop_cut_character(to);
}

static void put_plain(char *to, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put_plain(char *to, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put(to, size, format, args);
	va_end(args);
}

int problem_set(struct problem *ret, int err, const char *remedy, const char *format, ...)
{
	if (err == 0)
		err = EINVAL;
	if (ret) {
		struct problem problem = { .err = err };
		va_list args;

		/* Built aside first: the arguments may point into *ret. */
		va_start(args, format);
		put(problem.text, sizeof(problem.text), format, args);
		va_end(args);
		if (remedy)
			put_plain(problem.remedy, sizeof(problem.remedy), "%s", remedy);
		*ret = problem;
	}
	return -err;
}

int problem_answer(int err)
{
	return err == EINVAL || err == ENOTSUP ? 0 : err;
}

const char *problem_format(const struct problem *problem, char *buf, unsigned long size)
{
	const char *colon = problem->remedy[0] ? ": " : "";
	char why[128];

	if (size == 0)
		return buf;
	if (problem_answer(problem->err) == 0)
		put_plain(buf, size, "%s%s%s", problem->text, colon, problem->remedy);
	else
		put_plain(buf, size, "%s (%s)%s%s", problem->text,
			  strerror_r(problem->err, why, sizeof(why)), colon, problem->remedy);
	return buf;
}
