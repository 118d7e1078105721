/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the views: what a person sees of machines made by hand, as text. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "burst/burst.h"
#include "burst/judge.h"
#include "burst/kernel.h"
#include "format/sink.h"
#include "ui/action.h"
#include "ui/keys.h"
#include "format/sink.h"
#include "ui_fixture.h"

/* Two CPUs of a VM; CPU 0 runs a burst that costs it 8 %. */
static void open_vm(struct fixture *fixture)
{
	fixture_open(fixture, 1, 1, 2);
	for (int i = 0; i < 40; i++) {
		fixture_clock(fixture, 0, 3.42, 0.55);
		fixture_clock(fixture, 1, 3.41, 0.01);
		fixture_tick(fixture);
	}
}

static void drive(struct fixture *fixture, unsigned cpu, double ghz, double before)
{
	struct board_entry entry = { .mono_ns = fixture->now_ns, .cycles = ghz, .ticks = 2.1,
				     .before_hertz = before * 1e9, .phase = PHASE_ON,
				     .kernel = KERNEL_AVX512_FMA, .driven = true };

	board_publish(fixture->board, cpu, &entry);
	fixture_clock(fixture, cpu, ghz, 1);
	snapshot_at(fixture->snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, cpu, 0)->sees = SEES_BURST;
	fixture_tick(fixture);
}

static void release(struct fixture *fixture, unsigned cpu, double ghz)
{
	struct board_entry entry = { .mono_ns = fixture->now_ns, .kernel = KERNEL_AVX512_FMA };

	board_publish(fixture->board, cpu, &entry);
	fixture_clock(fixture, cpu, ghz, 0.5);
	fixture_tick(fixture);
}

static void test_vm(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	fixture_golden(&f, 100, 30, "ui_vm");
	fixture_golden(&f, 80, 24, "ui_vm_80x24");
	fixture_golden(&f, 40, 8, "ui_vm_40x8");
	fixture_close(&f);
}

static void test_burst_row(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	for (int i = 0; i < 6; i++)
		drive(&f, 0, 3.15, 3.42);
	fixture_golden(&f, 100, 30, "ui_burst_row");
	assert_true(fixture_shows(&f, 100, 30, "burst avx512-fma: ▼ −7.9 % against before"));
	release(&f, 0, 3.42);
	assert_true(fixture_shows(&f, 100, 30, "after avx512-fma: ▼ −7.9 % while it ran"));
	for (int i = 0; i < 16; i++)
		release(&f, 0, 3.42);
	assert_false(f.ui.history.marks[0].dropped);
	assert_int_equal(f.ui.history.marks[0].kind, MARK_NONE);
	fixture_close(&f);
}

/* Noise is no drop, and once pairs were judged their word stands. */
static void test_burst_without_drop(void **state)
{
	struct judgment judgment = { .before_hertz = 3.42e9, .drop_ratio = 0.002, .pairs = 30 };
	struct fixture f;

	(void)state;
	open_vm(&f);
	drive(&f, 0, 3.40, 3.42);
	assert_true(fixture_shows(&f, 100, 30, "burst avx512-fma: −0.6 %"));
	history_judge(&f.ui.history, 0, &judgment, false);
	drive(&f, 0, 3.36, 3.42);
	assert_true(fixture_shows(&f, 100, 30, "burst avx512-fma: no drop seen"));
	assert_true(fixture_shows(&f, 80, 24, "  avx512-fma: no drop seen\n")); /* nothing cut */
	fixture_close(&f);
}

/* One of 64 CPUs is slow: it is named, whatever the fold. */
static void test_slow_core(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, 2, 16, 2);
	assert_int_equal(f.ui.group, GROUP_CORE);
	for (int tick = 0; tick < 10; tick++) {
		for (unsigned i = 0; i < 64; i++)
			fixture_clock(&f, i, i == 19 ? 1.9 : 2.8, 0.9);
		fixture_tick(&f);
	}
	f.ui.sort = SORT_CLOCK;
	fixture_golden(&f, 100, 30, "ui_slow_core");
	f.ui.group = GROUP_CPU;
	assert_true(fixture_shows(&f, 100, 30, "▼ −32.1 % against the other CPUs"));
	f.ui.group = GROUP_PACKAGE;
	assert_true(fixture_shows(&f, 100, 30, "CPU 19: ▼ −32.1 %"));
	/* Told once, however long it lasts and however often it comes back within a minute. */
	assert_true(fixture_shows(&f, 100, 30, "CPU 19 at 1.90 GHz: ▼ −32.1 % against the other CPUs"));
	assert_int_equal(f.ui.history.n_events, 1);
	fixture_clock(&f, 19, 2.8, 0.9);
	fixture_tick(&f);
	fixture_clock(&f, 19, 1.9, 0.9);
	fixture_clock(&f, 20, 1.4, 0.9);
	fixture_clock(&f, 21, 2.0, 0.9);
	fixture_tick(&f);
	assert_true(fixture_shows(&f, 100, 30, "CPU 20 at 1.40 GHz: ▼ −50.0 % against the last minute (and 1 other)"));
	assert_int_equal(f.ui.history.n_events, 2);
	fixture_close(&f);
}

