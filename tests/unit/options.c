/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of options and commands are sound, and every argument becomes its value or a sentence. */
#include "config.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "unit.h"

#define MAX_WORDS 12
#define WIDTH 80

/* Splits "log -n 3" at spaces and parses it; '_' stands for an empty word. */
static int parse(const char *line, struct options *ret, struct problem *ret_problem)
{
	static char copy[512]; /* values are borrowed from argv */
	char *argv[MAX_WORDS + 2] = { (char *)"avxtop" };
	int argc = 1;

	*ret_problem = (struct problem){ 0 };
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		assert_true(argc <= MAX_WORDS);
		argv[argc++] = strcmp(word, "_") == 0 ? word + 1 : word;
	}
	return options_parse(argc, argv, ret, ret_problem);
}

static void rows_are_sound(void **state)
{
	(void)state;
	for (int i = 0; i < OPTION_N; i++) {
		const struct option_row *row = option_row((enum option_id)i);

		assert_non_null(row->name);
		assert_int_equal(strncmp(row->name, "--", 2), 0);
		assert_int_equal(strspn(row->name + 2, "abcdefghijklmnopqrstuvwxyz-"),
				 strlen(row->name + 2));
		assert_non_null(row->help);
		assert_true(strlen(row->help) > 10);
		assert_true(row->help[strlen(row->help) - 1] != '.');
		assert_int_not_equal(row->commands, 0);
		assert_int_equal(row->commands >> COMMAND_N, 0);
		/* It takes an argument and has a function for it, or sets a flag. */
		assert_int_equal(row->argument != NULL, row->apply != NULL);
		assert_int_equal(row->apply == NULL, row->flag != 0);
		assert_true(!row->words || row->argument);
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(row->name, option_row((enum option_id)j)->name);
			assert_true(!row->letter ||
				    row->letter != option_row((enum option_id)j)->letter);
		}
	}
}

static void commands_are_sound(void **state)
{
	(void)state;
	for (int i = 0; i < COMMAND_N; i++) {
		const struct command *command = command_row((enum command_id)i);

		assert_int_equal(command->id, i);
		assert_int_equal(command_by_name(command->name), i);
		assert_string_equal(command_name_at((unsigned)i), command->name);
		assert_true(command->help && *command->help);
		assert_true(option_belongs(OPTION_HELP, command));
		assert_true(option_belongs(OPTION_VERSION, command));
	}
	assert_null(command_name_at(COMMAND_N));
	assert_int_equal(command_by_name("no such"), -1);
	assert_int_equal(command_by_name(""), -1);
}

static void assert_fits(char *text)
{
	assert_true(strlen(text) > 40);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		if (text_width(line) > WIDTH)
			fail_msg("%d columns: %s", text_width(line), line);
	}
	free(text);
}

static void help_fits(void **state)
{
	char *text;
	size_t size;
	FILE *out;

	(void)state;
	for (int i = 0; i < COMMAND_N; i++) {
		out = open_memstream(&text, &size);
		assert_non_null(out);
		cmd_help(command_row((enum command_id)i), out);
		fclose(out);
		for (int id = 0; id < OPTION_N; id++) {
			if (option_belongs((enum option_id)id, command_row((enum command_id)i)))
				assert_non_null(strstr(text, option_row((enum option_id)id)->name));
		}
		assert_fits(text);
	}
	out = open_memstream(&text, &size);
	assert_non_null(out);
	cmd_help_all(out);
	fclose(out);
	for (int i = 0; i < COMMAND_N; i++)
		assert_non_null(strstr(text, command_name_at((unsigned)i)));
	assert_fits(text);
}

static void nothing_given(void **state)
{
	struct options options;
	struct problem problem;

	(void)state;
	assert_int_equal(parse("", &options, &problem), 0);
	assert_int_equal(options.command->id, COMMAND_TOP);
	assert_false(options.command_named);
	assert_int_equal(options.interval_ns, 1000000000);
	assert_int_equal(options.count, 0);
	assert_int_equal(options.format, FORMAT_TABLE);
	assert_int_equal(options.pattern.on_ns, 4000000);
	assert_int_equal(options.pattern.period_ns, 5000000);
	assert_null(options.cpus);
	assert_null(options.output);
	for (int i = 0; i < SOURCE_N; i++)
		assert_true(options.sources[i]);
	options_free(&options);
}

static void assert_one(const struct options *options)
{
	assert_int_equal(options->command->id, COMMAND_LOG);
	assert_true(options->command_named);
	assert_int_equal(options->interval_ns, 250000000);
	assert_int_equal(options->count, 3);
	assert_true(options->ascii);
	assert_int_equal(list_count(options->cpus), 2);
}

/* Options stand before or after the command in any order, joined to their argument or not, even when
 * the environment asks for the order of POSIX. */
