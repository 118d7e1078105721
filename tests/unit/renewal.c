/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs that come: the session notices, and the one that is opened in its place has them in full. */
#include "config.h"
#include "engine/renewal.h"

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/identify.h"
#include "source/watch.h"
#include "tree.h"
#include "unit.h"

#define CPU "sys/devices/system/cpu/"
#define INTERVAL_NS (20 * NS_PER_MS)

/* Two packages of two cores of two threads: 0-3 first threads, 4-7 their siblings. */
#define N_CPUS 8u

struct fixture {
	char *root;
	struct options options;
	struct session *session;
	struct renewal *renewal;
	struct problem problem;
	unsigned online; /* bits */
};

static void plant(struct fixture *f, unsigned cpu, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "cpu%u/%s", cpu, file);
	tree_write(f->root, path, "%s\n", text);
}

/* What all processes see of a CPU at once: its line in proc/stat and its number in `online`. */
static void tell_online(struct fixture *f)
{
	struct list *list = list_new();
	char stat[1024] = "", *text;
	size_t used = 0;

	for (unsigned i = 0; i < 16; i++)
		if (f->online >> i & 1) {
			assert_int_equal(list_add(list, i), 0);
			used += (size_t)snprintf(stat + used, sizeof(stat) - used,
						 "cpu%u 5 0 0 5 0 0 0 0 0 0\n", i);
		}
	text = list_format(list);
	tree_write(f->root, "proc/stat", "cpu 1 0 0 1 0 0 0 0 0 0\n%sintr 1\n", stat);
	tree_write(f->root, CPU "online", "%s\n", text);
	free(text);
	list_free(list);
}

static void plug(struct fixture *f, unsigned cpu, unsigned package, unsigned core, const char *state)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", package);
	plant(f, cpu, "topology/physical_package_id", text);
	snprintf(text, sizeof(text), "%u", core);
	plant(f, cpu, "topology/core_id", text);
	plant(f, cpu, "cpuidle/state0/name", state);
	plant(f, cpu, "cpuidle/state0/time", "1000");
	plant(f, cpu, "cpufreq/scaling_max_freq", "3000000");
	f->online |= 1u << cpu;
}

