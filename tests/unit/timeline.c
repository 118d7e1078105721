/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planted courses of a clock through the whole analysis: what it must find, to the bucket, under
 * the disturbances of a guest; and what it must not find where nothing is. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/timeline.h"
#include "burst/timeline_own.h"
#include "tests/unit/epochs.h"
#include "tests/unit/unit.h"

#define NONE (-1.0)

/* Xeon W-2104, one 512-bit light instruction (T. Downs, "Gathering intel on Intel AVX-512
 * transitions", 2020-01-17): dispatch at a quarter for 9 us, halt of 11 us, 2.8 instead of 3.2 GHz
 * until 650 us after it, halt of 11 us. */
static const struct course w2104_single[] = {
	{ 0, 1, 0.25, 0.25, false }, { 9, 0, 1, 1, false },   { 20, 0.875, 1, 1, false },
	{ 650, 0, 1, 1, false },     { 661, 1, 1, 1, false },
};
/* The same part with dense heavy 512-bit instructions: 2.4 GHz. */
static const struct course w2104_heavy[] = {
	{ 0, 1, 0.25, 0.25, false }, { 9, 0, 1, 1, false },  { 20, 0.75, 1, 1, false },
	{ 650, 0, 1, 1, true },	     { 661, 1, 1, 1, true },
};
/* i5-1035G4 with one core active (the same author, 2020-08-19): 3.7 to 3.6 GHz. */
static const struct course ice_lake[] = {
	{ 0, 1, 0.25, 0.25, false }, { 20, 0, 1, 1, false }, { 30, 3.6 / 3.7, 1, 1, false },
	{ 650, 0, 1, 1, true },	     { 660, 1, 1, 1, true },
};
static const struct course throttle_wide[] = { { 0, 1, 1, 0.25, false }, { 12, 1, 1, 1, false } };
static const struct course throttle_both[] = { { 0, 1, 0.3, 0.3, false }, { 15, 1, 1, 1, false } };
static const struct course drop_only[] = { { 0, 0.9, 1, 1, false }, { 300, 1, 1, 1, true } };
static const struct course drop_at_end[] = { { 0, 0.95, 1, 1, false }, { 0, 1, 1, 1, true } };
static const struct course halt_only[] = { { 10, 0, 1, 1, false }, { 18, 1, 1, 1, false } };
static const struct course amx_slow[] = { { 5, 0.92, 1, 1, false }, { 100, 0.92, 1, 1, true } };
static const struct course beyond[] = {
	{ 0, 1, 0.25, 0.25, false },
	{ 9, 0, 1, 1, false },
	{ 20, 0.875, 1, 1, false },
};
/* A victim on the sibling: slowed and halted with the core. */
static const struct course two_levels[] = {
	{ 0, 1, 0.25, 0.25, false }, { 9, 0, 1, 1, false },	{ 20, 0.875, 1, 1, false },
	{ 80, 0, 1, 1, false },	     { 90, 0.75, 1, 1, false }, { 400, 0.875, 1, 1, true },
	{ 600, 1, 1, 1, true },
};

/* What must be found; NONE: not seen. */
struct truth {
	const char *name;
	const struct course *course;
	size_t n_course;
	double burst_us, slope_us;
	bool victim;
	double throttle_us, throttle_ratio, halt_us, drop, hold_us, halt_up_us, after_us;
	double within_us,
		hold_within_us; /* a bucket, or the sub-sample that the change fell into */
};

#define COURSE(course) (course), COUNT_OF(course)

