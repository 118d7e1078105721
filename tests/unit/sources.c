/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's files as sources, on made-up trees. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/text.h"
#include "burst/board.h"
#include "fake.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/source.h"
#include "tree.h"

/* Counts what the library allocates: see the linker's --wrap in tests/local.mk. */
static unsigned allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t n, size_t size);

void *__wrap_malloc(size_t size)
{
	allocations++;
	return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	allocations++;
	return __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t n, size_t size)
{
	allocations++;
	return __real_reallocarray(old, n, size);
}

/* Real, but a read takes this long more. */
static uint64_t look_ns;
uint64_t __real_clock_mono_ns(void);
uint64_t __wrap_clock_mono_ns(void);

uint64_t __wrap_clock_mono_ns(void)
{
	static uint64_t late_ns;

	late_ns += look_ns;
	return __real_clock_mono_ns() + late_ns;
}

struct bench {
	char *root;
	struct source_env env;
	struct host *host;
	struct sample *sample;
	struct source *source;
	const struct source_ops *ops;
};

static void bench_open(struct bench *bench, struct host *host)
{
	*bench = (struct bench){ .root = tree_new(), .host = host, .env.host = host };
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->sample = sample_new(host);
	assert_non_null(bench->sample);
}

static void start(struct bench *bench, const struct source_ops *ops)
{
	struct problem problem;

	bench->ops = ops;
	assert_int_equal(ops->open(&bench->env, &bench->source, &problem), 0);
}

static void read_at(struct bench *bench, double seconds, int result)
{
	unsigned before;

	sample_clear(bench->sample);
	bench->sample->mono_ns = 1000000000 + (uint64_t)(seconds * 1e9);
	before = allocations;
	assert_int_equal(bench->ops->read(bench->source, bench->sample), result);
	assert_int_equal(allocations, before);
}

static void bench_close(struct bench *bench)
{
	if (bench->source)
		bench->ops->close(bench->source);
	sample_free(bench->sample);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

static void assert_raw(struct bench *bench, enum counter counter, unsigned index, unsigned label,
		       uint64_t raw, enum source_id source)
{
	const struct reading *reading = sample_get(bench->sample, counter, index, label);

	assert_string_equal(state_row((enum state)reading->state)->name, "ok");
	assert_int_equal(reading->raw, raw);
	assert_int_equal(reading->source, source);
}

static void assert_state(struct bench *bench, enum counter counter, unsigned index, unsigned label,
			 enum state state)
{
	enum state is = (enum state)sample_get(bench->sample, counter, index, label)->state;

	assert_string_equal(state_row(is)->name, state_row(state)->name);
}

static void plant_stat(struct bench *bench, const char *text)
{
	tree_write(bench->root, "proc/stat", "%s", text);
}

/* CPU ids of the made-up host are 0, 2, 4, 6. */
static void stat_is_read(void **unused)
{
	struct offer offer = { 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 4, 1));
	plant_stat(&bench, "cpu  9 9 9 9 9 9 9 9 9 9\n"
		  /* user nice system idle iowait irq softirq steal guest guest_nice: a guest's time
		   * is in user already */
		  "cpu0 1000 200 300 4000 500 60 7 80 900 100\n"
		  "cpu1 1 1 1 1 1 1 1 1 1 1\n" /* not a CPU of this host */
		  "cpu2 18446744073709551615 0 0 1 0 0 0 0\n"
		  "cpu6 1 2 3 4\n" /* fields are missing */
		  "intr 55 1 2 3\ncpu4 8 8 8 8 8 8 8 8\n");
	assert_int_equal(procfs_ops.probe(&bench.env, &offer), 0);
	assert_true(offer.here[COUNTER_OS_BUSY] && offer.here[COUNTER_OS_IDLE] &&
		    offer.here[COUNTER_OS_STEAL]);
	/* This tree is not the machine that avxtop runs on. */
	assert_true(!offer.here[COUNTER_SELF_TIME] && offer.refused[COUNTER_SELF_TIME]);
	assert_true(offer.why.text[0] != '\0');
	start(&bench, &procfs_ops);
	read_at(&bench, 0, 0);
	assert_raw(&bench, COUNTER_OS_BUSY, 0, 0, 1567, SOURCE_PROCFS);
	assert_raw(&bench, COUNTER_OS_IDLE, 0, 0, 4500, SOURCE_PROCFS);
	assert_raw(&bench, COUNTER_OS_STEAL, 0, 0, 80, SOURCE_PROCFS);
	assert_raw(&bench, COUNTER_OS_BUSY, 1, 0, UINT64_MAX, SOURCE_PROCFS);
	assert_state(&bench, COUNTER_OS_BUSY, 2, 0, STATE_OFFLINE);
	assert_state(&bench, COUNTER_OS_STEAL, 2, 0, STATE_OFFLINE);
	assert_state(&bench, COUNTER_OS_IDLE, 3, 0, STATE_FAILED);
	assert_state(&bench, COUNTER_SELF_TIME, 0, 0, STATE_UNSUPPORTED);
	/* The descriptor is kept; the file is read anew. */
	plant_stat(&bench, "cpu0 1 1 1 1 1 1 1 1\ncpu4 2 2 2 2 2 2 2 2\n");
	read_at(&bench, 1, 0);
	assert_raw(&bench, COUNTER_OS_BUSY, 0, 0, 5, SOURCE_PROCFS);
	assert_raw(&bench, COUNTER_OS_BUSY, 2, 0, 10, SOURCE_PROCFS);
	assert_state(&bench, COUNTER_OS_BUSY, 3, 0, STATE_OFFLINE);
	plant_stat(&bench, "cpu0 99999999999999999999 1 1 1 1 1 1 1\ncpu4 x\ncpu6 1 1");
	read_at(&bench, 2, 0);
	assert_state(&bench, COUNTER_OS_BUSY, 0, 0, STATE_FAILED);
	assert_state(&bench, COUNTER_OS_BUSY, 2, 0, STATE_FAILED);
	assert_state(&bench, COUNTER_OS_BUSY, 3, 0, STATE_OFFLINE); /* half a line is no line */
	plant_stat(&bench, "");
	read_at(&bench, 3, 0);
	assert_state(&bench, COUNTER_OS_BUSY, 0, 0, STATE_OFFLINE);
	bench_close(&bench);
}

