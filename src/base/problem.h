/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What went wrong, said so that a person can act on it. */
#ifndef AVXTOP_BASE_PROBLEM_H
#define AVXTOP_BASE_PROBLEM_H

/* Filled by the function that failed; printed only by cmd/, ui/ and main.c.
 * text: one whole translated sentence without the final period, e.g.
 *       "this CPU has no AVX-512"; remedy: what the user can do, or "". */
struct problem {
	int err; /* positive errno, 0 when there is none */
	char text[256];
	char remedy[256];
};

/* Sets everything; `ret` may be NULL (caller doesn't want to know). Returns -err, or -EINVAL when
 * err is 0, so that a caller may write `return problem_set(...)`. */
int problem_set(struct problem *ret, int err, const char *remedy, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* What the kernel answered, 0 where the sentence is our own judgment (EINVAL, ENOTSUP). */
int problem_answer(int err);

/* "text (strerror): remedy" in one line; returns buf. Without strerror where the sentence is our
 * own judgment: there it would add nothing. */
const char *problem_format(const struct problem *problem, char *buf, unsigned long size);

#endif
