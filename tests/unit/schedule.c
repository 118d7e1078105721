/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patterns and schedules: what text means, and that stretches cover the time without a hole. */
#include "config.h"

#include <errno.h>

#include "burst/pattern.h"
#include "burst/schedule.h"
#include "tests/unit/unit.h"

#define MS 1000000

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		uint64_t on_ns, period_ns;
	} good[] = {
		{ "4ms/5ms", 4 * MS, 5 * MS },	 { "100%", 5 * MS, 5 * MS },
		{ "80%", 4 * MS, 5 * MS },	 { "0.5ms/0.001", MS / 2, MS },
		{ "10s/10s", 10000ull * MS, 10000ull * MS }, { "80us/100us", 80000, 100000 },
	};
	static const char *const bad[] = { "", "/", "%", "4ms", "4ms/", "/5ms", "6ms/5ms", "0/5ms",
					   "4ms/5ms/6ms", "101%", "0%", "-5%", "nan%", "1us/99us",
					   "1s/11s", "4 ms/5ms%", "fast", "80 %" };
	struct pattern pattern = { 1, 2 };

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(good); i++) {
		assert_int_equal(pattern_parse(good[i].text, &pattern), 0);
		assert_int_equal(pattern.on_ns, good[i].on_ns);
		assert_int_equal(pattern.period_ns, good[i].period_ns);
	}
	pattern = (struct pattern){ 1, 2 };
	for (unsigned i = 0; i < COUNT_OF(bad); i++) {
		if (pattern_parse(bad[i], &pattern) != -EINVAL)
			fail_msg("\"%s\" was accepted", bad[i]);
		assert_true(pattern.on_ns == 1 && pattern.period_ns == 2);
	}
}

struct totals {
	int64_t on, off, longest_off;
	unsigned stretches, rests;
};

/* Walks through the whole schedule; checks that neighbors meet and differ. */
static struct totals walk(const struct schedule *schedule)
{
	struct totals totals = { 0 };
	struct stretch s = schedule_at(schedule, -SCHEDULE_LEAD_NS);

	assert_true(s.from_ns == -SCHEDULE_LEAD_NS && s.until_ns == 0 && !s.on && s.rested);
	while (!s.over) {
		const struct stretch next = schedule_at(schedule, s.until_ns);
		const struct stretch middle = schedule_at(schedule, (s.from_ns + s.until_ns) / 2);
		const struct stretch last = schedule_at(schedule, s.until_ns - 1);

		assert_true(s.until_ns > s.from_ns);
		assert_true(middle.from_ns == s.from_ns && last.from_ns == s.from_ns);
		assert_true(middle.until_ns == s.until_ns && last.until_ns == s.until_ns);
		assert_true(next.over || next.from_ns == s.until_ns);
		if (s.from_ns >= 0 && s.until_ns <= schedule->duration_ns) {
			int64_t length = s.until_ns - s.from_ns;

			*(s.on ? &totals.on : &totals.off) += length;
			if (!s.on && length > totals.longest_off)
				totals.longest_off = length;
			totals.rests += !s.on && s.rested;
		}
		totals.stretches++;
		s = next;
	}
	assert_int_equal(totals.on + totals.off, schedule->duration_ns);
	return totals;
}

static void test_default_schedule(void **state)
{
	const struct schedule schedule = { PATTERN_DEFAULT, 1000 * MS };
	const struct totals totals = walk(&schedule);

	(void)state;
	assert_false(schedule_solid(&schedule));
	assert_int_equal(totals.rests, 6); /* every 160 ms */
	assert_int_equal(totals.longest_off, 6 * MS);
	assert_int_equal(totals.on, (200 - 6) * 4 * MS);
}

static void test_other_schedules(void **state)
{
	static const struct schedule cases[] = {
		{ { 5 * MS, 5 * MS }, 37 * MS },	/* no gaps, odd length */
		{ { 80000, 100000 }, 500 * MS },	/* short periods: rests of many */
		{ { 1 * MS, 20 * MS }, 1000 * MS },	/* gaps longer than a rest */
		{ { 90 * MS, 92 * MS }, 1000 * MS },	/* a rest would take too much */
		{ { 4 * MS, 5 * MS }, 2 * MS },		/* over before the first gap */
	};

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(cases); i++) {
		const struct totals totals = walk(&cases[i]);

		assert_true(schedule_solid(&cases[i]) == (i == 0));
		if (i == 0 || i == 4)
			assert_int_equal(totals.off, 0);
		if (i == 1)
			assert_true(totals.rests == 3 && totals.longest_off >= 5 * MS);
		if (i == 2)
			assert_true(totals.longest_off == 19 * MS);
		if (i == 3)
			assert_true(totals.longest_off == 2 * MS && totals.rests == 0);
	}
}

/* After a stop of the whole process, whatever the time: past the end nothing is on. */
static void test_late(void **state)
{
	const struct schedule schedule = { PATTERN_DEFAULT, 100 * MS };

	(void)state;
	for (int64_t t = 100 * MS; t < 1000 * MS; t += MS / 3) {
		const struct stretch s = schedule_at(&schedule, t);

		assert_false(s.on);
		assert_true(s.over == (t >= 105 * MS));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_default_schedule),
		cmocka_unit_test(test_other_schedules),
		cmocka_unit_test(test_late),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
