/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own clocks and limits as a source, on made-up trees. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "fake.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "tree.h"

#define CPU "sys/devices/system/cpu/"

/* See the linker's --wrap in tests/local.mk: what is allocated and read is counted, and each read
 * takes a time of our choice. */
static unsigned allocations, reads;
static uint64_t now_ns = 1000000000, cost_ns;
static int read_errno; /* of each read; 0 it works */
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
ssize_t __real_pread(int fd, void *buf, size_t size, off_t offset);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t offset);
uint64_t __wrap_clock_mono_ns(void);

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

ssize_t __wrap_pread(int fd, void *buf, size_t size, off_t offset)
{
	reads++;
	now_ns += cost_ns;
	if (read_errno == 0)
		return __real_pread(fd, buf, size, offset);
	errno = read_errno;
	return -1;
}

uint64_t __wrap_clock_mono_ns(void)
{
	return now_ns;
}

struct bench {
	char *root;
	struct source_env env;
	struct host *host;
	struct sample *sample;
	struct source *source;
	struct offer offer;
	uint64_t step_ns; /* between samples */
};

/* CPU ids are 0, 2, 4, …; each has a policy of its own behind a link, as in the kernel. */
static void bench_open(struct bench *bench, unsigned n_cpus)
{
	*bench = (struct bench){ .root = tree_new(), .host = fake_host(1, n_cpus, 1),
				.step_ns = NS_PER_S };
	bench->env.host = bench->host;
	bench->env.interval_ns = NS_PER_S;
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->sample = sample_new(bench->host);
	assert_non_null(bench->sample);
	tree_mkdir(bench->root, CPU "cpufreq");
	cost_ns = 0;
	read_errno = 0;
}

static void bench_close(struct bench *bench)
{
	cpufreq_ops.close(bench->source);
	sample_free(bench->sample);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

static void plant_policy(struct bench *bench, unsigned id)
{
	char path[96], target[96];

	(void)snprintf(path, sizeof(path), CPU "cpufreq/policy%u", id);
	tree_mkdir(bench->root, path);
	(void)snprintf(path, sizeof(path), CPU "cpu%u/topology", id);
	tree_mkdir(bench->root, path);
	(void)snprintf(path, sizeof(path), CPU "cpu%u/cpufreq", id);
	(void)snprintf(target, sizeof(target), "../cpufreq/policy%u", id);
	tree_link(bench->root, path, target);
}

static void plant(struct bench *bench, unsigned id, const char *file, const char *text)
{
	char path[96];

	(void)snprintf(path, sizeof(path), CPU "cpufreq/policy%u/%s", id, file);
	tree_write(bench->root, path, "%s", text);
}

/* A policy as intel_pstate makes it: kHz. */
static void plant_all(struct bench *bench, unsigned id)
{
	plant_policy(bench, id);
	plant(bench, id, "scaling_cur_freq", "2100123\n");
	plant(bench, id, "scaling_max_freq", "3700000\n");
	plant(bench, id, "scaling_min_freq", "1000000\n");
	/* Not what is asked for: the hardware's own limits (faults: BenchExec issue 918). */
	plant(bench, id, "cpuinfo_max_freq", "3900000\n");
	plant(bench, id, "cpuinfo_min_freq", "800000\n");
	plant(bench, id, "base_frequency", "2000000\n");
}

static void probe(struct bench *bench)
{
	bench->offer = (struct offer){ 0 };
	assert_int_equal(cpufreq_ops.probe(&bench->env, &bench->offer), 0);
}

static void start(struct bench *bench)
{
	struct problem problem;

	cpufreq_ops.close(bench->source);
	assert_int_equal(cpufreq_ops.open(&bench->env, &bench->source, &problem), 0);
}

/* One sample, a step after the last; offline: the index of a CPU that /proc/stat leaves out, or -1. */
static void take(struct bench *bench, int offline)
{
	unsigned before;
	int fd = dup(STDOUT_FILENO);

	assert_int_equal(close(fd), 0);
	now_ns += bench->step_ns;
	sample_clear(bench->sample);
	bench->sample->mono_ns = now_ns;
	if (offline >= 0)
		sample_fail(bench->sample, COUNTER_OS_BUSY, (unsigned)offline, 0, STATE_OFFLINE,
			    SOURCE_PROCFS);
	before = allocations;
	reads = 0;
	assert_int_equal(cpufreq_ops.read(bench->source, bench->sample), 0);
	assert_int_equal(allocations, before);
	assert_int_equal(dup(STDOUT_FILENO), fd); /* nothing was left open */
	assert_int_equal(close(fd), 0);
}

static void assert_reading(struct bench *bench, enum counter counter, unsigned cpu, enum state state,
			   uint64_t hertz)
{
	const struct reading *reading = sample_get(bench->sample, counter, cpu, 0);

	assert_string_equal(state_row((enum state)reading->state)->name, state_row(state)->name);
	assert_int_equal(reading->source, SOURCE_CPUFREQ);
	if (state == STATE_DENIED || state == STATE_FAILED)
		assert_in_range(reading_errno(reading), 1, 4095); /* what the kernel answered */
	else
		assert_int_equal(reading->raw, hertz);
}

static void assert_clock(struct bench *bench, unsigned cpu, enum state state, uint64_t hertz)
{
	assert_reading(bench, COUNTER_OS_HERTZ, cpu, state, hertz);
}

static void clock_and_limits(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2);
	plant_all(&bench, 0);
	plant_all(&bench, 2);
	plant(&bench, 2, "scaling_max_freq", "1600000\n");
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_OS_HERTZ] && bench.offer.here[COUNTER_CAP_HERTZ] &&
		    bench.offer.here[COUNTER_FLOOR_HERTZ]);
	assert_non_null(strstr(bench.offer.note[COUNTER_OS_HERTZ], "scaling_cur_freq"));
	assert_null(bench.offer.note[COUNTER_CAP_HERTZ]);
	start(&bench);
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 2100123000);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_OK, 3700000000);
	assert_reading(&bench, COUNTER_FLOOR_HERTZ, 0, STATE_OK, 1000000000);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 1, STATE_OK, 1600000000);
	/* The governor is changed: read anew each time. */
	plant(&bench, 0, "scaling_cur_freq", "4294967295\n");
	plant(&bench, 0, "scaling_max_freq", "2500000\n");
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 4294967295000);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_OK, 2500000000);
	assert_clock(&bench, 1, STATE_OK, 2100123000);
	bench_close(&bench);
}

