/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the sharing out of lines and cells, and the table of keys. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ui/keys.h"
#include "ui/layout.h"

static void check_lines(int height, unsigned rows, int panel)
{
	struct layout l;

	layout_screen(100, height, rows, panel, height % 2, &l);
	if (!l.fits) {
		assert_true(height < LAYOUT_MIN_HEIGHT);
		return;
	}
	/* From above: rows, graph, panel or events, bar; nothing overlaps, nothing is outside. */
	assert_true(l.heading_y > l.clock_y && l.rows_y == l.heading_y + 1);
	assert_true(l.rows_n >= 1);
	int end = l.rows_y + l.rows_n;

	if (l.graph_n) {
		assert_true(l.graph_y >= end);
		end = l.graph_y + l.graph_n;
		assert_true(l.rows_n >= (int)rows); /* a graph never hides a row */
	}
	assert_false(l.panel_n && l.events_n);
	if (panel && height >= LAYOUT_PANEL_HEIGHT)
		assert_true(l.panel_n >= (panel < LAYOUT_PANEL_MIN ? panel : LAYOUT_PANEL_MIN));
	if (panel)
		assert_true(l.panel_n >= 3); /* a frame, and a line in it */
	if (l.panel_n) {
		assert_int_equal(l.panel_y, end);
		end = l.panel_y + l.panel_n;
	}
	if (l.events_n) {
		assert_int_equal(l.events_y, end);
		end = l.events_y + l.events_n;
	}
	/* What is too little for a graph is not left blank: more events. */
	if (l.events_n && !l.graph_n && l.rows_n > (int)rows)
		assert_int_equal(l.rows_n, rows + 1);
	assert_true(end <= l.bar_y);
	assert_int_equal(l.bar_y, height - 1);
}

static void test_lines(void **state)
{
	static const unsigned rows[] = { 0, 1, 2, 8, 64, 8192 };
	static const int panels[] = { 0, 3, 12, 22, 60 };

	(void)state;
	for (int height = 1; height < 120; height++)
		for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++)
			for (size_t p = 0; p < sizeof(panels) / sizeof(panels[0]); p++)
				check_lines(height, rows[r], panels[p]);
}

static void check_columns(int width, const struct columns_need *need)
{
	struct columns c;

	layout_columns(width, need, &c);
	const struct column *order[8 + LAYOUT_MAX_METRICS + LAYOUT_MAX_IDLE] = {
		&c.core, &c.cpu, &c.mark, &c.clock, &c.sees, &c.bar, &c.busy,
	};
	int n = 7, x = 0;

	for (int i = 0; i < c.n_metrics; i++)
		order[n++] = &c.metrics[i];
	for (int i = 0; i < c.n_idle; i++)
		order[n++] = &c.idle[i];
	order[n++] = &c.note;
	for (int i = 0; i < n; i++) {
		if (!order[i]->width)
			continue;
		assert_true(order[i]->width > 0 && order[i]->x >= x);
		x = order[i]->x + order[i]->width;
	}
	assert_true(x <= width);
	/* What tells which CPU is slow is always there. */
	assert_true(c.cpu.width && c.clock.width >= 4 && c.bar.width >= 10 && c.busy.width);
	/* The deepest idle state is shown before the others. */
	if (c.n_idle)
		assert_int_equal(c.first_idle + (unsigned)c.n_idle, need->n_idle);
}

static void test_columns(void **state)
{
	(void)state;
	for (int width = LAYOUT_MIN_WIDTH; width < 300; width++)
		for (unsigned idle = 0; idle < 12; idle++)
			for (int cpu = 1; cpu < 20; cpu += 3)
				check_columns(width, &(struct columns_need){ .cpu_width = cpu, .n_idle = idle,
									     .core = true, .metric_width = 5,
									     .n_metrics = 11 - idle });
}

static void test_keys(void **state)
{
	char name[16], names[64];

	(void)state;
	for (unsigned i = 0; keys_get(i); i++) {
		const struct key_row *key = keys_get(i);

		assert_non_null(key->run);
		assert_non_null(key->help);
		assert_true(key->group < KEY_GROUP_N);
		assert_true(key->codes[0] != KEY_CODE_NONE);
		assert_true(strlen(keys_names(key, names, sizeof(names))) > 0); /* bytes */
		/* No key means two things. */
		for (int k = 0; k < KEY_MAX && key->codes[k]; k++)
			assert_ptr_equal(keys_find(key->codes[k]), key);
	}
	assert_null(keys_find(KEY_CODE_NONE));
	assert_null(keys_find('\x07'));
	assert_string_equal(keys_name(KEY_CODE_F(10), name, sizeof(name)), "F10");
	assert_string_equal(keys_name(KEY_CODE_CONTROL('L'), name, sizeof(name)), "Ctrl-L");
	assert_string_equal(keys_names(keys_find('q'), names, sizeof(names)), "q, F10, Ctrl-C");
	for (int group = 0; group < KEY_GROUP_N; group++)
		assert_non_null(keys_group_title((enum key_group)group));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
