/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session on this machine: snapshots come, and its burst keeps the rules. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/list.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"

struct fixture {
	struct options options;
	struct session *session;
	struct list *cpus;
	struct burst_plan plan;
	struct problem problem, note;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	f->options.command = command_row(COMMAND_LOG);
	f->options.interval_ns = 50 * NS_PER_MS;
	for (unsigned id = 0; id < SOURCE_N; id++)
		f->options.sources[id] = true;
	f->cpus = list_new();
	assert_non_null(f->cpus);
	f->plan = (struct burst_plan){ .kernel = KERNEL_SCALAR, .cpus = f->cpus, .force = true,
				       .duration_ns = 300 * NS_PER_MS,
				       .pattern = PATTERN_DEFAULT };
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME"); /* a test leaves nothing behind */
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	session_close(f->session);
	list_free(f->cpus);
	free(f);
	return 0;
}

static void open_session(struct fixture *f)
{
	int r = session_open(&f->options, NULL, &f->session, &f->problem);

	if (r < 0)
		fail_msg("%s", f->problem.text);
}

static const struct snapshot *take(struct fixture *f)
{
	struct pollfd fd = { .fd = session_fd(f->session), .events = POLLIN };
	const struct snapshot *snapshot = NULL;

	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_int_equal(session_take(f->session, &snapshot), 1);
	return snapshot;
}

/* The last CPU that this process may run on. */
static unsigned add_cpu(struct fixture *f)
{
	const struct host *host = session_host(f->session);

	for (unsigned i = host->n_cpus; i-- > 0;)
		if (host->cpus[i].online && host->cpus[i].allowed && !host->cpus[i].isolated) {
			assert_int_equal(list_add(f->cpus, host->cpus[i].id), 0);
			return i;
		}
	skip();
	return 0;
}

static void snapshots_come(void **state)
{
	struct fixture *f = *state;
	const struct snapshot *snapshot;
	const struct value *value;

	open_session(f);
	assert_int_equal(session_take(f->session, &snapshot), 0);
	assert_int_equal(session_start(f->session, f->options.interval_ns), 0);
	assert_int_equal(session_start(f->session, f->options.interval_ns), -EALREADY);
	snapshot = take(f);
	assert_true(snapshot->elapsed_s == 0);
	value = snapshot_get(snapshot, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0);
	assert_int_equal(value->state, STATE_FIRST);
	snapshot = take(f);
	assert_true(snapshot->elapsed_s > 0.001 && snapshot->elapsed_s < 10);
	value = snapshot_get(snapshot, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0);
	assert_true(state_usable((enum state)value->state));
	assert_true(value->v >= 0 && value->v < 1);
}

/* As after a pause: the next values are of their own interval, not of all the time before. */
static void time_can_be_skipped(void **state)
{
	struct fixture *f = *state;

	open_session(f);
	session_skip(f->session); /* not started: nothing waits */
	assert_int_equal(session_start(f->session, f->options.interval_ns), 0);
	take(f);
	usleep(1500 * 1000);
	session_skip(f->session);
	const struct snapshot *snapshot = take(f);

	assert_true(snapshot->elapsed_s > 0 && snapshot->elapsed_s < 1.2);
}

static void sources_left_out_are_the_reason(void **state)
{
	struct fixture *f = *state;
	const struct origin *origin;

	f->options.sources[SOURCE_PROCFS] = false;
	open_session(f);
	origin = &session_origins(f->session)[METRIC_OS_BUSY_RATIO];
	assert_int_equal(origin->source, SOURCE_NONE);
	assert_non_null(strstr(origin->why, "procfs"));
	/* No source at all still makes a session. */
	assert_int_equal(session_start(f->session, f->options.interval_ns), 0);
	take(f);
}

static void readonly_fires_nothing(void **state)
{
	struct fixture *f = *state;

	f->options.readonly = true;
	open_session(f);
	add_cpu(f);
	assert_int_equal(session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note), -EPERM);
	assert_non_null(strstr(f->problem.text, "readonly"));
	assert_false(session_burst_running(f->session));
	assert_null(session_burst_result(f->session));
}

static void another_machine_is_never_loaded(void **state)
{
	struct fixture *f = *state;

	f->options.sysroot = "/"; /* its tree, but not the machine */
	open_session(f);
	assert_false(session_host(f->session)->live);
	assert_int_equal(list_add(f->cpus, session_host(f->session)->cpus[0].id), 0);
	assert_true(session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note) < 0);
	assert_true(f->problem.text[0]);
	assert_false(session_burst_running(f->session));
}

static void one_burst_at_a_time_and_its_result_stays(void **state)
{
	struct fixture *f = *state;
	const struct burst_result *result;
	uint64_t deadline;
	unsigned cpu;
	cpu_set_t before, after;

	open_session(f);
	cpu = add_cpu(f);
	sched_getaffinity(0, sizeof(before), &before);
	session_burst_stop(f->session); /* none: nothing happens */
	assert_null(session_burst_result(f->session));
	if (session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note) < 0) {
		print_message("%s\n", f->problem.text);
		skip();
	}
	assert_true(session_burst_running(f->session));
	assert_int_equal(session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note), -EBUSY);
	list_remove(f->cpus, session_host(f->session)->cpus[cpu].id); /* the plan was copied */

	deadline = clock_mono_ns() + 20 * NS_PER_S;
	while (session_burst_running(f->session) && clock_mono_ns() < deadline) {
		(void)session_burst_result(f->session);
		usleep(10000);
	}
	assert_false(session_burst_running(f->session));
	result = session_burst_result(f->session);
	assert_non_null(result);
	assert_int_equal(result->kernel, KERNEL_SCALAR);
	assert_true(result->n_cpus >= 1);
	assert_int_equal(result->cpus[0].cpu, cpu);
	assert_true(result->cpus[0].chunks > 0);
	assert_int_equal(result->cpus[0].chunks_wrong, 0);
	assert_ptr_equal(result, session_burst_result(f->session)); /* not judged again */
	/* The main thread was not moved. */
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));

	/* Another one may follow, and closing ends it. */
	add_cpu(f);
	f->plan.duration_ns = 60 * NS_PER_S;
	assert_int_equal(session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note), 0);
	deadline = clock_mono_ns() + 5 * NS_PER_S;
	session_close(f->session);
	f->session = NULL;
	assert_true(clock_mono_ns() < deadline);
}

static void own_load_is_not_work_of_others(void **state)
{
	struct fixture *f = *state;
	const struct value *value;
	unsigned cpu;

	f->options.interval_ns = 200 * NS_PER_MS;
	open_session(f);
	cpu = add_cpu(f);
	assert_int_equal(session_start(f->session, f->options.interval_ns), 0);
	f->plan.duration_ns = NS_PER_S;
	if (session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note) < 0)
		skip();
	while (session_burst_running(f->session)) {
		value = snapshot_get(take(f), METRIC_OS_BUSY_RATIO, SCOPE_CPU, cpu, 0);
		(void)value;
	}
	/* The CPU was as busy as can be, by us: without --force it may be driven again at once. */
	f->plan.force = false;
	f->plan.duration_ns = 100 * NS_PER_MS;
	f->problem.text[0] = '\0';
	if (session_burst_start(f->session, &f->plan, NULL, &f->problem, &f->note) < 0)
		fail_msg("%s", f->problem.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(snapshots_come),
		TEST(time_can_be_skipped),
		TEST(sources_left_out_are_the_reason),
		TEST(readonly_fires_nothing),
		TEST(another_machine_is_never_loaded),
		TEST(one_burst_at_a_time_and_its_result_stays),
		TEST(own_load_is_not_work_of_others),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
