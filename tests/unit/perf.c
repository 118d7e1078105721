/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting by perf, with a made-up kernel below it: what it opens, reads, scales and refuses. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "fake.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/perf_call.h"
#include "source/source.h"
#include "tree.h"

enum { CORE = 4, ATOM = 10, MSR = 31, CSTATE = 32, POWER = 34 };

#define EVENTS 512
#define FD 1000

/* The kernel: events count `rate` a nanosecond, those in a group with hardware events only for
 * `share` of the time. */
static struct kernel {
	struct kernel_event {
		struct perf_what what;
		int cpu, leader; /* its index; -1 leads */
		bool open, dead;
		double count, enabled, running;
	} events[EVENTS];
	unsigned n, reads, opened;
	double share;
	unsigned general; /* counters that one group may have */
	int refuse_all;
	struct {
		uint32_t type;
		uint64_t config;
		int cpu, err; /* cpu -1: all */
	} refuse;
	bool small[64]; /* CPUs of the kind ATOM */
} kernel;

/* Goes on as the test says. */
static uint64_t now_ns = 5 * NS_PER_S;
uint64_t __wrap_clock_mono_ns(void);

uint64_t __wrap_clock_mono_ns(void)
{
	return now_ns;
}

int __wrap_perf_call_open(const struct perf_what *what, pid_t task, int cpu, int leader);
ssize_t __wrap_perf_call_read(int leader, uint64_t *buf, size_t size);
void __wrap_perf_call_close(int fd);

static bool is_general(const struct perf_what *what)
{
	return (what->type == CORE || what->type == ATOM) && what->config != 0x3c &&
	       what->config != 0xc0;
}

static unsigned leads(unsigned i)
{
	return kernel.events[i].leader < 0 ? i : (unsigned)kernel.events[i].leader;
}

int __wrap_perf_call_open(const struct perf_what *what, pid_t task, int cpu, int leader)
{
	unsigned general = is_general(what);

	assert_int_equal(task, -1);
	if (kernel.refuse_all)
		return -kernel.refuse_all;
	if (kernel.refuse.err && kernel.refuse.type == what->type &&
	    kernel.refuse.config == what->config &&
	    (kernel.refuse.cpu < 0 || kernel.refuse.cpu == cpu))
		return -kernel.refuse.err;
	for (unsigned i = 0; i < kernel.n && leader >= 0; i++)
		general += kernel.events[i].open && leads(i) == (unsigned)(leader - FD) &&
			   is_general(&kernel.events[i].what);
	if (general > kernel.general)
		return -EINVAL;
	assert_true(kernel.n < EVENTS);
	kernel.events[kernel.n] = (struct kernel_event) {
		.what = *what,
		.cpu = cpu,
		.leader = leader < 0 ? -1 : leader - FD,
		.open = true,
	};
	kernel.opened++;
	return FD + (int)kernel.n++;
}

ssize_t __wrap_perf_call_read(int leader, uint64_t *buf, size_t size)
{
	const struct kernel_event *lead = &kernel.events[leader - FD];
	uint64_t n = 0;

	kernel.reads++;
	assert_true(lead->open && lead->leader < 0);
	for (unsigned i = 0; i < kernel.n; i++)
		if (kernel.events[i].open && leads(i) == (unsigned)(leader - FD))
			buf[3 + n++] = (uint64_t)kernel.events[i].count;
	assert_true(size >= (3 + n) * sizeof(*buf));
	buf[0] = n;
	buf[1] = (uint64_t)lead->enabled;
	buf[2] = (uint64_t)lead->running;
	return (ssize_t)((3 + n) * sizeof(*buf));
}

void __wrap_perf_call_close(int fd)
{
	assert_true(kernel.events[fd - FD].open);
	kernel.events[fd - FD].open = false;
	kernel.opened--;
}

