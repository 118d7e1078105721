/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dashboard on machines with counters: licenses, the ledger of lost clock, what limits packages. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "format/sink.h"
#include "ui/action.h"
#include "ui/license.h"
#include "ui/lost.h"
#include "ui/shown.h"
#include "ui_fixture.h"

struct machine {
	struct fixture f;
	struct origin origins[METRIC_N];
};

static void put(struct machine *m, enum metric metric, enum scope scope, unsigned index, double v)
{
	*snapshot_at(m->f.snapshot, metric, scope, index, 0) = (struct value){ .v = v, .state = STATE_OK };
	m->origins[metric].name = "perf";
}

static void put_licenses(struct machine *m, enum scope scope, unsigned index, double l0, double l1, double l2)
{
	put(m, METRIC_LICENSE0_RATIO, scope, index, l0);
	put(m, METRIC_LICENSE1_RATIO, scope, index, l1);
	put(m, METRIC_LICENSE2_RATIO, scope, index, l2);
	put(m, METRIC_LICENSE_UNKNOWN_RATIO, scope, index, fmax(0, 1 - l0 - l1 - l2));
}

/* Of one core: its clock, and by how many MHz it is below 3.7 GHz, in the order of the ledger. */
static void put_losses(struct machine *m, unsigned core, double ghz, double license, double power)
{
	for (unsigned i = 0; metric_of_joint(JOINT_LOST, i) != METRIC_N; i++)
		put(m, metric_of_joint(JOINT_LOST, i), SCOPE_CORE, core, 0);
	put(m, METRIC_LOST_LICENSE_HERTZ, SCOPE_CORE, core, license * 1e6);
	put(m, METRIC_LOST_POWER_HERTZ, SCOPE_CORE, core, power * 1e6);
	put(m, METRIC_LIMIT_HERTZ, SCOPE_CORE, core, 3.7e9);
	put(m, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, core, 50 + ghz);
	for (unsigned i = 0; i < 2; i++) {
		unsigned cpu = m->f.host.cores[core].cpus[i];

		fixture_clock(&m->f, cpu, ghz, license > 0 || power > 0 ? 1 : 0.5);
		put(m, METRIC_BUSY_RATIO, SCOPE_CPU, cpu, license > 0 || power > 0 ? 1 : 0.5);
		snapshot_at(m->f.snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, cpu, 0)->sees = SEES_ALL;
	}
}

static void put_package(struct machine *m, unsigned i, double watts, double c6)
{
	put(m, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, i, watts);
	put(m, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, i, 125);
	put(m, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, i, 71 - i);
	put(m, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, i, 0);
	put(m, METRIC_PACKAGE_C2_RATIO, SCOPE_PACKAGE, i, c6 / 3);
	put(m, METRIC_PACKAGE_C6_RATIO, SCOPE_PACKAGE, i, c6);
}

/* Core 1 runs AVX-512, core 2 AVX2, core 3 is held back by power; core 7 idles. */
static void machine_open(struct machine *m, unsigned packages)
{
	*m = (struct machine){ 0 };
	fixture_open(&m->f, packages, 4, 2);
	m->f.host.hypervisor[0] = '\0';
	m->f.host.kinds[0].base_hertz = 2.1e9;
	m->origins[METRIC_BUSY_HERTZ].name = "perf";
	m->origins[METRIC_OS_BUSY_RATIO].name = "procfs";
	m->f.ui.origins = m->origins;
	for (unsigned core = 0; core < m->f.host.n_cores; core++) {
		put_losses(m, core, 3.7, 0, 0);
		put_licenses(m, SCOPE_CORE, core, 1, 0, 0);
	}
	put_losses(m, 1, 1.9, 1800, 0);
	put_licenses(m, SCOPE_CORE, 1, 0.04, 0.06, 0.9);
	put_losses(m, 2, 2.8, 900, 0);
	put_licenses(m, SCOPE_CORE, 2, 0.1, 0.9, 0);
	put_losses(m, 3, 3.1, 200, 400);
	put_licenses(m, SCOPE_CORE, 3, 0.5, 0.3, 0);
	for (unsigned i = 0; i < packages; i++)
		put_package(m, i, 118 - 50 * (i % 2), 0.45 * (i % 2));
	fixture_tick(&m->f);
}

