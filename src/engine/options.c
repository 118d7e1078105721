/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line by getopt_long, its tables made of the option rows (option_values.c). */
#include "config.h"
#include "engine/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/text.h"

/* getopt's answers: a row's long name; a word that is no option; errors. */
enum { CODE_WORD = 1, CODE_MISSING = ':', CODE_UNKNOWN = '?', CODE_LONG = 0x100 };

static const struct option_row *row_at(int index)
{
	return option_row((enum option_id)index);
}

/* One pass over argv by getopt, whose own state is global: passes must not overlap. */
struct pass {
	int argc;
	char **argv;
	struct option longs[OPTION_N + 1];
	char letters[2 * OPTION_N + 3];
	bool ended; /* getopt has said so, and must not be asked again */
};

static void pass_start(struct pass *pass, int argc, char **argv)
{
	char *letter = pass->letters;

	*pass = (struct pass){ .argc = argc, .argv = argv };
	/* "-": words come in their place, whatever $POSIXLY_CORRECT says; ":": no messages. */
	*letter++ = '-';
	*letter++ = ':';
	for (int i = 0; i < OPTION_N; i++) {
		const struct option_row *row = row_at(i);

		pass->longs[i].name = row->name + strlen("--");
		pass->longs[i].has_arg = row->argument ? required_argument : no_argument;
		pass->longs[i].val = CODE_LONG + i;
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		if (row->argument)
			*letter++ = ':';
	}
	opterr = 0;
	optind = 0; /* glibc: start anew */
}

/* The next code, -1 at the end. Words after "--" are words too. */
static int pass_next(struct pass *pass)
{
	int code = -1;

	if (!pass->ended)
		code = getopt_long(pass->argc, pass->argv, pass->letters, pass->longs, NULL);
	if (code >= 0)
		return code;
	pass->ended = true;
	if (optind >= pass->argc)
		return -1;
	optarg = pass->argv[optind++];
	return CODE_WORD;
}

/* Row of a code or of getopt's optopt; -1: none. */
static int row_of(int code)
{
	if (code >= CODE_LONG && code < CODE_LONG + OPTION_N)
		return code - CODE_LONG;
	for (int i = 0; i < OPTION_N; i++) {
		if (code && row_at(i)->letter == code)
			return i;
	}
	return -1;
}

static const char *option_name_at(unsigned index)
{
	return index < OPTION_N ? option_row((enum option_id)index)->name : NULL;
}

/* A long option that getopt knew nothing to do with: unknown, or short for several. */
static int unknown_long(const char *word, struct problem *ret_problem)
{
	int length = (int)strcspn(word, "=");
	char name[65], near[120];
	struct text text = { 0 };
	int found = 0;

	(void)snprintf(name, sizeof(name), "%.*s", length, word);
	for (int i = 0; i < OPTION_N; i++) {
		if (strncmp(row_at(i)->name, name, strlen(name)) == 0)
			text_addf(&text, "%s%s", found++ ? ", " : "", row_at(i)->name);
	}
	(void)snprintf(near, sizeof(near), "%s", text.data ? text.data : "");
	text_free(&text);
	if (found > 1)
		return problem_set(ret_problem, 0, "", _("%s is short for several options: %s"), name,
				   near);
	text_near(name, option_name_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "",
				   _("unknown option %s; near: %s (see avxtop --help)"), name, near);
	return problem_set(ret_problem, 0, "", _("unknown option %s (see avxtop --help)"), name);
}

static int bad_option(const struct pass *pass, int code, struct problem *ret_problem)
{
	int id = row_of(optopt);
	const struct option_row *row = id < 0 ? NULL : row_at(id);

	if (code == CODE_MISSING && row)
		/* TRANSLATORS: an option and the kind of its argument: "--interval needs TIME" */
		return problem_set(ret_problem, 0, "", _("%s needs %s"), row->name,
				   _(row->argument));
	if (row)
		return problem_set(ret_problem, 0, "", _("%s takes no argument"), row->name);
	if (optopt)
		return problem_set(ret_problem, 0, "", _("unknown option -%c (see avxtop --help)"),
				   optopt);
	return unknown_long(pass->argv[optind - 1], ret_problem);
}