static const struct truth truths[] = {
	{ "one instruction", COURSE(w2104_single), 0, 0, false, 9, 0.25, 11, 0.125, 650, 11, 661, 1,
	  1 },
	{ "heavy", COURSE(w2104_heavy), 150, 0, false, 9, 0.25, 11, 0.25, 650, 11, 661, 1, 1 },
	{ "victim", COURSE(w2104_heavy), 150, 0, true, 9, 0.25, 11, 0.25, 650, 11, 661, 1, 1 },
	{ "Ice Lake", COURSE(ice_lake), 150, 0, false, 20, 0.25, 10, 0.1 / 3.7, 650, 10, 660, 1,
	  1 },
	{ "throttle of wide code", COURSE(throttle_wide), 150, 0, false, 12, 0.25, NONE, NONE, NONE,
	  NONE, NONE, 0.25, 0 },
	{ "throttle of all", COURSE(throttle_both), 150, 0, false, 15, 0.3, NONE, NONE, NONE, NONE,
	  NONE, 0.5, 0 },
	{ "drop", COURSE(drop_only), 150, 0, false, NONE, 0, NONE, 0.1, 300, NONE, 300, 0.25, 1 },
	{ "drop while it runs", COURSE(drop_at_end), 150, 0, false, NONE, 0, NONE, 0.05, NONE, NONE,
	  NONE, 0.25, 1 },
	{ "halt", COURSE(halt_only), 150, 0, false, NONE, 0, 8, NONE, NONE, NONE, NONE, 0.25, 0 },
	/* 0.08 exp(-t / 150 us): risen by a quarter of it 43 us, up to a tenth 345 us after 100 us
	 */
	{ "slow recovery", COURSE(amx_slow), 150, 150, false, NONE, 0, NONE, 0.08, 143, NONE, 445,
	  0, 90 },
	{ "held beyond the end", COURSE(beyond), 150, 0, false, 9, 0.25, 11, 0.125, INFINITY, NONE,
	  INFINITY, 1, 0 },
	{ "short burst", COURSE(w2104_heavy), 20, 0, false, 9, 0.25, 11, 0.25, 650, 11, 661, 1, 1 },
	{ "two levels", COURSE(two_levels), 200, 0, false, 9, 0.25, 21, 0.25, 400, NONE, 600, 1.5,
	  1 },
	{ "nothing", NULL, 0, 150, 0, false, NONE, 0, NONE, NONE, NONE, NONE, NONE, 0, 0 },
};

/* How badly a machine measures. */
static const struct planted machines[] = {
	{ .step_ns = 10,
	  .jitter_ns = 2,
	  .stamp_cycles = 40,
	  .spread = 0.005,
	  .interrupts = 20000,
	  .steals = 0.05,
	  .moves = 0.05,
	  .wander = 0.01 },
	{ .step_ns = 1,
	  .jitter_ns = 3,
	  .stamp_ns = 12,
	  .stamp_cycles = 10,
	  .spread = 0.005,
	  .tsc_hertz = 2.6e9,
	  .base_hertz = 3.8e9,
	  .interrupts = 2000 },
	{ .step_ns = 0.5, .stamp_cycles = 30 },
};

static struct timeline analyzed(const struct planted *planted)
{
	struct epochs *epochs = epochs_new(planted);
	struct timeline timeline;

	assert_int_equal(timeline_analyze(epochs_input(epochs), &timeline), 0);
	epochs_free(epochs);
	return timeline;
}

static void is_near(const char *name, const char *what, double value, double expected,
		    double within)
{
	if (!(fabs(value - expected) <= within))
		fail_msg("%s: %s is %g, not %g within %g", name, what, value, expected, within);
}

static void is_seen(const char *name, const struct timeline *timeline, enum timeline_phase_id id,
		    bool seen)
{
	const struct timeline_phase *phase = &timeline->phases[id];

	if (phase->seen != seen)
		fail_msg("%s: %s is%s seen (%g us)", name, timeline_phase_row(id)->name,
			 phase->seen ? "" : " not", phase->duration_s * 1e6);
	if (!seen && !isnan(phase->duration_s))
		fail_msg("%s: %s is not seen, but has a duration", name,
			 timeline_phase_row(id)->name);
}

static void has_duration(const char *name, const struct timeline *timeline,
			 enum timeline_phase_id id, double us, double within)
{
	const struct timeline_phase *phase = &timeline->phases[id];
	const char *what = timeline_phase_row(id)->name;

