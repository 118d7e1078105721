/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a burst may run: each rule, on machines made up; the default CPU; what the result says. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "burst/burst.h"
#include "burst/thermal.h"
#include "burst/verdict.h"
#include "tests/unit/fake.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

struct setup {
	char *root;
	struct hostfs *fs;
	struct host *host;
	struct list *cpus;
	struct burst_plan plan;
	double busy[8];
	struct problem problem, note;
};

/* Two cores of two threads; CPU numbers 0, 2, 4, 6. Drives CPU 4. */
static int begin(void **state)
{
	static struct setup setup;

	memset(&setup, 0, sizeof(setup));
	setup.root = tree_new();
	assert_int_equal(hostfs_open(setup.root, &setup.fs), 0);
	setup.host = fake_host(1, 2, 2);
	setup.host->live = true;
	setup.cpus = list_new();
	assert_int_equal(list_add(setup.cpus, 4), 0);
	setup.plan = (struct burst_plan){ .kernel = KERNEL_SCALAR, .cpus = setup.cpus,
					  .duration_ns = 1000000, .pattern = PATTERN_DEFAULT };
	for (unsigned i = 0; i < 8; i++)
		setup.busy[i] = NAN;
	*state = &setup;
	return 0;
}

static int end(void **state)
{
	struct setup *const s = *state;

	list_free(s->cpus);
	host_free(s->host);
	hostfs_close(s->fs);
	tree_free(s->root);
	return 0;
}

static int check(struct setup *s)
{
	s->problem.text[0] = s->note.text[0] = '\0';
	return burst_check(&s->plan, s->host, s->fs, s->busy, NULL, &s->problem, &s->note);
}

static void refused(struct setup *s, int err, const char *words)
{
	assert_int_equal(check(s), -err);
	if (!strstr(s->problem.text, words))
		fail_msg("\"%s\" does not say \"%s\"", s->problem.text, words);
}

static void test_allowed(void **state)
{
	struct setup *const s = *state;

	assert_int_equal(check(s), 0);
	assert_non_null(strstr(s->note.text, "temperature unknown"));
	assert_int_equal(burst_check(&s->plan, s->host, s->fs, NULL, NULL, NULL, NULL), 0);
}

static void test_cpus(void **state)
{
	struct setup *const s = *state;
	struct host_cpu *const cpu = &s->host->cpus[2];

	cpu->isolated = true;
	refused(s, EPERM, "isolated");
	cpu->named = true;
	assert_int_equal(check(s), 0);
	cpu->allowed = false;
	refused(s, EPERM, "cpuset or affinity");
	cpu->online = false;
	refused(s, ENODEV, "CPU 4 is offline");
	assert_int_equal(list_add(s->cpus, 3), 0);
	refused(s, ENODEV, "no CPU 3");
	list_remove(s->cpus, 3);
	list_remove(s->cpus, 4);
	refused(s, EINVAL, "no CPU");
	s->host->live = false;
	refused(s, EPERM, "this machine only");
}

static void test_kernel(void **state)
{
	struct setup *const s = *state;

	s->host->kinds[0].isa = 0;
	s->plan.kernel = KERNEL_AVX512_FMA;
	refused(s, ENOTSUP, "AVX-512F");
}