static void any_order(void **state)
{
	static const char *const lines[] = {
		"log -i 0.25 -n 3 --ascii -c 0-1",
		"-i 0.25 log -n 3 --ascii -c 0-1",
		"-i 0.25 -n 3 --ascii -c 0-1 log",
		"--cpus=0-1 --ascii -n3 log -i250ms",
		"--cpus 0 --asc --cou 3 log --interv .25 -c 1",
		"-i 9 --ascii -c 0-1 -n 8 log -n 3 -i 250ms",
		"-n 3 --ascii -c 0-1 -i 0.25 -- log",
	};
	struct options options;
	struct problem problem;

	(void)state;
	for (int posix = 0; posix < 2; posix++) {
		for (size_t i = 0; i < COUNT_OF(lines); i++) {
			if (parse(lines[i], &options, &problem) < 0)
				fail_msg("%s: %s", lines[i], problem.text);
			assert_one(&options);
			options_free(&options);
		}
		setenv("POSIXLY_CORRECT", "1", 1);
	}
	unsetenv("POSIXLY_CORRECT");
}

static void values(void **state)
{
	struct options options;
	struct problem problem;

	(void)state;
	assert_int_equal(parse("burst --kernel avx2-fma,scalar --kernel scalar --duration 3s --duty "
			       "100% --force -c all", &options, &problem), 0);
	assert_int_equal(options.n_kernels, 2);
	assert_int_equal(options.kernels[0], KERNEL_AVX2_FMA);
	assert_int_equal(options.kernels[1], KERNEL_SCALAR);
	assert_int_equal(options.duration_ns, 3000000000);
	assert_int_equal(options.pattern.on_ns, options.pattern.period_ns);
	assert_true(options.force && options.all_cpus && !options.cpus);
	options_free(&options);

	/* All and a list: the last word holds. */
	assert_int_equal(parse("log -c 0 -c all", &options, &problem), 0);
	assert_true(options.all_cpus && !options.cpus);
	options_free(&options);
	assert_int_equal(parse("log -c all -c 0", &options, &problem), 0);
	assert_true(!options.all_cpus && list_count(options.cpus) == 1);
	options_free(&options);

	assert_int_equal(parse("log --metrics busy_hertz,steal_ratio --scope cpu,host --format json "
			       "-o x", &options, &problem), 0);
	assert_true(options.metrics_given && options.metrics[METRIC_BUSY_HERTZ]);
	assert_true(options.metrics[METRIC_STEAL_RATIO] && !options.metrics[METRIC_TSC_HERTZ]);
	assert_int_equal(options.scopes, 1 << SCOPE_CPU | 1 << SCOPE_HOST);
	assert_true(options.format_given && options.format == FORMAT_JSON);
	assert_string_equal(options.output, "x");
	options_free(&options);

	assert_int_equal(parse("log --metrics all -o -", &options, &problem), 0);
	for (int i = 0; i < METRIC_N; i++)
		assert_true(options.metrics[i]);
	assert_null(options.output);
	options_free(&options);

	assert_int_equal(parse("docs man", &options, &problem), 0);
	assert_string_equal(options.operand, "man");
	options_free(&options);
	assert_int_equal(parse("-- docs --man", &options, &problem), 0);
	assert_string_equal(options.operand, "--man");
	options_free(&options);
}

static void sources(void **state)
{
	struct options options;
	struct problem problem;

	(void)state;
	assert_int_equal(parse("log --source ruler,procfs", &options, &problem), 0);
	assert_true(options.sources[SOURCE_RULER] && options.sources[SOURCE_PROCFS]);
	assert_false(options.sources[SOURCE_CPUIDLE]);
	options_free(&options);
	assert_int_equal(parse("log --source -ruler", &options, &problem), 0);
	assert_false(options.sources[SOURCE_RULER]);
	assert_true(options.sources[SOURCE_PROCFS] && options.sources[SOURCE_CPUIDLE]);
	options_free(&options);
	assert_int_equal(parse("log --source -ruler --source -procfs", &options, &problem), 0);
	assert_false(options.sources[SOURCE_RULER] || options.sources[SOURCE_PROCFS]);
	assert_true(options.sources[SOURCE_CPUIDLE]);
	options_free(&options);
}