static void test_thousand_cpus(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, 2, 256, 2);
	assert_int_equal(f.ui.group, GROUP_PACKAGE);
	for (int tick = 0; tick < 3; tick++) {
		for (unsigned i = 0; i < 1024; i++)
			fixture_clock(&f, i, 2.4 + 0.4 * ((i * 7) % 10) / 9, i % 5 ? 0.8 : 0.01);
		fixture_clock(&f, 700, 1.2, 1);
		fixture_state(&f, 33, STATE_OFFLINE);
		fixture_tick(&f);
	}
	fixture_golden(&f, 100, 30, "ui_thousand_cpus");
	fixture_close(&f);
}

/* hishamhm/htop issue 997 crashed on 104 CPUs, 435 filled the screen with 256: whatever there are, the slow one is named
 * where there is room for words, marked where there is not, and first when asked for. */
static void test_many_sizes(void **state)
{
	static const struct {
		unsigned packages, cores, threads;
	} hosts[] = { { 1, 1, 1 }, { 1, 1, 2 }, { 1, 4, 2 }, { 2, 26, 2 }, { 2, 28, 2 }, { 2, 64, 2 }, { 2, 128, 2 }, { 6, 96, 2 } };
	static const struct {
		int width, height;
	} sizes[] = { { 80, 24 }, { 40, 10 }, { 200, 60 } };

	(void)state;
	for (size_t h = 0; h < sizeof(hosts) / sizeof(*hosts); h++) {
		const unsigned n = hosts[h].packages * hosts[h].cores * hosts[h].threads;
		struct fixture f;
		char name[32];

		fixture_open(&f, hosts[h].packages, hosts[h].cores, hosts[h].threads);
		snprintf(name, sizeof(name), "CPU %u", n - 1);
		for (int tick = 0; tick < 3; tick++) {
			for (unsigned i = 0; i < n; i++)
				fixture_clock(&f, i, i == n - 1 && n > 2 ? 1.9 : 2.8, 0.9);
			fixture_tick(&f);
		}
		for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++) {
			for (f.ui.group = GROUP_CPU; f.ui.group <= GROUP_PACKAGE; f.ui.group++) {
				f.ui.sort = SORT_CLOCK;
				assert_true(fixture_shows(&f, sizes[s].width, sizes[s].height, n > 2 ? "▼" : "2.80"));
				if (sizes[s].width >= 80 && n > 2)
					assert_true(fixture_shows(&f, sizes[s].width, sizes[s].height, name));
			}
		}
		fixture_close(&f);
	}
}

/* Nothing is a number that was not measured. */
static void test_absent(void **state)
{
	static const struct {
		enum state state;
		const char *text;
	} cases[] = {
		{ STATE_OFFLINE, "offline" },
		{ STATE_ISOLATED, "isolated: not disturbed" },
		{ STATE_IDLE, "idle: not woken" },
		{ STATE_DISTURBED, "disturbed: rejected" },
		{ STATE_NOT_ALLOWED, "not allowed for this process" },
	};
	struct fixture f;

	(void)state;
	open_vm(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fixture_state(&f, 1, cases[i].state);
		fixture_tick(&f);
		assert_true(fixture_shows(&f, 120, 24, cases[i].text));
	}
	assert_true(fixture_shows(&f, 120, 24, "CPU 1 went offline"));
	fixture_close(&f);
}