/* Buffers of copies take no more than half of what is free. */
static void test_memory(void **state)
{
	struct setup *const s = *state;

	s->plan.kernel = KERNEL_COPY_UNROLLED;
	assert_int_equal(check(s), 0); /* not known */
	tree_write(s->root, "proc/meminfo", "MemTotal: 100 kB\nMemAvailable:         64 kB\n");
	assert_int_equal(check(s), 0); /* two of 16 KiB */
	tree_write(s->root, "proc/meminfo", "MemTotal: 100 kB\nMemAvailable:         63 kB\n");
	refused(s, EAGAIN, "need 32.8 kB of memory, more than half of the 64.5 kB that are available");
	s->plan.kernel = KERNEL_SCALAR;
	assert_int_equal(check(s), 0);
	s->plan.kernel = KERNEL_COPY_UNROLLED;
	tree_write(s->root, "proc/meminfo", "MemTotal: 100 kB\nMemAvailable:    %u kB\n", 250u << 20);
	s->plan.copy.bytes = (size_t)64 << 30;
	refused(s, EAGAIN, "need 137 GB");
	s->plan.copy.bytes = (size_t)62 << 30;
	assert_int_equal(check(s), 0);
	assert_int_equal(list_add(s->cpus, 6), 0);
	refused(s, EAGAIN, "need 266 GB");
	s->plan.copy.from_align = 4096;
	refused(s, EAGAIN, "need ");
	tree_write(s->root, "proc/meminfo", "MemAvailable: lots\n");
	assert_int_equal(check(s), 0);
}

static void test_forbidden(void **state)
{
	struct setup *const s = *state;

	tree_write(s->root, "etc/avxtop/no-burst", "%s", "");
	refused(s, EPERM, "/etc/avxtop/no-burst exists");
	s->plan.force = true; /* lifts the load rule only */
	refused(s, EPERM, "/etc/avxtop/no-burst exists");
}

static void test_load(void **state)
{
	struct setup *const s = *state;

	s->busy[2] = 0.51;
	refused(s, EBUSY, "CPU 4 is 51 % busy");
	s->plan.force = true;
	assert_int_equal(check(s), 0);
	s->plan.force = false;
	s->busy[2] = 0.5;
	s->busy[0] = 1; /* not driven */
	assert_int_equal(check(s), 0);
}

static void test_all_driven(void **state)
{
	struct setup *const s = *state;

	for (unsigned id = 0; id <= 6; id += 2)
		assert_int_equal(list_add(s->cpus, id), 0);
	tree_write(s->root, "sys/class/hwmon/hwmon0/name", "coretemp\n");
	tree_write(s->root, "sys/class/hwmon/hwmon0/temp1_input", "40000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon0/temp1_crit", "100000\n");
	assert_int_equal(check(s), 0);
	assert_non_null(strstr(s->note.text, "every CPU"));
}

static void test_hwmon(void **state)
{
	struct setup *const s = *state;
	struct thermal_margin margin;

	tree_write(s->root, "sys/class/hwmon/hwmon0/name", "nvme\n");
	tree_write(s->root, "sys/class/hwmon/hwmon0/temp1_input", "84000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon0/temp1_crit", "85000\n");
	assert_false(thermal_nearest(s->fs, &margin)); /* not a CPU's */
	tree_write(s->root, "sys/class/hwmon/hwmon3/name", "coretemp\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp1_input", "60000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp1_max", "80000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp1_crit", "100000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp7_input", "91000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp7_crit", "100000\n");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp9_input", "-273000\n"); /* broken */
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp9_crit", "100000\n");
	assert_true(thermal_nearest(s->fs, &margin));
	assert_string_equal(margin.sensor, "coretemp temp7");
	assert_near(margin.celsius, 91, 0);
	assert_near(margin.limit_celsius, 100, 0);
	refused(s, EAGAIN, "within 10 °C");
	s->plan.force = true;
	refused(s, EAGAIN, "within 10 °C");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp7_input", "90000\n");
	assert_int_equal(check(s), 0);
	assert_string_equal(s->note.text, "");
	/* max where there is no crit */
	tree_remove(s->root, "sys/class/hwmon/hwmon3/temp1_crit");
	tree_write(s->root, "sys/class/hwmon/hwmon3/temp1_input", "71000\n");
	refused(s, EAGAIN, "coretemp temp1 is at 71");
}

