/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which steps an epoch has, what is made of ticks, the verdict's sentences; and a few real epochs.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "burst/board.h"
#include "burst/burst.h"
#include "burst/gauge.h"
#include "burst/microscope.h"
#include "burst/microscope_own.h"
#include "model/host.h"
#include "model/state.h"
#include "source/identify.h"
#include "tests/unit/unit.h"

#define TSC 2e9
#define HERTZ 3e9

static const struct microscope_wish usual = {
	.hertz = HERTZ,
	.imul_cycles = 3,
	.stamp_s = 10e-9,
	.burst_s = 200e-6,
	.tail_s = 1e-3,
	.piece = { .fixed_s = 20e-9, .loop_s = 8e-9, .loop_work = 48 },
	.steps_most = 4000,
};

static double step_s(const struct microscope_wish *wish, const struct timeline_step *step)
{
	if (step->wide)
		return step->work / wish->piece.loop_work * wish->piece.loop_s + wish->stamp_s;
	return step->work / wish->hertz + wish->stamp_s;
}

/* Steps around entry and exit take a microsecond at most, the burst begins and ends with the load,
 * and lasts as long as was asked for. */
static void check_layout(const struct microscope_wish *wish)
{
	struct microscope_layout layout;
	double at = 0, first = NAN, last = NAN;
	unsigned total = 0;

	assert_int_equal(microscope_layout_make(wish, &layout), 0);
	for (unsigned i = 0; i < layout.n_groups; i++)
		total += steps_count(&layout.groups[i]);
	assert_int_equal(total, layout.n_steps);
	for (size_t i = 0; i < layout.n_steps; i++) {
		if (i == layout.first_wide)
			first = at;
		at += step_s(wish, &layout.steps[i]);
		if (i == layout.last_wide)
			last = at;
		assert_int_equal(
			layout.steps[i].wide && (i < layout.first_wide || i > layout.last_wide), 0);
	}
	assert_true(layout.steps[layout.first_wide].wide && layout.steps[layout.last_wide].wide);
	assert_true(fabs(last - first - wish->burst_s) < fmax(2e-6, 0.05 * wish->burst_s));
	assert_true(fabs(at - layout.all_s) < 1e-6);
	assert_true(at - last > 0.95 * wish->tail_s && first > 55e-6);
	at = 0;
	for (size_t i = 0; i < layout.n_steps; at += step_s(wish, &layout.steps[i++]))
		if (fabs(at - first) < 50e-6 || fabs(at - last) < 50e-6)
			assert_true(step_s(wish, &layout.steps[i]) <= 1e-6);
	microscope_layout_clear(&layout);
}

static void test_layout(void **state)
{
	const double bursts_s[] = { 1e-6, 5e-6, 50e-6, 125e-6, 200e-6, 1e-3, 10e-3 };

	(void)state;
	for (size_t i = 0; i < sizeof(bursts_s) / sizeof(*bursts_s); i++) {
		struct microscope_wish wish = usual;

		wish.burst_s = bursts_s[i];
		check_layout(&wish);
		wish.piece = (struct microscope_piece) { .fixed_s = 150e-9,
							 .loop_s = 85e-9,
							 .loop_work = 16 };
		check_layout(&wish); /* AMX */
	}
}

/* However long the burst, the ticks of all epochs have their room. */
static void test_layout_is_bounded(void **state)
{
	struct microscope_wish wish = usual;
	struct microscope_layout layout;

	(void)state;
	wish.burst_s = 10e-3;
	wish.tail_s = 20e-3;
	wish.steps_most = 1700; /* 64 MiB for 10,000 epochs */
	assert_int_equal(microscope_layout_make(&wish, &layout), 0);
	assert_in_range(layout.n_steps, 1000, 4000);
	microscope_layout_clear(&layout);
}

static void test_victim_layout(void **state)
{
	struct microscope_wish wish = usual;
	struct microscope_layout layout;

	(void)state;
	wish.victim = true;
	assert_int_equal(microscope_layout_make(&wish, &layout), 0);
	for (size_t i = 0; i < layout.n_steps; i++)
		assert_false(layout.steps[i].wide);
	assert_true(layout.all_s > 200e-6 + 1e-3);
	microscope_layout_clear(&layout);
}

/* Epochs whose clock is `low` of the base clock from the burst's first step until hold_s after its
 * end. */