static void stat_is_refused(void **unused)
{
	struct offer offer = { 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	plant_stat(&bench, "cpu0 1 1 1 1 1 1 1 1\n");
	hostfs_fail_after(bench.env.fs, 1, EACCES);
	assert_int_equal(procfs_ops.probe(&bench.env, &offer), 0);
	assert_true(!offer.here[COUNTER_OS_BUSY] && offer.refused[COUNTER_OS_BUSY]);
	assert_int_equal(offer.why.err, EACCES);
	hostfs_fail_after(bench.env.fs, 1, EACCES);
	start(&bench, &procfs_ops);
	read_at(&bench, 0, -EACCES);
	assert_state(&bench, COUNTER_OS_BUSY, 0, 0, STATE_DENIED);
	assert_state(&bench, COUNTER_OS_BUSY, 1, 0, STATE_DENIED);
	bench_close(&bench);
}

/* 1,152 CPUs of the longest lines, and an interrupt line of 100 KB behind them. */
static void stat_of_a_big_machine(void **unused)
{
	struct text text = { 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 576, 1));
	for (unsigned i = 0; i < 1152; i++)
		text_addf(&text, "cpu%u %u 10000000000000000000 0 %u %d %d %d %u 1000000 1000000\n",
			  2 * i, i, i + 1, 0, 0, 0, i + 2);
	text_add(&text, "intr 1");
	for (unsigned i = 0; i < 50000; i++)
		text_add(&text, " 0");
	text_add(&text, "\n");
	assert_false(text.failed);
	plant_stat(&bench, text.data);
	start(&bench, &procfs_ops);
	read_at(&bench, 0, 0);
	for (unsigned i = 0; i < 1152; i++) {
		assert_raw(&bench, COUNTER_OS_BUSY, i, 0, i + 10000000000000000000ull, SOURCE_PROCFS);
		assert_raw(&bench, COUNTER_OS_IDLE, i, 0, i + 1, SOURCE_PROCFS);
		assert_raw(&bench, COUNTER_OS_STEAL, i, 0, i + 2, SOURCE_PROCFS);
	}
	text_free(&text);
	bench_close(&bench);
}

static uint64_t self_ns(struct bench *bench, double seconds)
{
	read_at(bench, seconds, 0);
	assert_state(bench, COUNTER_SELF_TIME, 0, 0, STATE_OK);
	return sample_get(bench->sample, COUNTER_SELF_TIME, 0, 0)->raw;
}

