/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that leave and return, counters that begin anew and a machine that sleeps, from the files of a
 * made-up tree through the sources to the numbers. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "fake.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "tree.h"

#define N_OPS 3

/* Samples are 1 s apart, of a machine with the CPUs 0 and 2 on cores of their own. */
struct bench {
	char *root;
	struct source_env env;
	struct host *host;
	struct source *sources[N_OPS];
	struct sample *prev, *cur;
	struct snapshot *snapshot;
	unsigned n; /* samples taken */
	uint64_t suspended_ns;
	unsigned ticks[2], gone; /* [CPU]: idle ticks so far; bits of those that have no line */
};

static const struct source_ops *const ops[N_OPS] = { &procfs_ops, &cpuidle_ops, &cpufreq_ops };

static void plant_file(struct bench *bench, unsigned cpu, const char *path, unsigned long long value)
{
	char whole[128];

	snprintf(whole, sizeof(whole), "sys/devices/system/cpu/cpu%u/%s", 2 * cpu, path);
	tree_write(bench->root, whole, "%llu\n", value);
}

static void plant_cpu(struct bench *bench, unsigned cpu, unsigned long long idle_us)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state0/name", 2 * cpu);
	tree_write(bench->root, path, "C1\n");
	plant_file(bench, cpu, "cpuidle/state0/time", idle_us);
	plant_file(bench, cpu, "cpufreq/scaling_max_freq", 2000000);
}

static void plant_stat(struct bench *bench)
{
	char lines[2][64] = { "", "" };

	for (unsigned cpu = 0; cpu < 2; cpu++)
		if (!(bench->gone >> cpu & 1))
			snprintf(lines[cpu], sizeof(lines[cpu]), "cpu%u %u 0 0 %u 0 0 0 0 0 0\n", 2 * cpu,
				 50 * bench->n, bench->ticks[cpu]);
	tree_write(bench->root, "proc/stat", "cpu 1 0 0 1 0 0 0 0 0 0\n%s%sintr 1\n", lines[0], lines[1]);
}

static int setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	assert_non_null(bench);
	*state = bench;
	bench->root = tree_new();
	bench->host = fake_host(1, 2, 1);
	bench->host->live = false;
	fake_idle_states(bench->host, (const char *const[]){ "C1", NULL });
	bench->env = (struct source_env){ .host = bench->host, .interval_ns = NS_PER_S };
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->prev = sample_new(bench->host);
	bench->cur = sample_new(bench->host);
	bench->snapshot = snapshot_new(bench->host);
	assert_true(bench->prev && bench->cur && bench->snapshot);
	for (unsigned cpu = 0; cpu < 2; cpu++)
		plant_cpu(bench, cpu, 5000000);
	plant_stat(bench);
	for (unsigned i = 0; i < N_OPS; i++) {
		struct problem problem;

		assert_int_equal(ops[i]->open(&bench->env, &bench->sources[i], &problem), 0);
	}
	return 0;
}

static int teardown(void **state)
{
	struct bench *bench = *state;

	for (unsigned i = 0; i < N_OPS; i++)
		ops[i]->close(bench->sources[i]);
	snapshot_free(bench->snapshot);
	sample_free(bench->prev);
	sample_free(bench->cur);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
	free(bench);
	return 0;
}

/* A second in which each CPU was half busy, and that the kernel has told half of as C1. */
static void tick(struct bench *bench)
{
	struct sample *swap = bench->prev;

	bench->prev = bench->cur;
	bench->cur = swap;
	plant_stat(bench);
	sample_clear(bench->cur);
	bench->cur->mono_ns = (bench->n + 1) * NS_PER_S;
	bench->cur->suspended_ns = bench->suspended_ns;
	for (unsigned i = 0; i < N_OPS; i++)
		assert_int_equal(ops[i]->read(bench->sources[i], bench->cur), 0);
	derive(bench->host, bench->n ? bench->prev : NULL, bench->cur, bench->snapshot);
	bench->n++;
	for (unsigned cpu = 0; cpu < 2; cpu++)
		bench->ticks[cpu] += 50;
}

