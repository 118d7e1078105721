/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of the acceptance programs: each is a line, and the number of failures the exit status. */
#ifndef AVXTOP_TESTS_EMUHW_ACCEPT_CHECK_H
#define AVXTOP_TESTS_EMUHW_ACCEPT_CHECK_H

#include <stdio.h>

static int checks, failures;

static inline void check(int passed, const char *what, int line)
{
	checks++;
	failures += !passed;
	printf("%s %s (line %d)\n", passed ? "ok  " : "FAIL", what, line);
}
#define CHECK(condition) check(!!(condition), #condition, __LINE__)

static inline int check_end(void)
{
	printf("%d passed, %d failed\n", checks - failures, failures);
	return failures != 0;
}

#endif