static void test_zones(void **state)
{
	struct setup *const s = *state;
	struct thermal_margin margin;

	tree_write(s->root, "sys/class/thermal/cooling_device0/type", "Processor\n");
	tree_write(s->root, "sys/class/thermal/thermal_zone0/type", "x86_pkg_temp\n");
	tree_write(s->root, "sys/class/thermal/thermal_zone0/temp", "95000\n");
	tree_write(s->root, "sys/class/thermal/thermal_zone0/trip_point_0_type", "passive\n");
	tree_write(s->root, "sys/class/thermal/thermal_zone0/trip_point_0_temp", "0\n");
	assert_false(thermal_nearest(s->fs, &margin)); /* a reading without a limit */
	tree_write(s->root, "sys/class/thermal/thermal_zone0/trip_point_1_type", "critical\n");
	tree_write(s->root, "sys/class/thermal/thermal_zone0/trip_point_1_temp", "103000\n");
	assert_true(thermal_nearest(s->fs, &margin));
	refused(s, EAGAIN, "x86_pkg_temp is at 95");
}

#define THROTTLE "sys/devices/system/cpu/cpu4/thermal_throttle/"

static void *count_up(void *root)
{
	const struct timespec pause = { .tv_nsec = 10000000 };
	char new[PATH_MAX], old[PATH_MAX];

	(void)snprintf(new, sizeof(new), "%s/" THROTTLE "new", (const char *)root);
	(void)snprintf(old, sizeof(old), "%s/" THROTTLE "core_throttle_count", (const char *)root);
	for (unsigned i = 6; i < 30; i++) {
		(void)nanosleep(&pause, NULL);
		tree_write(root, THROTTLE "new", "%u\n", i);
		(void)rename(new, old); /* at once, as the kernel's counter */
	}
	return NULL;
}

static void test_throttled(void **state)
{
	struct setup *const s = *state;
	pthread_t thread;
	int r;

	tree_write(s->root, THROTTLE "core_throttle_count", "5\n");
	tree_write(s->root, THROTTLE "package_throttle_count", "1000\n");
	assert_int_equal(check(s), 0); /* it was, once; it is not now */
	assert_int_equal(pthread_create(&thread, NULL, count_up, s->root), 0);
	r = check(s);
	(void)pthread_join(thread, NULL);
	assert_int_equal(r, -EAGAIN);
	assert_non_null(strstr(s->problem.text, "CPU 4 is being throttled"));
}

static int default_cpu(const struct host *host)
{
	struct list *const list = burst_default_cpus(host);
	const int cpu = list ? list_next(list, 0) : -1;

	assert_true(!list || list_count(list) == 1);
	list_free(list);
	return cpu;
}

static void test_default_cpu(void **state)
{
	struct setup *const s = *state;

	/* not CPU 0, not its sibling */
	assert_int_equal(default_cpu(s->host), 6);
	s->host->cpus[3].isolated = true;
	assert_int_equal(default_cpu(s->host), 4);
	s->host->cpus[2].allowed = false;
	assert_int_equal(default_cpu(s->host), 2);
	s->host->cpus[1].online = false;
	assert_int_equal(default_cpu(s->host), 0);
	s->host->cpus[0].allowed = false;
	assert_int_equal(default_cpu(s->host), -1);
}

static void chosen(const struct host *host, const char *all, int usual)
{
	struct list *const list = burst_all_cpus(host);
	char *const text = list_format(list);

	assert_string_equal(text, all);
	assert_int_equal(default_cpu(host), usual);
	free(text);
	list_free(list);
}

/* FIRESTARTER 37 and 90: of a Core i9-12900K only the P-cores were loaded, as "16 cores of 1 thread", and
 * CPUs that are off were counted. Here CPUs 0 to 15 are 8 cores of 2 threads, 16 to 23 are 8 of one. */
static void test_by_list(void **state)
{
	struct host *const host = fake_host(1, 24, 1);

	(void)state;
	for (unsigned i = 0; i < 24; i++) {
		host->cpus[i].id = i;
		host->cpus[i].core = i < 16 ? i / 2 : i - 8;
		host->cpus[i].kind = i >= 16;
	}
	/* the default one is as CPU 0 is, the others are the same as wanted */
	chosen(host, "0-23", 15);
	host->cpus[3].online = host->cpus[15].online = host->cpus[20].online = false;
	chosen(host, "0-2,4-14,16-19,21-23", 14);
	host->cpus[23].allowed = false;
	host->cpus[22].isolated = host->cpus[22].named = true;
	chosen(host, "0-2,4-14,16-19,21", 14);
	for (unsigned i = 1; i < 16; i++)
		host->cpus[i].online = false;
	chosen(host, "0,16-19,21", 21);
	host->cpus[0].online = false;
	chosen(host, "16-19,21", 21);
	host_free(host);
}