/* What the kernel says stands beside the clock that nothing measures, and never in its place. */
static void test_kernels_clock(void **state)
{
	struct fixture f;
	struct origin origins[METRIC_N] = { [METRIC_OS_HERTZ] = { .name = "cpufreq" } };

	(void)state;
	open_vm(&f);
	f.ui.origins = origins;
	fixture_state(&f, 1, STATE_UNSUPPORTED);
	for (unsigned i = 0; i < f.host.n_cpus; i++)
		*snapshot_at(f.snapshot, METRIC_OS_HERTZ, SCOPE_CPU, i, 0) =
			(struct value){ .v = 2.345e9, .state = STATE_OK };
	assert_true(fixture_shows(&f, 100, 30, "Busy osMHz"));
	assert_true(fixture_shows(&f, 100, 30, " 2345 "));
	assert_false(fixture_shows(&f, 100, 30, "2.35"));
	origins[METRIC_BUSY_HERTZ].name = "ruler";
	assert_false(fixture_shows(&f, 100, 30, "osMHz"));
	fixture_close(&f);
}

/* Back, it has a clock an interval later than the kernel's times. */
static void test_returned(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	fixture_state(&f, 1, STATE_OFFLINE);
	assert_true(fixture_shows(&f, 100, 30, " off "));
	assert_true(fixture_shows(&f, 100, 30, "offline"));
	snapshot_at(f.snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, 1, 0)->state = STATE_FIRST;
	assert_true(fixture_shows(&f, 100, 30, "came online"));
	assert_true(fixture_shows(&f, 40, 30, "…"));
	fixture_close(&f);
}

static void test_before_first_sample(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, 1, 4, 1);
	fixture_golden(&f, 80, 24, "ui_first_frame");
	f.host.live = false; /* no burst there, so none is offered */
	assert_true(fixture_shows(&f, 80, 24, " none yet\n"));
	fixture_close(&f);
}

static void test_ascii(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	for (int i = 0; i < 6; i++)
		drive(&f, 0, 3.15, 3.42);
	f.canvas.ascii = true;
	fixture_golden(&f, 100, 30, "ui_ascii");
	char *text = canvas_to_text(&f.canvas);

	for (const char *c = text; *c; c++)
		assert_true((unsigned char)*c < 0x80);
	free(text);
	fixture_close(&f);
}

static void test_why(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	fixture_state(&f, 1, STATE_IDLE);
	fixture_tick(&f);
	f.ui.cursor = 1;
	action_why(&f.ui);
	assert_true(fixture_shows(&f, 100, 30, "CPU 1: what is known"));
	assert_true(fixture_shows(&f, 100, 30, "under 5 % busy: not woken"));
	action_back(&f.ui);
	assert_false(f.ui.why);
	fixture_close(&f);
}

/* Nothing is cut: each reason can be read to its end, by pages. */
static void test_why_scrolls(void **state)
{
	static const int widths[] = { 40, 100 };
	struct origin origins[METRIC_N] = { 0 }; /* nothing serves anything: each has what it needs */
	struct fixture f;

	(void)state;
	open_vm(&f);
	f.ui.origins = origins;
	action_why(&f.ui);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		bool last = false;

		action_why(&f.ui);
		action_why(&f.ui);
		assert_true(fixture_shows(&f, widths[i], 24, "PgUp PgDn: lines 1 to"));
		for (int page = 0; page < 40 && !last; page++) {
			char *text = canvas_to_text(&f.canvas);
			const char *panel = strchr(strstr(text, "CPU 0: what is known"), '\n');

			assert_null(strstr(panel, "…"));
			last = strstr(panel, "smi_events") != NULL;
			free(text);
			action_page_down(&f.ui);
			(void)fixture_shows(&f, widths[i], 24, "");
		}
		assert_true(last);
		assert_int_equal(f.ui.cursor, 0);
		action_page_up(&f.ui);
		f.ui.mouse_y = f.ui.layout.panel_y;
		int top = f.ui.why_top;

		action_up(&f.ui); /* the wheel */
		assert_int_equal(f.ui.why_top, top - 1);
		f.ui.mouse_y = 0;
	}
	action_help(&f.ui);
	action_why(&f.ui); /* from the help: back to it */
	assert_true(f.ui.why && f.ui.view == VIEW_OVERVIEW);
	fixture_close(&f);
}

static void test_help(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	action_help(&f.ui);
	fixture_golden(&f, 100, 50, "ui_help");
	action_end(&f.ui);
	assert_true(fixture_shows(&f, 60, 12, "disturbed"));
	action_help(&f.ui);
	assert_int_equal(f.ui.view, VIEW_OVERVIEW);
	fixture_close(&f);
}

