/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPU numbers: "0-3,8" to and from a bitmap that grows with the machine. */
#include "config.h"
#include "base/list.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define WORD_BITS 64u

struct list {
	uint64_t *words;
	size_t n_words;
};

struct list *list_new(void)
{
	return calloc(1, sizeof(struct list));
}

void list_free(struct list *list)
{
	if (!list)
		return;
	free(list->words);
	free(list);
}

struct list *list_copy(const struct list *list)
{
	struct list *copy = list_new();

	if (!copy || !list || list->n_words == 0)
		return copy;
	copy->words = malloc(list->n_words * sizeof(*copy->words));
	if (!copy->words) {
		list_free(copy);
		return NULL;
	}
	memcpy(copy->words, list->words, list->n_words * sizeof(*copy->words));
	copy->n_words = list->n_words;
	return copy;
}

int list_add(struct list *list, unsigned id)
{
	const size_t word = id / WORD_BITS;

	if (id > LIST_MAX_ID)
		return -ERANGE;
	if (word >= list->n_words) {
		const size_t n_words = word + 1 + list->n_words; /* at least doubles */
		uint64_t *words = realloc(list->words, n_words * sizeof(*words));

		if (!words)
			return -ENOMEM;
		memset(words + list->n_words, 0, (n_words - list->n_words) * sizeof(*words));
		list->words = words;
		list->n_words = n_words;
	}
	list->words[word] |= UINT64_C(1) << id % WORD_BITS;
	return 0;
}

void list_remove(struct list *list, unsigned id)
{
	if (id / WORD_BITS < list->n_words)
		list->words[id / WORD_BITS] &= ~(UINT64_C(1) << id % WORD_BITS);
}

bool list_has(const struct list *list, unsigned id)
{
	return list && id / WORD_BITS < list->n_words &&
	       (list->words[id / WORD_BITS] >> id % WORD_BITS & 1) != 0;
}

unsigned list_count(const struct list *list)
{
	unsigned count = 0;

	if (!list)
		return 0;
	for (size_t i = 0; i < list->n_words; i++)
		count += (unsigned)__builtin_popcountll(list->words[i]);
	return count;
}

int list_next(const struct list *list, int from)
{
	if (!list)
		return -1;
	if (from < 0)
		from = 0;
	for (size_t i = (unsigned)from / WORD_BITS; i < list->n_words; i++) {
		uint64_t word = list->words[i];

		if (i == (unsigned)from / WORD_BITS)
			word &= ~UINT64_C(0) << (unsigned)from % WORD_BITS;
		if (word)
			return (int)(i * WORD_BITS) + __builtin_ctzll(word);
	}
	return -1;
}

static void skip_spaces(const char **at)
{
	while (**at == ' ' || **at == '\t')
		(*at)++;
}

static int parse_id(const char **at, unsigned *ret)
{
	unsigned id = 0;

	if (**at < '0' || **at > '9')
		return -EINVAL;
	for (; **at >= '0' && **at <= '9'; (*at)++) {
		id = id * 10 + (unsigned)(**at - '0');
		if (id > LIST_MAX_ID)
			return -ERANGE;
	}
	*ret = id;
	return 0;
}

/* "5" or "0-3", spaces before and after. */
static int parse_range(const char **at, struct list *list)
{
	unsigned first, last;
	int r;

	skip_spaces(at);
	r = parse_id(at, &first);
	if (r < 0)
		return r;
	last = first;
	if (**at == '-') {
		(*at)++;
		r = parse_id(at, &last);
		if (r < 0)
			return r;
		if (last < first)
			return -EINVAL;
	}
	skip_spaces(at);
	for (unsigned id = first; id <= last; id++) {
		r = list_add(list, id);
		if (r < 0)
			return r;
	}
	return 0;
}

static int parse_into(const char *at, struct list *list)
{
	int r = 0;

	skip_spaces(&at);
	while (*at != '\0' && *at != '\n') {
		r = parse_range(&at, list);
		if (r < 0)
			return r;
		if (*at != ',')
			break;
		at++;
		if (*at == '\0' || *at == '\n')
			return -EINVAL; /* a comma with nothing behind it */
	}
	if (*at == '\n')
		at++;
	return *at == '\0' ? 0 : -EINVAL;
}

int list_parse(const char *text, struct list **ret)
{
	struct list *list = list_new();
	int r = list ? parse_into(text, list) : -ENOMEM;

	if (r < 0) {
		list_free(list);
		return r;
	}
	*ret = list;
	return 0;
}

/* Largest id of the run of members that begins with `first`. */
static int run_end(const struct list *list, int first)
{
	while (list_has(list, (unsigned)first + 1))
		first++;
	return first;
}

char *list_format(const struct list *list)
{
	struct text text = { 0 };
	int last;

	text_add(&text, "");
	for (int id = -1; (id = list_next(list, id + 1)) >= 0; id = last) {
		const char *comma = text.len ? "," : "";

		last = run_end(list, id);
		if (last > id)
			text_addf(&text, "%s%d-%d", comma, id, last);
		else
			text_addf(&text, "%s%d", comma, id);
	}
	if (text.failed) {
		text_free(&text);
		return NULL;
	}
	return text.data;
}
