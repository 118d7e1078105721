/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Problems carry errno, sentence and remedy, whole or cut between characters. */
#include "config.h"
#include "base/problem.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/unit.h"

static void test_set(void **state)
{
	struct problem problem = { 0 };

	(void)state;
	assert_int_equal(problem_set(&problem, EACCES, "run as root", "cannot read %s", "x"), -EACCES);
	assert_int_equal(problem.err, EACCES);
	assert_string_equal(problem.text, "cannot read x");
	assert_string_equal(problem.remedy, "run as root");
	/* A shorter one leaves nothing behind; the arguments may come from the problem itself. */
	assert_int_equal(problem_set(&problem, 0, NULL, "%s!", problem.text), -EINVAL);
	assert_int_equal(problem.err, EINVAL);
	assert_string_equal(problem.text, "cannot read x!");
	assert_string_equal(problem.remedy, "");
	assert_int_equal(problem_set(NULL, ENOENT, "", "nobody listens"), -ENOENT);
}

static void test_cut(void **state)
{
	static const struct {
		const char *character;
		size_t fits; /* of 255 bytes */
	} rows[] = { { "x", 255 }, { "\u00e4", 254 }, { "\u2013", 255 }, { "\U0001d11e", 252 } };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct problem problem;
		char big[1200] = "";

		for (unsigned n = 0; n < 280; n++)
			strcat(big, rows[i].character);
		problem_set(&problem, 0, big, "%s", big);
		assert_int_equal(strlen(problem.text), rows[i].fits);
		assert_int_equal(strlen(problem.remedy), rows[i].fits);
		assert_memory_equal(problem.text, big, rows[i].fits);
	}
}

static void test_format(void **state)
{
	static const struct {
		int err;
		const char *text, *remedy, *line;
	} rows[] = {
		{ EACCES, "cannot read x", "run as root",
		  "cannot read x (Permission denied): run as root" },
		{ EACCES, "cannot read x", "", "cannot read x (Permission denied)" },
		{ EINVAL, "there is no CPU 9", "CPUs 0-1 are online",
		  "there is no CPU 9: CPUs 0-1 are online" },
		{ ENOTSUP, "this CPU has no AVX-512", "", "this CPU has no AVX-512" },
	};
	char buf[700], small[8];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct problem problem;

		problem_set(&problem, rows[i].err, rows[i].remedy, "%s", rows[i].text);
		assert_string_equal(problem_format(&problem, buf, sizeof(buf)), rows[i].line);
		assert_int_equal(strlen(problem_format(&problem, small, sizeof(small))), 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
