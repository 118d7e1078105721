/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole of struct host: who may run where, -c, idle states, and reads that fail; kinds: identify_kinds.c. */
#include "config.h"
#include "source/identify.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "model/host.h"
#include "model/state.h"
#include "source/affinity.h"
#include "tests/unit/machine.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CPU "sys/devices/system/cpu"

static const struct shape *const eight = &machine_shapes[3];

static int setup(void **state)
{
	*state = tree_new();
	machine_write(*state, eight, SHAPE_ALL);
	return 0;
}

static int setup_empty(void **state)
{
	*state = tree_new();
	return 0;
}

static int teardown(void **state)
{
	tree_free(*state);
	return 0;
}

/* cpus: text of -c or NULL. */
static int try(const char *root, bool live, const char *cpus, struct host **ret, struct problem *problem)
{
	struct list *list = NULL;
	struct hostfs *fs;
	int r;

	assert_int_equal(hostfs_open(root, &fs), 0);
	if (cpus)
		assert_int_equal(list_parse(cpus, &list), 0);
	r = identify(fs, live, list, NULL, ret, problem);
	list_free(list);
	hostfs_close(fs);
	return r;
}

static struct host *get(const char *root, const char *cpus)
{
	struct host *host = NULL;
	struct problem problem = { 0 };

	assert_int_equal(try(root, false, cpus, &host, &problem), 0);
	assert_int_equal(problem.err, 0);
	assert_false(host->live);
	assert_true(isnan(host->release_s));
	assert_true(host->tsc_hertz == 0);
	return host;
}

static void test_wanted(void **state)
{
	static const struct {
		const char *cpus;
		unsigned wanted, named; /* bits */
	} rows[] = {
		{ NULL, 0xdf, 0 }, /* all that are online */
		{ "2", 0x04, 0x04 },
		{ "0,7", 0x81, 0x81 },
		{ "", 0, 0 },
	};

	tree_write(*state, CPU "/online", "0-4,6-7\n");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host = get(*state, rows[i].cpus);

		for (unsigned c = 0; c < 8; c++) {
			assert_int_equal(host->cpus[c].wanted, rows[i].wanted >> c & 1);
			assert_int_equal(host->cpus[c].named, rows[i].named >> c & 1);
		}
		host_free(host);
	}
}