	is_seen(name, timeline, id, us >= 0);
	if (us < 0)
		return;
	if (isinf(us)) {
		assert_true(isinf(phase->high_s));
		is_near(name, what, phase->low_s, 1.15e-3, 1.5e-4);
		return;
	}
	is_near(name, what, phase->duration_s * 1e6, us, within);
	if (within < 10 && !(phase->low_s * 1e6 <= us + 0.05 && phase->high_s * 1e6 >= us - 0.05))
		fail_msg("%s: %s of %g us is outside of %g to %g", name, what, us,
			 phase->low_s * 1e6, phase->high_s * 1e6);
}

static void is_true(const char *name, const struct timeline *timeline, const struct truth *truth,
		    double base_hertz)
{
	const struct timeline_phase *low = &timeline->phases[TIMELINE_LOW_CLOCK];
	const struct timeline_phase *throttle = &timeline->phases[TIMELINE_THROTTLE];

	is_near(name, "clock before", timeline->before_hertz / base_hertz, 1, 0.003);
	has_duration(name, timeline, TIMELINE_THROTTLE, truth->throttle_us, truth->within_us);
	if (throttle->seen) {
		is_near(name, "throttle ratio", throttle->ratio, truth->throttle_ratio, 0.01);
		is_near(name, "throttle begin", throttle->begin_s * 1e6, 0, 0.25);
	}
	has_duration(name, timeline, TIMELINE_HALT_DOWN, truth->halt_us, truth->within_us);
	is_seen(name, timeline, TIMELINE_LOW_CLOCK, truth->drop >= 0);
	if (low->seen) {
		is_near(name, "drop", low->ratio, truth->drop, 0.003);
		is_near(name, "low clock", low->hertz / base_hertz, 1 - truth->drop, 0.003);
	}
	has_duration(name, timeline, TIMELINE_HOLD, truth->hold_us, truth->hold_within_us);
	has_duration(name, timeline, TIMELINE_HALT_UP, truth->halt_up_us, truth->hold_within_us);
	has_duration(name, timeline, TIMELINE_RECOVERED, truth->after_us, truth->hold_within_us);
}

static void each_course_is_found_on_each_machine(void **state)
{
	(void)state;
	for (size_t m = 0; m < COUNT_OF(machines); m++)
		for (size_t i = 0; i < COUNT_OF(truths); i++) {
			const struct truth *truth = &truths[i];
			struct planted planted = machines[m];
			struct timeline timeline;

			planted.course = truth->course;
			planted.n_course = truth->n_course;
			planted.n_epochs = 200;
			planted.before_us = 60;
			planted.burst_us = truth->burst_us;
			planted.after_us = 1000;
			planted.slope_us = truth->slope_us;
			planted.victim = truth->victim;
			planted.seed = 1 + i;
			timeline = analyzed(&planted);
			print_message("machine %zu: %s\n", m, truth->name);
			is_true(truth->name, &timeline, truth,
				planted.base_hertz > 0 ? planted.base_hertz : 3.2e9);
			timeline_clear(&timeline);
		}
}

/* A line without transitions, short and of few epochs, since it is the number of lines that proves.
 */
static void nothing_is_found_where_nothing_is(void **state)
{
	unsigned found = 0;

	(void)state;
	for (unsigned seed = 1; seed <= 1000; seed++) {
		const struct planted planted = {
			.n_epochs = 30,
			.before_us = 40,
			.burst_us = seed % 3 == 0 ? 0 : 60,
			.after_us = 80,
			.victim = seed % 5 == 0,
			.step_ns = seed % 2 == 0 ? 10 : 1,
			.jitter_ns = 3,
			.stamp_cycles = 40,
			.spread = 0.005,
			.interrupts = 20000,
			.steals = 0.05,
			.moves = 0.05,
			.wander = 0.01,
			.seed = seed,
		};
		struct timeline timeline = analyzed(&planted);
		bool seen = false;

		for (unsigned id = 0; id < TIMELINE_PHASES; id++) {
			seen |= timeline.phases[id].seen;
			if (timeline.phases[id].seen)
				print_message("seed %u: %s\n", seed, timeline_phase_row(id)->name);
		}
		found += seen;
		timeline_clear(&timeline);
	}
	assert_in_range(found, 0, 10);
}