static void test_burst_question(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	burst_panel_init(&f.ui);
	strcpy(f.ui.burst.cpus, "0");
	action_burst(&f.ui);
	fixture_golden(&f, 100, 30, "ui_burst_question");
	fixture_golden(&f, 40, 20, "ui_burst_question_40x20");
	/* Enter is for a question that can be read, here the last terminal that has none of it. */
	assert_true(fixture_shows(&f, 40, 14, "Enter start"));
	assert_true(fixture_shows(&f, 40, 13, "needs a terminal"));
	strcpy(f.ui.burst.cpus, "no list"); /* so that Enter is answered */
	assert_true(burst_panel_key(&f.ui, KEY_CODE_ENTER));
	assert_string_equal(f.ui.burst.refusal, "");
	assert_true(fixture_shows(&f, 40, 8, "needs a terminal"));
	assert_true(fixture_shows(&f, 40, 14, "Enter start"));
	assert_true(burst_panel_key(&f.ui, KEY_CODE_ENTER));
	assert_string_not_equal(f.ui.burst.refusal, "");
	action_burst(&f.ui);
	assert_false(f.ui.burst.open);
	fixture_close(&f);
}

/* What a burst of CPU `lead` has found on all CPUs of the host: the first n_fell of them fell. */
static struct burst_result make_result(const struct fixture *f, struct burst_cpu *cpus, unsigned n_fell)
{
	struct burst_result result = { .kernel = KERNEL_AVX512_FMA, .seconds = 10, .cpus = cpus,
				       .n_cpus = f->host.n_cpus, .n_driven = 1 };

	for (unsigned i = 0; i < f->host.n_cpus; i++) {
		cpus[i] = (struct burst_cpu){ .cpu = i, .role = i ? RELATION_SAME_PACKAGE : RELATION_SELF,
					      .ops_per_second = 201.6e9, .ops_per_cycle = 64,
					      .peak_ratio = 1, .core_name = "Skylake-SP", .verified = true };
		cpus[i].judgment = (struct judgment){ .before_hertz = 3.42e9, .during_hertz = 3.419e9,
						      .after_hertz = 3.42e9, .drop_ratio = 0.0003,
						      .low = -0.002, .high = 0.002, .noise = 0.003,
						      .pairs = 900 };
		if (i >= n_fell)
			continue;
		cpus[i].judgment.during_hertz = 3.15e9;
		cpus[i].judgment.drop_ratio = 0.079;
		cpus[i].judgment.low = 0.076;
		cpus[i].judgment.high = 0.081;
		cpus[i].judgment.seen = true;
	}
	snprintf(result.verdict, sizeof(result.verdict), "%s",
		 "−7.9 % on the driven CPU: 3.420 → 3.150 GHz");
	return result;
}

static void show_result(struct fixture *f, const struct burst_result *result)
{
	struct burst_panel *panel = &f->ui.burst;

	burst_panel_init(&f->ui);
	strcpy(panel->cpus, "0");
	panel->open = true;
	panel->stage = BURST_ENDED;
	panel->result = result;
	panel->lead = 0;
	panel->duration_ns = panel->end_ns = 10 * NS_PER_S;
	panel->start_ns = f->now_ns;
	panel->end_ns += panel->start_ns;
	for (unsigned i = 0; i < 100; i++)
		panel->points[panel->n_points++] =
			(struct burst_point){ panel->start_ns + i * 100 * NS_PER_MS, 3.15e9 + (i % 3) * 1e7 };
	history_judge(&f->ui.history, 0, &result->cpus[0].judgment, false);
}

/* The panel of a burst that did cost something: by how much, and that the neighbor pays too. */
static void test_burst_with_drop(void **state)
{
	struct burst_cpu cpus[2];
	struct fixture f;

	(void)state;
	open_vm(&f);
	f.now_ns = 1000000000 * NS_PER_S; /* far from the clock, where the graph ends */
	fixture_tick(&f);
	struct burst_result result = make_result(&f, cpus, 2);

	drive(&f, 0, 3.15, 3.42);
	show_result(&f, &result);
	for (int i = 0; i < 10; i++)
		drive(&f, 0, 3.15, 3.42);
	for (int i = 0; i < 3; i++)
		release(&f, 0, 3.42);
	fixture_golden(&f, 100, 34, "ui_burst_drop");
	assert_true(fixture_shows(&f, 80, 24, "▼ −7.9 %  (7.6 … 8.1)"));
	assert_true(fixture_shows(&f, 40, 20, "3.150  ▼ −7.9 %"));
	assert_false(fixture_shows(&f, 100, 34, "still low"));
	cpus[1].ends = (struct ends){ 3.42e9, 3.15e9, 3.149e9 };
	cpus[1].recovery = RECOVERY_STILL_LOW;
	assert_true(fixture_shows(&f, 100, 34, "3.150   3.149  ▼ still low after the load"));
	assert_true(fixture_shows(&f, 40, 20, "▼ still lo"));
	assert_true(fixture_shows(&f, 100, 34, "after avx512-fma: ▼ −7.9 % while it ran"));
	history_judge(&f.ui.history, 0, &cpus[0].judgment, true);
	assert_true(fixture_shows(&f, 100, 34, "after avx512-fma: ▼ still low"));
	fixture_close(&f);
}

