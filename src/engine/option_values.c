/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options, at the end, and its functions: from an option's argument to its value. Words in
 * sentences are cut at 64 bytes, since they may be anything. */
#include "config.h"
#include "engine/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "base/problem.h"
#include "base/text.h"
#include "engine/option_scope.h"
#include "engine/option_sweep.h"

#define INTERVAL_MIN_NS (10 * NS_PER_MS) /* below it avxtop would measure itself */
#define TIME_MAX_NS (24 * 3600 * NS_PER_S)
#define NEAR_SIZE 120

/* Sets of commands. */
#define ONLY(id) (1u << COMMAND_##id)
#define SAMPLING (ONLY(TOP) | ONLY(LOG))
#define WRITING (ONLY(LOG) | ONLY(BURST) | ONLY(SCOPE) | ONLY(SWEEP) | ONLY(METRICS) | ONLY(KERNELS) | ONLY(DOCTOR))
#define HARDWARE (SAMPLING | WRITING)
#define DRAWING (ONLY(SCOPE) | ONLY(SWEEP)) /* svg */
#define EVERY ((1u << COMMAND_N) - 1)

typedef int take_fn(struct options *options, const char *word, struct problem *ret_problem);

/* Hands over each word of "a,b,c". */
static int each_word(struct options *options, const char *text, take_fn *take,
		     struct problem *ret_problem)
{
	char *copy = strdup(text), *rest = copy, *word;
	int r = 0;

	if (!copy)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	while (r == 0 && (word = strsep(&rest, ","))) {
		if (*word)
			r = take(options, word, ret_problem);
		else
			r = problem_set(ret_problem, 0, "",
					_("a name is missing in the list \"%.64s\""), text);
	}
	free(copy);
	return r;
}

/* All words of a short table, for a sentence. */
static void all_words(const char *(*name)(unsigned index), char *buf, size_t size)
{
	struct text text = { 0 };

	for (unsigned i = 0; name(i); i++)
		text_addf(&text, "%s%s", i ? ", " : "", name(i));
	(void)snprintf(buf, size, "%s", text.data ? text.data : "");
	text_free(&text);
}


/* A time up to a day, what is longer than numbers go included. */
static int take_time(const char *text, uint64_t *ret_ns, struct problem *ret_problem)
{
	int r = num_parse_time(text, ret_ns);

	if (r == -ERANGE || (r == 0 && *ret_ns > TIME_MAX_NS))
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is too long; one day is the longest"), text);
	if (r < 0)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a time; write 2, 0.5 or 250ms"), text);
	return 0;
}

static int option_interval(struct options *options, const char *text, struct problem *ret_problem)
{
	uint64_t ns;
	int r = take_time(text, &ns, ret_problem);

	if (r < 0)
		return r;
	if (ns < INTERVAL_MIN_NS)
		return problem_set(ret_problem, 0, "",
				   _("an interval of \"%.64s\" is too short; 10ms is the shortest"),
				   text);
	options->interval_ns = ns;
	return 0;
}

static int option_duration(struct options *options, const char *text, struct problem *ret_problem)
{
	uint64_t ns;
	int r = take_time(text, &ns, ret_problem);

	if (r < 0)
		return r;
	if (ns == 0)
		return problem_set(ret_problem, 0, "", _("a duration of 0 bursts nothing"));
	options->duration_ns = ns;
	return 0;
}

static int take_duty(struct options *options, const char *word, struct problem *ret_problem)
{
	if (pattern_parse(word, &options->pattern) < 0)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a duty; write 4ms/5ms (ON/PERIOD, the period "
				     "from 100us to 10s) or 100%%"), word);
	return options->command->id == COMMAND_SCOPE ? option_one_duty(options, word, ret_problem) : 0;
}

static int option_duty(struct options *options, const char *text, struct problem *ret_problem)
{
	if (options->command->id == COMMAND_SCOPE)
		return each_word(options, text, take_duty, ret_problem);
	return take_duty(options, text, ret_problem);
}