/* Below 20 epochs nothing is said of phases, since interrupts could pose as them; the clock is. */
static void few_epochs_tell_no_phases(void **state)
{
	static const size_t few[] = { 1, 3, 19 };

	(void)state;
	for (size_t i = 0; i < COUNT_OF(few); i++) {
		struct planted planted = { COURSE(w2104_heavy), .n_epochs = few[i],
					   .before_us = 40,	.burst_us = 100,
					   .after_us = 100,	.stamp_cycles = 40,
					   .interrupts = 5000,	.seed = 3 };
		struct timeline timeline = analyzed(&planted);

		assert_int_equal(timeline.epochs + timeline.dropped[TIMELINE_GAP] +
					 timeline.dropped[TIMELINE_MOVED],
				 few[i]);
		for (unsigned id = 0; id < TIMELINE_PHASES; id++) {
			if (id != TIMELINE_LOW_CLOCK)
				assert_false(timeline.phases[id].seen);
			if (id != TIMELINE_LOW_CLOCK)
				assert_true(isnan(timeline.phases[id].limit_s));
		}
		assert_true(timeline.n_buckets > 100);
		is_near("few", "clock before", timeline.before_hertz / 3.2e9, 1, 0.003);
		is_near("few", "clock in the burst", timeline.judgment.drop_ratio, 0.25, 0.01);
		assert_int_equal(timeline.phases[TIMELINE_LOW_CLOCK].seen, few[i] > 6);
		timeline_clear(&timeline);
	}
}

static void no_epochs_are_no_data(void **state)
{
	const struct planted planted = {
		.before_us = 40, .burst_us = 100, .after_us = 100, .n_epochs = 0
	};
	struct epochs *epochs = epochs_new(&planted);
	struct timeline_input empty = *epochs_input(epochs);
	struct timeline timeline;

	(void)state;
	assert_int_equal(timeline_analyze(epochs_input(epochs), &timeline), -ENODATA);
	assert_int_equal(timeline.epochs, 0);
	assert_true(isnan(timeline.before_hertz) && isnan(timeline.gap_ratio));
	assert_null(timeline.buckets);
	for (unsigned id = 0; id < TIMELINE_PHASES; id++)
		assert_false(timeline.phases[id].seen);
	timeline_clear(&timeline);
	empty.n_steps = 0;
	assert_int_equal(timeline_analyze(&empty, &timeline), -ENODATA);
	timeline_clear(&timeline);
	epochs_free(epochs);
}