/* Linux 6.15: the average is preferred, for all CPUs, and never mixed with the other. */
static void average_first(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2);
	plant_all(&bench, 0);
	plant_all(&bench, 2);
	plant(&bench, 2, "cpuinfo_avg_freq", "2987654\n");
	probe(&bench);
	assert_non_null(strstr(bench.offer.note[COUNTER_OS_HERTZ], "cpuinfo_avg_freq"));
	start(&bench);
	take(&bench, -1);
	assert_clock(&bench, 1, STATE_OK, 2987654000);
	assert_clock(&bench, 0, STATE_UNSUPPORTED, 0);
	/* No recent tick: that sample has none, and not what was requested. */
	plant(&bench, 0, "cpuinfo_avg_freq", "1987654\n");
	read_errno = EAGAIN;
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_NO_TICKS, 0);
	assert_clock(&bench, 1, STATE_NO_TICKS, 0);
	read_errno = 0;
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 1987654000);
	bench_close(&bench);
}

static void not_here(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2); /* the folder cpufreq/ is there, and empty */
	probe(&bench);
	assert_true(!bench.offer.here[COUNTER_OS_HERTZ] && bench.offer.refused[COUNTER_OS_HERTZ]);
	assert_true(!bench.offer.here[COUNTER_CAP_HERTZ] && bench.offer.refused[COUNTER_CAP_HERTZ]);
	assert_true(bench.offer.refused[COUNTER_FLOOR_HERTZ]);
	assert_non_null(strstr(bench.offer.why.text, "no cpufreq"));
	assert_int_equal(bench.offer.why.err, ENOENT);
	/* RHEL 7: limits without a clock (node_exporter issue 644). */
	plant_policy(&bench, 2);
	plant(&bench, 2, "scaling_max_freq", "3700000\n");
	probe(&bench);
	assert_true(!bench.offer.here[COUNTER_OS_HERTZ] && bench.offer.here[COUNTER_CAP_HERTZ] &&
		    !bench.offer.here[COUNTER_FLOOR_HERTZ]);
	assert_non_null(strstr(bench.offer.why.text, "no such file"));
	assert_null(bench.offer.note[COUNTER_OS_HERTZ]);
	start(&bench);
	take(&bench, -1);
	assert_clock(&bench, 1, STATE_UNSUPPORTED, 0);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_UNSUPPORTED, 0); /* no folder */
	assert_reading(&bench, COUNTER_CAP_HERTZ, 1, STATE_OK, 3700000000);
	hostfs_fail_after(bench.env.fs, 1, EBUSY); /* what is not here is not tried */
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_UNSUPPORTED, 0);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_FAILED, 0);
	/* It has one for root, which serves while there is no other. */
	plant(&bench, 2, "cpuinfo_cur_freq", "3500000\n");
	probe(&bench);
	assert_non_null(strstr(bench.offer.note[COUNTER_OS_HERTZ], "cpuinfo_cur_freq"));
	start(&bench);
	take(&bench, -1);
	assert_clock(&bench, 1, STATE_OK, 3500000000);
	plant(&bench, 2, "scaling_cur_freq", "3400000\n");
	probe(&bench);
	assert_non_null(strstr(bench.offer.note[COUNTER_OS_HERTZ], "scaling_cur_freq"));
	bench_close(&bench);
	bench_open(&bench, 1);
	plant_policy(&bench, 0);
	plant(&bench, 0, "scaling_min_freq", "1\n");
	hostfs_fail_after(bench.env.fs, 1, EACCES);
	probe(&bench);
	assert_int_equal(bench.offer.why.err, EACCES);
	assert_non_null(strstr(bench.offer.why.text, "refused"));
	bench_close(&bench);
}