static int option_count(struct options *options, const char *text, struct problem *ret_problem)
{
	uint64_t count;
	int r = num_parse_u64(text, &count);

	if (r == -ERANGE)
		return problem_set(ret_problem, 0, "", _("a count of \"%.64s\" is too large"), text);
	if (r < 0)
		return problem_set(ret_problem, 0, "", _("\"%.64s\" is not a count"), text);
	if (count == 0)
		return problem_set(ret_problem, 0, "",
				   _("a count of 0 gives nothing; without -n there is no end"));
	options->count = count;
	return 0;
}

/* Adds the members of `more` to *to, which may be NULL. */
static int add_cpus(struct list **to, const struct list *more)
{
	if (!*to)
		*to = list_new();
	if (!*to)
		return -ENOMEM;
	for (int id = -1; (id = list_next(more, id + 1)) >= 0;) {
		int r = list_add(*to, (unsigned)id);

		if (r < 0)
			return r;
	}
	return 0;
}

static int option_cpus(struct options *options, const char *text, struct problem *ret_problem)
{
	struct list *list;
	int r;

	/* The last word holds: all after a list, or a list after all. */
	if (strcmp(text, "all") == 0) {
		options->all_cpus = true;
		list_free(options->cpus);
		options->cpus = NULL;
		return 0;
	}
	options->all_cpus = false;
	r = list_parse(text, &list);
	if (r == 0) {
		r = list_count(list) == 0 ? -EINVAL : add_cpus(&options->cpus, list);
		list_free(list);
	}
	if (r == -ENOMEM)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	if (r == -ERANGE)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" names a CPU beyond %u, which no machine has"), text,
				   LIST_MAX_ID);
	if (r < 0)
		return problem_set(ret_problem, 0, "",
				   _("\"%.64s\" is not a list of CPUs; write 0-3,8 or all"), text);
	return 0;
}

static int take_kernel(struct options *options, const char *word, struct problem *ret_problem)
{
	int kernel = kernel_by_name(word);
	char near[NEAR_SIZE];

	if (kernel >= 0) {
		for (unsigned i = 0; i < options->n_kernels; i++) {
			if (options->kernels[i] == (enum kernel)kernel)
				return 0;
		}
		options->kernels[options->n_kernels++] = (enum kernel)kernel;
		return 0;
	}
	text_near(word, kernel_name_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "",
				   _("unknown kernel \"%.64s\"; near: %s (see avxtop kernels)"), word,
				   near);
	return problem_set(ret_problem, 0, "", _("unknown kernel \"%.64s\" (see avxtop kernels)"),
			   word);
}

static int option_kernel(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_word(options, text, take_kernel, ret_problem);
}

static const char *option_metric_at(unsigned index)
{
	return index == METRIC_N ? "all" : metric_name_at(index);
}

static int take_metric(struct options *options, const char *word, struct problem *ret_problem)
{
	int metric = metric_by_name(word);
	char near[NEAR_SIZE];

	if (metric >= 0 || strcmp(word, "all") == 0) {
		for (int i = 0; i < METRIC_N; i++)
			options->metrics[i] |= metric < 0 || i == metric;
		options->metrics_given = true;
		return 0;
	}
	text_near(word, option_metric_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "",
				   _("unknown metric \"%.64s\"; near: %s (see avxtop metrics)"), word,
				   near);
	return problem_set(ret_problem, 0, "", _("unknown metric \"%.64s\" (see avxtop metrics)"),
			   word);
}

static int option_metrics(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_word(options, text, take_metric, ret_problem);
}

static const char *option_scope_at(unsigned index)
{
	return index < SCOPE_N ? scope_name((enum scope)index) : NULL;
}