/* What disturbs an epoch decides under which rule it is counted, and nothing else drops one. */
static void disturbed_epochs_are_left_out_and_counted(void **state)
{
	struct planted planted = { COURSE(w2104_heavy), .n_epochs = 60,	 .before_us = 60,
				   .burst_us = 100,	.after_us = 800, .stamp_cycles = 40,
				   .spread = 0.002,	.seed = 5 };
	struct epochs *epochs = epochs_new(&planted);
	const size_t n_steps = epochs_input(epochs)->n_steps;
	struct timeline timeline, spoiled;
	size_t first = 0, last = 0;

	(void)state;
	for (size_t i = 0; i < n_steps; i++)
		if (epochs_input(epochs)->steps[i].wide) {
			first = first > 0 ? first : i;
			last = i;
		}
	assert_int_equal(timeline_analyze(epochs_input(epochs), &timeline), 0);
	assert_int_equal(timeline.epochs, 60);
	assert_int_equal(timeline.dropped[TIMELINE_MOVED], 0);
	/* The clock of an epoch rises by 4 % in the middle of before, or falls at the very end;
	 * halted or stolen for 100 us; interrupted for 2 us as its burst begins, and as it ends. */
	for (size_t e = 0; e < planted.n_epochs; e++) {
		uint32_t *ticks = epochs_ticks(epochs, e);

		for (size_t i = 0; e < 4 && i < n_steps; i++) {
			if (e < 2 && i < first)
				ticks[i] += (uint32_t)(i < first / 2 ? ticks[i] / 50
								     : -(ticks[i] / 50));
			else if (e >= 2 && i >= n_steps - 200)
				ticks[i] += ticks[i] * 3 / 100;
		}
	}
	assert_int_equal(timeline_analyze(epochs_input(epochs), &spoiled), 0);
	assert_int_equal(spoiled.dropped[TIMELINE_MOVED], 4);
	timeline_clear(&spoiled);
	epochs_ticks(epochs, 10)[n_steps / 2] += 210000;
	epochs_ticks(epochs, 11)[first] += 4200;
	epochs_ticks(epochs, 12)[last] += 4200;
	epochs_ticks(epochs, 13)[last / 2] = UINT32_MAX;
	epochs_ticks(epochs, 14)[n_steps - 1] = UINT32_MAX;
	epochs_one(epochs, 15)->last_tsc = epochs_one(epochs, 15)->first_tsc - 1;
	epochs_one(epochs, 16)->begin_tsc = epochs_one(epochs, 16)->first_tsc + 1;
	assert_int_equal(timeline_analyze(epochs_input(epochs), &spoiled), 0);
	assert_int_equal(spoiled.dropped[TIMELINE_GAP], 7);
	assert_int_equal(spoiled.epochs + spoiled.dropped[TIMELINE_GAP] +
				 spoiled.dropped[TIMELINE_MOVED],
			 60);
	is_near("spoiled", "drop", spoiled.judgment.drop_ratio, 0.25, 0.003);
	timeline_clear(&spoiled);
	for (size_t e = 0; e < planted.n_epochs; e++)
		epochs_ticks(epochs, e)[e % n_steps] = UINT32_MAX;
	assert_int_equal(timeline_analyze(epochs_input(epochs), &spoiled), -ENODATA);
	assert_int_equal(spoiled.dropped[TIMELINE_GAP], 60);
	timeline_clear(&spoiled);
	timeline_clear(&timeline);
	epochs_free(epochs);
}

static void gaps_are_told_as_a_share_of_the_time(void **state)
{
	/* 20,000 a second of 2 us, in time that goes on meanwhile */
	const struct planted planted = { COURSE(w2104_heavy), .n_epochs = 60,  .before_us = 60,
					 .burst_us = 100,     .after_us = 900, .stamp_cycles = 40,
					 .interrupts = 20000, .step_ns = 10,   .seed = 5 };
	struct timeline timeline = analyzed(&planted);

	(void)state;
	is_near("gaps", "share", timeline.gap_ratio, 0.04 / 1.04, 0.006);
	timeline_clear(&timeline);
}

/* A clock that wanders all the time is no phase, nor one that another base clock follows. */
static void a_drift_is_no_phase(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		const struct planted planted = {
			.n_epochs = 60,
			.before_us = 60,
			.burst_us = i < 4 ? 100 : 0,
			.after_us = 600,
			.stamp_cycles = 40,
			.spread = 0.005,
			.interrupts = 20000,
			.step_ns = 10,
			.drift = i % 2 == 0 ? 0.005 : -0.005,
			.seed = (uint64_t)i + 1,
		};
		struct timeline timeline = analyzed(&planted);

		for (unsigned id = 0; id < TIMELINE_PHASES; id++)
			is_seen("drift", &timeline, id, false);
		timeline_clear(&timeline);
	}
}

/* No number that is none may get out as one, nor any undefined step be taken (sanitizers see it),
 * whatever is read. */
