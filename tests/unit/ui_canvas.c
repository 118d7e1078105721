/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the grid of cells, its graphs and its ASCII look-alikes. */
#include "config.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ui/canvas.h"
#include "ui/glyph.h"
#include "ui/graph.h"
#include "ui/theme.h"

static void shows(struct canvas *canvas, const char *expected)
{
	char *text = canvas_to_text(canvas);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static struct canvas open_canvas(int width, int height)
{
	struct canvas canvas = { 0 };

	assert_int_equal(canvas_resize(&canvas, width, height), 0);
	return canvas;
}

static void test_text(void **state)
{
	struct canvas c = open_canvas(8, 2);

	(void)state;
	assert_int_equal(canvas_text(&c, 1, 0, 10, ROLE_NORMAL, "abc"), 3);
	assert_int_equal(canvas_text(&c, 5, 0, 10, ROLE_NORMAL, "defg"), 3); /* the edge */
	assert_int_equal(canvas_text(&c, 0, 1, 2, ROLE_NORMAL, "xyz"), 2);
	assert_int_equal(canvas_text(&c, 0, 2, 5, ROLE_NORMAL, "below"), 0);
	assert_int_equal(canvas_text(&c, 0, -1, 5, ROLE_NORMAL, "above"), 0);
	canvas_text(&c, 100, 1, 5, ROLE_NORMAL, "right");
	canvas_text(&c, -2, 1, 5, ROLE_NORMAL, "..!");
	shows(&c, " abc def\n!y\n");
	canvas_free(&c);
}

/* Wide characters take two cells, never half of one; marks join what is before them. */
static void test_wide(void **state)
{
	struct canvas c = open_canvas(6, 1);

	(void)state;
	assert_int_equal(canvas_text(&c, 0, 0, 3, ROLE_NORMAL, "日本"), 2);
	assert_int_equal(canvas_text(&c, 3, 0, 9, ROLE_NORMAL, "e\xcc\x81-"), 2);
	shows(&c, "日 e\xcc\x81-\n");
	canvas_text(&c, 1, 0, 1, ROLE_NORMAL, "x"); /* over the right half */
	shows(&c, " x e\xcc\x81-\n");
	canvas_text(&c, 4, 0, 2, ROLE_NORMAL, "語");
	canvas_text(&c, 4, 0, 1, ROLE_NORMAL, "y"); /* over the left half */
	shows(&c, " x e\xcc\x81y\n");
	assert_int_equal(canvas_measure("日本e\xcc\x81"), 5);
	canvas_free(&c);
}

/* What a terminal would obey is never drawn. */
static void test_hostile(void **state)
{
	struct canvas c = open_canvas(20, 1);

	(void)state;
	canvas_text(&c, 0, 0, 20, ROLE_NORMAL, "a\033[2Jb\x7f" "c\xff\xc3" "d\xc2\x9b" "e\xed\xa0\x80" "f\xf5\x80" "g");
	shows(&c, "a?[2Jb?c??d?e?f??g\n");
	for (int i = 0; i < 256; i++) {
		char text[3] = { (char)i, (char)(255 - i), 0 };

		canvas_text(&c, 0, 0, 20, ROLE_NORMAL, text);
	}
	canvas_free(&c);
}

static void test_cut_and_wrap(void **state)
{
	struct canvas c = open_canvas(10, 4);

	(void)state;
	canvas_elide(&c, 0, 0, 6, ROLE_NORMAL, "abcdefgh");
	canvas_elide(&c, 7, 0, 9, ROLE_NORMAL, "xyz");
	assert_int_equal(canvas_wrap(&c, 0, 1, 10, 3, ROLE_NORMAL, "one two three four five six seven"), 3);
	shows(&c, "abcde… xyz\none two\nthree four\nfive six …\n");
	canvas_fill(&c, 0, 1, 99, 99, ROLE_NORMAL);
	assert_int_equal(canvas_wrap(&c, 0, 1, 4, 3, ROLE_NORMAL, "abcdefghi"), 3);
	canvas_right(&c, 5, 1, 5, ROLE_NORMAL, "42");
	shows(&c, "abcde… xyz\nabcd    42\nefgh\ni\n");
	assert_int_equal(canvas_wrap(&c, 0, 1, 0, 3, ROLE_NORMAL, "abc"), 0);
	canvas_free(&c);
}

static void test_ascii(void **state)
{
	struct canvas c = open_canvas(24, 3);

	(void)state;
	c.ascii = true;
	canvas_box(&c, 0, 0, 8, 3, ROLE_FRAME, ROLE_PANEL, NULL);
	canvas_text(&c, 9, 0, 20, ROLE_NORMAL, "▼−7.9 % – 70 µs · 日…");
	canvas_text(&c, 9, 1, 20, ROLE_NORMAL, "▁▂▃▄▅▆▇█ ⠁⠄⠕ é");
	shows(&c, "+------+ v-7.9 % - 70 us\n|      | _.,-=+*# '.: ?\n+------+\n");
	for (uint32_t point = 0xa0; point < 0x3000; point++)
		assert_in_range(glyph_ascii(point), ' ', '~');
	canvas_free(&c);
}

static void test_utf8_both_ways(void **state)
{
	(void)state;
	for (uint32_t point = 0xa0; point < 0x110000; point += 37) {
		char text[8];
		uint32_t back;

		if (point >= 0xd800 && point < 0xe000)
			continue;
		glyph_encode(point, text);
		assert_int_equal(glyph_next(text, &back), strlen(text)); /* bytes */
		assert_int_equal(back, point);
	}
}

static void test_graph(void **state)
{
	struct canvas c = open_canvas(12, 3);
	double values[] = { 0, 0, 1, 1, 1, NAN, NAN, 0.5 };
	uint8_t roles[] = { ROLE_CLOCK, ROLE_CLOCK, ROLE_BURST, ROLE_CLOCK };
	struct graph graph = { .x = 1, .y = 0, .width = 4, .height = 2, .low = 0, .high = 1 };

	(void)state;
	graph_line(&c, &graph, values, roles);
	graph_spark(&c, 0, 2, ROLE_CLOCK, values, 8, 0, 1);
	shows(&c, "  ⡏⠁\n ⣀⠇ ⠈\n▁▁███  ▅\n");
	assert_int_equal(c.cells[3].role, ROLE_BURST);
	graph.high = 0; /* no scale, no picture */
	graph_line(&c, &graph, values, roles);
	canvas_free(&c);
}

static void test_graph_fit(void **state)
{
	double flat[] = { 3.42e9, NAN, 3.43e9 }, fall[] = { 3.4e9, 1.9e9 }, none[] = { NAN, NAN };
	struct graph graph = { .height = 8 };

	(void)state;
	assert_true(graph_fit(&graph, flat, 3));
	assert_true(graph.high >= 3.43e9 && graph.low <= 3.42e9);
	assert_true(graph.high - graph.low >= 0.09 * graph.high); /* noise looks like noise */
	assert_true(graph_fit(&graph, fall, 2));
	assert_true(graph.low < 1.9e9 && graph.low > 1.5e9);
	assert_false(graph_fit(&graph, none, 2));
}

/* Never color alone: without colors a row's parts still differ from plain text. */
static void test_theme(void **state)
{
	(void)state;
	for (int role = 0; role < ROLE_N; role++) {
		struct style mono = theme_style((enum role)role, THEME_MONO);
		struct style eight = theme_style((enum role)role, THEME_8);

		assert_non_null(theme_role_name((enum role)role));
		assert_int_equal(mono.color, -1);
		assert_int_equal(mono.back, -1);
		assert_true(eight.color < 8 && eight.back < 8);
		for (int other = 0; other < role; other++)
			assert_string_not_equal(theme_role_name((enum role)role), theme_role_name((enum role)other));
	}
	assert_true(theme_style(ROLE_DROPPED, THEME_MONO).bold);
	assert_true(theme_style(ROLE_ABSENT, THEME_MONO).dim);
	assert_true(theme_style(ROLE_HEADING, THEME_MONO).reverse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	     cmocka_unit_test(test_wide),
		cmocka_unit_test(test_hostile),	     cmocka_unit_test(test_cut_and_wrap),
		cmocka_unit_test(test_ascii),	     cmocka_unit_test(test_utf8_both_ways),
		cmocka_unit_test(test_graph),	     cmocka_unit_test(test_graph_fit),
		cmocka_unit_test(test_theme),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
