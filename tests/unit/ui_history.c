/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the dashboard keeps of the past when CPUs leave, come and return. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fake.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/history.h"

/* A machine without the CPU of index `less`; ids stay. */
static struct host *host_without(int less)
{
	struct host *host = fake_host(1, 3, 1); /* 0, 2, 4 */

	if (less >= 0) {
		memmove(host->cpus + less, host->cpus + less + 1,
			(host->n_cpus - 1 - (unsigned)less) * sizeof(*host->cpus));
		host->n_cpus--;
	}
	return host;
}

/* One second more; clocks by index in GHz, 0: offline. */
static void push(struct history *history, const struct host *host, const double *ghz, double suspended_s)
{
	struct snapshot *snapshot = snapshot_new(host);

	assert_non_null(snapshot);
	snapshot->mono_ns = (history->pushed + 1) * NS_PER_S;
	snapshot->real_ns = snapshot->mono_ns;
	snapshot->suspended_s = suspended_s;
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const enum state state = ghz[i] > 0 ? STATE_OK : STATE_OFFLINE;

		*snapshot_at(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0) =
			(struct value){ .v = ghz[i] * 1e9, .state = (uint8_t)state };
		*snapshot_at(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, i, 0) =
			(struct value){ .v = 1, .state = (uint8_t)state };
	}
	history_push(history, snapshot, NULL);
	snapshot_free(snapshot);
}

static void expect_event(const struct history *history, uint64_t age, const char *text)
{
	assert_true(age < history->n_events);
	assert_string_equal(history_event_get(history, age)->text, text);
}

static double clock_at(const struct history *history, unsigned cpu, size_t age)
{
	const struct value *value = ring_get(&history->cpus[cpu], age);

	assert_non_null(value);
	return state_usable((enum state)value->state) ? value->v / 1e9 : 0;
}

static void cpus_leave_and_return(void **state)
{
	struct host *host = host_without(-1);
	struct history history;

	(void)state;
	assert_int_equal(history_init(&history, host), 0);
	push(&history, host, (const double[]){ 3, 3, 3 }, 0);
	assert_int_equal(history.n_events, 0);
	push(&history, host, (const double[]){ 3, 0, 3 }, 0);
	expect_event(&history, 0, "CPU 2 went offline");
	push(&history, host, (const double[]){ 3, 3, 3 }, 0);
	expect_event(&history, 0, "CPU 2 came online");
	assert_int_equal(host_online(host, history.offline).cpus, 3);
	push(&history, host, (const double[]){ 3, 0, 3 }, 90);
	expect_event(&history, 1, "the machine was suspended for 90 s");
	assert_int_equal(host_online(host, history.offline).cpus, 2);
	history_free(&history);
	host_free(host);
}

/* CPU 0 comes in front of the others, whose past moves along; then CPU 2 is unplugged. */
static void the_past_moves_along(void **state)
{
	struct host *two = host_without(0), *three = host_without(-1), *last = host_without(1);
	struct history history;

	(void)state;
	assert_int_equal(history_init(&history, two), 0);
	push(&history, two, (const double[]){ 2.9, 3 }, 0);
	push(&history, two, (const double[]){ 2.8, 3.2 }, 0);
	history.marks[1].kind = MARK_FELL;
	assert_int_equal(history_rehost(&history, three, 1), 0);
	assert_int_equal(history.marks[2].kind, MARK_FELL);
	push(&history, three, (const double[]){ 3.1, 3, 3.1 }, 0);
	expect_event(&history, 0, "CPU 0 came online");
	assert_int_equal(history.n_events, 1);
	assert_near(clock_at(&history, 0, 0), 3.1, 1e-9);
	assert_near(clock_at(&history, 0, 1), 0, 1e-9); /* it was not there */
	assert_near(clock_at(&history, 1, 1), 2.8, 1e-9);
	assert_near(clock_at(&history, 2, 2), 3, 1e-9);
	assert_near(history.highest, 3.2e9, 1);
	assert_int_equal(history.pushed, 3);
	assert_int_equal(history_rehost(&history, last, 1), 0);
	expect_event(&history, 0, "CPU 2 is gone");
	expect_event(&history, 1, "CPU 0 came online");
	push(&history, last, (const double[]){ 3, 3 }, 0);
	assert_near(clock_at(&history, 1, 2), 3.2, 1e-9);
	history_free(&history);
	host_free(two);
	host_free(three);
	host_free(last);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_leave_and_return),
		cmocka_unit_test(the_past_moves_along),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