/* Each event has its own rate, and each CPU too. */
static double rate(const struct kernel_event *event)
{
	return event->what.type == MSR && event->what.config == 0
		       ? 2.0
		       : 1.0 + (double)(event->what.config % 97) + event->cpu / 16.0;
}

static void pass(double ns)
{
	now_ns += (uint64_t)ns;
	for (unsigned i = 0; i < kernel.n; i++) {
		const unsigned lead = leads(i);
		double share = 1;

		for (unsigned k = 0; k < kernel.n; k++)
			if (kernel.events[k].open && leads(k) == lead &&
			    (kernel.events[k].what.type == CORE ||
			     kernel.events[k].what.type == ATOM))
				share = kernel.share;
		if (!kernel.events[i].open || kernel.events[i].dead)
			continue;
		kernel.events[i].enabled += ns;
		kernel.events[i].running += ns * share;
		kernel.events[i].count += rate(&kernel.events[i]) * ns * share;
	}
}

static unsigned count_events(uint32_t type, uint64_t config, int cpu)
{
	unsigned n = 0;

	for (unsigned i = 0; i < kernel.n; i++)
		n += kernel.events[i].open && kernel.events[i].what.type == type &&
		     (config == UINT64_MAX || kernel.events[i].what.config == config) &&
		     (cpu < 0 || kernel.events[i].cpu == cpu);
	return n;
}

struct bench {
	char *root;
	struct host *host;
	struct source_env env;
	struct source *source;
	struct sample *sample;
	struct offer offer;
	bool asked[COUNTER_N];
};

#define PMU "sys/bus/event_source/devices/"

static void plant_msr(struct bench *bench)
{
	tree_write(bench->root, PMU "msr/type", "%d\n", MSR);
	tree_write(bench->root, PMU "msr/events/tsc", "event=0x00\n");
	tree_write(bench->root, PMU "msr/events/aperf", "event=0x01\n");
	tree_write(bench->root, PMU "msr/events/mperf", "event=0x02\n");
	tree_write(bench->root, PMU "msr/events/smi", "event=0x04\n");
}

/* 2 packages × 2 cores × 2 threads of Skylake-SP; CPU numbers are even. */
static void bench_open(struct bench *bench)
{
	memset(bench, 0, sizeof(*bench));
	memset(&kernel, 0, sizeof(kernel));
	kernel.share = 1;
	kernel.general = 4;
	bench->root = tree_new();
	bench->host = fake_host(2, 2, 2);
	bench->host->live = true;
	bench->host->kinds[0].family = 6;
	bench->host->kinds[0].model = 0x55;
	bench->host->kinds[0].stepping = 4;
	bench->env.host = bench->host;
	bench->env.interval_ns = NS_PER_S;
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->sample = sample_new(bench->host);
	assert_non_null(bench->sample);
	plant_msr(bench);
	tree_write(bench->root, PMU "cpu/type", "%d\n", CORE);
	tree_write(bench->root, "proc/sys/kernel/perf_event_paranoid", "2\n");
	tree_write(bench->root, "proc/sys/kernel/nmi_watchdog", "0\n");
}