/* Whatever the size of the machine. */
static void test_by_list_of_any_size(void **state)
{
	static const struct {
		unsigned packages, cores, threads;
		const char *all;
		int usual;
	} sizes[] = {
		{ 1, 1, 1, "0", 0 },	       { 1, 1, 2, "0-1", 1 },	     { 1, 4, 2, "0-7", 7 },
		{ 2, 28, 2, "0-111", 111 },    { 2, 128, 2, "0-511", 511 },  { 6, 96, 2, "0-1151", 1151 },
	};

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(sizes); i++) {
		struct host *const host = fake_host(sizes[i].packages, sizes[i].cores, sizes[i].threads);

		for (unsigned cpu = 0; cpu < host->n_cpus; cpu++)
			host->cpus[cpu].id = cpu;
		chosen(host, sizes[i].all, sizes[i].usual);
		host_free(host);
	}
}

static void test_start_refuses(void **state)
{
	struct setup *const s = *state;
	struct burst *burst = NULL;

	s->host->live = false;
	assert_int_equal(burst_start(&s->plan, s->host, NULL, &burst, &s->problem), -EPERM);
	assert_null(burst);
	s->host->live = true;
	assert_int_equal(list_add(s->cpus, 5), 0);
	assert_int_equal(burst_start(&s->plan, s->host, NULL, &burst, &s->problem), -ENODEV);
	burst_free(NULL);
}

static struct judgment made(double drop, unsigned pairs)
{
	struct judgment j = { .before_hertz = 3.4e9, .drop_ratio = drop, .low = drop - 0.001,
			      .high = drop + 0.001, .noise = 0.003, .pairs = pairs };

	j.during_hertz = 3.4e9 * (1 - drop);
	j.seen = pairs >= JUDGE_MIN_PAIRS && drop > 0.003;
	if (pairs < JUDGE_MIN_PAIRS)
		j.low = j.high = j.noise = NAN;
	return j;
}

static void says(struct burst_result *result, const char *who, const char *words)
{
	verdict(result);
	assert_string_equal(result->who_pays, who);
	if (!strstr(result->verdict, words))
		fail_msg("\"%s\" does not say \"%s\"", result->verdict, words);
}

static void test_verdict(void **state)
{
	struct burst_cpu cpus[3] = { { .role = RELATION_SELF, .chunks = 100 },
				     { .role = RELATION_SIBLING }, { .role = RELATION_SAME_PACKAGE } };
	struct burst_result result = { .cpus = cpus, .n_cpus = 3, .n_driven = 1 };

	(void)state;
	cpus[0].judgment = made(0, 500);
	cpus[1].judgment = cpus[2].judgment = made(0, 100);
	says(&result, "nobody measurable", "no drop seen beyond ±0.3 % noise");
	cpus[0].judgment = made(0.439, 500);
	says(&result, "this thread", "falls by 43.9 % (43.8 to 44.0 %), from 3.40 GHz to 1.91 GHz");
	cpus[1].judgment = made(0.43, 100);
	says(&result, "sibling", "43.9 %");
	cpus[2].judgment = made(0.1, 100);
	says(&result, "package", "43.9 %");
	cpus[0].held = true;
	says(&result, "package", "stays low beyond the gaps");
	cpus[1].role = RELATION_SELF;
	cpus[1].judgment = made(0, 100);
	result.n_driven = 2;
	says(&result, "package", "on 1 of 2 driven CPUs");
	cpus[0].judgment = made(0.439, 3);
	cpus[1].judgment = made(0.439, 0);
	cpus[2].judgment = made(0, 100);
	says(&result, "nobody measurable", "too few to test: 3 undisturbed pairs, clock ");
	cpus[0].judgment = made(0.439, 0);
	says(&result, "nobody measurable", "cannot tell");
	cpus[0].chunks_wrong = 2;
	says(&result, "nobody measurable", "2 of 100 chunks computed a wrong result");
	result.kernel = KERNEL_COPY_AVX2;
	says(&result, "nobody measurable", "2 of 100 chunks were not copied right: this CPU, its memory");
}