/* Nothing of this is a number; the other files of the CPU are not touched by it. */
static void garbage(void **unused)
{
	static const char *const texts[] = {
		"", "\n", "<unknown>\n", "-1\n", "2100000 \n", "2100000\n2100000\n", "0\n",
		"4294967296\n", "18446744073709551615\n", "99999999999999999999999999999999999\n",
		"2.1e6\n", "0x200000\n",
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, 1);
	plant_all(&bench, 0);
	start(&bench);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		plant(&bench, 0, "scaling_cur_freq", texts[i]);
		take(&bench, -1);
		assert_clock(&bench, 0, STATE_FAILED, 0);
		assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_OK, 3700000000);
	}
	plant(&bench, 0, "scaling_cur_freq", "1\n");
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 1000);
	bench_close(&bench);
}

/* s-tui issue 298, cpupower-gui issue 100: one file fails for one sample. */
static void one_file_fails(void **unused)
{
	static const struct {
		int err;
		enum state state;
	} cases[] = {
		{ EBUSY, STATE_FAILED }, { ENODATA, STATE_FAILED }, { EIO, STATE_FAILED },
		{ EAGAIN, STATE_NO_TICKS }, { EACCES, STATE_DENIED }, { ENOENT, STATE_UNSUPPORTED },
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2);
	plant_all(&bench, 0);
	plant_all(&bench, 2);
	start(&bench);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		hostfs_fail_after(bench.env.fs, 1, cases[i].err);
		take(&bench, -1);
		assert_clock(&bench, 0, cases[i].state, 0);
		assert_reading(&bench, COUNTER_CAP_HERTZ, 0, STATE_OK, 3700000000);
		assert_clock(&bench, 1, STATE_OK, 2100123000);
		hostfs_fail_after(bench.env.fs, 6, cases[i].err);
		take(&bench, -1);
		assert_clock(&bench, 0, STATE_OK, 2100123000);
		assert_clock(&bench, 1, STATE_OK, 2100123000);
		assert_reading(&bench, COUNTER_FLOOR_HERTZ, 1, cases[i].state, 0);
	}
	bench_close(&bench);
}

/* The figure in a shared policy is that of the CPUs that run. */
static void offline(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2);
	plant_all(&bench, 0);
	plant_all(&bench, 2);
	bench.host->cpus[1].online = false;
	start(&bench);
	take(&bench, -1); /* nobody accounts: as the host says */
	assert_clock(&bench, 0, STATE_OK, 2100123000);
	assert_clock(&bench, 1, STATE_OFFLINE, 0);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 1, STATE_OFFLINE, 0);
	take(&bench, 0);
	assert_clock(&bench, 0, STATE_OFFLINE, 0);
	/* Back, and nothing of before; without a turn it is still to come. */
	cost_ns = 60 * NS_PER_MS;
	bench.host->cpus[1].online = true;
	take(&bench, 0);
	assert_clock(&bench, 1, STATE_OK, 2100123000);
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_FIRST, 0);
	cost_ns = 0;
	for (unsigned i = 0; i < 4; i++)
		take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 2100123000);
	bench_close(&bench);
}

static void isolated_and_unasked(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, 4);
	for (unsigned id = 0; id < 8; id += 2)
		plant_all(&bench, id);
	bench.host->cpus[1].isolated = true;
	bench.host->cpus[2].isolated = bench.host->cpus[2].named = true;
	bench.host->cpus[3].wanted = false;
	start(&bench);
	take(&bench, -1);
	assert_clock(&bench, 0, STATE_OK, 2100123000);
	assert_clock(&bench, 1, STATE_ISOLATED, 0);
	assert_reading(&bench, COUNTER_CAP_HERTZ, 1, STATE_OK, 3700000000);
	assert_clock(&bench, 2, STATE_OK, 2100123000);
	assert_clock(&bench, 3, STATE_NOT_ASKED, 0);
	assert_reading(&bench, COUNTER_FLOOR_HERTZ, 3, STATE_NOT_ASKED, 0);
	assert_int_equal(reads, 3 + 2 + 3); /* not even read and thrown away */
	bench_close(&bench);
}