static void bench_close(struct bench *bench)
{
	perf_ops.close(bench->source);
	assert_int_equal(kernel.opened, 0); /* all is closed again */
	sample_free(bench->sample);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

static void probe(struct bench *bench)
{
	const unsigned opened = kernel.opened;

	bench->offer = (struct offer) { 0 };
	assert_int_equal(perf_ops.probe(&bench->env, &bench->offer), 0);
	assert_int_equal(kernel.opened, opened);
}

static void start(struct bench *bench)
{
	struct problem problem;

	perf_ops.close(bench->source);
	bench->source = NULL;
	assert_int_equal(perf_ops.open(&bench->env, &bench->source, &problem), 0);
}

static void look(struct bench *bench)
{
	sample_clear(bench->sample);
	bench->sample->read_ns[SOURCE_PERF] = clock_mono_ns();
	assert_int_equal(perf_ops.read(bench->source, bench->sample), 0);
}

static const struct reading *get(const struct bench *bench, enum counter counter, unsigned index)
{
	return sample_get(bench->sample, counter, index, 0);
}

static void refused(const struct bench *bench, enum counter counter, int err, const char *part)
{
	struct problem why;

	assert_true(bench->offer.refused[counter] && !bench->offer.here[counter]);
	offer_why(&bench->offer, counter, &why);
	assert_int_equal(why.err, err);
	if (!strstr(why.text, part))
		fail_msg("\"%s\" does not say \"%s\"", why.text, part);
}

static void test_one_read(void **state)
{
	struct bench bench;
	uint64_t before[COUNTER_N];

	(void)state;
	bench_open(&bench);
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_APERF] && bench.offer.here[COUNTER_LICENSE2] &&
		    bench.offer.here[COUNTER_CYCLES] && bench.offer.here[COUNTER_INSTRUCTIONS] &&
		    bench.offer.here[COUNTER_SMI]);
	refused(&bench, COUNTER_FP512_OPS, ECANCELED, "only where it is asked for");
	refused(&bench, COUNTER_AMX_BUSY, ENOTSUP, "known for this CPU");
	start(&bench);
	assert_int_equal(count_events(CORE, 0x1828, 6), 1);
	assert_int_equal(count_events(CORE, UINT64_MAX, 6), 5); /* of them three general */
	look(&bench);
	for (unsigned c = 0; c < COUNTER_N; c++)
		before[c] = counter_row((enum counter)c)->scope == SCOPE_CPU
				    ? sample_get(bench.sample, (enum counter)c, 3, 0)->raw
				    : 0;
	kernel.reads = 0;
	pass(1000);
	look(&bench);
	assert_int_equal(kernel.reads, 8); /* one a CPU */
	/* CPU number 6. */
	assert_int_equal(get(&bench, COUNTER_CLOCK_TSC, 3)->raw - before[COUNTER_CLOCK_TSC], 2000);
	assert_int_equal(get(&bench, COUNTER_APERF, 3)->raw - before[COUNTER_APERF], 2375);
	assert_int_equal(get(&bench, COUNTER_MPERF, 3)->raw - before[COUNTER_MPERF], 3375);
	assert_int_equal(get(&bench, COUNTER_CYCLES, 3)->raw - before[COUNTER_CYCLES], 61375);
	assert_int_equal(get(&bench, COUNTER_LICENSE1, 3)->raw - before[COUNTER_LICENSE1],
			 1375 + 1000 * (0x1828 % 97));
	assert_int_equal(get(&bench, COUNTER_LICENSE1, 3)->state, STATE_OK);
	assert_int_equal(get(&bench, COUNTER_PMU_RUNNING, 3)->raw, 1000);
	bench_close(&bench);
}

/* Somebody else counts, too: what needs a hardware counter is scaled or absent, the clocks are
 * exact. */
static void test_shared(void **state)
{
	struct bench bench;
	uint64_t aperf, license;

	(void)state;
	bench_open(&bench);
	start(&bench);
	look(&bench);
	pass(1000);
	look(&bench);
	aperf = get(&bench, COUNTER_APERF, 0)->raw;
	license = get(&bench, COUNTER_LICENSE0, 0)->raw;
	kernel.share = 0.25;
	kernel.reads = 0;
	pass(1000);
	look(&bench);
	assert_int_equal(kernel.reads, 16); /* two a CPU at most */
	assert_int_equal(get(&bench, COUNTER_APERF, 0)->raw - aperf, 2000);
	assert_int_equal(get(&bench, COUNTER_APERF, 0)->state, STATE_OK);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 0)->raw - license, 1000 * (1 + 0x0728 % 97));
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 0)->state, STATE_SCALED);
	license = get(&bench, COUNTER_LICENSE0, 0)->raw;
	kernel.share = 0.009; /* tells nothing of the rest */
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 0)->state, STATE_CROWDED);
	assert_int_equal(get(&bench, COUNTER_APERF, 0)->raw - aperf, 4000);
	kernel.share = 1;
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 0)->raw - license, 1000 * (1 + 0x0728 % 97));
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 0)->state, STATE_OK);
	assert_int_equal(get(&bench, COUNTER_APERF, 0)->raw - aperf, 6000);
	bench_close(&bench);
}

