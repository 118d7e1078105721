/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks move forward, and dates are written as ISO 8601. */
#include "config.h"
#include "base/clock.h"

#include "tests/unit/unit.h"

static void test_format(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00.000000Z" },
		{ 999, "1970-01-01T00:00:00.000000Z" }, /* cut, not rounded: never the next second */
		{ 1000, "1970-01-01T00:00:00.000001Z" },
		{ 951782399999999999, "2000-02-28T23:59:59.999999Z" },
		{ 951782400000000000, "2000-02-29T00:00:00.000000Z" },
		{ 1796040000250000000, "2026-11-30T12:00:00.250000Z" },
		{ UINT64_MAX, "2554-07-21T23:34:33.709551Z" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_string_equal(clock_format_utc(rows[i].ns, buf, sizeof(buf)), rows[i].text);
}

static void test_clocks_move(void **state)
{
	const uint64_t mono = clock_mono_ns(), raw = clock_raw_ns(), cpu = clock_process_ns();

	(void)state;
	while (clock_process_ns() == cpu)
		;
	assert_true(clock_mono_ns() > mono);
	assert_true(clock_raw_ns() > raw);
	assert_true(clock_real_ns() > 1700000000 * NS_PER_S); /* after 2023 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_clocks_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