/* n samples: reading takes a twentieth of the time, but for what the first ones had left and the last
 * one exceeded. */
static void assert_share(struct bench *bench, unsigned n)
{
	const uint64_t begin_ns = now_ns, loose_ns = 2 * 3 * cost_ns;
	uint64_t spent_ns = 0;

	for (unsigned i = 0; i < n; i++) {
		take(bench, -1);
		spent_ns += reads * cost_ns;
	}
	assert_true(spent_ns <= (now_ns - begin_ns) / 20 + loose_ns);
	assert_true(spent_ns + loose_ns >= (now_ns - begin_ns) / 20);
}

/* 15 ms a file (EPYC 7502P): 5 % of a second is one CPU, and a little more that is paid back. */
static void slow_files_by_turns(void **unused)
{
	unsigned fresh[4] = { 0 }, stale = 0;
	struct bench bench;

	(void)unused;
	bench_open(&bench, 4);
	for (unsigned id = 0; id < 8; id += 2)
		plant_all(&bench, id);
	start(&bench);
	cost_ns = 15 * NS_PER_MS;
	take(&bench, -1);
	assert_int_equal(reads, 6);
	assert_clock(&bench, 0, STATE_OK, 2100123000);
	assert_clock(&bench, 1, STATE_OK, 2100123000);
	assert_clock(&bench, 2, STATE_FIRST, 0);
	for (unsigned i = 0; i < 40; i++) {
		take(&bench, -1);
		for (unsigned cpu = 0; cpu < 4; cpu++) {
			const struct reading *reading =
				sample_get(bench.sample, COUNTER_OS_HERTZ, cpu, 0);

			fresh[cpu] += reading->state == STATE_OK;
			if (reading->state != STATE_STALE)
				continue;
			stale++;
			assert_int_equal(reading->raw, 2100123000);
		}
	}
	for (unsigned cpu = 0; cpu < 4; cpu++)
		assert_true(fresh[cpu] >= 10);
	assert_true(stale > 100);
	assert_share(&bench, 40);
	bench.step_ns = NS_PER_S / 10; /* as it is, not as it was asked for */
	assert_share(&bench, 200);
	bench_close(&bench);
}

/* A clock of half a minute ago is none of now: 100 CPUs of 45 ms each have their turns a minute and a half apart. */
static void what_is_old_is_no_clock(void **unused)
{
	uint64_t read_at[100] = { 0 };
	unsigned old = 0, stale = 0;
	struct bench bench;

	(void)unused;
	bench_open(&bench, COUNT_OF(read_at));
	for (unsigned cpu = 0; cpu < COUNT_OF(read_at); cpu++)
		plant_all(&bench, 2 * cpu);
	start(&bench);
	cost_ns = 15 * NS_PER_MS;
	for (unsigned i = 0; i < 200; i++) {
		take(&bench, -1);
		for (unsigned cpu = 0; cpu < COUNT_OF(read_at); cpu++) {
			const struct reading *reading = sample_get(bench.sample, COUNTER_OS_HERTZ, cpu, 0);

			if (reading->state == STATE_OK)
				read_at[cpu] = now_ns;
			if (!read_at[cpu])
				continue; /* its first turn is still to come */
			if (now_ns - read_at[cpu] > 31 * NS_PER_S)
				assert_string_equal(state_row((enum state)reading->state)->name, "skipped");
			else if (now_ns - read_at[cpu] < 29 * NS_PER_S)
				assert_true(state_usable((enum state)reading->state));
			old += reading->state == STATE_SKIPPED;
			stale += reading->state == STATE_STALE;
			assert_true(reading->raw == (reading->state == STATE_SKIPPED ? 0 : 2100123000));
		}
	}
	assert_true(old > 1000 && stale > 1000);
	bench_close(&bench);
}

/* What one CPU takes beyond the share of an interval costs the next samples. */
static void debts_are_paid(void **unused)
{
	static const unsigned expected[] = { 3, 0, 0, 3, 0, 0 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, 2);
	plant_all(&bench, 0);
	plant_all(&bench, 2);
	start(&bench);
	cost_ns = 60 * NS_PER_MS;
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		take(&bench, -1);
		assert_int_equal(reads, expected[i]);
	}
	bench_close(&bench);
}