/* Not one counter is free from the start on. */
static void test_crowded(void **state)
{
	struct bench bench;
	uint64_t aperf;

	(void)state;
	bench_open(&bench);
	kernel.share = 0;
	start(&bench);
	pass(10);
	look(&bench);
	aperf = get(&bench, COUNTER_APERF, 5)->raw;
	assert_int_equal(get(&bench, COUNTER_APERF, 5)->state, STATE_OK);
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 5)->raw - aperf, 2625);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 5)->state, STATE_CROWDED);
	bench_close(&bench);
}

static void test_returned(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	start(&bench);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_OK); /* and not RESET */
	pass(1000);
	look(&bench);
	/* Away and back between two samples: nothing but the counts themselves tells. */
	for (unsigned i = 0; i < kernel.n; i++)
		kernel.events[i].dead = kernel.events[i].cpu == 4;
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_RESET);
	assert_int_equal(get(&bench, COUNTER_APERF, 3)->state, STATE_OK);
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->raw, 2250);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_OK);
	/* Seen to be away. */
	sample_clear(bench.sample);
	sample_fail(bench.sample, COUNTER_OS_BUSY, 2, 0, STATE_OFFLINE, SOURCE_PROCFS);
	assert_int_equal(perf_ops.read(bench.source, bench.sample), 0);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_OFFLINE);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 2)->state, STATE_OFFLINE);
	assert_int_equal(count_events(MSR, UINT64_MAX, 4), 0);
	pass(1000);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_RESET);
	assert_int_equal(count_events(CORE, 0x1828, 4), 1);
	bench_close(&bench);
}

/* A clock that is emulated may stand still: that is no reason to begin anew again and again. */
static void test_stands_still(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	start(&bench);
	look(&bench);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_RESET);
	for (unsigned i = 0; i < 3; i++) {
		look(&bench);
		assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_OK);
	}
	bench_close(&bench);
}

static void test_left_alone(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	bench.host->cpus[1].isolated = true;
	bench.host->cpus[2].isolated = bench.host->cpus[2].named = true;
	bench.host->cpus[3].wanted = false;
	bench.host->cpus[4].allowed = false; /* a cpuset does not keep it from counting there */
	start(&bench);
	assert_int_equal(count_events(MSR, UINT64_MAX, 2), 0);
	assert_int_equal(count_events(MSR, UINT64_MAX, 6), 0);
	assert_true(count_events(MSR, UINT64_MAX, 4) > 0 && count_events(MSR, UINT64_MAX, 8) > 0);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 1)->state, STATE_ISOLATED);
	assert_int_equal(get(&bench, COUNTER_APERF, 3)->state, STATE_NOT_ASKED);
	assert_int_equal(get(&bench, COUNTER_APERF, 4)->state, STATE_OK);
	bench_close(&bench);
}