static int take_scope(struct options *options, const char *word, struct problem *ret_problem)
{
	char near[NEAR_SIZE];

	for (unsigned i = 0; option_scope_at(i); i++) {
		if (strcmp(word, option_scope_at(i)) == 0) {
			options->scopes |= 1u << i;
			return 0;
		}
	}
	text_near(word, option_scope_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "", _("unknown scope \"%.64s\"; near: %s"), word,
				   near);
	all_words(option_scope_at, near, sizeof(near));
	return problem_set(ret_problem, 0, "", _("unknown scope \"%.64s\"; this version has: %s"),
			   word, near);
}

static int option_scope(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_word(options, text, take_scope, ret_problem);
}

/* The formats that this version can write: of samples and lists, and the picture. */
static const char *format_name(enum format format)
{
	const struct sink_ops *ops = sink_ops(format);

	return ops ? ops->name : format == FORMAT_SVG ? "svg" : NULL;
}

static const char *option_format_at(unsigned index)
{
	for (int i = 0; i < FORMAT_N; i++) {
		const char *name = format_name((enum format)i);

		if (name && index-- == 0)
			return name;
	}
	return NULL;
}

static int take_format(struct options *options, enum format format, struct problem *ret_problem)
{
	if (format == FORMAT_SVG && !(DRAWING & 1u << options->command->id))
		return problem_set(ret_problem, 0, "",
				   _("avxtop %s draws no svg; it writes table, csv or json"),
				   options->command->name);
	options->format = format;
	options->format_given = true;
	return 0;
}

static int option_format(struct options *options, const char *text, struct problem *ret_problem)
{
	char near[NEAR_SIZE];

	for (int i = 0; i < FORMAT_N; i++) {
		const char *name = format_name((enum format)i);

		if (name && strcmp(text, name) == 0)
			return take_format(options, (enum format)i, ret_problem);
	}
	text_near(text, option_format_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "", _("unknown format \"%.64s\"; near: %s"), text,
				   near);
	all_words(option_format_at, near, sizeof(near));
	return problem_set(ret_problem, 0, "", _("unknown format \"%.64s\"; this version has: %s"),
			   text, near);
}

/* The first source named without a minus forbids all that are not named. */
static int take_source(struct options *options, const char *word, struct problem *ret_problem)
{
	bool allow = *word != '-';
	const char *name = allow ? word : word + 1;
	int source = source_by_name(name);
	char near[NEAR_SIZE];

	if (source > SOURCE_NONE) {
		if (allow && !options->sources_named)
			memset(options->sources, 0, sizeof(options->sources));
		options->sources_named |= allow;
		options->sources[source] = allow;
		return 0;
	}
	text_near(name, source_name_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "", _("unknown source \"%.64s\"; near: %s"), name,
				   near);
	all_words(source_name_at, near, sizeof(near));
	return problem_set(ret_problem, 0, "", _("unknown source \"%.64s\"; this version has: %s"),
			   name, near);
}

static int option_source(struct options *options, const char *text, struct problem *ret_problem)
{
	return each_word(options, text, take_source, ret_problem);
}

static int option_output(struct options *options, const char *text, struct problem *ret_problem)
{
	if (!*text)
		return problem_set(ret_problem, 0, "", _("the name of the output file is empty"));
	options->output = strcmp(text, "-") == 0 ? NULL : text;
	return 0;
}

static int option_sysroot(struct options *options, const char *text, struct problem *ret_problem)
{
	if (!*text)
		return problem_set(ret_problem, 0, "", _("the name of the system root is empty"));
	/* A program with more rights than its user must not be shown a made-up machine. */
	if (getauxval(AT_SECURE))
		return problem_set(ret_problem, 0, "",
				   _("--sysroot is refused to a program with file capabilities"));
	options->sysroot = text;
	return 0;
}

#define FLAG(member) offsetof(struct options, member)

static const struct option_row rows[] = {
#define OPTION(id, ...) [OPTION_##id] = { __VA_ARGS__ },
#include "engine/option_rows.h"
#undef OPTION
};

const struct option_row *option_row(enum option_id id)
{
	return &rows[id];
}

bool option_belongs(enum option_id id, const struct command *command)
{
	return rows[id].commands & 1u << command->id;
}
