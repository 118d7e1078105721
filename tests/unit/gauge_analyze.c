/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The analysis of a probe on planted series: what it reads where nothing disturbs, and that each kind
 * of disturbance is cut out or flagged. Every test here was seen to fail without its guard. */
#include "config.h"

#include "burst/gauge.h"

#include <math.h>
#include <string.h>

#include "unit.h"

#define TSC_HERTZ 2.1e9
#define CLOCK_HERTZ 3.4e9
#define COST_CYCLES 90.0
#define PI_LIKE_PHASE 0.37 /* of a TSC step: no sub-sample begins on one */

static const char order[] = "rrrr" "ssssssssssssssss" "llllllllllllllll" "ssssssssssssssss";
enum { N = sizeof(order) - 1, FIRST_LONG = 20, LONGS = 16 };

/* A machine: its clock may depend on the time since the start, its TSC advances in steps. */
struct machine {
	double step;		      /* ticks, at least 1 */
	double drift;		      /* share by which the clock rises over the probe */
	double wave, wave_phase;      /* triangle of 31.5 kHz: its amplitude as a share, and 0 to 1 */
	double reference_slow;	      /* share by which the witness is slower than it should be */
	double chain_slow;	      /* and the chain */
};

static double clock_share(const struct machine *m, double s)
{
	double x = s * 31.5e3 + m->wave_phase;

	x -= floor(x);
	return 1 + m->drift * (s / 43e-6 - 0.5) + m->wave * (1 - 4 * fabs(x - 0.5));
}

static double stepped(const struct machine *m, double s)
{
	double ticks = s * TSC_HERTZ + PI_LIKE_PHASE * m->step;

	return floor(ticks / m->step) * m->step;
}

static struct gauge_series plant(const struct machine *m)
{
	struct gauge_series series = { .n = N, .cycles = { 6768, 144, 3408 } };
	double s = 0;

	for (unsigned i = 0; i < N; i++) {
		unsigned part = order[i] == 'l' ? GAUGE_LONG
				: order[i] == 's' ? GAUGE_SHORT : GAUGE_REFERENCE;
		double slow = part == GAUGE_REFERENCE ? m->reference_slow : m->chain_slow;
		double left = series.cycles[part] * (1 + slow) + COST_CYCLES, begin = s;

		series.part[i] = (uint8_t)part;
		for (double piece; left > 0; left -= piece) {
			piece = fmin(left, 200);
			s += piece / (CLOCK_HERTZ * clock_share(m, s));
		}
		series.ticks[i] = (uint32_t)lround(stepped(m, s) - stepped(m, begin));
	}
	return series;
}

static const struct machine exact = { .step = 1 };
static const struct machine coarse = { .step = 21 };

static struct gauge_look analyze(const struct gauge_series *series)
{
	struct gauge_look look;

	memset(&look, 0xff, sizeof(look));
	gauge_analyze(series, 3, &look);
	return look;
}

/* The clock read, as its error in percent. */
static double error_percent(const struct gauge_look *look)
{
	return 100 * (gauge_hertz(look, TSC_HERTZ) / CLOCK_HERTZ - 1);
}

static void assert_reads(const struct gauge_look *look, double within_percent)
{
	assert_int_equal(look->flags, 0);
	if (!(fabs(error_percent(look)) <= within_percent))
		fail_msg("off by %.4f %%", error_percent(look));
}

static void reads_the_clock(void **state)
{
	struct gauge_series series = plant(&exact);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_reads(&look, 0.002);
	assert_int_equal(look.kept, LONGS);
	assert_int_equal(look.taken, LONGS);
	assert_int_equal(look.gap_ticks, 0);
	assert_true(fabs(look.cost_ticks - COST_CYCLES / CLOCK_HERTZ * TSC_HERTZ) < 0.1);
	assert_true(fabs(look.witness - 3) < 0.001);
	assert_true(look.spread < 0.0005);
	assert_true(fabs(look.cycles - LONGS * 6768.0 - 32 * 144.0) < 1);
}

static void averages_a_coarse_tsc(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_reads(&look, 0.03);
	assert_int_equal(look.kept, LONGS);
	assert_true(fabs(look.witness - 3) < 0.006);
}

