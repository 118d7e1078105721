/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas on planted samples with known answers. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "fake.h"
#include "model/derive.h"
#include "planted.h"
#include "source/source.h"

/* On a machine with a TSC of 2 GHz. */
static void plant_clock(struct bench *bench, unsigned cpu, double ghz)
{
	sample_set(bench->cur, COUNTER_RULER_CYCLES, cpu, 0, (uint64_t)(ghz * 1e6 + 0.5),
		   SOURCE_RULER);
	sample_set(bench->cur, COUNTER_RULER_TICKS, cpu, 0, 2000000, SOURCE_RULER);
	sample_set(bench->cur, COUNTER_RULER_SEES, cpu, 0, 0, SOURCE_RULER);
}

/* What a counter rises by, or reads, so that each formula finds it plausible. */
static uint64_t plausible(enum counter counter)
{
	switch (counter) {
	case COUNTER_CLOCK_TSC:
		return 4000000000;
	case COUNTER_MPERF:
	case COUNTER_APERF:
	case COUNTER_CYCLES:
		return 2000000000;
	case COUNTER_OS_IDLE:
	case COUNTER_OS_STEAL:
	case COUNTER_TURBO_OFF:
		return 0;
	case COUNTER_TURBO_RATIOS:
		return 32;
	case COUNTER_TURBO_RATIOS_1:
		return 16;
	case COUNTER_PACKAGE_THERMAL_STATUS:
		return 1;
	default:
		return 1000;
	}
}

static void feed(struct bench *bench, enum counter counter)
{
	const uint64_t v = plausible(counter);

	plant(bench, counter, 0, 1000, counter_row(counter)->rises ? 1000 + v : v, SOURCE_RULER);
}

/* Without one of these there is no number (what the ruler sees is not one). */
static void misses_each(struct bench *bench, enum metric metric, const enum counter *inputs)
{
	for (const enum counter *in = inputs; in && *in != COUNTER_N; in++) {
		if (*in == COUNTER_RULER_SEES)
			continue;
		sample_fail(bench->cur, *in, 0, 0, STATE_UNSUPPORTED, 0);
		bench_run(bench);
		assert_state(bench, metric, metric_row(metric)->scope, 0, STATE_UNSUPPORTED);
		feed(bench, *in);
		bench_run(bench);
	}
}

static void forget(struct bench *bench, const enum counter *inputs, const enum counter *but)
{
	for (; *inputs != COUNTER_N; inputs++) {
		const enum counter *in = but;

		while (*in != COUNTER_N && *in != *inputs)
			in++;
		if (*in == COUNTER_N)
			sample_fail(bench->cur, *inputs, 0, 0, STATE_UNSUPPORTED, 0);
	}
	bench_run(bench);
}

/* Every counter fed: exactly the rows that name inputs give a number, whatever their label. */
static void rows_and_formulas_agree(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	fake_idle_states(bench.host, (const char *const[]){ "C1", NULL });
	sample_free(bench.prev);
	sample_free(bench.cur);
	snapshot_free(bench.snapshot);
	bench_open(&bench, bench.host);
	bench.host->kinds[0].registers.bclk_hertz = 100e6;
	bench.host->kinds[0].registers.turbo = TURBO_FORM_GROUPS;
	for (unsigned c = 0; c < COUNTER_N; c++)
		feed(&bench, (enum counter)c);
	bench_run(&bench);
	for (unsigned m = 0; m < METRIC_N; m++) {
		const enum metric metric = (enum metric)m;
		const struct metric_row *row = metric_row(metric);

		for (unsigned s = 0; s < SCOPE_N; s++)
			if (metric_has_scope(metric, (enum scope)s))
				assert_state(&bench, metric, (enum scope)s, 0,
					     row->inputs ? STATE_OK : STATE_UNSUPPORTED);
		if (!row->instead) {
			misses_each(&bench, metric, row->inputs);
			continue;
		}
		/* One set of them is enough. */
		forget(&bench, row->inputs, row->instead);
		assert_state(&bench, metric, row->scope, 0, STATE_OK);
		misses_each(&bench, metric, row->instead);
		for (const enum counter *in = row->inputs; *in != COUNTER_N; in++)
			feed(&bench, *in);
		forget(&bench, row->instead, row->inputs);
		assert_state(&bench, metric, row->scope, 0, STATE_OK);
		misses_each(&bench, metric, row->inputs);
		for (const enum counter *in = row->instead; *in != COUNTER_N; in++)
			feed(&bench, *in);
		bench_run(&bench);
	}
	bench_close(&bench);
}