static void set_ends(struct burst_cpu *cpu, double before, double during, double after)
{
	cpu->ends = (struct ends){ before, during, after };
	cpu->recovery = judge_recovery(&cpu->ends, NAN);
}

static void test_verdict_still_low(void **state)
{
	struct burst_cpu cpus[3] = { { .role = RELATION_SELF, .chunks = 100 },
				     { .role = RELATION_SIBLING }, { .role = RELATION_SAME_PACKAGE } };
	struct burst_result result = { .cpus = cpus, .n_cpus = 3, .n_driven = 1 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		cpus[i].judgment = made(0, 500);
		set_ends(&cpus[i], 3.4e9, 1.9e9, 3.4e9);
	}
	says(&result, "nobody measurable", "no drop seen");
	set_ends(&cpus[0], 3.4e9, 1.9e9, 1.91e9);
	says(&result, "this thread", "the clock fell from 3.40 GHz to 1.90 GHz with the load and is still low "
				     "after it ended: 1.91 GHz");
	cpus[0].judgment = made(0.439, 500);
	says(&result, "this thread", "still low");
	/* the driven one is spoken of, whoever else is low */
	set_ends(&cpus[2], 3.4e9, 1.7e9, 1.7e9);
	says(&result, "package", "the clock fell from 3.40 GHz to 1.90 GHz");
	set_ends(&cpus[0], 3.4e9, 1.9e9, 3.4e9);
	says(&result, "package", "the clock of a CPU that was not driven fell from 3.40 GHz to 1.70 GHz with");
	set_ends(&cpus[1], 3.4e9, 1.6e9, 1.6e9);
	says(&result, "package", "from 3.40 GHz to 1.60 GHz");
	/* two driven ones: the lower */
	cpus[1].role = cpus[2].role = RELATION_SELF;
	says(&result, "this thread", "the clock fell from 3.40 GHz to 1.60 GHz");
	cpus[0].chunks_wrong = 1;
	says(&result, "this thread", "1 of 100 chunks computed a wrong result");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_allowed, begin, end),
		cmocka_unit_test_setup_teardown(test_cpus, begin, end),
		cmocka_unit_test_setup_teardown(test_kernel, begin, end),
		cmocka_unit_test_setup_teardown(test_memory, begin, end),
		cmocka_unit_test_setup_teardown(test_forbidden, begin, end),
		cmocka_unit_test_setup_teardown(test_load, begin, end),
		cmocka_unit_test_setup_teardown(test_all_driven, begin, end),
		cmocka_unit_test_setup_teardown(test_hwmon, begin, end),
		cmocka_unit_test_setup_teardown(test_zones, begin, end),
		cmocka_unit_test_setup_teardown(test_throttled, begin, end),
		cmocka_unit_test_setup_teardown(test_default_cpu, begin, end),
		{ "case 45: CPUs are chosen by the list of those online", test_by_list, NULL, NULL, NULL },
		{ "case 45: of 1, 2, 8, 112, 512 and 1,152", test_by_list_of_any_size, NULL, NULL, NULL },
		cmocka_unit_test_setup_teardown(test_start_refuses, begin, end),
		cmocka_unit_test(test_verdict),
		{ "case 51: the verdict on a clock that is not back", test_verdict_still_low, NULL, NULL, NULL },
	};

	return cmocka_run_group_tests_name("burst_rules", tests, NULL, NULL);
}