static void anything_is_borne(void **state)
{
	const struct planted planted = { COURSE(w2104_heavy), .n_epochs = 24, .before_us = 20,
					 .burst_us = 30,      .after_us = 30, .seed = 9 };

	(void)state;
	for (unsigned kind = 0; kind < 7; kind++) {
		struct epochs *epochs = epochs_new(&planted);
		struct timeline timeline;
		uint64_t random = 88172645463325252ull + kind;
		int r;

		for (size_t e = 0; e < planted.n_epochs; e++) {
			struct timeline_epoch *epoch = epochs_one(epochs, e);

			for (size_t i = 0; i < epochs_input(epochs)->n_steps; i++) {
				uint32_t *ticks = &epochs_ticks(epochs, e)[i];

				random ^= random << 13, random ^= random >> 7,
					random ^= random << 17;
				*ticks = kind == 0   ? 0
					 : kind == 1 ? 1
					 : kind == 2 ? UINT32_MAX - 1
					 : kind == 3 ? (uint32_t)random
					 : kind == 4 ? (uint32_t)random % 4
					 : kind == 5 ? (random % 2 ? UINT32_MAX - 1 : 0)
						     : *ticks;
			}
			/* the counter passes its end in the burst */
			epoch->begin_tsc -= epoch->first_tsc + 10;
			epoch->last_tsc -= epoch->first_tsc + 10;
			epoch->first_tsc = UINT64_MAX - 9;
		}
		r = timeline_analyze(epochs_input(epochs), &timeline);
		assert_true(r == 0 || r == -ENODATA);
		assert_true(kind < 6 || (r == 0 && timeline.epochs == 24));
		for (size_t i = 0; i < timeline.n_buckets; i++) {
			const struct timeline_bucket *bucket = &timeline.buckets[i];

			assert_false(isinf(bucket->clock_ratio) || isinf(bucket->rate_ratio));
			assert_false(isinf(bucket->low) || isinf(bucket->high) ||
				     isnan(bucket->t_s));
			assert_true(bucket->n > 0 ||
				    (isnan(bucket->clock_ratio) && isnan(bucket->rate_ratio)));
		}
		for (unsigned id = 0; id < TIMELINE_PHASES; id++) {
			const struct timeline_phase_row *row = timeline_phase_row(id);
			const struct timeline_phase *phase = &timeline.phases[id];

			assert_true(!phase->seen || !row->duration_key || phase->duration_s >= 0);
			assert_true(!phase->seen || !row->ratio_key || isfinite(phase->ratio));
			assert_true(phase->seen || isnan(phase->duration_s));
		}
		timeline_clear(&timeline);
		epochs_free(epochs);
	}
}

/* Base clock by base clock, as for a burst. */
static void clocks_are_told_apart_by_base(void **state)
{
	struct planted planted = { COURSE(drop_only), .n_epochs = 60,  .before_us = 60,
				   .burst_us = 100,   .after_us = 400, .stamp_cycles = 40,
				   .seed = 5,	      .wander = 0.04 };
	struct timeline timeline = analyzed(&planted);

	(void)state;
	assert_true(timeline.judgment.n_groups > 1);
	assert_int_equal(timeline.judgment.pairs, 60);
	for (unsigned i = 0; i < timeline.judgment.n_groups; i++)
		is_near("group", "clock",
			timeline.judgment.groups[i].during_hertz /
				timeline.judgment.groups[i].base_hertz,
			0.9, 0.003);
	timeline_clear(&timeline);
}

/* What is drawn: the rate tells the throttle, a halt is near 0, and the middle half is around it.
 */
static void buckets_show_the_course(void **state)
{
	const struct planted planted = { COURSE(w2104_single), .n_epochs = 60,	   .before_us = 60,
					 .after_us = 800,      .stamp_cycles = 40, .step_ns = 10,
					 .jitter_ns = 2,       .spread = 0.005,	   .seed = 11 };
	struct timeline timeline = analyzed(&planted);
	double end_s = NAN;

	(void)state;
	for (size_t i = 0; i < timeline.n_buckets; i++) {
		const struct timeline_bucket *bucket = &timeline.buckets[i];
		const double us = bucket->t_s * 1e6, half = bucket->width_s * 0.5e6;

		if (!isnan(end_s))
			is_near("buckets", "begin", us - half, end_s, 1e-6);
		end_s = us + half;
		if (us > -4 && us < 40)
			assert_true(bucket->width_s < 0.3e-6);
		assert_true(bucket->width_s < 1.1e-6);
		if (isnan(bucket->clock_ratio))
			continue;
		assert_true(bucket->low <= bucket->clock_ratio &&
			    bucket->clock_ratio <= bucket->high);
		if (us < -1)
			is_near("before", "ratio", bucket->clock_ratio, 1, 0.01);
		else if (us > 1 && us < 8)
			is_near("throttled", "ratio", bucket->clock_ratio, 0.25, 0.01);
		else if (us > 10 && us < 19)
			is_near("halted", "ratio", bucket->clock_ratio, 0.02, 0.02);
		else if (us > 22 && us < 648)
			is_near("low", "ratio", bucket->clock_ratio, 0.875, 0.01);
		else if (us > 663 && us < 800)
			is_near("after", "ratio", bucket->clock_ratio, 1, 0.01);
	}
	timeline_clear(&timeline);
}