static double planted_hold(double low, double hold_s)
{
	struct microscope_wish wish = usual;
	struct microscope_layout layout;
	struct timeline_epoch epochs[6];
	struct timeline_input input = { .epochs = epochs, .n_epochs = 6, .tsc_hertz = TSC };
	uint32_t *ticks;
	double hold;

	wish.tail_s = 12e-3;
	assert_int_equal(microscope_layout_make(&wish, &layout), 0);
	ticks = calloc(layout.n_steps, sizeof(*ticks));
	assert_non_null(ticks);
	for (size_t i = 0, end = 0; i < layout.n_steps; i++) {
		const bool is_low = i >= layout.first_wide && (double)end < hold_s * TSC;

		ticks[i] = (uint32_t)lround(step_s(&wish, &layout.steps[i]) * TSC /
					    (is_low ? low : 1));
		if (i > layout.last_wide)
			end += ticks[i];
	}
	for (unsigned e = 0; e < 6; e++)
		epochs[e] = (struct timeline_epoch) { .ticks = ticks };
	input.steps = layout.steps;
	input.n_steps = layout.n_steps;
	hold = microscope_hold(&input);
	free(ticks);
	microscope_layout_clear(&layout);
	return hold;
}

static void test_hold(void **state)
{
	(void)state;
	assert_true(planted_hold(1, 0) == 0);
	assert_in_range(planted_hold(0.87, 650e-6) * 1e6, 650, 750);
	assert_in_range(planted_hold(0.9, 5e-3) * 1e6, 5000, 6100);
	assert_true(isinf(planted_hold(0.9, 1)));
}

static void say(struct microscope_result *result, const char *want)
{
	microscope_verdict(result);
	assert_string_equal(result->verdict, want);
}

static void test_verdict(void **state)
{
	struct microscope_result r = { .epochs_done = 500,
				       .verified = true,
				       .narrower = -1,
				       .own.epochs = 480,
				       .price = { .break_even_s = NAN, .break_even_ratio = NAN } };
	struct timeline_phase *const phases = r.own.phases;

	(void)state;
	phases[TIMELINE_THROTTLE].limit_s = 1e-6;
	phases[TIMELINE_THROTTLE].limit = 0.12;
	phases[TIMELINE_HALT_DOWN].limit_s = 0.6e-6;
	phases[TIMELINE_LOW_CLOCK].limit = 0.003;
	say(&r, "no phase seen: neither a throttle by more than 12 % over 1.0 us, nor a halt over "
		"600 ns, nor a clock lower by more than 0.3 %");
	phases[TIMELINE_THROTTLE] =
		(struct timeline_phase) { .seen = true, .duration_s = 9.1e-6, .ratio = 0.25 };
	say(&r, "throttled to x0.25 for 9.1 us, at no lower clock");
	phases[TIMELINE_HALT_DOWN] =
		(struct timeline_phase) { .seen = true, .duration_s = 10.9e-6 };
	phases[TIMELINE_LOW_CLOCK] =
		(struct timeline_phase) { .seen = true, .ratio = 0.124, .hertz = 2.8e9 };
	phases[TIMELINE_HOLD] =
		(struct timeline_phase) { .seen = true, .duration_s = 642e-6, .high_s = 643e-6 };
	phases[TIMELINE_HALT_UP] = (struct timeline_phase) { .seen = true, .duration_s = 11e-6 };
	phases[TIMELINE_RECOVERED] = (struct timeline_phase) { .seen = true, .duration_s = 653e-6 };
	r.narrower = KERNEL_AVX2_FMA;
	r.price = (struct price) {
		.entry_s = 18e-6, .after_s = 91e-6, .break_even_s = 150e-6, .break_even_ratio = 0.22
	};
	say(&r, "throttled to x0.25 for 9.1 us, then halted for 11 us, then a clock lower by 12.4 "
		"% (2.80 GHz); "
		"held low for 642 us after the end, then halted for 11 us, recovered after 653 us; "
		"one burst "
		"costs 109 us beside its own time, and loses against avx2-fma when it is shorter "
		"than 150 us; wide "
		"code pays above 22 % of the time");
	phases[TIMELINE_HOLD].high_s = INFINITY;
	r.price.break_even_s = r.price.break_even_ratio = INFINITY;
	say(&r, "throttled to x0.25 for 9.1 us, then halted for 11 us, then a clock lower by 12.4 "
		"% (2.80 GHz); "
		"still low 642 us after the end, when nobody looked any more; one burst costs 109 "
		"us beside its own "
		"time, and loses against avx2-fma whatever its length; wide code never pays");
	r.verified = false;
	say(&r, "the load computed a wrong result: this CPU or its power supply is faulty");
	r.verified = true;
	r.own.epochs = 0;
	say(&r, "cannot tell: no undisturbed burst");
}