/* Idle times by the clock between the reads themselves, which may be held up. */
static void expect(struct bench *bench, enum metric metric, unsigned cpu, double v)
{
	const struct value *value = snapshot_get(bench->snapshot, metric, SCOPE_CPU, cpu, 0);

	assert_string_equal(state_row((enum state)value->state)->name, "ok");
	assert_near(value->v, v, metric == METRIC_IDLE_RATIO ? 0.05 : 1e-9);
}

static void expect_none(struct bench *bench, enum metric metric, unsigned cpu, enum state state)
{
	const struct value *value = snapshot_get(bench->snapshot, metric, SCOPE_CPU, cpu, 0);

	assert_string_equal(state_row((enum state)value->state)->name, state_row(state)->name);
}

static void remove_cpu(struct bench *bench, unsigned cpu)
{
	char path[64];

	bench->gone |= 1u << cpu;
	/* As in sysfs: what was opened before is dead. */
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state0/time", 2 * cpu);
	tree_write(bench->root, path, "%s", "");
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u", 2 * cpu);
	tree_remove(bench->root, path);
}

/* The row stays and says so, the other goes on; after the return one sample only to count from. Counters
 * that began anew meanwhile, higher or lower, make no number. */
static void a_cpu_leaves_and_returns(void **state)
{
	static const unsigned returns_at[] = { 0, 900 };

	for (unsigned k = 0; k < COUNT_OF(returns_at); k++) {
		struct bench *bench = *state;
		unsigned gone = k; /* CPU 0 as well: some machines let it go */

		tick(bench);
		tick(bench);
		expect(bench, METRIC_OS_BUSY_RATIO, gone, 0.5);
		remove_cpu(bench, gone);
		for (unsigned i = 0; i < 2; i++) {
			tick(bench);
			expect_none(bench, METRIC_OS_BUSY_RATIO, gone, STATE_OFFLINE);
			expect_none(bench, METRIC_STEAL_RATIO, gone, STATE_OFFLINE);
			expect_none(bench, METRIC_IDLE_RATIO, gone, STATE_OFFLINE);
			expect_none(bench, METRIC_CAP_HERTZ, gone, STATE_OFFLINE);
			expect(bench, METRIC_OS_BUSY_RATIO, 1 - gone, 0.5);
			expect(bench, METRIC_CAP_HERTZ, 1 - gone, 2e9);
		}
		bench->gone = 0;
		bench->ticks[gone] = returns_at[k];
		plant_cpu(bench, gone, 1000 * returns_at[k]);
		tick(bench);
		expect_none(bench, METRIC_OS_BUSY_RATIO, gone, STATE_FIRST);
		expect_none(bench, METRIC_IDLE_RATIO, gone, STATE_FIRST);
		expect(bench, METRIC_CAP_HERTZ, gone, 2e9);
		plant_file(bench, gone, "cpuidle/state0/time", 1000 * returns_at[k] + 250000);
		tick(bench);
		expect(bench, METRIC_OS_BUSY_RATIO, gone, 0.5);
		expect(bench, METRIC_IDLE_RATIO, gone, 0.25);
		teardown(state);
		setup(state);
	}
}

/* Away and back between two samples that both see the CPU: only the dead descriptor and the step back
 * tell. What the file says then is a beginning, and the next difference is right. */
static void a_cpu_returns_unseen(void **state)
{
	static const unsigned long long returns_at[] = { 100000, 5400000 }; /* it was 5,000,000 */

	for (unsigned k = 0; k < COUNT_OF(returns_at); k++) {
		struct bench *bench = *state;

		tick(bench);
		tick(bench);
		remove_cpu(bench, 1);
		bench->gone = 0;
		plant_cpu(bench, 1, returns_at[k]);
		bench->ticks[1] = 20;
		tick(bench);
		expect_none(bench, METRIC_IDLE_RATIO, 1, STATE_RESET);
		expect_none(bench, METRIC_OS_BUSY_RATIO, 1, STATE_RESET);
		expect(bench, METRIC_OS_BUSY_RATIO, 0, 0.5);
		plant_file(bench, 1, "cpuidle/state0/time", returns_at[k] + 250000);
		tick(bench);
		expect(bench, METRIC_IDLE_RATIO, 1, 0.25);
		expect(bench, METRIC_OS_BUSY_RATIO, 1, 0.5);
		teardown(state);
		setup(state);
	}
}