/* However long files take, of the CPUs that are online none gets two turns while another waits for its
 * first; until then it has no clock, and from then on one that may be old, or too old to be told. */
static void no_cpu_starves(void **unused)
{
	enum { CPUS = 40, GONE = 17 };
	unsigned turns[CPUS] = { 0 }, rounds;
	uint64_t random = 1;
	struct bench bench;

	(void)unused;
	bench_open(&bench, CPUS);
	for (unsigned cpu = 0; cpu < CPUS; cpu++)
		plant_all(&bench, 2 * cpu);
	start(&bench);
	bench.step_ns = NS_PER_S / 2;
	for (unsigned i = 0; i < 3000; i++) {
		/* From a microsecond to a quarter of a second a file: a machine that is busy now and then. */
		random = random * 6364136223846793005 + 1442695040888963407;
		cost_ns = 1000u << (random >> 60) << (random >> 59 & 3);
		take(&bench, GONE);
		for (unsigned cpu = 0; cpu < CPUS; cpu++) {
			const struct reading *reading =
				sample_get(bench.sample, COUNTER_OS_HERTZ, cpu, 0);

			turns[cpu] += reading->state == STATE_OK;
			if (cpu == GONE)
				assert_int_equal(reading->state, STATE_OFFLINE);
			else if (turns[cpu] == 0)
				assert_int_equal(reading->state, STATE_FIRST);
			else
				assert_int_equal(reading->raw,
						 reading->state == STATE_SKIPPED ? 0 : 2100123000);
		}
		for (unsigned cpu = 0; cpu < CPUS; cpu++)
			assert_true(cpu == GONE || (turns[cpu] <= turns[0] && turns[cpu] + 1 >= turns[0]));
	}
	rounds = turns[CPUS - 1];
	assert_true(rounds > 10);
	bench_close(&bench);
}

/* The kernel's figure is a column of its own. */
static void values(void **unused)
{
	struct bench bench;
	struct snapshot *snapshot;
	const struct value *value;

	(void)unused;
	bench_open(&bench, 1);
	plant_all(&bench, 0);
	start(&bench);
	take(&bench, -1);
	snapshot = snapshot_new(bench.host);
	assert_non_null(snapshot);
	derive(bench.host, NULL, bench.sample, snapshot);
	value = snapshot_get(snapshot, METRIC_OS_HERTZ, SCOPE_CPU, 0, 0);
	assert_int_equal(value->state, STATE_OK);
	assert_near(value->v, 2100123000.0, 0.5);
	assert_int_equal(value->source, SOURCE_CPUFREQ);
	assert_near(snapshot_get(snapshot, METRIC_CAP_HERTZ, SCOPE_CPU, 0, 0)->v, 3.7e9, 0.5);
	assert_near(snapshot_get(snapshot, METRIC_FLOOR_HERTZ, SCOPE_CPU, 0, 0)->v, 1e9, 0.5);
	/* Never a stand-in for the measured clock. */
	assert_int_equal(snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 0)->state,
			 STATE_UNSUPPORTED);
	sample_at(bench.sample, COUNTER_OS_HERTZ, 0, 0)->state = STATE_STALE;
	sample_fail(bench.sample, COUNTER_CAP_HERTZ, 0, 0, STATE_DENIED, SOURCE_CPUFREQ);
	derive(bench.host, NULL, bench.sample, snapshot);
	value = snapshot_get(snapshot, METRIC_OS_HERTZ, SCOPE_CPU, 0, 0);
	assert_int_equal(value->state, STATE_STALE);
	assert_near(value->v, 2100123000.0, 0.5);
	assert_int_equal(snapshot_get(snapshot, METRIC_CAP_HERTZ, SCOPE_CPU, 0, 0)->state, STATE_DENIED);
	snapshot_free(snapshot);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clock_and_limits),
		cmocka_unit_test(average_first),
		cmocka_unit_test(not_here),
		cmocka_unit_test(garbage),
		{ "case 53: one file fails for one sample", one_file_fails, NULL, NULL, NULL },
		cmocka_unit_test(offline),
		cmocka_unit_test(isolated_and_unasked),
		{ "case 56: slow files are read by turns", slow_files_by_turns, NULL, NULL, NULL },
		{ "case 56: what is older than half a minute is no clock", what_is_old_is_no_clock, NULL, NULL, NULL },
		{ "case 56: what took too long is made up for", debts_are_paid, NULL, NULL, NULL },
		cmocka_unit_test(no_cpu_starves),
		cmocka_unit_test(values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