/* Two of three levels tell nothing: all or none. */
static void test_too_few(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	kernel.general = 2;
	probe(&bench);
	refused(&bench, COUNTER_LICENSE0, EBUSY, "too few hardware counters");
	refused(&bench, COUNTER_LICENSE2, EBUSY, "too few hardware counters");
	assert_true(bench.offer.here[COUNTER_APERF] && bench.offer.here[COUNTER_INSTRUCTIONS]);
	start(&bench);
	assert_int_equal(count_events(CORE, 0x0728, -1), 0);
	tree_write(bench.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	probe(&bench);
	refused(&bench, COUNTER_LICENSE0, EBUSY, "NMI watchdog");
	bench_close(&bench);
}

/* The watchdog has the fixed counter of cycles: a second event of it would take a general one. */
static void test_watchdog(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	tree_write(bench.root, "proc/sys/kernel/nmi_watchdog", "1\n");
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_CYCLES]);
	assert_non_null(strstr(bench.offer.note[COUNTER_CYCLES], "APERF"));
	assert_non_null(strstr(bench.offer.note[COUNTER_LICENSE0], "watchdog"));
	start(&bench);
	assert_int_equal(count_events(CORE, 0x3c, -1), 0);
	pass(100);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_CYCLES, 1)->raw, get(&bench, COUNTER_APERF, 1)->raw);
	assert_true(get(&bench, COUNTER_CYCLES, 1)->raw > 0);
	bench_close(&bench);
}

static void test_asked(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	bench.env.asked = bench.asked;
	bench.asked[COUNTER_FP512_OPS] = true;
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_FP512_OPS] && bench.offer.here[COUNTER_LICENSE0]);
	/* Two and three are one too many: what was named comes first. */
	bench.asked[COUNTER_LICENSE_THROTTLE] = true;
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_FP512_OPS] &&
		    bench.offer.here[COUNTER_LICENSE_THROTTLE]);
	refused(&bench, COUNTER_LICENSE0, EBUSY, "too few");
	bench.asked[COUNTER_LICENSE1] = true;
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_LICENSE0] &&
		    bench.offer.here[COUNTER_LICENSE_THROTTLE]);
	refused(&bench, COUNTER_FP512_OPS, EBUSY, "too few");
	start(&bench);
	assert_int_equal(count_events(CORE, 0x4028, 0), 1);
	assert_int_equal(count_events(CORE, 0xc0c7, 0), 0);
	bench.env.no_pmu = true;
	probe(&bench);
	refused(&bench, COUNTER_LICENSE0, ECANCELED, "--no-pmu");
	refused(&bench, COUNTER_INSTRUCTIONS, ECANCELED, "--no-pmu");
	assert_true(bench.offer.here[COUNTER_APERF] && bench.offer.here[COUNTER_CYCLES]);
	start(&bench);
	assert_int_equal(count_events(CORE, UINT64_MAX, -1), 0);
	bench_close(&bench);
}

/* Each errno of opening has its own sentence. */
static void test_refusals(void **state)
{
	static const struct {
		const char *paranoid, *hypervisor, *part;
		int err;
	} rows[] = {
		{ "2", "", "CAP_PERFMON", EACCES },
		{ "3", "", "CAP_PERFMON does not help", EACCES },
		{ "2", "", "seccomp", EPERM },
		{ "2", "", "counts no events", ENOSYS },
		{ "2", "", "may not open as many files", EMFILE },
		{ "2", "", "lacks the register", ENOENT },
		{ "2", "KVM", "is not shown the register", ENOENT },
	};
	struct bench bench;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bench_open(&bench);
		tree_write(bench.root, "proc/sys/kernel/perf_event_paranoid", "%s\n",
			   rows[i].paranoid);
		strcpy(bench.host->hypervisor, rows[i].hypervisor);
		kernel.refuse_all = rows[i].err;
		probe(&bench);
		refused(&bench, COUNTER_APERF, rows[i].err, rows[i].part);
		assert_false(bench.offer.here[COUNTER_CYCLES]);
		assert_non_null(strstr(bench.offer.why.text, rows[i].part));
		bench_close(&bench);
	}
}

/* A guest's PMU msr lists what it has: nothing else is opened. A vPMU has the cycles all the same.
 */