static void drift_cancels(void **state)
{
	struct machine m = { .step = 21, .drift = 0.004 };
	struct gauge_series series = plant(&m);
	struct gauge_look look = analyze(&series);
	double middle = 1 + m.drift * ((4e-6 + 16 * 0.07e-6 + 16e-6) / 43e-6 - 0.5);

	(void)state;
	assert_int_equal(look.flags, 0);
	assert_true(fabs(100 * (gauge_hertz(&look, TSC_HERTZ) / CLOCK_HERTZ / middle - 1)) < 0.06);
}

static void spread_spectrum_cancels(void **state)
{
	(void)state;
	for (unsigned phase = 0; phase < 24; phase++) {
		struct machine m = { .step = 1, .wave = 0.0025, .wave_phase = phase / 24.0 };
		struct gauge_series series = plant(&m);
		struct gauge_look look = analyze(&series);

		assert_reads(&look, 0.06);
	}
}

static void few_gaps_are_cut_out(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	series.ticks[FIRST_LONG + 1] += 6300;
	series.ticks[FIRST_LONG + 9] += 6300;
	series.ticks[10] += 3150; /* a short one */
	series.ticks[1] += 2100;  /* the witness */
	look = analyze(&series);
	assert_reads(&look, 0.05);
	assert_int_equal(look.kept, LONGS - 2);
	assert_true(fabs((double)look.gap_ticks - 17850) < 200);
}

static void small_delays_are_cut_out(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		series.ticks[FIRST_LONG + 5 + 5 * i] += 63; /* 30 ns of 2 us, as by a busy sibling */
	look = analyze(&series);
	assert_reads(&look, 0.08);
	assert_int_equal(look.kept, LONGS - 2);
	assert_int_equal(look.gap_ticks, 0);
}

static void many_gaps_are_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		series.ticks[FIRST_LONG + 5 * i] += 2100;
	look = analyze(&series);
	assert_int_equal(look.flags, GAUGE_FEW_KEPT);
	assert_true(isnan(gauge_hertz(&look, TSC_HERTZ)));
}

/* The few clean ones are the norm, not the many that a sibling delays. */
static void mostly_delayed_is_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < 13; i++)
		series.ticks[FIRST_LONG + i] += 63;
	look = analyze(&series);
	assert_true(look.flags & GAUGE_FEW_KEPT);
	assert_int_equal(look.kept, 3);
}

static void many_disturbed_stamps_are_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < 12; i++)
		series.ticks[4 + i] += 150;
	look = analyze(&series);
	assert_true(look.flags & GAUGE_FEW_KEPT);
}

static void two_halved_are_cut_out(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	series.ticks[FIRST_LONG + 3] /= 2;
	series.ticks[FIRST_LONG + 12] /= 2;
	look = analyze(&series);
	assert_reads(&look, 0.05);
	assert_int_equal(look.kept, LONGS - 2);
}

static void many_halved_are_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < 6; i++)
		series.ticks[FIRST_LONG + 2 * i] /= 2;
	look = analyze(&series);
	assert_true(look.flags & GAUGE_FEW_KEPT);
}

/* A step that every sub-sample survives, but not the comparison of the halves. */
static void small_step_is_flagged(void **state)
{
	struct gauge_series series = plant(&exact);
	struct gauge_look look;

	(void)state;
	for (unsigned i = FIRST_LONG + LONGS / 2; i < N; i++)
		series.ticks[i] += series.ticks[i] * 6 / 1000;
	look = analyze(&series);
	assert_int_equal(look.flags, GAUGE_MOVED);
	assert_int_equal(look.kept, LONGS);
}

/* A clock that jitters by as much as survives, all over: the halves agree. */
static void jitter_is_flagged(void **state)
{
	struct gauge_series series = plant(&exact);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 0; i < LONGS; i++)
		series.ticks[FIRST_LONG + i] += i % 2 ? 30 : 0;
	look = analyze(&series);
	assert_int_equal(look.flags, GAUGE_MOVED);
	assert_int_equal(look.kept, LONGS);
}

static void pstate_step_is_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = FIRST_LONG + LONGS / 2; i < N; i++)
		series.ticks[i] += series.ticks[i] * 3 / 100;
	look = analyze(&series);
	assert_true(look.flags & GAUGE_FEW_KEPT);
}

static void slow_chain_is_flagged(void **state)
{
	struct machine m = { .step = 21, .chain_slow = 0.01 };
	struct gauge_series series = plant(&m);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_int_equal(look.flags, GAUGE_WITNESS);
	assert_true(fabs(look.witness - 3.03) < 0.008);
}