/* --- On this machine. --- */

struct setup {
	struct hostfs *fs;
	struct host *host;
	struct board *board;
	unsigned cpu;
};

static int begin(void **state)
{
	struct setup *const s = calloc(1, sizeof(*s));
	struct problem problem;
	struct list *cpus;

	assert_non_null(s);
	assert_int_equal(hostfs_open("/", &s->fs), 0);
	assert_int_equal(identify(s->fs, true, NULL, NULL, &s->host, &problem), 0);
	(void)gauge_tsc_calibrate(&s->host->tsc_hertz, NULL);
	s->board = board_new(s->host->n_cpus);
	cpus = burst_default_cpus(s->host);
	assert_non_null(cpus);
	s->cpu = (unsigned)host_cpu_index(s->host, (unsigned)list_next(cpus, 0));
	list_free(cpus);
	*state = s;
	return 0;
}

static int end(void **state)
{
	struct setup *const s = *state;

	board_free(s->board);
	host_free(s->host);
	hostfs_close(s->fs);
	free(s);
	return 0;
}

static void pause_ms(unsigned ms)
{
	const struct timespec time = { .tv_sec = ms / 1000,
				       .tv_nsec = (long)(ms % 1000 * NS_PER_MS) };

	(void)nanosleep(&time, NULL);
}

static struct microscope_plan plan_of(const struct setup *s, unsigned epochs)
{
	return (struct microscope_plan) { .kernel = KERNEL_SCALAR,
					  .cpu = s->cpu,
					  .victim = -1,
					  .epochs = epochs,
					  .burst_ns = 20000 };
}

static struct microscope *start(const struct setup *s, struct microscope_plan plan)
{
	struct microscope *scope;
	struct problem problem;

	assert_int_equal(microscope_start(&plan, s->host, s->board, &scope, &problem), 0);
	return scope;
}

/* A machine whose clock cannot be measured says so, and the rest of the test has no object. */
static bool cannot_measure(const struct microscope_result *result)
{
	return result->problem.err == ENOTSUP;
}

static void test_epochs(void **state)
{
	const struct setup *const s = *state;
	struct microscope *const scope = start(s, plan_of(s, 30));
	struct microscope_result *result;
	struct board_entry entry;

	while (microscope_running(scope)) {
		assert_int_equal(microscope_result(scope, &result), 0);
		assert_true(result->epochs_done <= 30);
		microscope_result_free(result);
		pause_ms(20);
	}
	microscope_join(scope);
	assert_int_equal(microscope_result(scope, &result), 0);
	if (!cannot_measure(result)) {
		assert_string_equal(result->problem.text, "");
		assert_int_equal(result->epochs_done, 30);
		assert_true(result->verified && !result->stopped_early && result->left_s == 0);
		assert_int_equal(result->own.epochs + result->own.dropped[TIMELINE_GAP] +
					 result->own.dropped[TIMELINE_MOVED],
				 30);
		assert_true(result->own.epochs == 0 || fabs(result->own.burst_s / 20e-6 - 1) < 0.3);
		assert_true(result->ops_per_second > 1e9);
		for (size_t i = 0; i + 1 < result->own.n_buckets; i++)
			assert_true(result->own.buckets[i].t_s < result->own.buckets[i + 1].t_s);
		assert_true(strlen(result->verdict) > 10);
	}
	assert_true(board_read(s->board, s->cpu, &entry) && !entry.driven && entry.cpu_time_ns > 0);
	microscope_result_free(result);
	microscope_free(scope);
}