static void test_guest(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	strcpy(bench.host->hypervisor, "KVM");
	tree_remove(bench.root, PMU "msr/events/aperf");
	tree_remove(bench.root, PMU "msr/events/mperf");
	probe(&bench);
	refused(&bench, COUNTER_APERF, ENOENT, "is not shown the register");
	assert_true(bench.offer.here[COUNTER_CLOCK_TSC] && bench.offer.here[COUNTER_CYCLES]);
	start(&bench);
	assert_int_equal(count_events(MSR, 1, -1), 0);
	tree_remove(bench.root, PMU "cpu/type");
	probe(&bench);
	refused(&bench, COUNTER_CYCLES, ENOENT, "no vPMU");
	bench_close(&bench);
}

/* One event of one CPU fails: nothing else is lost. */
static void test_one_fails(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	kernel.refuse.type = MSR;
	kernel.refuse.config = 1;
	kernel.refuse.cpu = 6;
	kernel.refuse.err = EIO;
	start(&bench);
	pass(100);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_APERF, 3)->state, STATE_FAILED);
	assert_int_equal(reading_errno(get(&bench, COUNTER_APERF, 3)), EIO);
	assert_int_equal(get(&bench, COUNTER_APERF, 2)->state, STATE_OK);
	assert_int_equal(get(&bench, COUNTER_CLOCK_TSC, 3)->raw, 200);
	assert_int_equal(get(&bench, COUNTER_MPERF, 3)->raw, 337);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 3)->state, STATE_OK);
	bench_close(&bench);
}

/* The same code is another event on an E-core, and each kind has a PMU of its own. */
static void test_hybrid(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	tree_remove(bench.root, PMU "cpu/type");
	tree_write(bench.root, PMU "cpu_core/type", "%d\n", CORE);
	tree_write(bench.root, PMU "cpu_core/cpus", "0-6\n");
	tree_write(bench.root, PMU "cpu_atom/type", "%d\n", ATOM);
	tree_write(bench.root, PMU "cpu_atom/cpus", "8-14\n");
	bench.host->n_kinds = 2;
	bench.host->kinds[1] = bench.host->kinds[0];
	strcpy(bench.host->kinds[0].name, "P-core");
	strcpy(bench.host->kinds[1].name, "E-core");
	for (unsigned i = 4; i < 8; i++)
		bench.host->cpus[i].kind = 1;
	start(&bench);
	assert_int_equal(count_events(CORE, 0x0728, 0), 1);
	assert_int_equal(count_events(CORE, UINT64_MAX, 8), 0);
	assert_int_equal(count_events(ATOM, 0xc0, 8), 1);
	assert_int_equal(count_events(ATOM, 0x0728, -1), 0);
	assert_int_equal(count_events(ATOM, 0x1828, -1), 0);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_LICENSE0, 4)->state, STATE_UNSUPPORTED);
	assert_int_equal(get(&bench, COUNTER_INSTRUCTIONS, 4)->state, STATE_OK);
	bench_close(&bench);
}

/* AMD counts instructions by the PMU msr, and its hardware counters are all general ones. */
static void test_amd(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	strcpy(bench.host->vendor, "AuthenticAMD");
	bench.host->kinds[0].family = 25;
	bench.host->kinds[0].model = 0x11;
	tree_remove(bench.root, PMU "msr/events/smi");
	tree_write(bench.root, PMU "msr/events/irperf", "event=0x06\n");
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_INSTRUCTIONS] && bench.offer.here[COUNTER_CYCLES]);
	refused(&bench, COUNTER_LICENSE0, ENOTSUP, "AMD has no license levels");
	start(&bench);
	assert_int_equal(count_events(CORE, UINT64_MAX, -1), 0);
	assert_int_equal(count_events(MSR, 6, 0), 1);
	bench.env.asked = bench.asked;
	bench.asked[COUNTER_FP512_OPS] = true;
	start(&bench);
	assert_int_equal(count_events(CORE, 0x2008, 0), 1);
	bench_close(&bench);
}