static double uniform(uint64_t *random)
{
	*random ^= *random << 13, *random ^= *random >> 7, *random ^= *random << 17;
	return (double)(*random >> 11) / 9007199254740992.0;
}

/* Twelve uniform ones: nearly normal. */
static double normal(uint64_t *random)
{
	double sum = -6;

	for (unsigned i = 0; i < 12; i++)
		sum += uniform(random);
	return sum;
}

/* 253 ns in steps of 10 ns, every eighth time with an interrupt: a median would be 250. */
static void the_middle_of_steps_is_no_step(void **state)
{
	uint64_t random = 88172645463325252ull;
	struct timeline_center center;
	float values[999];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		const double begin = 10 * uniform(&random);

		values[i] = (float)(floor((begin + 253) / 10) * 10 + (i % 8 == 0 ? 2000 : 0));
	}
	center = timeline_center(values, COUNT_OF(values), 0.1);
	is_near("steps", "middle", center.middle, 253, 0.6);
	is_near("steps", "error", center.error, 4.6 / sqrt(874), 0.03);
}

/* Levels of pure noise, white or with a part that neighbors share, are one; a step of 1 % is two.
 */
static void noise_is_not_split(void **state)
{
	unsigned split = 0, scaled = 0;

	(void)state;
	for (unsigned round = 0; round < 1000; round++) {
		uint64_t random = 88172645463325252ull * (2 * round + 1);
		struct timeline_point points[300];
		struct timeline_segment *segments;
		double shared = 0, scale;
		size_t n;

		for (size_t i = 0; i < COUNT_OF(points); i++) {
			shared = round % 2 == 0 ? 0 : 0.7 * shared + 0.004 * normal(&random);
			points[i] = (struct timeline_point) { .begin = 2000.0 * (double)i,
							      .end = 2000.0 * (double)(i + 1),
							      .n = 100,
							      .error = 0.01,
							      .samples = 1 };
			points[i].ratio = 1 + 0.01 * normal(&random) + shared;
			if (round % 100 == 0 && i >= 150)
				points[i].ratio -= 0.01;
		}
		assert_int_equal(
			timeline_split(points, COUNT_OF(points), 2e9, false, &segments, &n, &scale),
			0);
		if (round % 100 == 0)
			assert_int_equal(n, 2);
		else
			split += n > 1;
		scaled += scale > 1.2;
		free(segments);
	}
	assert_in_range(split, 0, 10);
	assert_true(scaled > 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_course_is_found_on_each_machine),
		cmocka_unit_test(nothing_is_found_where_nothing_is),
		cmocka_unit_test(few_epochs_tell_no_phases),
		cmocka_unit_test(no_epochs_are_no_data),
		cmocka_unit_test(disturbed_epochs_are_left_out_and_counted),
		cmocka_unit_test(gaps_are_told_as_a_share_of_the_time),
		cmocka_unit_test(a_drift_is_no_phase),
		cmocka_unit_test(anything_is_borne),
		cmocka_unit_test(clocks_are_told_apart_by_base),
		cmocka_unit_test(buckets_show_the_course),
		cmocka_unit_test(the_middle_of_steps_is_no_step),
		cmocka_unit_test(noise_is_not_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