static void ruler_clock(void **unused)
{
	struct bench bench;
	const struct value *value;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	/* 200,000 single-cycle links in 54.5 us are 3669.725 MHz; the TSC runs at 2.1 GHz. */
	bench.host->tsc_hertz = 2.1e9;
	sample_set(bench.cur, COUNTER_RULER_CYCLES, 0, 0, 200000000, SOURCE_RULER);
	sample_set(bench.cur, COUNTER_RULER_TICKS, 0, 0, 114450000, SOURCE_RULER);
	sample_set(bench.cur, COUNTER_RULER_SEES, 0, 0, 0, SOURCE_RULER);
	sample_fail(bench.cur, COUNTER_RULER_CYCLES, 1, 0, STATE_IDLE, SOURCE_RULER);
	sample_fail(bench.cur, COUNTER_RULER_TICKS, 1, 0, STATE_IDLE, SOURCE_RULER);
	sample_fail(bench.cur, COUNTER_RULER_SEES, 1, 0, STATE_IDLE, SOURCE_RULER);
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 3669724770.6, 1);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->source, SOURCE_RULER);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, STATE_IDLE);
	/* How long the low clock lasts here was never measured: scalar code only. */
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->sees, SEES_SCALAR);
	bench.host->release_s = 10e-6;
	bench_run(&bench);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->sees, SEES_SCALAR);
	bench.host->release_s = 650e-6;
	bench_run(&bench);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->sees, SEES_ALL);
	sample_set(bench.cur, COUNTER_RULER_SEES, 0, 0, 1, SOURCE_RULER);
	bench_run(&bench);
	value = bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0);
	assert_int_equal(value->sees, SEES_BURST);
	/* A look at this moment needs no second sample. */
	derive(bench.host, NULL, bench.cur, bench.snapshot);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 3669724770.6, 1);
	assert_near(bench.snapshot->elapsed_s, 0, 0);
	assert_true(bench.snapshot->real_ns == 77);
	/* An older reading is a number that says so. */
	sample_at(bench.cur, COUNTER_RULER_TICKS, 0, 0)->state = STATE_STALE;
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_STALE);
	assert_near(value->v, 3669724770.6, 1);
	/* No division by zero, and no clock out of an unknown TSC. */
	sample_set(bench.cur, COUNTER_RULER_TICKS, 0, 0, 0, SOURCE_RULER);
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_UNCALIBRATED);
	sample_set(bench.cur, COUNTER_RULER_TICKS, 0, 0, 114450000, SOURCE_RULER);
	bench.host->tsc_hertz = 0;
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_UNCALIBRATED);
	bench_close(&bench);
}

static void kernel_accounting(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 3, 1));
	plant_os(&bench, 0, 50, 125, 25);
	plant_os(&bench, 1, 0, 200, 0);
	plant_os(&bench, 2, 0, 0, 0); /* not one tick: a tenth of a second may have none */
	bench_run(&bench);
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, 0.25, 1e-12);
	assert_value(&bench, METRIC_STEAL_RATIO, SCOPE_CPU, 0, 0.125, 1e-12);
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 1, 0, 0);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 2, STATE_NO_TICKS);
	assert_state(&bench, METRIC_STEAL_RATIO, SCOPE_CPU, 2, STATE_NO_TICKS);
	/* Mean over the CPUs that have a value. */
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_HOST, 0, 0.125, 1e-12);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CORE, 2, STATE_NO_TICKS);
	assert_near(bench.snapshot->elapsed_s, 2, 0);

	/* iowait may go backwards, steal after a migration too: that interval is dropped. */
	plant(&bench, COUNTER_OS_IDLE, 0, 2000, 1999, SOURCE_PROCFS);
	bench_run(&bench);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, STATE_RESET);
	/* A step backwards near the end of 64 bits is no wrap of half the range. */
	plant(&bench, COUNTER_OS_IDLE, 0, UINT64_MAX - 24, 100, SOURCE_PROCFS);
	bench_run(&bench);
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, 50.0 / (50 + 125 + 25), 1e-12);
	bench_close(&bench);
}