static void test_wanted_wrong(void **state)
{
	static const struct {
		const char *online, *cpus;
		int err;
		const char *text, *remedy;
	} rows[] = {
		{ "0-4,6-7\n", "9", EINVAL, "there is no CPU 9", "CPUs 0-4,6-7 are online" },
		{ "0-4,6-7\n", "0,5", ENOTSUP, "CPU 5 is offline", "CPUs 0-4,6-7 are online" },
		{ "0\n", "65535", EINVAL, "there is no CPU 65535", "CPU 0 is online" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host = NULL;
		struct problem problem = { 0 };

		tree_write(*state, CPU "/online", "%s", rows[i].online);
		assert_int_equal(try(*state, false, rows[i].cpus, &host, &problem), -rows[i].err);
		assert_null(host);
		assert_string_equal(problem.text, rows[i].text);
		assert_string_equal(problem.remedy, rows[i].remedy);
		assert_int_equal(try(*state, false, rows[i].cpus, &host, NULL), -rows[i].err);
	}
}

static void test_isolated_named(void **state)
{
	struct host *host;

	tree_write(*state, CPU "/isolated", "4-7\n");
	host = get(*state, NULL);
	assert_int_equal(host_cpu_state(host, 3), STATE_OK);
	assert_int_equal(host_cpu_state(host, 4), STATE_ISOLATED);
	host_free(host);
	host = get(*state, "3-4");
	assert_int_equal(host_cpu_state(host, 3), STATE_OK);
	assert_int_equal(host_cpu_state(host, 4), STATE_OK);
	assert_int_equal(host_cpu_state(host, 5), STATE_ISOLATED);
	assert_int_equal(host_cpu_state(host, 2), STATE_NOT_ASKED);
	host_free(host);
}

static void test_cpuset(void **state)
{
	static const struct {
		const char *group, *file, *text;
		unsigned allowed; /* bits */
	} rows[] = {
		{ "0::/a/b\n", "sys/fs/cgroup/a/b/cpuset.cpus.effective", "2-3\n", 0x0c },
		{ "1:cpu:/x\n0::/a\n", "sys/fs/cgroup/a/cpuset.cpus.effective", "0\n", 0x01 },
		{ "0::/\n", "sys/fs/cgroup/cpuset.cpus.effective", "0-5\n", 0x3f },
		/* A container: the name is of the host, its group is the root of the mount. */
		{ "0::/docker/1234\n", "sys/fs/cgroup/cpuset.cpus.effective", "6\n", 0x40 },
		{ "0::/../x\n", "sys/fs/cgroup/cpuset.cpus.effective", "6\n", 0x40 },
		{ NULL, "sys/fs/cgroup/cpuset.cpus.effective", "7\n", 0x80 },
		{ "0::/\n", "sys/fs/cgroup/cpuset.cpus.effective", "\n", 0xff },  /* tells nothing */
		{ "0::/\n", "sys/fs/cgroup/cpuset.cpus.effective", "x\n", 0xff },
		{ "3:cpuset:/y\n", "sys/fs/cgroup/cpuset/y/x", "0\n", 0xff },	  /* cgroup v1 only */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host;

		if (rows[i].group)
			tree_write(*state, "proc/self/cgroup", "%s", rows[i].group);
		tree_write(*state, rows[i].file, "%s", rows[i].text);
		host = get(*state, NULL);
		for (unsigned c = 0; c < 8; c++) {
			assert_int_equal(host->cpus[c].allowed, rows[i].allowed >> c & 1);
			assert_int_equal(host_cpu_state(host, c),
					 host->cpus[c].allowed ? STATE_OK : STATE_NOT_ALLOWED);
		}
		host_free(host);
		tree_remove(*state, "sys/fs");
		if (rows[i].group)
			tree_remove(*state, "proc/self");
	}
}

/* The block of one CPU as Linux writes it. */
static void write_cpuinfo(const char *root, unsigned cpu, const char *vendor, unsigned family,
			  unsigned model, unsigned stepping, const char *flags)
{
	tree_write(root, "proc/cpuinfo",
		   "processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
		   "model name\t: Some CPU\nstepping\t: %u\nflags\t\t: %s\n\n",
		   cpu, vendor, family, model, stepping, flags);
}

static void test_no_cpuinfo(void **state)
{
	struct host *host = get(*state, NULL);

	assert_string_equal(host->vendor, "");
	assert_string_equal(host->brand, "");
	assert_string_equal(host->hypervisor, "");
	assert_string_equal(host->os_release, "");
	assert_string_equal(host->kinds[0].uarch, "");
	assert_int_equal(host->kinds[0].isa, 0);
	assert_int_equal(host->n_idle_states, 0);
	host_free(host);
}

static void write_idle_states(const char *root, unsigned cpu, const char *const *names)
{
	for (unsigned i = 0; names[i]; i++) {
		char path[100];

		(void)snprintf(path, sizeof(path), CPU "/cpu%u/cpuidle/state%u/name", cpu, i);
		tree_write(root, path, "%s\n", names[i]);
	}
}

static void test_idle_states(void **state)
{
	static const char *const p[] = { "POLL", "C1E", "C6", "C10", NULL };
	static const char *const e[] = { "POLL", "C1", "C1E", "C8", "C10", NULL };
	static const char *const expected[] = { "POLL", "C1", "C1E", "C8", "C6", "C10" };
	struct host *host;

	machine_write_hybrid(*state);
	tree_write(*state, "proc/sys/kernel/osrelease", "6.12.0-test\n");
	write_idle_states(*state, 0, p);
	write_idle_states(*state, 16, e);
	host = get(*state, NULL);
	assert_int_equal(host->n_idle_states, COUNT_OF(expected));
	for (unsigned i = 0; i < COUNT_OF(expected); i++)
		assert_string_equal(host->idle_states[i], expected[i]);
	assert_string_equal(host->os_release, "6.12.0-test");
	host_free(host);
}

/* Each read in turn fails: the result is a whole host that knows less, or an error that says so. */
static void test_each_read_fails(void **state)
{
	static const int errs[] = { EIO, EACCES, ENOMEM };
	static const char *const idle[] = { "POLL", "C1", NULL };
	unsigned failed[COUNT_OF(errs)] = { 0 };

	write_cpuinfo(*state, 0, "AuthenticAMD", 26, 2, 1, "sse2");
	write_idle_states(*state, 0, idle);
	tree_write(*state, "proc/self/cgroup", "0::/\n");
	tree_write(*state, "sys/fs/cgroup/cpuset.cpus.effective", "0-7\n");
	tree_write(*state, "sys/devices/cpu_core/cpus", "0-7\n");
	for (size_t e = 0; e < COUNT_OF(errs); e++) {
		for (unsigned n = 1; n < 70; n++) {
			struct hostfs *fs;
			struct host *host = NULL;
			struct problem problem = { 0 };
			int r;

			assert_int_equal(hostfs_open(*state, &fs), 0);
			hostfs_fail_after(fs, n, errs[e]);
			r = identify(fs, false, NULL, NULL, &host, &problem);
			hostfs_close(fs);
			assert_int_equal(r < 0, host == NULL);
			assert_int_equal(r, -problem.err);
			failed[e] += r < 0;
			if (r < 0)
				assert_true(problem.text[0] != '\0');
			else
				assert_int_equal(host->n_cpus, 8);
			host_free(host);
		}
	}
	assert_int_equal(failed[0], 0); /* an unreadable file is a normal case */
	assert_int_equal(failed[1], 0);
	assert_true(failed[2] > 30); /* no memory is not */
}

/* This machine, which always has a CPU, and whose answers others can give too. */
static void test_live(void **state)
{
	struct list *before = NULL, *after = NULL;
	struct host *host = NULL;
	char *one, *a, *b;

	(void)state;
	assert_int_equal(affinity_get(&before), 0);
	assert_int_equal(try("/", true, NULL, &host, NULL), 0);
	assert_true(host->live);
	assert_true(host->n_cpus > 0);
	assert_int_equal(strlen(host->vendor), 12);
	assert_true(host->os_release[0] != '\0');
	for (unsigned i = 0; i < host->n_cpus; i++)
		assert_int_equal(host->cpus[i].allowed, list_has(before, host->cpus[i].id));
	for (unsigned i = 0; i < host->n_kinds; i++)
		assert_true(host->kinds[i].family >= 6);
	assert_int_equal(host->kinds[host->cpus[list_next(before, 0)].kind].isa & ISA_SSE2, ISA_SSE2);
	host_free(host);

	/* Below taskset: the others are there, but not allowed. */
	assert_true(asprintf(&one, "%d", list_next(before, 0)) > 0);
	assert_int_equal(list_parse(one, &after), 0);
	free(one);
	assert_int_equal(affinity_set(after), 0);
	list_free(after);
	host = NULL;
	assert_int_equal(try("/", true, NULL, &host, NULL), 0);
	for (unsigned i = 0; i < host->n_cpus; i++)
		assert_int_equal(host->cpus[i].allowed,
				 (int)host->cpus[i].id == list_next(before, 0));
	host_free(host);
	assert_int_equal(affinity_get(&after), 0);
	assert_int_equal(list_count(after), 1); /* the mask is as it was */
	list_free(after);
	assert_int_equal(affinity_set(before), 0);
	assert_int_equal(affinity_get(&after), 0);
	a = list_format(before);
	b = list_format(after);
	assert_string_equal(a, b);
	free(a);
	free(b);
	list_free(before);
	list_free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_wanted, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wanted_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(test_isolated_named, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cpuset, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_cpuinfo, setup, teardown),
		cmocka_unit_test_setup_teardown(test_idle_states, setup_empty, teardown),
		cmocka_unit_test_setup_teardown(test_each_read_fails, setup, teardown),
		cmocka_unit_test(test_live),
	};

	(void)unsetenv("AVXTOP_DATADIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