static void own_cost_without_bursts(void **unused)
{
	struct bench bench;
	uint64_t first, all;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	bench.host->live = true;
	bench.env.board = board_new(2);
	plant_stat(&bench, "cpu0 1 1 1 1 1 1 1 1\n");
	start(&bench, &procfs_ops);
	first = self_ns(&bench, 0);
	assert_true(first > 0 && first <= clock_process_ns());
	/* A worker tells late what it used: the own cost stands still, it does not go back. */
	board_publish(bench.env.board, 1, &(struct board_entry){ .mono_ns = 1, .cpu_time_ns = first });
	assert_true(self_ns(&bench, 1) == first);
	for (all = clock_process_ns(); clock_process_ns() - all < 2 * first + 1000000;)
		;
	all = clock_process_ns();
	assert_true(self_ns(&bench, 2) >= all - first);
	assert_true(self_ns(&bench, 3) <= clock_process_ns() - first);
	board_free(bench.env.board);
	bench_close(&bench);
}

static void plant_idle(struct bench *bench, unsigned cpu_id, unsigned state, const char *name,
		       unsigned long us)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/time",
		       cpu_id, state);
	tree_write(bench->root, path, "%lu\n", us);
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpuidle/state%u/name",
		       cpu_id, state);
	tree_write(bench->root, path, "%s\n", name);
}

static void no_idle_states(void **unused)
{
	struct offer offer = { 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	assert_int_equal(cpuidle_ops.probe(&bench.env, &offer), 0);
	assert_true(!offer.here[COUNTER_IDLE_TIME] && offer.refused[COUNTER_IDLE_TIME]);
	assert_non_null(strstr(offer.why.text, "cpuidle"));
	bench_close(&bench);
}

static void idle_states_by_name(void **unused)
{
	struct host *host = fake_host(1, 3, 1);
	struct offer offer = { 0 };
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1", "C6", NULL });
	bench_open(&bench, host);
	plant_idle(&bench, 0, 0, "POLL", 5);
	plant_idle(&bench, 0, 1, "C1", 100);
	plant_idle(&bench, 0, 2, "C6", 10000000000);
	/* Another kind of core: other numbers, and one name twice. */
	plant_idle(&bench, 2, 0, "C1", 7);
	plant_idle(&bench, 2, 1, "C6", 20);
	plant_idle(&bench, 2, 2, "C6", 30);
	plant_idle(&bench, 2, 3, "C99", 30);
	assert_int_equal(cpuidle_ops.probe(&bench.env, &offer), 0);
	assert_true(offer.here[COUNTER_IDLE_TIME] && !offer.refused[COUNTER_IDLE_TIME]);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 0, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 5, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 1, 100, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 2, 10000000000, SOURCE_CPUIDLE);
	assert_state(&bench, COUNTER_IDLE_TIME, 1, 0, STATE_UNSUPPORTED);
	assert_raw(&bench, COUNTER_IDLE_TIME, 1, 1, 7, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 1, 2, 50, SOURCE_CPUIDLE);
	assert_state(&bench, COUNTER_IDLE_TIME, 2, 1, STATE_UNSUPPORTED); /* no folder at all */
	/* Offline: its folder goes. Files that say nothing, or nonsense, are no number. */
	tree_remove(bench.root, "sys/devices/system/cpu/cpu2/cpuidle");
	tree_write(bench.root, "sys/devices/system/cpu/cpu0/cpuidle/state0/time", "%s", "");
	tree_write(bench.root, "sys/devices/system/cpu/cpu0/cpuidle/state1/time", "-3\n");
	bench.ops->close(bench.source);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 1, 0);
	assert_state(&bench, COUNTER_IDLE_TIME, 0, 0, STATE_FAILED);
	assert_state(&bench, COUNTER_IDLE_TIME, 0, 1, STATE_FAILED);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 2, 10000000000, SOURCE_CPUIDLE);
	bench_close(&bench);
}

/* Names are read once for each kind of core: two kinds with as many states are not mixed up, nor is a CPU
 * with more or fewer states taken for its neighbor. */
static void idle_states_by_kind(void **unused)
{
	struct host *host = fake_host(1, 6, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "C1", "C1E", "C6", NULL });
	host->n_kinds = 2;
	host->cpus[2].kind = host->cpus[3].kind = 1;
	bench_open(&bench, host);
	for (unsigned cpu = 0; cpu < 6; cpu++) {
		const bool efficient = cpu == 2 || cpu == 3;

		plant_idle(&bench, 2 * cpu, 0, efficient ? "C1E" : "C1", 100 + cpu);
		if (cpu != 4)
			plant_idle(&bench, 2 * cpu, 1, "C6", 200 + cpu);
	}
	plant_idle(&bench, 2 * 5, 1, "C1E", 300);
	plant_idle(&bench, 2 * 5, 2, "C6", 400);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 0, 0);
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		const bool efficient = cpu == 2 || cpu == 3;

		assert_raw(&bench, COUNTER_IDLE_TIME, cpu, efficient, 100 + cpu, SOURCE_CPUIDLE);
		assert_state(&bench, COUNTER_IDLE_TIME, cpu, !efficient, STATE_UNSUPPORTED);
		assert_raw(&bench, COUNTER_IDLE_TIME, cpu, 2, 200 + cpu, SOURCE_CPUIDLE);
	}
	assert_raw(&bench, COUNTER_IDLE_TIME, 4, 0, 104, SOURCE_CPUIDLE);
	assert_state(&bench, COUNTER_IDLE_TIME, 4, 2, STATE_UNSUPPORTED);
	assert_raw(&bench, COUNTER_IDLE_TIME, 5, 1, 300, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 5, 2, 400, SOURCE_CPUIDLE);
	bench_close(&bench);
}