static void states_pass_through(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 2));
	for (unsigned i = 0; i < 4; i++)
		plant_os(&bench, i, 10, 90, 0);
	derive(bench.host, NULL, bench.cur, bench.snapshot);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, STATE_FIRST);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_HOST, 0, STATE_FIRST);
	/* Came back after it was offline: the counter goes on from somewhere. */
	sample_fail(bench.prev, COUNTER_OS_BUSY, 0, 0, STATE_OFFLINE, SOURCE_PROCFS);
	/* Of several reasons the most telling one counts. */
	sample_fail(bench.cur, COUNTER_OS_BUSY, 1, 0, STATE_FAILED, SOURCE_PROCFS);
	sample_fail(bench.cur, COUNTER_OS_IDLE, 1, 0, STATE_OFFLINE, SOURCE_PROCFS);
	for (unsigned i = 2; i < 4; i++)
		sample_fail(bench.cur, COUNTER_OS_BUSY, i, 0,
			    i == 2 ? STATE_OFFLINE : STATE_DENIED, SOURCE_PROCFS);
	bench_run(&bench);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 0, STATE_FIRST);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 1, STATE_OFFLINE);
	/* A group without number has the state of the member nearest to one. */
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CORE, 0, STATE_FIRST);
	assert_state(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CORE, 1, STATE_DENIED);
	assert_int_equal(bench_get(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 1)->source, SOURCE_PROCFS);
	bench_close(&bench);
}

static void tsc_rate_and_gaps(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	/* Its own two instants, not the sample's: 1.9 s between probes. */
	plant(&bench, COUNTER_TSC, 0, 5000000000, 8982457000, SOURCE_RULER);
	plant(&bench, COUNTER_TSC_TIME, 0, 7, 1900000007, SOURCE_RULER);
	plant(&bench, COUNTER_RULER_GAP, 0, 100, 1600, SOURCE_RULER);
	plant(&bench, COUNTER_RULER_SPAN, 0, 1000, 151000, SOURCE_RULER);
	/* No probe in between. */
	plant(&bench, COUNTER_TSC, 1, 5, 5, SOURCE_RULER);
	plant(&bench, COUNTER_TSC_TIME, 1, 7, 7, SOURCE_RULER);
	plant(&bench, COUNTER_RULER_GAP, 1, 1, 1, SOURCE_RULER);
	plant(&bench, COUNTER_RULER_SPAN, 1, 9, 9, SOURCE_RULER);
	bench_run(&bench);
	assert_value(&bench, METRIC_TSC_HERTZ, SCOPE_CPU, 0, 2096030000, 1);
	assert_value(&bench, METRIC_GAP_RATIO, SCOPE_CPU, 0, 0.01, 1e-12);
	assert_state(&bench, METRIC_TSC_HERTZ, SCOPE_CPU, 1, STATE_NO_TICKS);
	assert_state(&bench, METRIC_GAP_RATIO, SCOPE_CPU, 1, STATE_NO_TICKS);
	bench_close(&bench);
}

static void own_cost(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant(&bench, COUNTER_SELF_TIME, 0, 1000, 20001000, SOURCE_PROCFS);
	bench_run(&bench);
	assert_value(&bench, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0.01, 1e-12);
	plant(&bench, COUNTER_SELF_TIME, 0, 0, 3000000000, SOURCE_PROCFS); /* 1.5 CPUs */
	bench_run(&bench);
	assert_value(&bench, METRIC_SELF_RATIO, SCOPE_HOST, 0, 1.5, 1e-12);
	bench.cur->mono_ns = bench.prev->mono_ns;
	bench_run(&bench);
	assert_state(&bench, METRIC_SELF_RATIO, SCOPE_HOST, 0, STATE_NO_TICKS);
	bench_close(&bench);
}

static void plant_idle(struct bench *bench, unsigned cpu, unsigned label, uint64_t us)
{
	sample_set(bench->prev, COUNTER_IDLE_TIME, cpu, label, 500, SOURCE_CPUIDLE);
	sample_set(bench->cur, COUNTER_IDLE_TIME, cpu, label, 500 + us, SOURCE_CPUIDLE);
}