/* imul of an unknown core: 4 cycles where 3 are believed. */
static void other_core_is_flagged(void **state)
{
	struct machine m = { .step = 1, .chain_slow = 1.0 / 3 };
	struct gauge_series series = plant(&m);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_int_equal(look.flags, GAUGE_WITNESS);
	assert_true(fabs(look.witness - 4) < 0.01);
}

static void busy_sibling_is_no_alarm(void **state)
{
	struct machine m = { .step = 21, .reference_slow = 0.05 };
	struct gauge_series series = plant(&m);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_reads(&look, 0.03);
	assert_true(fabs(look.witness - 3 / 1.05) < 0.01);
}

/* A quarter of the dispatch slots: the adds are four times as slow, imul needs no more slots. */
static void dispatch_throttle_is_flagged(void **state)
{
	struct machine m = { .step = 21, .reference_slow = 3 };
	struct gauge_series series = plant(&m);
	struct gauge_look look = analyze(&series);

	(void)state;
	assert_int_equal(look.flags, GAUGE_WITNESS);
}

static void absurd_lengths_are_flagged(void **state)
{
	struct gauge_series series = plant(&coarse);
	struct gauge_look look;

	(void)state;
	for (unsigned i = 4; i < N; i++)
		series.ticks[i] = series.part[i] == GAUGE_LONG ? 100 : 4000;
	look = analyze(&series);
	assert_true(look.flags & GAUGE_IMPOSSIBLE);
	assert_true(isnan(gauge_hertz(&look, TSC_HERTZ)));
}

static void segment_reads_without_a_witness(void **state)
{
	struct gauge_series all = plant(&exact), series = { .n = 10 };
	struct gauge_look look;

	(void)state;
	memcpy(series.cycles, all.cycles, sizeof(series.cycles));
	for (unsigned i = 0; i < 10; i++) {
		series.part[i] = all.part[FIRST_LONG - 4 + (i < 6 ? i : i + LONGS - 2)];
		series.ticks[i] = all.ticks[FIRST_LONG - 4 + (i < 6 ? i : i + LONGS - 2)];
	}
	look = analyze(&series);
	assert_reads(&look, 0.02);
	assert_true(isnan(look.witness));
	series.ticks[4] += 63;
	look = analyze(&series);
	assert_int_equal(look.flags, GAUGE_FEW_KEPT);
}

static void hertz_only_where_possible(void **state)
{
	struct gauge_look look = { .cycles = 3400, .ticks = 2100 };

	(void)state;
	assert_true(fabs(gauge_hertz(&look, 2.1e9) - 3.4e9) < 1);
	look.cycles = 90;
	assert_true(isnan(gauge_hertz(&look, 2.1e9)));
	look.cycles = 11000;
	assert_true(isnan(gauge_hertz(&look, 2.1e9)));
	look.cycles = 3400;
	look.flags = GAUGE_MOVED;
	assert_true(isnan(gauge_hertz(&look, 2.1e9)));
	look = (struct gauge_look){ 0 };
	assert_true(isnan(gauge_hertz(&look, 2.1e9)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_clock),
		cmocka_unit_test(averages_a_coarse_tsc),
		cmocka_unit_test(drift_cancels),
		cmocka_unit_test(spread_spectrum_cancels),
		cmocka_unit_test(few_gaps_are_cut_out),
		cmocka_unit_test(small_delays_are_cut_out),
		cmocka_unit_test(many_gaps_are_flagged),
		cmocka_unit_test(mostly_delayed_is_flagged),
		cmocka_unit_test(many_disturbed_stamps_are_flagged),
		cmocka_unit_test(two_halved_are_cut_out),
		cmocka_unit_test(many_halved_are_flagged),
		cmocka_unit_test(small_step_is_flagged),
		cmocka_unit_test(jitter_is_flagged),
		cmocka_unit_test(pstate_step_is_flagged),
		cmocka_unit_test(slow_chain_is_flagged),
		cmocka_unit_test(other_core_is_flagged),
		cmocka_unit_test(busy_sibling_is_no_alarm),
		cmocka_unit_test(dispatch_throttle_is_flagged),
		cmocka_unit_test(absurd_lengths_are_flagged),
		cmocka_unit_test(segment_reads_without_a_witness),
		cmocka_unit_test(hertz_only_where_possible),
	};

	return cmocka_run_group_tests_name("gauge_analyze", tests, NULL, NULL);
}
