/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines made at random from words, halves of words and bytes: each gives values within their
 * limits, or one sentence. The seed is fixed, so a failure can be repeated. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/options.h"
#include "unit.h"

#define ROUNDS 20000
#define MAX_WORDS 8
#define WORD_SIZE 96

/* xorshift64 (Marsaglia, 2003): quick, and the same everywhere. */
static unsigned draw(uint64_t *seed, unsigned below)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned)(*seed >> 33) % below;
}

static const char *const values[] = {
	"", "0", "1", "3", "-1", "0.5", "250ms", "1e3", "1e308", "1e999", "nan", "inf", "0-3,8", "0-",
	"all", "99999999999999999999", "busy_hertz", "busy_hertz,ipc", "busy_herz", ",", ",,",
	"avx2-fma,scalar", "-ruler", "ruler,-ruler", "json", "cpu,core", "4ms/5ms", "100%", "5/4",
	"man", "--", "-", "=", "\xff\xfe", "\x1b[31m", "%s%n", "\xc3", "extra",
};

/* An option, command or value, whole, cut, joined to another or with one byte changed. */
static void make_word(uint64_t *seed, char *word)
{
	const char *value = values[draw(seed, COUNT_OF(values))];
	const struct option_row *row = option_row((enum option_id)draw(seed, OPTION_N));

	switch (draw(seed, 6)) {
	case 0:
		snprintf(word, WORD_SIZE, "%s", command_name_at(draw(seed, COMMAND_N)));
		break;
	case 1:
		snprintf(word, WORD_SIZE, "%s=%s", row->name, value);
		break;
	case 2:
		snprintf(word, WORD_SIZE, "-%c%s", row->letter ? row->letter : 'h', value);
		break;
	case 3:
		snprintf(word, WORD_SIZE, "%s", value);
		break;
	default:
		snprintf(word, WORD_SIZE, "%s", row->name);
	}
	if (draw(seed, 5) == 0)
		word[draw(seed, (unsigned)strlen(word) + 1)] = '\0';
	if (draw(seed, 9) == 0 && *word)
		word[draw(seed, (unsigned)strlen(word))] = (char)(1 + draw(seed, 255));
}

static void check(const struct options *options)
{
	assert_non_null(options->command);
	assert_in_range(options->interval_ns, 10000000, 86400000000000);
	assert_true(options->n_kernels <= KERNEL_N);
	assert_int_equal(options->scopes >> SCOPE_N, 0);
	assert_true(options->pattern.on_ns > 0);
	assert_true(options->pattern.on_ns <= options->pattern.period_ns);
	assert_non_null(sink_ops(options->format));
}

static void random_lines(void **state)
{
	uint64_t seed = 20261130;
	unsigned good = 0;

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		char words[MAX_WORDS][WORD_SIZE];
		char *argv[MAX_WORDS + 2] = { (char *)"avxtop" };
		int argc = 1 + (int)draw(&seed, MAX_WORDS + 1);
		struct problem problem = { 0 };
		struct options options;
		int r;

		for (int i = 1; i < argc; i++) {
			make_word(&seed, words[i - 1]);
			argv[i] = words[i - 1];
		}
		r = options_parse(argc, argv, &options, &problem);
		if (r == 0) {
			check(&options);
			good++;
		} else {
			assert_int_equal(r, -22);
			assert_true(strlen(problem.text) > 0);
			assert_non_null(memchr(problem.text, '\0', sizeof(problem.text)));
		}
		options_free(&options);
	}
	/* Both ways must have been walked often. */
	assert_in_range(good, ROUNDS / 50, ROUNDS * 9 / 10);
	print_message("%u of %u lines were right\n", good, ROUNDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