static void idle_states(void **unused)
{
	struct host *host = fake_host(1, 4, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1", "C6", NULL });
	bench_open(&bench, host);
	plant_idle(&bench, 0, 0, 0);
	plant_idle(&bench, 0, 1, 20000);
	plant_idle(&bench, 0, 2, 1500000);
	/* More sleep than time: cut. */
	plant_idle(&bench, 1, 0, 2006000);
	plant_idle(&bench, 1, 1, 0);
	/* No state was left. CPU 2 slept on, CPU 3 ran all the time. */
	for (unsigned label = 0; label < 3; label++) {
		plant_idle(&bench, 2, label, 0);
		plant_idle(&bench, 3, label, 0);
	}
	plant_os(&bench, 2, 0, 200, 0);
	plant_os(&bench, 3, 200, 0, 0);
	/* This file of CPU 1 is read half a second later than the last time: 2.5 s after that. */
	sample_set(bench.prev, COUNTER_IDLE_AGE, 1, 2, 100000000, SOURCE_CPUIDLE);
	sample_set(bench.cur, COUNTER_IDLE_AGE, 1, 2, 600000000, SOURCE_CPUIDLE);
	plant_idle(&bench, 1, 2, 500000);
	bench_run(&bench);
	assert_near(snapshot_get(bench.snapshot, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 2)->v, 0.2, 1e-12);
	sample_fail(bench.prev, COUNTER_IDLE_TIME, 1, 2, STATE_UNSUPPORTED, SOURCE_NONE);
	sample_fail(bench.cur, COUNTER_IDLE_TIME, 1, 2, STATE_UNSUPPORTED, SOURCE_NONE);
	bench_run(&bench);
	assert_near(snapshot_get(bench.snapshot, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 2)->v, 0.75, 1e-12);
	assert_near(snapshot_get(bench.snapshot, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 1)->v, 0.01, 1e-12);
	assert_value(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 0, 0, 0);
	assert_value(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 1, 0);
	/* A state that this CPU has not. */
	assert_int_equal(snapshot_get(bench.snapshot, METRIC_IDLE_RATIO, SCOPE_CPU, 1, 2)->state,
			 STATE_UNSUPPORTED);
	assert_state(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 2, STATE_NO_TICKS);
	assert_value(&bench, METRIC_IDLE_RATIO, SCOPE_CPU, 3, 0, 0);
	bench_close(&bench);
}

static void clocks_are_weighted(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 2, 1));
	plant_clock(&bench, 0, 3.0);
	plant_clock(&bench, 1, 2.0);
	plant_clock(&bench, 2, 4.0);
	plant_clock(&bench, 3, 1.0);
	sample_fail(bench.cur, COUNTER_RULER_CYCLES, 3, 0, STATE_DISTURBED, SOURCE_RULER);
	plant_os(&bench, 0, 150, 50, 0);
	plant_os(&bench, 1, 50, 150, 0);
	plant_os(&bench, 2, 200, 0, 0);
	plant_os(&bench, 3, 200, 0, 0);
	bench_run(&bench);
	/* (0.75 x 3 + 0.25 x 2) / 1, where the mean of the rows were 2.5. */
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_PACKAGE, 0, 2.75e9, 1);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_PACKAGE, 1, 4.0e9, 1);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, (2.75e9 + 4.0e9) / 2, 1);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CORE, 1, 2.0e9, 1);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CORE, 3, STATE_DISTURBED);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0)->sees, SEES_SCALAR);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0)->source, SOURCE_RULER);
	/* CPUs that nobody asked for do not count. */
	bench.host->cpus[2].wanted = bench.host->cpus[3].wanted = false;
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 2.75e9, 1);
	/* All idle, yet probed: equal weights. */
	plant_os(&bench, 0, 0, 200, 0);
	plant_os(&bench, 1, 0, 200, 0);
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 2.5e9, 1);
	/* Nobody knows how busy they were: a mean of rows is not made up. */
	derive(bench.host, NULL, bench.cur, bench.snapshot);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_FIRST);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 2.0e9, 1);
	bench.host->cpus[1].wanted = false; /* only one CPU left: its clock is the clock */
	derive(bench.host, NULL, bench.cur, bench.snapshot);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 3.0e9, 1);
	bench_close(&bench);
}