static void why_a_core_is_slow(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	fixture_golden(&m.f, 100, 34, "ui_counters");
	fixture_golden(&m.f, 132, 34, "ui_counters_132x34");
	fixture_golden(&m.f, 80, 24, "ui_counters_80x24");
	fixture_golden(&m.f, 40, 20, "ui_counters_40x20");
	assert_true(fixture_shows(&m.f, 100, 34, "▼ −49 % license L2"));
	/* In the smallest terminal, too, which and why. */
	assert_true(fixture_shows(&m.f, 40, 12, "▼1.90"));
	assert_true(fixture_shows(&m.f, 40, 12, "−1800 lic"));
	/* Whatever the rows are: the core that loses most. */
	m.f.ui.group = GROUP_CORE;
	assert_true(fixture_shows(&m.f, 100, 34, "−1800 lic"));
	m.f.ui.group = GROUP_PACKAGE;
	assert_true(fixture_shows(&m.f, 132, 34, "CPU 1: ▼ −49 % to wide code (license L2)"));
	m.f.canvas.ascii = true;
	m.f.ui.group = GROUP_CPU;
	fixture_golden(&m.f, 100, 34, "ui_counters_ascii");
	fixture_close(&m.f);
}

static void losses_are_named(void **state)
{
	static const struct {
		enum metric metric;
		const char *part, *words;
	} cases[] = {
		{ METRIC_LOST_POWER_HERTZ, "−1000 pwr", "to the power limit" },
		{ METRIC_LOST_THERMAL_HERTZ, "−1000 hot", "to heat" },
		{ METRIC_LOST_CAP_HERTZ, "−1000 cap", "to the cap of the kernel" },
		{ METRIC_LOST_OTHER_HERTZ, "−1000 oth", "below its turbo limit" },
	};
	struct machine m;

	(void)state;
	machine_open(&m, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_losses(&m, 0, 2.7, 0, 0);
		put(&m, cases[i].metric, SCOPE_CORE, 0, 1e9);
		assert_true(fixture_shows(&m.f, 132, 34, cases[i].part));
		assert_true(fixture_shows(&m.f, 132, 34, cases[i].words));
	}
	/* Steps of the bus clock are no loss; what is unknown is not 0. */
	put_losses(&m, 0, 3.69, 0, 10);
	assert_false(fixture_shows(&m.f, 132, 34, "−10 pwr"));
	for (unsigned i = 0; metric_of_joint(JOINT_LOST, i) != METRIC_N; i++)
		for (unsigned core = 0; core < 4; core++)
			snapshot_at(m.f.snapshot, metric_of_joint(JOINT_LOST, i), SCOPE_CORE, core, 0)->state =
				STATE_DENIED;
	assert_false(fixture_shows(&m.f, 132, 34, "0 lic"));
	fixture_tick(&m.f);
	assert_true(fixture_shows(&m.f, 132, 34, "license L2  ▼ −38.7 % against"));
	assert_false(fixture_shows(&m.f, 132, 34, "to wide code"));
	fixture_close(&m.f);
}

/* Before the second sample no core is known to be at a level, and "0 cores" would be made up. */
static void no_level_before_it_is_known(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	assert_true(fixture_shows(&m.f, 100, 34, ", 1 core"));
	for (unsigned core = 0; core < m.f.host.n_cores; core++)
		for (int i = 0; i < 4; i++)
			snapshot_at(m.f.snapshot, metric_of_joint(JOINT_LICENSE, (unsigned)i), SCOPE_CORE, core, 0)
				->state = STATE_FIRST;
	assert_true(fixture_shows(&m.f, 100, 34, " L2 "));
	assert_false(fixture_shows(&m.f, 100, 34, " core "));
	assert_false(fixture_shows(&m.f, 100, 34, "0 cores"));
	fixture_close(&m.f);
}

/* That a core which idles is slow hurts nobody. */
static void idle_cores_lose_nothing(void **state)
{
	struct row row = { ROW_CPU, 0, 0 };
	struct shown shown;
	struct machine m;
	unsigned cpu = 0;

	(void)state;
	machine_open(&m, 1);
	put_losses(&m, 0, 1.2, 0, 0);
	put(&m, METRIC_LOST_OTHER_HERTZ, SCOPE_CORE, 0, 2.5e9);
	shown_gather(&m.f.ui, &row, &cpu, 1, &shown);
	assert_true(shown.behind);
	for (unsigned i = 0; i < 2; i++) {
		unsigned thread = m.f.host.cores[0].cpus[i];

		fixture_clock(&m.f, thread, 1.2, 0.01);
		put(&m, METRIC_BUSY_RATIO, SCOPE_CPU, thread, 0.01);
	}
	fixture_tick(&m.f);
	shown_gather(&m.f.ui, &row, &cpu, 1, &shown);
	assert_false(shown.behind);
	assert_false(shown.role == ROLE_DROPPED); /* nor by comparing it with busy ones */
	fixture_close(&m.f);
}