static void idle_cpu_goes_and_comes(void **unused)
{
	struct host *host = fake_host(1, 1, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "C1", NULL });
	bench_open(&bench, host);
	plant_idle(&bench, 0, 0, "C1", 100);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 0, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 100, SOURCE_CPUIDLE);
	/* The kernel says offline before the folder is looked for. */
	sample_clear(bench.sample);
	sample_fail(bench.sample, COUNTER_OS_BUSY, 0, 0, STATE_OFFLINE, SOURCE_PROCFS);
	assert_int_equal(bench.ops->read(bench.source, bench.sample), 0);
	assert_state(&bench, COUNTER_IDLE_TIME, 0, 0, STATE_OFFLINE);
	/* The descriptor that was kept says nothing any more, the path does not exist. */
	tree_write(bench.root, "sys/devices/system/cpu/cpu0/cpuidle/state0/time", "%s", "");
	tree_remove(bench.root, "sys/devices/system/cpu/cpu0/cpuidle");
	read_at(&bench, 1, 0);
	assert_state(&bench, COUNTER_IDLE_TIME, 0, 0, STATE_OFFLINE);
	/* Back: where the counter stands, however far, is a new beginning. */
	plant_idle(&bench, 0, 0, "C1", 50000000);
	read_at(&bench, 2, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 50000000, SOURCE_CPUIDLE);
	bench_close(&bench);
}

/* The second of the two states; the pace is that of the reads, which may be held up a little. */
static void assert_about(struct bench *bench, uint64_t us)
{
	const struct reading *reading = sample_get(bench->sample, COUNTER_IDLE_TIME, 0, 1);

	assert_int_equal(reading->state, STATE_OK);
	assert_in_range(reading->raw, us - 200000, us + 200000);
}

/* A sleep of 3.5 s shows when it ends, and is told at the pace of time. */
static void long_sleep_is_spread(void **unused)
{
	struct host *host = fake_host(1, 1, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "C1", "C6", NULL });
	bench_open(&bench, host);
	plant_idle(&bench, 0, 0, "C1", 1000);
	plant_idle(&bench, 0, 1, "C6", 2000);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 0, 0);
	read_at(&bench, 3, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 1, 2000, SOURCE_CPUIDLE);
	plant_idle(&bench, 0, 0, "C1", 1000 + 300000);
	plant_idle(&bench, 0, 1, "C6", 2000 + 3500000);
	read_at(&bench, 4, 0);
	assert_about(&bench, 2000 + 1000000);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 1000, SOURCE_CPUIDLE);
	read_at(&bench, 5, 0);
	read_at(&bench, 6.25, 0);
	assert_about(&bench, 2000 + 3250000);
	/* The rest, and then the other state's: 1 s has room for both. */
	read_at(&bench, 7.25, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 1, 2000 + 3500000, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 1000 + 300000, SOURCE_CPUIDLE);
	/* Backwards is passed on: derive drops the interval. */
	plant_idle(&bench, 0, 1, "C6", 10);
	read_at(&bench, 8.25, 0);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 1, 10, SOURCE_CPUIDLE);
	bench_close(&bench);
}

/* The pace is that of this source's reads: what was read before them may take its time. */
static void sleep_until_a_late_read(void **unused)
{
	struct host *host = fake_host(1, 1, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "C1", "C6", NULL });
	bench_open(&bench, host);
	plant_idle(&bench, 0, 0, "C1", 0);
	plant_idle(&bench, 0, 1, "C6", 0);
	start(&bench, &cpuidle_ops);
	for (unsigned i = 0; i < 2; i++) {
		sample_clear(bench.sample);
		bench.sample->mono_ns = (1 + i) * 1000000000ull;
		bench.sample->read_ns[SOURCE_CPUIDLE] = (1 + i) * 1500000000ull;
		assert_int_equal(bench.ops->read(bench.source, bench.sample), 0);
		plant_idle(&bench, 0, 0, "C1", 100000);
		plant_idle(&bench, 0, 1, "C6", 1300000);
	}
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 1, 1300000, SOURCE_CPUIDLE);
	assert_raw(&bench, COUNTER_IDLE_TIME, 0, 0, 100000, SOURCE_CPUIDLE);
	bench_close(&bench);
}

