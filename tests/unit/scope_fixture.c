/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The made-up results. */
#include "config.h"

#include "scope_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BURST_S 200e-6
#define BEFORE_HERTZ 3.4e9
#define DROP 0.125

/* Where buckets are short: from, to and width in microseconds. */
static const struct {
	double from, to, width;
} zones[] = { { -20, 60, 0.5 }, { 60, 190, 5 }, { 190, 230, 0.5 }, { 230, 840, 5 }, { 840, 880, 0.5 },
	      { 880, 960, 5 } };

static bool within(double t_us, double from, double to)
{
	return t_us > from && t_us < to;
}

static double clock_at(double t_us, bool flat)
{
	if (flat)
		return 1;
	if (within(t_us, 9, 20) || within(t_us, 850, 861))
		return 0.02;
	return within(t_us, 20, 850) ? 1 - DROP : 1;
}

static double rate_at(double t_us, bool flat)
{
	if (!within(t_us, 0, BURST_S * 1e6))
		return NAN;
	return !flat && within(t_us, 0, 9) ? 0.25 : clock_at(t_us, flat);
}

static void add_bucket(struct timeline *t, double from, double width, bool flat, bool victim)
{
	const double middle = from + width / 2;
	const double noise = 0.002 * sin(middle * 7);
	struct timeline_bucket *const b = &t->buckets[t->n_buckets++];

	*b = (struct timeline_bucket){
		.t_s = middle * 1e-6, .width_s = width * 1e-6, .clock_ratio = clock_at(middle, flat) + noise,
		.rate_ratio = victim ? NAN : rate_at(middle, flat), .error = 0.0004, .n = 488,
	};
	b->low = b->clock_ratio - 0.006;
	b->high = b->clock_ratio + 0.006;
}

static void fill(struct timeline *t, bool flat, bool victim)
{
	*t = (struct timeline){ .before_hertz = BEFORE_HERTZ, .burst_s = BURST_S, .epochs = 488,
				.dropped = { 9, 3 }, .gap_ratio = 0.001 };
	t->buckets = calloc(2000, sizeof(*t->buckets));
	for (size_t z = 0; z < sizeof(zones) / sizeof(zones[0]); z++)
		for (double at = zones[z].from; at < zones[z].to - 1e-9; at += zones[z].width)
			add_bucket(t, at, zones[z].width, flat, victim);
	for (int i = 0; i < TIMELINE_PHASES; i++)
		t->phases[i] = (struct timeline_phase){
			.begin_s = NAN, .duration_s = NAN, .low_s = NAN, .high_s = NAN, .ratio = NAN,
			.low = NAN, .high = NAN, .hertz = NAN, .limit_s = 0.5e-6, .limit = NAN,
		};
	t->phases[TIMELINE_THROTTLE].limit = 0.02;
	t->phases[TIMELINE_LOW_CLOCK].limit_s = NAN;
	t->phases[TIMELINE_LOW_CLOCK].limit = 0.004;
	t->phases[TIMELINE_RECOVERED].limit_s = NAN;
	t->judgment.n_groups = 2;
	t->judgment.groups[0] = (struct base_group){ 3.39e9, 3.39e9 * (flat ? 1 : 1 - DROP), 200 };
	t->judgment.groups[1] = (struct base_group){ 3.41e9, 3.41e9 * (flat ? 1 : 1 - DROP), 288 };
}

static void see(struct timeline *t, enum timeline_phase_id id, double begin_us, double duration_us)
{
	t->phases[id].seen = true;
	t->phases[id].begin_s = begin_us * 1e-6;
	t->phases[id].duration_s = duration_us * 1e-6;
	t->phases[id].low_s = (duration_us - 0.25) * 1e-6;
	t->phases[id].high_s = (duration_us + 0.25) * 1e-6;
}

static void see_all(struct timeline *t, bool victim)
{
	struct timeline_phase *const low = &t->phases[TIMELINE_LOW_CLOCK];

	if (!victim) {
		see(t, TIMELINE_THROTTLE, 0, 9);
		t->phases[TIMELINE_THROTTLE].ratio = 0.25;
		t->phases[TIMELINE_THROTTLE].low = 0.24;
		t->phases[TIMELINE_THROTTLE].high = 0.26;
	}
	see(t, TIMELINE_HALT_DOWN, 9, 11);
	low->seen = true;
	low->begin_s = 20e-6;
	low->ratio = DROP;
	low->low = DROP - 0.002;
	low->high = DROP + 0.002;
	low->hertz = BEFORE_HERTZ * (1 - DROP);
	see(t, TIMELINE_HOLD, 200, 650);
	see(t, TIMELINE_HALT_UP, 850, 11);
	see(t, TIMELINE_RECOVERED, 861, 661);
}

static struct microscope_result *make(bool flat, int victim)
{
	struct microscope_result *const result = calloc(1, sizeof(*result));

	*result = (struct microscope_result){
		.kernel = KERNEL_AVX512_FMA, .victim = victim, .epochs_planned = 500, .epochs_done = 500,
		.ops_per_second = 1.9e11, .ops_per_cycle = 64, .narrower = KERNEL_AVX2_FMA,
		.narrower_ops_per_second = 1.07e11, .core_name = "Skylake-SP", .verified = true,
	};
	fill(&result->own, flat, false);
	if (victim >= 0)
		fill(&result->other, flat, true);
	return result;
}

struct microscope_result *scope_fixture(int victim)
{
	struct microscope_result *const result = make(false, victim);

	see_all(&result->own, false);
	if (victim >= 0)
		see_all(&result->other, true);
	result->price = (struct price){ .entry_s = 17.75e-6, .after_s = 92e-6, .limit_s = 0.5e-6,
					.speedup = 1.78, .break_even_s = 230e-6,
					.break_even_ratio = 0.22, .outlasts = true, .ruler_sees = true };
	result->n_duties = 1;
	result->duties[0] = (struct microscope_duty){ .pattern = { 20000, 1000000 }, .bursts = 100,
						      .base_hertz = BEFORE_HERTZ, .first_ratio = 0.991,
						      .last_ratio = 0.875, .low = 0.873, .high = 0.877,
						      .after_s = 660e-6 };
	(void)snprintf(result->verdict, sizeof(result->verdict),
		       "throttled to a quarter for 9 us, halted for 11 us, then 12.5 %% lower until 650 us "
		       "after the end");
	return result;
}

struct microscope_result *scope_fixture_flat(void)
{
	struct microscope_result *const result = make(true, -1);

	result->price = (struct price){ .entry_s = 0, .after_s = 0, .limit_s = 0.7e-6, .speedup = 1.99,
					.break_even_s = 0, .break_even_ratio = NAN };
	(void)snprintf(result->verdict, sizeof(result->verdict),
		       "no phase seen: neither throttled, nor halted, nor a clock lower by 0.4 %% or more");
	return result;
}
