/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests view 6: what a person sees of a scope, from planted results. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "burst/microscope.h"
#include "scope_fixture.h"
#include "ui/action.h"
#include "ui/keys.h"
#include "ui_fixture.h"

static void scope_open(struct fixture *f, struct microscope_result *result)
{
	fixture_open(f, 1, 2, 2);
	for (unsigned i = 0; i < f->host.n_cpus; i++)
		fixture_clock(f, i, 3.4, 0.1);
	fixture_tick(f);
	burst_panel_init(&f->ui);
	scope_panel_init(&f->ui);
	f->ui.scope.kernel = f->ui.scope.cursor = KERNEL_AVX2_FMA;
	f->ui.scope.result = result;
	action_scope(&f->ui);
	assert_int_equal(f->ui.view, VIEW_SCOPE);
}

static void scope_close(struct fixture *f)
{
	microscope_result_free((struct microscope_result *)f->ui.scope.result);
	fixture_close(f);
}

static void phases_are_seen(void **state)
{
	struct fixture f;

	(void)state;
	scope_open(&f, scope_fixture(-1));
	fixture_golden(&f, 100, 30, "ui_scope");
	fixture_golden(&f, 80, 24, "ui_scope_80x24");
	fixture_golden(&f, 40, 30, "ui_scope_40x30");
	fixture_golden(&f, 40, 10, "ui_scope_40x10");
	assert_true(fixture_shows(&f, 200, 60, "to ×0.25 for 9 us"));
	assert_true(fixture_shows(&f, 40, 8, "throttled"));
	assert_true(fixture_shows(&f, 20, 6, "too small"));
	scope_close(&f);
}

static void nothing_is_seen(void **state)
{
	struct fixture f;

	(void)state;
	scope_open(&f, scope_fixture_flat());
	fixture_golden(&f, 100, 30, "ui_scope_flat");
	assert_false(fixture_shows(&f, 100, 30, "▼"));
	scope_close(&f);
}

static void only_ascii(void **state)
{
	struct fixture f;

	(void)state;
	scope_open(&f, scope_fixture(-1));
	f.canvas.ascii = true;
	fixture_golden(&f, 100, 30, "ui_scope_ascii");
	char *text = canvas_to_text(&f.canvas);

	for (const char *c = text; *c; c++)
		assert_true((unsigned char)*c < 0x80);
	free(text);
	scope_close(&f);
}

static void it_grows(void **state)
{
	struct microscope_result *result = scope_fixture(-1);
	struct fixture f;

	(void)state;
	scope_open(&f, result);
	f.ui.scope.running = true;
	result->epochs_done = 125;
	result->left_s = 2.3;
	assert_true(fixture_shows(&f, 100, 30, "125 of 500 bursts, 3 s left"));
	assert_true(fixture_shows(&f, 100, 30, "b Stop  k"));
	assert_true(fixture_shows(&f, 40, 10, "b Stop  q"));
	assert_true(fixture_shows(&f, 40, 10, "125 of 500 bursts"));
	result->epochs_done = 0;
	timeline_clear(&result->own);
	result->own = (struct timeline){ 0 };
	assert_true(fixture_shows(&f, 100, 30, "calibrating"));
	scope_close(&f);
}

static void what_is_wrong_is_said(void **state)
{
	struct microscope_result *result = scope_fixture(-1);
	struct fixture f;

	(void)state;
	scope_open(&f, result);
	result->stopped_early = true;
	assert_true(fixture_shows(&f, 100, 30, "stopped early"));
	result->verified = false;
	assert_true(fixture_shows(&f, 100, 30, "WRONG RESULTS"));
	strcpy(result->problem.text, "CPU 0 has left");
	assert_true(fixture_shows(&f, 100, 30, "CPU 0 has left"));
	scope_close(&f);
}

