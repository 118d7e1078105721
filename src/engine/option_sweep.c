/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of `sweep`: counts of cores, sizes and alignments of copies. */
#include "config.h"
#include "engine/option_sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "burst/sweep.h"
#include "engine/options.h"

#define SIZE_MOST (1ull << 40) /* a TiB: beyond it a typing error, not memory */
#define ALIGN_BELOW 4096u

typedef int take_fn(struct options *options, const char *word, struct problem *ret_problem);

static int no_memory(struct problem *ret_problem)
{
	return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
}

static int each_number(struct options *options, const char *text, take_fn *take,
		       struct problem *ret_problem)
{
	char *const copy = strdup(text);
	char *rest = copy, *word;
	int r = copy ? 0 : no_memory(ret_problem);

	while (r == 0 && (word = strsep(&rest, ",")))
		r = take(options, word, ret_problem);
	free(copy);
	return r;
}

int option_cores(struct options *options, const char *text, struct problem *ret_problem)
{
	struct list *list;
	int r = list_parse(text, &list);

	if (r == -ENOMEM)
		return no_memory(ret_problem);
	if (r == -ERANGE)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" names more cores than %u, which no machine has"), text,
				   LIST_MAX_ID);
	if (r < 0 || list_count(list) == 0) {
		if (r == 0)
			list_free(list);
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a list of counts of cores; write 1,2,4-8"), text);
	}
	for (int n = -1; r == 0 && options->counts && (n = list_next(options->counts, n + 1)) >= 0;)
		r = list_add(list, (unsigned)n);
	list_free(options->counts);
	options->counts = list;
	if (r < 0)
		return no_memory(ret_problem);
	if (list_has(list, 0))
		return problem_set(ret_problem, 0, "",
				   _("0 active cores sweep nothing; write 1,2,4-8"));
	return 0;
}

static int take_size(struct options *options, const char *word, struct problem *ret_problem)
{
	uint64_t bytes, *more;
	int r = num_parse_bytes(word, &bytes);

	if (r == -ERANGE || (r == 0 && bytes > SIZE_MOST))
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is too large; 1024G is the largest size"), word);
	if (r < 0)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a size; write bytes, or 16K, 1M, 2G"), word);
	if (bytes == 0)
		return problem_set(ret_problem, 0, "", _("a copy of 0 bytes copies nothing; write 16K"));
	for (unsigned i = 0; i < options->n_sizes; i++)
		if (options->sizes[i] == bytes)
			return 0;
	more = realloc(options->sizes, (options->n_sizes + 1) * sizeof(*more));
	if (!more)
		return no_memory(ret_problem);
	options->sizes = more;
	options->sizes[options->n_sizes++] = bytes;
	return 0;
}

int option_sizes(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_number(options, text, take_size, ret_problem);
}

/* "1": both begin there; "0/1": source and target. */
static bool parse_align(const char *word, struct sweep_align *ret)
{
	const char *const slash = strchr(word, '/');
	const size_t len = slash ? (size_t)(slash - word) : strlen(word);
	char from[16];
	uint64_t bytes[2];

	if (len == 0 || len >= sizeof(from))
		return false;
	memcpy(from, word, len);
	from[len] = '\0';
	if (num_parse_u64(from, &bytes[0]) || num_parse_u64(slash ? slash + 1 : from, &bytes[1]) ||
	    bytes[0] >= ALIGN_BELOW || bytes[1] >= ALIGN_BELOW)
		return false;
	*ret = (struct sweep_align){ (unsigned)bytes[0], (unsigned)bytes[1] };
	return true;
}

static int take_align(struct options *options, const char *word, struct problem *ret_problem)
{
	struct sweep_align align, *more;

	if (!parse_align(word, &align))
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not an alignment; write bytes below 4096, as 1, or 0/1 for "
				     "source and target"), word);
	for (unsigned i = 0; i < options->n_aligns; i++)
		if (options->aligns[i].from == align.from && options->aligns[i].to == align.to)
			return 0;
	more = realloc(options->aligns, (options->n_aligns + 1) * sizeof(*more));
	if (!more)
		return no_memory(ret_problem);
	options->aligns = more;
	options->aligns[options->n_aligns++] = align;
	return 0;
}

int option_align(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_number(options, text, take_align, ret_problem);
}