static void plant_units(struct bench *bench)
{
	tree_write(bench->root, PMU "cstate_core/type", "%d\n", CSTATE);
	tree_write(bench->root, PMU "cstate_core/cpumask", "0,4,8,12\n");
	tree_write(bench->root, PMU "cstate_core/events/c6-residency", "event=0x02\n");
	tree_write(bench->root, PMU "power/type", "%d\n", POWER);
	tree_write(bench->root, PMU "power/cpumask", "0,8\n");
	tree_write(bench->root, PMU "power/events/energy-pkg", "event=0x02\n");
	tree_write(bench->root, PMU "power/events/energy-pkg.unit", "Joules\n");
	tree_write(bench->root, PMU "power/events/energy-pkg.scale",
		   "2.3283064365386962890625e-10\n");
	/* Nobody says what one count of it is. */
	tree_write(bench->root, PMU "power/events/energy-ram", "event=0x03\n");
}

static void test_units(void **state)
{
	const double joule = 4294967296.0;
	struct bench bench;

	(void)state;
	bench_open(&bench);
	plant_units(&bench);
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_CORE_C6] && bench.offer.here[COUNTER_PACKAGE_ENERGY] &&
		    bench.offer.here[COUNTER_PACKAGE_ENERGY_AGE]);
	refused(&bench, COUNTER_CORE_C3, ENOENT, "no such idle state");
	refused(&bench, COUNTER_DRAM_ENERGY, ENOENT, "no such energy");
	start(&bench);
	look(&bench);
	kernel.reads = 0;
	pass(joule);
	look(&bench);
	assert_int_equal(kernel.reads, 8 + 4 + 2);
	/* Asked of CPU 4, which is the second core's first, and of CPU 8. */
	assert_int_equal(get(&bench, COUNTER_CORE_C6, 1)->raw, (uint64_t)(joule * 3.25));
	assert_int_equal(get(&bench, COUNTER_PACKAGE_ENERGY, 1)->raw, 3500000);
	assert_int_equal(get(&bench, COUNTER_PACKAGE_ENERGY, 1)->state, STATE_OK);
	assert_true(get(&bench, COUNTER_PACKAGE_ENERGY_AGE, 1)->raw < NS_PER_S);
	bench_close(&bench);
}

/* Two dies: their energies add up. */
static void test_dies(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	plant_units(&bench);
	tree_write(bench.root, PMU "power/cpumask", "0,4,8\n");
	start(&bench);
	look(&bench);
	pass(4294967296.0);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_PACKAGE_ENERGY, 0)->raw, 3000000 + 3250000);
	assert_int_equal(get(&bench, COUNTER_PACKAGE_ENERGY, 1)->raw, 3500000);
	bench_close(&bench);
}

/* What is asked of an isolated CPU is left alone. */
static void test_units_left_alone(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	plant_units(&bench);
	bench.host->cpus[0].isolated = true;
	start(&bench);
	assert_int_equal(count_events(CSTATE, UINT64_MAX, 0), 0);
	assert_int_equal(count_events(POWER, UINT64_MAX, 0), 0);
	assert_int_equal(count_events(CSTATE, UINT64_MAX, 4), 1);
	look(&bench);
	assert_int_equal(get(&bench, COUNTER_CORE_C6, 0)->state, STATE_ISOLATED);
	assert_int_equal(get(&bench, COUNTER_CORE_C6, 1)->state, STATE_OK);
	assert_int_equal(get(&bench, COUNTER_PACKAGE_ENERGY, 0)->state, STATE_ISOLATED);
	bench_close(&bench);
}

static void test_recorded(void **state)
{
	struct bench bench;

	(void)state;
	bench_open(&bench);
	bench.host->live = false;
	probe(&bench);
	refused(&bench, COUNTER_APERF, ENOTSUP, "live machine");
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_read),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_stands_still),
		cmocka_unit_test(test_left_alone),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_watchdog),
		cmocka_unit_test(test_asked),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_guest),
		cmocka_unit_test(test_one_fails),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_amd),
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_dies),
		cmocka_unit_test(test_units_left_alone),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