static void kinds_are_not_mixed(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 3, 1));
	bench.host->n_kinds = 2;
	bench.host->cpus[2].kind = 1;
	for (unsigned i = 0; i < 3; i++) {
		plant_clock(&bench, i, 3.0 - i * 0.5);
		plant_os(&bench, i, 100, 100, 0);
	}
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_MIXED);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_PACKAGE, 0, STATE_MIXED);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CORE, 2, 2.0e9, 1);
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_HOST, 0, 0.5, 1e-12);
	/* Not even when the other kind has no value just now: the figure would jump. */
	sample_fail(bench.cur, COUNTER_RULER_CYCLES, 2, 0, STATE_IDLE, SOURCE_RULER);
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_MIXED);
	bench.host->cpus[2].wanted = false;
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 2.75e9, 1);
	/* Nor two sources. */
	sample_at(bench.cur, COUNTER_RULER_CYCLES, 1, 0)->source = SOURCE_PROCFS;
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_MIXED);
	bench_close(&bench);
}

/* SMT siblings share a clock: no weights are needed for their core. */
static void siblings_share_a_clock(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 2));
	plant_clock(&bench, 0, 3.0);
	plant_clock(&bench, 1, 3.01);
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CORE, 0, 3.005e9, 1);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

static void big_machine(void **unused)
{
	struct bench bench;
	double sum = 0, weight = 0;

	(void)unused;
	bench_open(&bench, fake_host(4, 144, 2));
	assert_int_equal(bench.host->n_cpus, 1152);
	for (unsigned i = 0; i < 1152; i++) {
		double ghz = 2 + (i % 100) * 0.01;

		plant_clock(&bench, i, ghz);
		plant_os(&bench, i, i % 7 * 10, 200 - i % 7 * 10, 0);
		sum += ghz * 1e9 * (i % 7);
		weight += i % 7;
	}
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, sum / weight, 2e3);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1151, 2.51e9, 1);
	assert_value(&bench, METRIC_OS_BUSY_RATIO, SCOPE_CORE, 575, (2 + 3) * 10 / 200.0 / 2, 1e-12);
	bench_close(&bench);
}

/* Pure: the same in, the same out, whatever the snapshot held. */
static void derive_is_pure(void **unused)
{
	struct bench bench;
	struct value *copy;
	size_t size;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 2));
	plant_clock(&bench, 1, 3.3);
	plant_os(&bench, 1, 10, 20, 5);
	bench_run(&bench);
	size = bench.snapshot->n_values * sizeof(*copy);
	copy = test_malloc(size);
	memcpy(copy, bench.snapshot->values, size);
	memset(bench.snapshot->values, 0x55, size);
	bench_run(&bench);
	for (unsigned i = 0; i < bench.snapshot->n_values; i++) {
		assert_true(copy[i].v == bench.snapshot->values[i].v);
		assert_int_equal(copy[i].state, bench.snapshot->values[i].state);
		assert_int_equal(copy[i].source, bench.snapshot->values[i].source);
	}
	test_free(copy);
	bench_close(&bench);
}

/* By the time between the readings, not between the samples; a source that was not read since tells
 * moments, and no rate. */
static void sources_have_their_own_time(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant(&bench, COUNTER_PACKAGE_ENERGY, 0, 1000000, 51000000, SOURCE_POWERCAP);
	plant(&bench, COUNTER_SELF_TIME, 0, 0, 100000000, SOURCE_PROCFS);
	bench.prev->read_ns[SOURCE_POWERCAP] = 1000000000;
	bench.cur->read_ns[SOURCE_POWERCAP] = 6000000000;
	bench_run(&bench);
	assert_value(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, 10, 1e-9);
	assert_value(&bench, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0.05, 1e-9);
	/* The file itself was read a second later in its sample than the time before. */
	plant(&bench, COUNTER_PACKAGE_ENERGY_AGE, 0, 250000000, 1250000000, SOURCE_POWERCAP);
	bench_run(&bench);
	assert_value(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, 50.0 / 6, 1e-9);
	plant(&bench, COUNTER_PACKAGE_ENERGY, 0, 51000000, 51000000, SOURCE_POWERCAP);
	plant(&bench, COUNTER_POWER_LIMIT, 0, 65000000, 65000000, SOURCE_POWERCAP);
	sample_at(bench.cur, COUNTER_PACKAGE_ENERGY, 0, 0)->state = STATE_STALE;
	sample_at(bench.cur, COUNTER_POWER_LIMIT, 0, 0)->state = STATE_STALE;
	bench.prev->read_ns[SOURCE_POWERCAP] = 6000000000;
	bench_run(&bench);
	assert_state(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, STATE_SKIPPED);
	assert_state(&bench, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, 0, STATE_STALE);
	assert_near(bench_get(&bench, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, 0)->v, 65, 1e-9);
	bench_close(&bench);
}