/* No rate over a sleep, however plausible; limits are of this moment; the next interval counts. */
static void a_suspend_is_dropped(void **state)
{
	struct bench *bench = *state;

	tick(bench);
	tick(bench);
	assert_true(bench->snapshot->suspended_s == 0);
	plant_file(bench, 0, "cpuidle/state0/time", 5500000);
	bench->suspended_ns += 3600 * NS_PER_S;
	tick(bench);
	assert_near(bench->snapshot->suspended_s, 3600, 1e-6);
	expect_none(bench, METRIC_OS_BUSY_RATIO, 0, STATE_SUSPENDED);
	expect_none(bench, METRIC_IDLE_RATIO, 0, STATE_SUSPENDED);
	expect(bench, METRIC_CAP_HERTZ, 0, 2e9);
	plant_file(bench, 0, "cpuidle/state0/time", 5700000);
	tick(bench);
	assert_true(bench->snapshot->suspended_s == 0);
	expect(bench, METRIC_OS_BUSY_RATIO, 0, 0.5);
	expect(bench, METRIC_IDLE_RATIO, 0, 0.2);
}

/* Two clocks are not read in one instant, and a time namespace may set them apart by any amount. */
static void clocks_apart_are_no_suspend(void **state)
{
	struct bench *bench = *state;

	bench->suspended_ns = (uint64_t)-3600 * NS_PER_S;
	tick(bench);
	bench->suspended_ns += 5 * NS_PER_MS;
	tick(bench);
	expect(bench, METRIC_OS_BUSY_RATIO, 0, 0.5);
	bench->suspended_ns -= 9 * NS_PER_MS;
	tick(bench);
	expect(bench, METRIC_OS_BUSY_RATIO, 0, 0.5);
	assert_true(bench->snapshot->suspended_s == 0);
	bench->suspended_ns += 2 * NS_PER_S; /* across 0 is a number, too */
	tick(bench);
	assert_near(bench->snapshot->suspended_s, 2, 1e-6);
}

/* The clock of this machine: it has not been suspended while this runs. */
static void the_live_clock_stands(void **state)
{
	struct sample prev = { .suspended_ns = clock_suspended_ns() }, cur = prev;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		cur.suspended_ns = clock_suspended_ns();
		assert_int_equal(sample_suspended_ns(&prev, &cur), 0);
	}
}

/* Stopped for a minute: a long interval, of which the means are right. */
static void a_long_stop_is_a_mean(void **state)
{
	struct bench *bench = *state;

	tick(bench);
	bench->n += 59; /* busy and idle alike go on */
	bench->ticks[0] += 59 * 50;
	bench->ticks[1] += 59 * 50 * 3;
	plant_file(bench, 0, "cpuidle/state0/time", 5000000 + 15000000);
	tick(bench);
	assert_near(bench->snapshot->elapsed_s, 60, 1e-9);
	expect(bench, METRIC_OS_BUSY_RATIO, 0, 0.5);
	expect(bench, METRIC_OS_BUSY_RATIO, 1, 3000.0 / (3000 + 50 + 59 * 150));
	expect(bench, METRIC_IDLE_RATIO, 0, 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_cpu_leaves_and_returns, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cpu_returns_unseen, setup, teardown),
		cmocka_unit_test_setup_teardown(a_suspend_is_dropped, setup, teardown),
		cmocka_unit_test_setup_teardown(clocks_apart_are_no_suspend, setup, teardown),
		cmocka_unit_test(the_live_clock_stands),
		cmocka_unit_test_setup_teardown(a_long_stop_is_a_mean, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