static void it_asks(void **state)
{
	struct fixture f;

	(void)state;
	scope_open(&f, NULL);
	fixture_golden(&f, 100, 30, "ui_scope_before");
	assert_true(fixture_shows(&f, 40, 10, "A scope fires"));
	f.ui.cursor = 1;
	action_burst(&f.ui);
	assert_int_equal(f.ui.scope.cpu, (int)f.host.cpus[f.ui.rows.items[1].index].id);
	fixture_golden(&f, 100, 30, "ui_scope_question");
	fixture_golden(&f, 40, 10, "ui_scope_question_40x10");
	assert_true(fixture_shows(&f, 40, 9, "higher terminal"));
	assert_true(scope_panel_key(&f.ui, KEY_CODE_ENTER)); /* swallowed: nobody can read it */
	assert_string_equal(f.ui.scope.refusal, "");
	assert_null(f.ui.scope.look);
	assert_true(fixture_shows(&f, 100, 30, "Enter start"));
	action_burst(&f.ui);
	assert_false(f.ui.scope.asking);
	action_kernel(&f.ui);
	assert_true(f.ui.scope.asking);
	action_back(&f.ui);
	assert_false(f.ui.scope.asking);
	assert_int_equal(f.ui.view, VIEW_SCOPE);
	action_back(&f.ui);
	assert_int_equal(f.ui.view, VIEW_OVERVIEW);
	scope_close(&f);
}

static void press(struct fixture *f, int code)
{
	assert_true(scope_panel_key(&f->ui, code));
}

static void answers_are_chosen(void **state)
{
	struct fixture f;
	struct scope_panel *panel = &f.ui.scope;

	(void)state;
	scope_open(&f, NULL);
	action_burst(&f.ui);
	assert_true(fixture_shows(&f, 100, 30, "Enter start"));
	press(&f, KEY_CODE_UP);
	assert_int_equal(panel->kernel, KERNEL_AVX2_FMA - 1);
	press(&f, KEY_CODE_TAB);
	press(&f, KEY_CODE_BACKSPACE);
	assert_int_equal(panel->cpu, -1);
	press(&f, KEY_CODE_ENTER);
	assert_true(fixture_shows(&f, 100, 30, "Not started: there is no such CPU"));
	press(&f, '7');
	press(&f, '9');
	assert_int_equal(panel->cpu, 79);
	assert_string_equal(panel->refusal, "");
	press(&f, KEY_CODE_RIGHT);
	assert_int_equal(panel->cpu, 0);
	press(&f, KEY_CODE_LEFT);
	assert_int_equal(panel->cpu, 3);
	press(&f, KEY_CODE_TAB);
	press(&f, KEY_CODE_RIGHT);
	assert_int_equal(panel->bursts, 1000);
	for (int i = 0; i < 20; i++)
		press(&f, KEY_CODE_LEFT);
	assert_int_equal(panel->bursts, 50);
	press(&f, KEY_CODE_TAB);
	for (int i = 0; i < 20; i++)
		press(&f, KEY_CODE_LEFT);
	assert_int_equal(panel->burst_ns, MICROSCOPE_BURST_LEAST_NS);
	for (int i = 0; i < 20; i++)
		press(&f, KEY_CODE_RIGHT);
	assert_int_equal(panel->burst_ns, MICROSCOPE_BURST_MOST_NS);
	assert_false(scope_panel_key(&f.ui, '6'));
	scope_close(&f);
}

/* Keys about rows mean nothing here, and the help goes back to where it was asked for. */
static void keys_know_the_view(void **state)
{
	struct fixture f;

	(void)state;
	scope_open(&f, NULL);
	assert_false(view_takes(&f.ui, keys_find('s')));
	assert_false(view_takes(&f.ui, keys_find(KEY_CODE_DOWN)));
	assert_true(view_takes(&f.ui, keys_find('b')));
	assert_true(view_takes(&f.ui, keys_find(KEY_CODE_CLICK)));
	assert_true(fixture_shows(&f, 100, 30, "6 Overview"));
	assert_false(fixture_shows(&f, 100, 30, "Sort"));
	action_help(&f.ui);
	assert_true(view_takes(&f.ui, keys_find(KEY_CODE_DOWN)));
	action_back(&f.ui);
	assert_int_equal(f.ui.view, VIEW_SCOPE);
	action_view(&f.ui);
	assert_int_equal(f.ui.view, VIEW_OVERVIEW);
	assert_true(view_takes(&f.ui, keys_find('s')));
	action_view(&f.ui);
	action_overview(&f.ui);
	assert_int_equal(f.ui.view, VIEW_OVERVIEW);
	scope_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases_are_seen),
		cmocka_unit_test(nothing_is_seen),
		cmocka_unit_test(only_ascii),
		cmocka_unit_test(it_grows),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(it_asks),
		cmocka_unit_test(answers_are_chosen),
		cmocka_unit_test(keys_know_the_view),
	};

	return cmocka_run_group_tests_name("ui_scope", tests, NULL, NULL);
}