/* A read of which nobody knows the moment is no end of a rate, and no beginning of one. */
static void a_late_idle_file_tells_nothing(void **unused)
{
	static const enum state states[] = { STATE_OK, STATE_OK, STATE_LATE, STATE_LATE, STATE_OK };
	struct host *host = fake_host(1, 1, 1);
	struct bench bench;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "C1", NULL });
	bench_open(&bench, host);
	bench.env.interval_ns = NS_PER_S;
	plant_idle(&bench, 0, 0, "C1", 1000);
	start(&bench, &cpuidle_ops);
	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		look_ns = i == 2 ? NS_PER_S / 4 : 0;
		read_at(&bench, i, 0);
		assert_int_equal(sample_get(bench.sample, COUNTER_IDLE_TIME, 0, 0)->state, states[i]);
	}
	bench_close(&bench);
}

/* 200 CPUs with 600 files, 32 descriptors: all values, and some descriptors left for others. */
static void few_descriptors(void **unused)
{
	struct host *host = fake_host(1, 200, 1);
	struct rlimit old, few;
	struct bench bench;
	FILE *other;

	(void)unused;
	fake_idle_states(host, (const char *const[]){ "POLL", "C1", "C6", NULL });
	bench_open(&bench, host);
	for (unsigned i = 0; i < 200; i++)
		for (unsigned s = 0; s < 3; s++)
			plant_idle(&bench, 2 * i, s, host->idle_states[s], 10 * i + s);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	few.rlim_cur = 32;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	start(&bench, &cpuidle_ops);
	read_at(&bench, 0, 0);
	for (unsigned i = 0; i < 200; i++)
		for (unsigned s = 0; s < 3; s++)
			assert_raw(&bench, COUNTER_IDLE_TIME, i, s, 10 * i + s, SOURCE_CPUIDLE);
	other = fopen("/dev/null", "r");
	assert_non_null(other);
	assert_int_equal(fclose(other), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	bench_close(&bench);
}

static void burst_phase(void **unused)
{
	struct offer offer = { 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 3, 1));
	assert_int_equal(stimulus_ops.probe(&bench.env, &offer), 0);
	assert_true(offer.refused[COUNTER_BURST_PHASE] && !offer.here[COUNTER_BURST_PHASE]);
	bench.host->live = true;
	bench.env.board = board_new(3);
	offer = (struct offer){ 0 };
	assert_int_equal(stimulus_ops.probe(&bench.env, &offer), 0);
	assert_true(offer.here[COUNTER_BURST_PHASE]);
	board_publish(bench.env.board, 1,
		      &(struct board_entry){ .mono_ns = 1, .phase = PHASE_ON, .driven = true });
	board_publish(bench.env.board, 2, /* over */
		      &(struct board_entry){ .mono_ns = 1, .phase = PHASE_ON, .driven = false });
	start(&bench, &stimulus_ops);
	read_at(&bench, 0, 0);
	assert_raw(&bench, COUNTER_BURST_PHASE, 0, 0, 0, SOURCE_STIMULUS);
	assert_raw(&bench, COUNTER_BURST_PHASE, 1, 0, 2, SOURCE_STIMULUS);
	assert_raw(&bench, COUNTER_BURST_PHASE, 2, 0, 0, SOURCE_STIMULUS);
	board_publish(bench.env.board, 1,
		      &(struct board_entry){ .mono_ns = 2, .phase = PHASE_GAP, .driven = true });
	read_at(&bench, 1, 0);
	assert_raw(&bench, COUNTER_BURST_PHASE, 1, 0, 1, SOURCE_STIMULUS);
	board_free(bench.env.board);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stat_is_read),
		cmocka_unit_test(stat_is_refused),
		cmocka_unit_test(stat_of_a_big_machine),
		cmocka_unit_test(own_cost_without_bursts),
		cmocka_unit_test(no_idle_states),
		cmocka_unit_test(idle_states_by_kind),
		cmocka_unit_test(idle_states_by_name),
		cmocka_unit_test(idle_cpu_goes_and_comes),
		cmocka_unit_test(long_sleep_is_spread),
		cmocka_unit_test(sleep_until_a_late_read),
		cmocka_unit_test(a_late_idle_file_tells_nothing),
		cmocka_unit_test(few_descriptors),
		cmocka_unit_test(burst_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