/* Half a minute of epochs; the load is gone soon after the request, and what was done is kept. */
static void test_stop(void **state)
{
	const struct setup *const s = *state;
	struct microscope *const scope = start(s, plan_of(s, 5000));
	struct microscope_result *result = NULL;
	uint64_t asked_ns;

	for (unsigned i = 0; i < 400 && microscope_running(scope); i++) {
		pause_ms(25);
		assert_int_equal(microscope_result(scope, &result), 0);
		if (result->epochs_done >= 3)
			break;
		microscope_result_free(result);
		result = NULL;
	}
	microscope_result_free(result);
	asked_ns = clock_mono_ns();
	microscope_stop(scope);
	microscope_join(scope);
	assert_true(clock_mono_ns() - asked_ns < 2 * NS_PER_S); /* 100 ms on a quiet machine */
	assert_int_equal(microscope_result(scope, &result), 0);
	if (!cannot_measure(result)) {
		assert_in_range(result->epochs_done, 3, 4999);
		assert_true(result->stopped_early && result->verified);
	}
	microscope_result_free(result);
	microscope_free(scope);
}

static void refuse(const struct setup *s, struct microscope_plan plan, int err, const char *want)
{
	struct microscope *scope = NULL;
	struct problem problem;

	assert_int_equal(microscope_start(&plan, s->host, s->board, &scope, &problem), -err);
	assert_null(scope);
	assert_non_null(strstr(problem.text, want));
}

static void test_refusals(void **state)
{
	const struct setup *const s = *state;
	struct microscope_plan plan = plan_of(s, 30);

	plan.victim = (int)s->cpu;
	refuse(s, plan, EINVAL, "the one that is driven");
	plan.victim = (int)s->host->n_cpus;
	refuse(s, plan, EINVAL, "no such CPU");
	if (s->host->n_cpus > 1) {
		plan.victim = s->cpu == 0 ? 1 : 0;
		s->host->cpus[plan.victim].online = false;
		refuse(s, plan, ENODEV, "offline");
		s->host->cpus[plan.victim].online = true;
		s->host->cpus[plan.victim].allowed = false;
		refuse(s, plan, EPERM, "may not run");
		s->host->cpus[plan.victim].allowed = true;
	}
	plan = plan_of(s, 0);
	refuse(s, plan, EINVAL, "between 1 and");
	plan = plan_of(s, 30);
	plan.burst_ns = 500;
	refuse(s, plan, EINVAL, "between 1 us and 10 ms");
}

/* A load whose result is spoilt is found out, the first and the last piece each. */
static void test_wrong(void **state)
{
	const atomic_bool stop = false;
	const struct copy_shape shape = COPY_SHAPE_DEFAULT;
	struct microscope_load load;

	(void)state;
	assert_int_equal(microscope_load_init(&load, KERNEL_SCALAR, &shape, &stop), 0);
	microscope_load_expect(&load, 7);
	microscope_load_poison(&load);
	assert_int_equal(microscope_load_wrong(&load, false), 2);
	(void)steps_piece(&load.steps, 7, load.states[0]);
	(void)steps_piece(&load.steps, 7, load.states[1]);
	assert_int_equal(microscope_load_wrong(&load, false), 0);
	load.states[1][3] ^= 1u << 30;
	assert_int_equal(microscope_load_wrong(&load, false), 1);
	assert_int_equal(microscope_load_wrong(&load, true), 0);
	microscope_load_clear(&load);
	assert_int_equal(microscope_load_init(&load, KERNEL_COPY_UNROLLED, &shape, &stop), 0);
	microscope_load_poison(&load);
	assert_int_equal(microscope_load_wrong(&load, false), 1);
	microscope_load_poison(&load);
	(void)steps_piece(&load.steps, 1, NULL);
	assert_int_equal(microscope_load_wrong(&load, false), 0);
	microscope_load_clear(&load);
}

/* Another CPU is looked at over the same time; both are free again in the end. */
static void test_victim(void **state)
{
	const struct setup *const s = *state;
	struct microscope_plan plan = plan_of(s, 25);
	struct microscope_result *result;
	struct microscope *scope;
	struct board_entry entry;

	for (unsigned i = 0; i < s->host->n_cpus && plan.victim < 0; i++)
		if (i != s->cpu && host_cpu_state(s->host, i) == STATE_OK)
			plan.victim = (int)i;
	if (plan.victim < 0)
		skip(); /* one CPU only */
	scope = start(s, plan);
	microscope_join(scope);
	assert_int_equal(microscope_result(scope, &result), 0);
	if (!cannot_measure(result)) {
		assert_string_equal(result->problem.text, "");
		assert_true(result->verified && result->epochs_done == 25);
		assert_int_equal(result->victim, plan.victim);
		assert_true(result->other.epochs + result->other.dropped[TIMELINE_GAP] +
				    result->other.dropped[TIMELINE_MOVED] <=
			    25);
		assert_true(result->other.epochs == 0 ||
			    fabs(result->other.before_hertz / result->own.before_hertz - 1) < 0.5);
	}
	assert_true(board_read(s->board, s->cpu, &entry) && !entry.driven);
	assert_true(board_read(s->board, (unsigned)plan.victim, &entry) && !entry.driven &&
		    entry.cpu_time_ns > 0);
	microscope_result_free(result);
	microscope_free(scope);
}