/* More CPUs than lines: as many as there is room for, and what the others came to. */
static void test_burst_of_many(void **state)
{
	struct burst_cpu cpus[64];
	struct fixture f;

	(void)state;
	fixture_open(&f, 1, 32, 2);
	fixture_tick(&f);
	struct burst_result result = make_result(&f, cpus, 30);

	show_result(&f, &result);
	assert_true(fixture_shows(&f, 100, 40, "CPU 7 "));
	assert_true(fixture_shows(&f, 100, 40, "CPUs more"));
	assert_true(fixture_shows(&f, 100, 40, "of them fell"));
	assert_true(fixture_shows(&f, 100, 40, "CPU 0 "));
	/* In the terminal that most people have nothing is cut. */
	assert_true(fixture_shows(&f, 80, 24, "▼ 27 of them fell"));
	result = make_result(&f, cpus, 0);
	assert_true(fixture_shows(&f, 80, 24, "no drop seen beyond ±0.3 %"));
	result.n_cpus = 6;
	assert_true(fixture_shows(&f, 100, 40, "CPU 5 "));
	char *text = canvas_to_text(&f.canvas);

	assert_null(strstr(text, "more"));
	free(text);
	fixture_close(&f);
}

/* Every size: no overrun (the sanitizers watch), no loop without end. */
static void test_all_sizes(void **state)
{
	struct fixture f;

	(void)state;
	open_vm(&f);
	burst_panel_init(&f.ui);
	for (int mode = 0; mode < 4; mode++) {
		f.ui.view = mode == 1 ? VIEW_HELP : VIEW_OVERVIEW;
		f.ui.why = mode == 2;
		f.ui.burst.open = mode == 3;
		for (int width = 1; width < 130; width += 3)
			for (int height = 1; height < 50; height += 2)
				(void)fixture_shows(&f, width, height, "");
	}
	assert_true(fixture_shows(&f, 20, 6, "Terminal too small:"));
	fixture_close(&f);
}

static void test_moving(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, 1, 32, 1);
	fixture_tick(&f);
	view_update(&f.ui, 80, 24);
	action_end(&f.ui);
	view_update(&f.ui, 80, 24);
	assert_int_equal(f.ui.cursor, 31);
	assert_int_equal(f.ui.top + (unsigned)f.ui.layout.rows_n, 32);
	action_up(&f.ui);
	action_page_up(&f.ui);
	view_update(&f.ui, 80, 24);
	assert_in_range(f.ui.cursor, f.ui.top, f.ui.top + (unsigned)f.ui.layout.rows_n - 1);
	action_home(&f.ui);
	action_up(&f.ui);
	view_update(&f.ui, 80, 24);
	assert_int_equal(f.ui.cursor, 0);
	assert_int_equal(f.ui.top, 0);
	strcpy(f.ui.filter.text, "4-6,9");
	view_update(&f.ui, 80, 24);
	assert_int_equal(f.ui.rows.n, 4);
	strcpy(f.ui.filter.text, "no such word");
	assert_true(fixture_shows(&f, 80, 24, "no CPU matches the filter"));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vm),
		cmocka_unit_test(test_burst_row),
		cmocka_unit_test(test_burst_without_drop),
		cmocka_unit_test(test_slow_core),
		cmocka_unit_test(test_thousand_cpus),
		{ "case 40: the slow one of 1 to 1,152 CPUs is seen", test_many_sizes, NULL, NULL, NULL },
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_kernels_clock),
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_before_first_sample),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_why_scrolls),
		cmocka_unit_test(test_help),
		cmocka_unit_test(test_burst_question),
		{ "case 51: a burst that costs something, and what is not back", test_burst_with_drop, NULL, NULL, NULL },
		cmocka_unit_test(test_burst_of_many),
		cmocka_unit_test(test_all_sizes),
		cmocka_unit_test(test_moving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