/* An option that there is, but not for this command. */
static int stray_option(const struct option_row *row, const struct command *command,
			struct problem *ret_problem)
{
	struct text owners = { 0 };
	int r;

	for (int i = 0; i < COMMAND_N; i++) {
		if (row->commands & 1u << i)
			text_addf(&owners, "%s%s", owners.len ? ", " : "",
				  command_row((enum command_id)i)->name);
	}
	r = problem_set(ret_problem, 0, "", _("%s is not an option of avxtop %s, but of: %s"),
			row->name, command->name, owners.data ? owners.data : "");
	text_free(&owners);
	return r;
}

static int take_option(struct options *options, int id, struct problem *ret_problem)
{
	const struct option_row *row = row_at(id);

	if (!options->command) /* the command is unknown: said when its word comes */
		return 0;
	if (!option_belongs((enum option_id)id, options->command))
		return stray_option(row, options->command, ret_problem);
	if (row->apply)
		return row->apply(options, optarg, ret_problem);
	*(bool *)((char *)options + row->flag) = true;
	return 0;
}

static int take_word(struct options *options, struct problem *ret_problem)
{
	const struct command *command = options->command;
	char near[120];

	if (command && !options->command_named) {
		options->command_named = true;
		return 0;
	}
	if (command && command->operand && !options->operand) {
		options->operand = optarg;
		return 0;
	}
	if (command)
		return problem_set(ret_problem, 0, "",
				   _("unexpected argument \"%.64s\" (see avxtop %s --help)"), optarg,
				   command->name);
	text_near(optarg, command_name_at, near, sizeof(near));
	if (*near)
		return problem_set(ret_problem, 0, "",
				   _("unknown command \"%.64s\"; near: %s (see avxtop --help)"), optarg,
				   near);
	return problem_set(ret_problem, 0, "", _("unknown command \"%.64s\" (see avxtop --help)"),
			   optarg);
}

/* The command decides which options are accepted, and may come last: so it is looked for first. */
static const struct command *find_command(int argc, char **argv)
{
	struct pass pass;
	int code, id;

	pass_start(&pass, argc, argv);
	while ((code = pass_next(&pass)) >= 0) {
		if (code == CODE_WORD) {
			id = command_by_name(optarg);
			return id < 0 ? NULL : command_row((enum command_id)id);
		}
	}
	return command_row(COMMAND_TOP);
}

int options_parse(int argc, char **argv, struct options *ret, struct problem *ret_problem)
{
	struct pass pass;
	int code, r = 0;

	*ret = (struct options){
		.command = find_command(argc, argv),
		.interval_ns = NS_PER_S,
		.pattern = PATTERN_DEFAULT,
		.format = FORMAT_TABLE,
		.cpu = -1,
		.victim = -1,
	};
	for (int i = 0; i < SOURCE_N; i++)
		ret->sources[i] = true;
	pass_start(&pass, argc, argv);
	while (r == 0 && (code = pass_next(&pass)) >= 0) {
		if (code == CODE_WORD)
			r = take_word(ret, ret_problem);
		else if (code == CODE_UNKNOWN || code == CODE_MISSING)
			r = bad_option(&pass, code, ret_problem);
		else
			r = take_option(ret, row_of(code), ret_problem);
	}
	return r;
}

void options_free(struct options *options)
{
	list_free(options->cpus);
	list_free(options->counts);
	free(options->sizes);
	free(options->aligns);
	options->cpus = options->counts = NULL;
	options->sizes = NULL;
	options->aligns = NULL;
	options->n_sizes = options->n_aligns = 0;
}