/* A load that cannot drop, in trains: the gaps run at the base clock. */
static void test_duty(void **state)
{
	const struct setup *const s = *state;
	struct microscope_plan plan = plan_of(s, 2);
	struct microscope_result *result;
	struct microscope *scope;

	plan.duties[0] = (struct pattern) { 100000, 1000000 };
	plan.n_duties = 1;
	scope = start(s, plan);
	microscope_join(scope);
	assert_int_equal(microscope_result(scope, &result), 0);
	if (!cannot_measure(result)) {
		const struct microscope_duty *const duty = &result->duties[0];

		assert_int_equal(result->n_duties, 1);
		assert_int_equal(duty->bursts, 100);
		assert_true(duty->base_hertz > 100e6 && duty->base_hertz < 10e9);
		assert_true(isnan(duty->last_ratio) || fabs(duty->last_ratio - 1) < 0.1);
		assert_true(isnan(duty->low) ||
			    (duty->low <= duty->last_ratio && duty->last_ratio <= duty->high));
	}
	microscope_result_free(result);
	microscope_free(scope);
}

/* Pieces of two lengths tell the rate without what each costs beside its rounds; an interrupt does
 * not. */
static void test_rate(void **state)
{
	struct microscope_series series = { .most = 1 };
	double cycles, ticks, want = usual.piece.loop_work / usual.piece.loop_s;
	const struct microscope_layout *const layout = &series.layout;

	(void)state;
	assert_int_equal(microscope_layout_make(&usual, &series.layout), 0);
	series.ticks = calloc(layout->n_steps, sizeof(*series.ticks));
	assert_non_null(series.ticks);
	for (size_t i = 0; i < layout->n_steps; i++)
		series.ticks[i] = (uint32_t)lround(step_s(&usual, &layout->steps[i]) * TSC);
	series.ticks[layout->last_wide - 8] += 4000;
	series.ticks[2] += 4000;
	atomic_store(&series.done, 1);
	assert_true(fabs(microscope_rate(&series, TSC, usual.stamp_s, &usual.piece) / want - 1) <
		    0.01);
	assert_true(microscope_clock(layout, series.ticks, 0, layout->first_wide, &cycles, &ticks));
	assert_true(fabs(cycles / ticks * TSC / HERTZ - 1) < 0.005);
	assert_false(microscope_clock(layout, series.ticks, 0, 4, &cycles, &ticks)); /* too few */
	free(series.ticks);
	microscope_layout_clear(&series.layout);
}

/* Whenever an epoch could begin, it begins soon, and the beginnings fill the tick evenly. */
static void test_places(void **state)
{
	const uint64_t tick = 8384;
	enum { N = 500, PARTS = 50 };
	unsigned n[PARTS] = { 0 };
	uint64_t at = 1000000;

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		/* The worst: what holds it up takes back what it would be put off by. */
		const uint64_t from = at + tick - (uint64_t)(fmod(i * 0.6180339887498949, 1) * (double)tick);
		const uint64_t start = microscope_place(i, tick, from);

		assert_true(start >= from && start < from + tick);
		n[start % tick * PARTS / tick]++;
		at += 3 * tick;
	}
	for (unsigned k = 0; k < PARTS; k++)
		assert_in_range(n[k], N / PARTS - 3, N / PARTS + 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_layout_is_bounded),
		cmocka_unit_test(test_victim_layout),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_places),
		cmocka_unit_test_setup_teardown(test_epochs, begin, end),
		cmocka_unit_test_setup_teardown(test_victim, begin, end),
		cmocka_unit_test_setup_teardown(test_duty, begin, end),
		cmocka_unit_test_setup_teardown(test_stop, begin, end),
		cmocka_unit_test_setup_teardown(test_refusals, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