static void unplug(struct fixture *f, unsigned cpu)
{
	char path[64];

	for (unsigned i = 0; i < 3; i++) {
		static const char *const folders[] = { "topology", "cpuidle", "cpufreq" };

		snprintf(path, sizeof(path), CPU "cpu%u/%s", cpu, folders[i]);
		tree_remove(f->root, path);
	}
	f->online &= ~(1u << cpu);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->root = tree_new();
	f->options.command = command_row(COMMAND_LOG);
	f->options.interval_ns = INTERVAL_NS;
	f->options.sysroot = f->root;
	for (unsigned id = 0; id < SOURCE_N; id++)
		f->options.sources[id] = true;
	tree_write(f->root, CPU "present", "0-7\n");
	tree_write(f->root, CPU "possible", "0-15\n");
	for (unsigned i = 0; i < N_CPUS; i++)
		plug(f, i, i / 2 % 2, i % 2, "C1");
	assert_int_equal(renewal_new(&f->options, &f->renewal), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	renewal_free(f->renewal);
	session_close(f->session);
	list_free(f->options.cpus);
	tree_free(f->root);
	free(f);
	return 0;
}

static void begin(struct fixture *f)
{
	tell_online(f);
	if (session_open(&f->options, NULL, &f->session, &f->problem) < 0)
		fail_msg("%s", f->problem.text);
	assert_int_equal(session_start(f->session, INTERVAL_NS), 0);
}

static const struct snapshot *take(struct fixture *f)
{
	struct pollfd fd = { .fd = session_fd(f->session), .events = POLLIN };
	const struct snapshot *snapshot = NULL;

	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_int_equal(session_take(f->session, &snapshot), 1);
	return snapshot;
}

/* Whether the session says within a few samples that it is no longer of this machine. */
static bool is_stranger(struct fixture *f)
{
	for (unsigned i = 0; i < 4; i++) {
		take(f);
		if (session_stranger(f->session))
			return true;
	}
	return false;
}

/* false: none could be opened. */
static bool renew(struct fixture *f)
{
	struct pollfd fd = { .events = POLLIN };
	struct session *fresh;

	renewal_begin(f->renewal, f->session, INTERVAL_NS);
	renewal_begin(f->renewal, f->session, INTERVAL_NS); /* one at a time */
	fd.fd = renewal_fd(f->renewal);
	assert_int_equal(poll(&fd, 1, 20000), 1);
	fresh = renewal_take(f->renewal);
	assert_null(renewal_take(f->renewal));
	if (!fresh)
		return false;
	renewal_close(f->renewal, f->session);
	f->session = fresh;
	return true;
}

static const struct value *get(const struct snapshot *snapshot, enum metric metric, unsigned id)
{
	const int index = host_cpu_index(snapshot->host, id);

	assert_true(index >= 0);
	return snapshot_get(snapshot, metric, SCOPE_CPU, (unsigned)index, 0);
}

static void expect_state(const struct snapshot *snapshot, enum metric metric, unsigned id, enum state state)
{
	assert_string_equal(state_row((enum state)get(snapshot, metric, id)->state)->name,
			    state_row(state)->name);
}

/* Case 48. Offline at the start, two of them the only ones with a deeper state. */
static void a_cpu_offline_at_start_comes(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *snapshot;
	const struct host *host;

	for (unsigned i = 0; i < N_CPUS; i += 5)
		unplug(f, i); /* 0 and 5 */
	begin(f);
	assert_false(is_stranger(f));
	host = session_host(f->session);
	assert_false(host->cpus[0].wanted);
	plug(f, 0, 0, 0, "C1");
	plug(f, 5, 0, 1, "C6");
	tell_online(f);
	assert_true(is_stranger(f));
	assert_true(renew(f));
	snapshot = take(f);
	assert_true(snapshot->elapsed_s > 0); /* its first sample was taken already */
	host = session_host(f->session);
	assert_int_equal(host_relation(host, 1, 5), RELATION_SIBLING);
	assert_int_equal(host_relation(host, 0, 4), RELATION_SIBLING);
	assert_int_equal(host->n_packages, 2);
	assert_int_equal(host->n_cores, 4);
	assert_true(host->cpus[0].wanted && host->cpus[5].wanted);
	assert_int_equal(get(snapshot, METRIC_CAP_HERTZ, 0)->v, 3e9);
	assert_int_equal(get(snapshot, METRIC_CAP_HERTZ, 5)->v, 3e9);
	expect_state(snapshot, METRIC_OS_BUSY_RATIO, 5, STATE_NO_TICKS); /* the tree's time stands */
	expect_state(snapshot, METRIC_IDLE_RATIO, 0, STATE_NO_TICKS);
	assert_false(is_stranger(f));
}

/* CPUs that leave and return are no strangers; one that is away when another comes keeps its row and
 * its place, which the kernel does not tell then. */
static void a_cpu_that_is_away_keeps_its_place(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *snapshot;
	const struct host *host;

	unplug(f, 6);
	begin(f);
	unplug(f, 1);
	unplug(f, 3);
	unplug(f, 7);
	tell_online(f);
	assert_false(is_stranger(f));
	plug(f, 6, 1, 0, "C1");
	tell_online(f);
	assert_true(is_stranger(f));
	assert_true(renew(f));
	snapshot = take(f);
	host = session_host(f->session);
	assert_true(host->cpus[1].wanted && !host->cpus[1].online);
	assert_int_equal(host->n_packages, 2);
	assert_int_equal(host->n_cores, 4);
	assert_int_equal(host_relation(host, 1, 5), RELATION_SIBLING); /* is there */
	assert_int_equal(host_relation(host, 3, 7), RELATION_SIBLING); /* is away, too */
	assert_int_equal(host_relation(host, 2, 6), RELATION_SIBLING); /* has come */
	assert_int_equal(host_relation(host, 3, 2), RELATION_SAME_PACKAGE);
	expect_state(snapshot, METRIC_OS_BUSY_RATIO, 1, STATE_OFFLINE);
	expect_state(snapshot, METRIC_IDLE_RATIO, 1, STATE_OFFLINE);
	expect_state(snapshot, METRIC_CAP_HERTZ, 1, STATE_OFFLINE);
	plug(f, 1, 0, 1, "C1");
	tell_online(f);
	assert_true(is_stranger(f));
	assert_true(renew(f));
	expect_state(take(f), METRIC_IDLE_RATIO, 1, STATE_NO_TICKS);
}

/* All but one, CPU 0 not being it; and back. */
static void one_cpu_is_left(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *snapshot;

	begin(f);
	for (unsigned i = 0; i < N_CPUS; i++)
		if (i != 5)
			unplug(f, i);
	tell_online(f);
	take(f);
	take(f);
	snapshot = take(f);
	for (unsigned i = 0; i < N_CPUS; i++)
		expect_state(snapshot, METRIC_OS_BUSY_RATIO, i, i == 5 ? STATE_NO_TICKS : STATE_OFFLINE);
	for (unsigned i = 0; i < N_CPUS; i++)
		plug(f, i, i / 2 % 2, i % 2, "C1");
	tell_online(f);
	assert_false(is_stranger(f));
	expect_state(take(f), METRIC_OS_BUSY_RATIO, 0, STATE_NO_TICKS);
}

/* `present` grows by CPU 9; later it shrinks, and with the next that comes the row is gone. */
static void a_cpu_is_plugged_in(void **state)
{
	struct fixture *f = *state;
	const struct host *host;

	begin(f);
	assert_int_equal(host_cpu_index(session_host(f->session), 9), -1);
	tree_write(f->root, CPU "present", "0-7,9\n");
	plug(f, 9, 1, 5, "C1");
	tell_online(f);
	assert_true(is_stranger(f));
	assert_true(renew(f));
	host = session_host(f->session);
	assert_int_equal(host->n_cpus, 9);
	assert_int_equal(host->n_cores, 5);
	expect_state(take(f), METRIC_IDLE_RATIO, 9, STATE_NO_TICKS);
	unplug(f, 9);
	tree_write(f->root, CPU "present", "0-8\n");
	plug(f, 8, 1, 4, "C1");
	tell_online(f);
	assert_true(is_stranger(f));
	assert_true(renew(f));
	host = session_host(f->session);
	assert_int_equal(host->n_cpus, 9);
	assert_int_equal(host_cpu_index(host, 9), -1);
}

/* -c: only these are shown, whatever comes; they stay when they are away. */
static void named_cpus_stay(void **state)
{
	struct fixture *f = *state;
	const struct host *host;

	unplug(f, 6);
	assert_int_equal(list_parse("1-2", &f->options.cpus), 0);
	begin(f);
	unplug(f, 1);
	plug(f, 6, 1, 0, "C1");
	tell_online(f);
	assert_false(is_stranger(f));
	/* Other reasons to begin anew find CPU 1 offline: that was an error at the start. */
	assert_true(renew(f));
	host = session_host(f->session);
	assert_true(host->cpus[1].wanted && host->cpus[1].named && !host->cpus[1].online);
	assert_false(host->cpus[6].wanted);
	expect_state(take(f), METRIC_OS_BUSY_RATIO, 1, STATE_OFFLINE);
	tree_write(f->root, CPU "present", "0,2-7\n");
	assert_true(renew(f));
	assert_int_equal(host_cpu_index(session_host(f->session), 1), -1);
}

/* The old session goes on where no new one can be opened. */
static void a_renewal_fails(void **state)
{
	struct fixture *f = *state;
	char aside[256];
	struct pollfd fd = { .events = POLLIN };

	unplug(f, 6);
	begin(f);
	plug(f, 6, 1, 0, "C1");
	tell_online(f);
	assert_true(is_stranger(f));
	snprintf(aside, sizeof(aside), "%s.aside", f->root);
	assert_int_equal(rename(f->root, aside), 0);
	assert_false(renew(f));
	assert_int_equal(rename(aside, f->root), 0);
	renewal_begin(f->renewal, f->session, INTERVAL_NS); /* not again at once */
	fd.fd = renewal_fd(f->renewal);
	assert_int_equal(poll(&fd, 1, 300), 0);
	take(f);
	assert_true(session_stranger(f->session));
}

/* Drivers add the files of a CPU a moment after the kernel calls it online: its session waits for them. */
static void files_come_after_the_cpu(void **state)
{
	struct fixture *f = *state;
	struct pollfd fd = { .events = POLLIN };
	struct session *fresh;
	uint64_t began_ns, took_ns;

	unplug(f, 6);
	begin(f);
	f->online |= 1u << 6;
	tell_online(f);
	assert_true(is_stranger(f));
	began_ns = clock_mono_ns();
	renewal_begin(f->renewal, f->session, INTERVAL_NS);
	usleep(30000);
	plug(f, 6, 1, 0, "C1");
	took_ns = clock_mono_ns() - began_ns;
	fd.fd = renewal_fd(f->renewal);
	assert_int_equal(poll(&fd, 1, 20000), 1);
	fresh = renewal_take(f->renewal);
	assert_non_null(fresh);
	renewal_close(f->renewal, f->session);
	f->session = fresh;
	if (took_ns > 90 * NS_PER_MS)
		skip(); /* this machine was held up for longer than it waits */
	assert_int_equal(host_relation(session_host(fresh), 2, 6), RELATION_SIBLING);
	assert_int_equal(get(take(f), METRIC_CAP_HERTZ, 6)->v, 3e9);
}

/* An isolated cpuset partition is made, and dissolved. */
static void a_partition_is_made(void **state)
{
	struct fixture *f = *state;

	tree_write(f->root, "sys/fs/cgroup/cpuset.cpus.isolated", "\n");
	begin(f);
	assert_false(is_stranger(f));
	tree_write(f->root, "sys/fs/cgroup/cpuset.cpus.isolated", "2-3\n");
	assert_true(is_stranger(f));
	assert_true(renew(f));
	assert_true(session_host(f->session)->cpus[3].isolated);
	assert_false(is_stranger(f));
	tree_write(f->root, "sys/fs/cgroup/cpuset.cpus.isolated", "\n");
	assert_true(is_stranger(f));
}

/* A thread whose affinity is narrowed (taskset -ap, a cpuset) and widened again. */
static void the_affinity_changes(void **state)
{
	struct source *watch;
	struct sample sample = { 0 };
	struct problem problem;
	struct host *host;
	struct hostfs *fs;
	cpu_set_t all, one;

	(void)state;
	if (sched_getaffinity(0, sizeof(all), &all) < 0 || CPU_COUNT(&all) < 2)
		skip();
	assert_int_equal(hostfs_open("/", &fs), 0);
	assert_int_equal(watch_new(fs, true, &watch), 0);
	assert_int_equal(identify(fs, true, NULL, NULL, &host, &problem), 0);
	watch_host(watch, host);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(watch_ops.read(watch, &sample), 0);
		assert_false(sample.stranger);
	}
	CPU_ZERO(&one);
	for (unsigned i = CPU_SETSIZE - 1; CPU_COUNT(&one) == 0; i--)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(watch_ops.read(watch, &sample), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	assert_true(sample.stranger);
	watch_ops.close(watch);
	host_free(host);
	hostfs_close(fs);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(a_cpu_offline_at_start_comes),
		TEST(a_cpu_that_is_away_keeps_its_place),
		TEST(one_cpu_is_left),
		TEST(a_cpu_is_plugged_in),
		TEST(named_cpus_stay),
		TEST(a_renewal_fails),
		TEST(files_come_after_the_cpu),
		TEST(a_partition_is_made),
		cmocka_unit_test(the_affinity_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
