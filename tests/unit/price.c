/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a burst costs, by known answers. */
#include "config.h"

#include <math.h>

#include "burst/price.h"
#include "burst/timeline.h"
#include "tests/unit/unit.h"

static void is_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-15))
		fail_msg("%g is not %g", value, expected);
}

/* Nothing seen, with limits: a throttle that takes half of 1 us, a halt of 0.5 us. */
static struct timeline quiet(void)
{
	struct timeline timeline = { .burst_s = 200e-6 };

	for (unsigned id = 0; id < TIMELINE_PHASES; id++)
		timeline.phases[id] = (struct timeline_phase) {
			.begin_s = NAN,
			.duration_s = NAN,
			.low_s = NAN,
			.high_s = NAN,
			.ratio = NAN,
			.low = NAN,
			.high = NAN,
			.hertz = NAN,
			.limit_s = 0.5e-6,
			.limit = 0.003,
		};
	timeline.phases[TIMELINE_THROTTLE].limit_s = 1e-6;
	timeline.phases[TIMELINE_THROTTLE].limit = 0.5;
	return timeline;
}

static void see(struct timeline *timeline, enum timeline_phase_id id, double duration_s,
		double ratio)
{
	timeline->phases[id].seen = true;
	timeline->phases[id].duration_s = duration_s;
	timeline->phases[id].ratio = ratio;
}

/* Xeon W-2104 (T. Downs, 2020-01-17): 9 us at 1/4, 11 us halt, 650 us at 2.8 of 3.2 GHz, 11 us
 * halt. */
static struct timeline w2104(void)
{
	struct timeline timeline = quiet();

	see(&timeline, TIMELINE_THROTTLE, 9e-6, 0.25);
	see(&timeline, TIMELINE_HALT_DOWN, 11e-6, NAN);
	see(&timeline, TIMELINE_LOW_CLOCK, NAN, 0.125);
	see(&timeline, TIMELINE_HOLD, 650e-6, NAN);
	see(&timeline, TIMELINE_HALT_UP, 11e-6, NAN);
	see(&timeline, TIMELINE_RECOVERED, 661e-6, NAN);
	return timeline;
}

static void a_license_has_its_known_price(void **state)
{
	const struct timeline timeline = w2104();
	const double entry_s = 9e-6 * (1 - 0.25 / 0.875) + 11e-6, after_s = 650e-6 / 8 + 11e-6;
	struct price result;

	(void)state;
	/* 1.75 times as fast at the lower clock */
	price(&timeline, 56e9, 32e9, 100e-6, &result);
	is_near(result.entry_s, entry_s);
	is_near(result.entry_s, 17.428571428571429e-6);
	is_near(result.after_s, after_s);
	is_near(result.after_s, 92.25e-6);
	is_near(result.limit_s, 0);
	is_near(result.speedup, 1.75);
	is_near(result.break_even_s, (entry_s + after_s) / 0.75);
	/* With M = 0.25: wide code of a quarter of the time takes 1/7, the rest 0.75 / 0.875 = 6/7.
	 */
	is_near(result.break_even_ratio, 0.25);
	assert_true(result.outlasts && result.ruler_sees);
}

static void slower_wide_code_never_pays(void **state)
{
	const struct timeline timeline = w2104();
	struct price result;

	(void)state;
	price(&timeline, 30e9, 32e9, 100e-6, &result);
	assert_true(isinf(result.break_even_s) && isinf(result.break_even_ratio));
	price(&timeline, 32e9, 32e9, 100e-6, &result);
	assert_true(isinf(result.break_even_s) && isinf(result.break_even_ratio));
	assert_true(result.break_even_s > 0 && result.break_even_ratio > 0);
}

static void what_is_not_known_stays_absent(void **state)
{
	struct timeline timeline = w2104();
	struct price result;

	(void)state;
	price(&timeline, NAN, 32e9, 100e-6, &result);
	assert_true(isnan(result.speedup) && isnan(result.break_even_s) &&
		    isnan(result.break_even_ratio));
	is_near(result.after_s, 92.25e-6);
	price(&timeline, 32e9, 0, 100e-6, &result);
	assert_true(isnan(result.speedup) && isnan(result.break_even_s));
	/* too few epochs to look for phases: no price, rather than none to pay */
	timeline = quiet();
	for (unsigned id = 0; id < TIMELINE_PHASES; id++)
		timeline.phases[id].limit_s = timeline.phases[id].limit = NAN;
	price(&timeline, 64e9, 32e9, 100e-6, &result);
	is_near(result.speedup, 2);
	assert_true(isnan(result.entry_s) && isnan(result.after_s) && isnan(result.limit_s));
	assert_true(isnan(result.break_even_s) && isnan(result.break_even_ratio));
	assert_false(result.outlasts || result.ruler_sees);
}

static void nothing_seen_costs_nothing_above_the_limit(void **state)
{
	const struct timeline timeline = quiet();
	struct price result;

	(void)state;
	price(&timeline, 64e9, 32e9, 100e-6, &result);
	is_near(result.entry_s, 0);
	is_near(result.after_s, 0);
	is_near(result.limit_s, 1e-6);
	is_near(result.break_even_s, 0);
	is_near(result.break_even_ratio, 0);
	assert_false(result.outlasts || result.ruler_sees);
}

static void a_hold_is_seen_by_who_looks_soon_enough(void **state)
{
	struct timeline timeline = w2104();
	struct price result;

	(void)state;
	see(&timeline, TIMELINE_HOLD, 60e-6, NAN);
	price(&timeline, 64e9, 32e9, 100e-6, &result);
	assert_true(result.outlasts);
	assert_false(result.ruler_sees);
	see(&timeline, TIMELINE_HOLD, 2e-6, NAN);
	price(&timeline, 64e9, 32e9, 100e-6, &result);
	assert_false(result.outlasts || result.ruler_sees);
	/* a throttle alone: half of 12 us, against full speed */
	timeline = quiet();
	see(&timeline, TIMELINE_THROTTLE, 12e-6, 0.5);
	price(&timeline, 64e9, 32e9, 100e-6, &result);
	is_near(result.entry_s, 6e-6);
	is_near(result.after_s, 0);
	is_near(result.limit_s, 0.5e-6);
	is_near(result.break_even_s, 6e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_license_has_its_known_price),
		cmocka_unit_test(slower_wide_code_never_pays),
		cmocka_unit_test(what_is_not_known_stays_absent),
		cmocka_unit_test(nothing_seen_costs_nothing_above_the_limit),
		cmocka_unit_test(a_hold_is_seen_by_who_looks_soon_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