/* What was wrong with a reading is no reason for the samples that go without another; that it is refused, is. */
static void what_is_skipped_says_so(void **unused)
{
	static const struct {
		enum state read, skipped;
	} rows[] = {
		{ STATE_OK, STATE_SKIPPED },	  { STATE_LATE, STATE_SKIPPED },
		{ STATE_RESET, STATE_SKIPPED },	  { STATE_WRAPPED, STATE_SKIPPED },
		{ STATE_DENIED, STATE_DENIED },	  { STATE_FAILED, STATE_FAILED },
		{ STATE_OFFLINE, STATE_OFFLINE },
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		plant(&bench, COUNTER_PACKAGE_ENERGY, 0, 1000000, 51000000, SOURCE_POWERCAP);
		sample_at(bench.cur, COUNTER_PACKAGE_ENERGY, 0, 0)->state = (uint8_t)rows[i].read;
		bench.prev->read_ns[SOURCE_POWERCAP] = 1000000000;
		bench.cur->read_ns[SOURCE_POWERCAP] = 6000000000;
		bench_run(&bench);
		assert_state(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, rows[i].read);
		bench.prev->read_ns[SOURCE_POWERCAP] = 6000000000;
		bench_run(&bench);
		assert_state(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, rows[i].skipped);
	}
	bench_close(&bench);
}

/* Its own sensor first, then the hottest core; and what the sensor is refused is not guessed. */
static void packages_by_themselves(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 2, 1));
	plant(&bench, COUNTER_CORE_TEMPERATURE, 0, 0, 60000, SOURCE_THERMAL);
	plant(&bench, COUNTER_CORE_TEMPERATURE, 1, 0, 70000, SOURCE_THERMAL);
	plant(&bench, COUNTER_PACKAGE_TEMPERATURE, 0, 0, 75000, SOURCE_THERMAL);
	plant(&bench, COUNTER_CORE_TEMPERATURE, 2, 0, 50000, SOURCE_THERMAL);
	plant(&bench, COUNTER_CORE_TEMPERATURE, 3, 0, 55000, SOURCE_THERMAL);
	bench_run(&bench);
	assert_value(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 75, 1e-9);
	assert_value(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 55, 1e-9);
	sample_fail(bench.cur, COUNTER_PACKAGE_TEMPERATURE, 0, 0, STATE_FAILED, SOURCE_THERMAL);
	bench_run(&bench);
	assert_state(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, STATE_FAILED);
	/* Events of cores are not those of their package. */
	plant(&bench, COUNTER_CORE_THROTTLE, 0, 1, 4, SOURCE_THERMAL);
	bench_run(&bench);
	assert_value(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, 3, 1e-9);
	assert_state(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_formulas_agree),
		cmocka_unit_test(sources_have_their_own_time),
		cmocka_unit_test(what_is_skipped_says_so),
		cmocka_unit_test(packages_by_themselves),
		cmocka_unit_test(ruler_clock),
		cmocka_unit_test(kernel_accounting),
		cmocka_unit_test(states_pass_through),
		cmocka_unit_test(tsc_rate_and_gaps),
		cmocka_unit_test(own_cost),
		cmocka_unit_test(idle_states),
		cmocka_unit_test(clocks_are_weighted),
		cmocka_unit_test(kinds_are_not_mixed),
		cmocka_unit_test(siblings_share_a_clock),
		cmocka_unit_test(big_machine),
		cmocka_unit_test(derive_is_pure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
