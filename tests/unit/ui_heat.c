/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power, temperature and throttling on the dashboard. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "format/sink.h"
#include "ui_fixture.h"

struct machine {
	struct fixture f;
	struct origin origins[METRIC_N];
};

static void put(struct machine *m, enum metric metric, enum scope scope, unsigned index, double v)
{
	*snapshot_at(m->f.snapshot, metric, scope, index, 0) = (struct value){ .v = v, .state = STATE_OK };
}

static void machine_open(struct machine *m, unsigned packages)
{
	*m = (struct machine){ 0 };
	fixture_open(&m->f, packages, 4, 1);
	m->origins[METRIC_TEMPERATURE_CELSIUS].name = "thermal";
	m->origins[METRIC_PACKAGE_WATTS].name = "powercap";
	m->origins[METRIC_BUSY_HERTZ].name = "ruler";
	m->f.ui.origins = m->origins;
	for (unsigned i = 0; i < m->f.host.n_cpus; i++)
		fixture_clock(&m->f, i, 2.8, 0.9);
	for (unsigned i = 0; i < m->f.host.n_cores; i++)
		put(m, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, i, 60 + i);
	for (unsigned i = 0; i < packages; i++) {
		put(m, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, i, 118 - 50 * (i % 2));
		put(m, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, i, 125);
		put(m, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, i, 71 - i);
		put(m, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, i, 29 + i);
		put(m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, i, 0);
	}
	fixture_tick(&m->f);
}

static void packages_have_a_line(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	fixture_golden(&m.f, 100, 30, "ui_heat");
	/* What is not known now is a dash, and not 0. */
	snapshot_at(m.f.snapshot, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 1, 0)->state = STATE_SKIPPED;
	snapshot_at(m.f.snapshot, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 0)->state = STATE_FAILED;
	assert_true(fixture_shows(&m.f, 100, 30, "Package 1 – W  – °C"));
	/* And what no source serves has no place at all. */
	m.origins[METRIC_PACKAGE_WATTS].name = NULL;
	assert_true(fixture_shows(&m.f, 100, 30, "Package 0 71 °C    Package 1 – °C"));
	m.origins[METRIC_TEMPERATURE_CELSIUS].name = NULL;
	assert_false(fixture_shows(&m.f, 100, 30, "Package 0"));
	fixture_close(&m.f);
}

static void throttling_is_said_where_it_happens(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 1);
	put(&m, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 97);
	put(&m, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, 3);
	assert_true(fixture_shows(&m.f, 100, 30, " Package  118 W of 125 W  97 °C near its limit"));
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, 2);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 3);
	fixture_golden(&m.f, 80, 24, "ui_throttled");
	m.f.ui.group = GROUP_PACKAGE;
	assert_true(fixture_shows(&m.f, 100, 30, "throttled by heat 2×"));
	/* No event, or none known: nothing is said. */
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, 0);
	snapshot_at(m.f.snapshot, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 0)->state = STATE_SKIPPED;
	m.f.ui.group = GROUP_CPU;
	assert_false(fixture_shows(&m.f, 100, 30, "throttled by heat"));
	fixture_close(&m.f);
}

static void throttling_is_an_event(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	assert_true(fixture_shows(&m.f, 100, 30, "none yet"));
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 1, 1);
	fixture_tick(&m.f);
	assert_true(fixture_shows(&m.f, 100, 30, "package 1 throttled by heat"));
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 1, 0);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 3);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 2, 1);
	fixture_tick(&m.f);
	assert_true(fixture_shows(&m.f, 100, 30, "CPU 1 throttled by heat (and 1 other)"));
	assert_int_equal(m.f.ui.history.n_events, 2);
	/* As long as it goes on, and a minute more, it is told. */
	for (int i = 0; i < 70; i++)
		fixture_tick(&m.f);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 0);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 2, 0);
	fixture_tick(&m.f);
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 2, 1);
	fixture_tick(&m.f);
	assert_int_equal(m.f.ui.history.n_events, 2);
	fixture_close(&m.f);
}

static void power_at_its_limit_is_said(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	put(&m, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 1, 121);
	assert_true(fixture_shows(&m.f, 100, 30, "Package 1 121 W of 125 W"));
	put(&m, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 1, 122);
	assert_true(fixture_shows(&m.f, 100, 30, "Package 1 122 W at its limit of 125 W"));
	/* The cause stands before what it does, where it does something. */
	assert_false(fixture_shows(&m.f, 140, 30, "at the power limit"));
	fixture_clock(&m.f, 5, 2.0, 0.9);
	fixture_tick(&m.f);
	assert_true(fixture_shows(&m.f, 140, 30, "at the power limit  ▼ −28.6 % against"));
	put(&m, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 1, 60);
	assert_false(fixture_shows(&m.f, 140, 30, "at the power limit"));
	fixture_close(&m.f);
}

static void what_was_never_online_has_no_package(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	m.f.host.packages[1].package_id = -1;
	for (unsigned i = 4; i < 8; i++)
		m.f.ui.history.offline[i] = true;
	assert_true(fixture_shows(&m.f, 100, 30, " Package  118 W of 125 W  71 °C"));
	assert_false(fixture_shows(&m.f, 100, 30, "Package -1"));
	assert_true(fixture_shows(&m.f, 100, 30, " · 4 cores · 4 CPUs, 4 offline"));
	fixture_close(&m.f);
}

static void who_takes_time_is_said(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 1);
	put(&m, METRIC_STEAL_RATIO, SCOPE_CPU, 2, 0.049);
	assert_false(fixture_shows(&m.f, 100, 30, "stolen"));
	put(&m, METRIC_STEAL_RATIO, SCOPE_CPU, 2, 0.3);
	assert_true(fixture_shows(&m.f, 100, 30, "30 % stolen by the host"));
	fixture_close(&m.f);
}

static void many_packages_are_summed(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 8);
	put(&m, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 5, 88);
	assert_true(fixture_shows(&m.f, 100, 30, " Packages 744 W  88 °C (package 5, the hottest)"));
	assert_true(fixture_shows(&m.f, 40, 20, " Packages 744 W  88 °C"));
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 3, 1); /* matters more */
	assert_true(fixture_shows(&m.f, 100, 30, " Packages 744 W  68 °C throttled by heat (package 3)"));
	put(&m, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 3, 0);
	snapshot_at(m.f.snapshot, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 2, 0)->state = STATE_DENIED;
	assert_true(fixture_shows(&m.f, 100, 30, " Packages 88 °C"));
	fixture_close(&m.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_have_a_line),
		cmocka_unit_test(throttling_is_said_where_it_happens),
		cmocka_unit_test(throttling_is_an_event),
		cmocka_unit_test(power_at_its_limit_is_said),
		cmocka_unit_test(what_was_never_online_has_no_package),
		cmocka_unit_test(who_takes_time_is_said),
		cmocka_unit_test(many_packages_are_summed),
	};

	return cmocka_run_group_tests_name("ui_heat", tests, NULL, NULL);
}