/* Wrong lines, and a part of the sentence that each must get. */
static const struct {
	const char *line, *part;
} wrong[] = {
	{ "foo", "unknown command \"foo\"" },
	{ "-- foo", "unknown command \"foo\"" },
	{ "-- --help", "unknown command \"--help\"" },
	{ "mertics", "near: metrics" },
	{ "_", "unknown command \"\"" },
	{ "log extra", "unexpected argument \"extra\"" },
	{ "log _", "unexpected argument \"\"" },
	{ "log -- -n", "unexpected argument \"-n\"" },
	{ "docs man man", "unexpected argument \"man\"" },
	{ "--bogus", "unknown option --bogus" },
	{ "--intervl=3", "unknown option --intervl; near: --interval" },
	{ "--", NULL },
	{ "-x", "unknown option -x" },
	{ "-:", "unknown option -:" },
	{ "log -n3x", "\"3x\" is not a count" },
	{ "--no", "short for several options: --no-pmu, --no-mouse, --no-color" },
	{ "--ascii=1", "--ascii takes no argument" },
	{ "log -i", "--interval needs TIME" },
	{ "log --interval", "--interval needs TIME" },
	{ "log --interval= ", "\"\" is not a time" },
	{ "--duration 3 log", "--duration is not an option of avxtop log, but of: burst" },
	{ "--duration 3", "not an option of avxtop top, but of: burst" },
	{ "-i 9ms", "too short" },
	{ "-i 0", "too short" },
	{ "-i -1", "\"-1\" is not a time" },
	{ "-i nan", "is not a time" },
	{ "-i inf", "is not a time" },
	{ "-i 0x10", "is not a time" },
	{ "-i 1,5", "\"1,5\" is not a time" },
	{ "-i 1e3", NULL },
	{ "-i 1e99", "" },
	{ "-i 2000min", "too long" },
	{ "-i 99999999999999999", "too long" },
	{ "burst --duration 25h", "too long" },
	{ "-n 0", "a count of 0" },
	{ "-n -1", "is not a count" },
	{ "-n 1.5", "is not a count" },
	{ "-n 18446744073709551616", "too large" },
	{ "-n 18446744073709551615", NULL },
	{ "-c 0-", "is not a list of CPUs" },
	{ "-c _", "is not a list of CPUs" },
	{ "-c 3-1", "is not a list of CPUs" },
	{ "-c 99999999", "beyond 65535" },
	{ "-c 99999999999999999999999", "beyond 65535" },
	{ "-c 0-65535", NULL },
	{ "-c ALL", "is not a list of CPUs" },
	{ "--metrics busy_herz", "unknown metric \"busy_herz\"; near: busy_hertz" },
	{ "--metrics busy_herz", "(see avxtop metrics)" },
	{ "--metrics _", "a name is missing in the list \"\"" },
	{ "--metrics ipc,,ipc", "a name is missing" },
	{ "--metrics ipc,", "a name is missing" },
	{ "burst --kernel avx512fma", "near: avx512-fma" },
	{ "burst --kernel _", "a name is missing" },
	{ "burst --duration 0", "a duration of 0" },
	{ "burst --duration x", "is not a time" },
	{ "burst --duty 5ms/4ms", "is not a duty" },
	{ "burst --duty _", "is not a duty" },
	{ "log --source bpf", "unknown source \"bpf\"; this version has: procfs" },
	{ "log --source rulr", "near: ruler" },
	{ "log --source -rulr", "unknown source \"rulr\"; near: ruler" },
	{ "log --source none", "unknown source \"none\"" },
	{ "log --source -", "unknown source \"\"" },
	{ "log --format jsn", "unknown format \"jsn\"; near: json" },
	{ "log --format yaml", "this version has: table, csv, json" },
	{ "log --scope process", "unknown scope \"process\"" },
	{ "log --scope cpus", "near: cpu" },
	{ "log -o _", "output file is empty" },
	{ "log --sysroot _", "system root is empty" },
	/* Of later versions: not accepted as long as they would do nothing. */
	{ "log --pid 1", "unknown option --pid" },
	{ "log -p 1", "unknown option -p" },
	{ "log --cgroup /", "unknown option --cgroup" },
	{ "log --machine zen4", "unknown option --machine" },
	{ "--view grid", "unknown option --view" },
	/* The first mistake is the one that is told. */
	{ "foo --bogus", "unknown command" },
	{ "--bogus foo", "unknown option" },
};

static void wrong_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct options options;
		struct problem problem;
		int r = parse(wrong[i].line, &options, &problem);

		options_free(&options);
		if (r != (wrong[i].part ? -22 : 0))
			fail_msg("avxtop %s: %d %s", wrong[i].line, r, problem.text);
		if (!wrong[i].part)
			continue;
		if (!strstr(problem.text, wrong[i].part))
			fail_msg("avxtop %s: %s", wrong[i].line, problem.text);
		assert_string_not_equal(problem.text, "");
		assert_true(problem.text[strlen(problem.text) - 1] != '.');
	}
}

/* No arguments at all, not even a name of the program. */
static void empty_argv(void **state)
{
	char *argv[] = { NULL };
	struct options options;
	struct problem problem;

	(void)state;
	assert_int_equal(options_parse(0, argv, &options, &problem), 0);
	assert_int_equal(options.command->id, COMMAND_TOP);
	options_free(&options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sound),
		cmocka_unit_test(commands_are_sound),
		cmocka_unit_test(help_fits),
		cmocka_unit_test(nothing_given),
		cmocka_unit_test(any_order),
		cmocka_unit_test(values),
		cmocka_unit_test(sources),
		cmocka_unit_test(wrong_lines),
		cmocka_unit_test(empty_argv),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