static void draw_bar(struct canvas *canvas, const double *shares, int width)
{
	struct license license = { .state = STATE_OK };
	struct column column = { 0, width };

	memcpy(license.shares, shares, sizeof(license.shares));
	assert_int_equal(canvas_resize(canvas, width, 1), 0);
	license_draw_bar(canvas, &column, 0, &license, false);
}

/* Each share has its cells, a small one that matters at least one, and all together the bar. */
static void bars_add_up(void **state)
{
	static const struct {
		double shares[4];
		const char *bar;
	} cases[] = {
		{ { 1, 0, 0, 0 }, "░░░░░░░░\n" },
		{ { 0, 0, 1, 0 }, "████████\n" },
		{ { 0.25, 0.25, 0.5, 0 }, "░░▒▒████\n" },
		{ { 0.03, 0.02, 0.95, 0 }, "░▒██████\n" },
		{ { 0.5, 0, 0, 0.5 }, "░░░░????\n" },
		{ { 0.99, 0.01, 0, 0 }, "░░░░░░░░\n" },
	};
	struct canvas canvas = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		draw_bar(&canvas, cases[i].shares, 8);
		char *text = canvas_to_text(&canvas);

		assert_string_equal(text, cases[i].bar);
		free(text);
	}
	canvas_free(&canvas);
}

static void packages_say_what_limits_them(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 2);
	assert_true(fixture_shows(&m.f, 100, 34, "not limited"));
	put(&m, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, 1);
	assert_true(fixture_shows(&m.f, 100, 34, "limited by"));
	put(&m, METRIC_POWER_THROTTLE_RATIO, SCOPE_PACKAGE, 0, 0.125);
	assert_true(fixture_shows(&m.f, 100, 34, "12.5 % of the time"));
	snapshot_at(m.f.snapshot, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 1, 0)->state = STATE_FAILED;
	assert_true(fixture_shows(&m.f, 100, 34, "limited by –"));
	assert_true(fixture_shows(&m.f, 100, 34, "C2 15 C6 45 %"));
	assert_true(fixture_shows(&m.f, 100, 34, "C-states 0 %"));
	snapshot_at(m.f.snapshot, METRIC_PACKAGE_C2_RATIO, SCOPE_PACKAGE, 0, 0)->state = STATE_DENIED;
	snapshot_at(m.f.snapshot, METRIC_PACKAGE_C6_RATIO, SCOPE_PACKAGE, 0, 0)->state = STATE_DENIED;
	assert_true(fixture_shows(&m.f, 100, 34, "C-states –"));
	fixture_close(&m.f);
}

/* `i` has every value, and a reason for each that is absent. */
static void all_of_a_cpu(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 1);
	m.f.ui.cursor = 1;
	action_why(&m.f.ui);
	assert_true(fixture_shows(&m.f, 100, 50, "CPU 1: what is known, and why the rest is absent"));
	assert_true(fixture_shows(&m.f, 100, 50, "license2_ratio            90.00 %"));
	assert_true(fixture_shows(&m.f, 100, 50, "power_limit_watts.pl1    125.00 W"));
	assert_true(fixture_shows(&m.f, 40, 50, " busy_hertz                 1900 MHz"));
	for (int metric = 0; metric < METRIC_N; metric++)
		assert_true(fixture_shows(&m.f, 132, 200, metric_row((enum metric)metric)->name));
	fixture_close(&m.f);
}

static void vector_columns_stand_when_asked_for(void **state)
{
	struct machine m;

	(void)state;
	machine_open(&m, 1);
	put(&m, METRIC_FP512_OPS_RATE, SCOPE_CPU, 1, 1.8e9);
	put(&m, METRIC_LICENSE_THROTTLE_RATIO, SCOPE_CORE, 1, 0.015);
	assert_false(fixture_shows(&m.f, 80, 24, "FP512"));
	action_vectors(&m.f.ui);
	fixture_golden(&m.f, 80, 24, "ui_vectors_80x24");
	assert_true(fixture_shows(&m.f, 132, 34, " 1.80G "));
	action_vectors(&m.f.ui);
	assert_false(fixture_shows(&m.f, 80, 24, "FP512"));
	fixture_close(&m.f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(why_a_core_is_slow),
		cmocka_unit_test(losses_are_named),
		cmocka_unit_test(no_level_before_it_is_known),
		cmocka_unit_test(idle_cores_lose_nothing),
		cmocka_unit_test(bars_add_up),
		cmocka_unit_test(packages_say_what_limits_them),
		cmocka_unit_test(all_of_a_cpu),
		cmocka_unit_test(vector_columns_stand_when_asked_for),
	};

	return cmocka_run_group_tests_name("ui_counters", tests, NULL, NULL);
}
