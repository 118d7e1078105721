/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures: well-formed whatever is written into them, and what they show is what was given. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "format/svg.h"
#include "format/svg_draw.h"

#define HOSTILE "<script>alert('1')</script> & \"x\" ]]> \x1b[31m \xff \xc0\x80 \xed\xa0\x80 \xef\xbf\xbf \x7f"

struct page {
	FILE *out;
	char *text;
	size_t size;
};

static void page_open(struct page *page)
{
	page->out = open_memstream(&page->text, &page->size);
	assert_non_null(page->out);
}

static void page_close(struct page *page)
{
	assert_int_equal(fclose(page->out), 0);
}

static void assert_has(const struct page *page, const char *text)
{
	if (!strstr(page->text, text))
		fail_msg("not there: %s\ninside: %s", text, page->text);
}

static void assert_lacks(const struct page *page, const char *text)
{
	if (strstr(page->text, text))
		fail_msg("there: %s\ninside: %s", text, page->text);
}

/* By another program than ours. */
static void assert_xml(const struct page *page)
{
	FILE *lint;

	if (system("command -v xmllint >/dev/null") != 0)
		return;
	lint = popen("xmllint --noout -", "w");
	assert_non_null(lint);
	assert_int_equal(fwrite(page->text, 1, page->size, lint), page->size);
	assert_int_equal(pclose(lint), 0);
}

static void escapes(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "4 ms", "4 ms" },
		{ "a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;" },
		{ "\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x94\xa5", "\xc2\xb5s \xe2\x80\x93 \xf0\x9f\x94\xa5" },
		{ "\x1b[0m\n", "\xef\xbf\xbd[0m\xef\xbf\xbd" },
		{ "\xff\xc3", "\xef\xbf\xbd\xef\xbf\xbd" },		   /* no UTF-8; cut short */
		{ "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd" },		   /* overlong */
		{ "\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, /* surrogate */
		{ "\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, /* U+FFFE */
		{ "\xc2\x85", "\xef\xbf\xbd\xef\xbf\xbd" },		   /* a control character */
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct page page;

		page_open(&page);
		svg_escape(page.out, cases[i].text);
		page_close(&page);
		assert_string_equal(page.text, cases[i].want);
		free(page.text);
	}
}

static void wraps(void **state)
{
	struct page page;

	(void)state;
	assert_int_equal(svg_wrap(NULL, 0, 0, 0, 10, "", ""), 0);
	assert_int_equal(svg_wrap(NULL, 0, 0, 0, 10, "", "  "), 0);
	page_open(&page);
	assert_int_equal(svg_wrap(page.out, 1, 2, 10, 9, "dim", " one two  unbreakable x"), 3);
	page_close(&page);
	assert_has(&page, "y=\"2.0\" class=\"dim\">one two</text>");
	assert_has(&page, "y=\"12.0\" class=\"dim\">unbreakable</text>");
	assert_has(&page, "y=\"22.0\" class=\"dim\">x</text>");
	free(page.text);
	page_open(&page);
	svg_path(page.out, &(const struct svg_point){ 1, 1 }, 1, false, "line");
	page_close(&page);
	assert_string_equal(page.text, "");
	free(page.text);
}

static void heat_map(void **state)
{
	static const char *const rows[] = { "scalar", "avx512-fma" }, *const columns[] = { "1", "2", HOSTILE };
	static const double values[] = { 3.7e9, 3.6e9, NAN, 3.1e9, 1.9e9, INFINITY };
	static const char *const texts[] = { "3.70", "3.60", NULL, "3.10", "1.90", HOSTILE };
	static const char *const notes[] = { "a note", HOSTILE };
	const struct svg_heat heat = {
		.title = "Clock by kernel", .subtitle = HOSTILE, .rows = rows, .columns = columns,
		.rows_title = "kernel", .columns_title = "active cores", .n_rows = 2, .n_columns = 3,
		.values = values, .texts = texts, .low_text = "1.90 GHz", .high_text = "3.70 GHz",
		.notes = notes, .n_notes = COUNT_OF(notes),
	};
	struct page page;

	(void)state;
	page_open(&page);
	assert_int_equal(svg_heat_write(page.out, &heat), 0);
	page_close(&page);
	assert_xml(&page);
	assert_lacks(&page, "<script");
	assert_lacks(&page, "nan");
	assert_lacks(&page, "inf");
	/* The ends of the scale of colors. */
	assert_has(&page, "fill=\"#ffea46\"><title>scalar, 1: 3.70</title>");
	assert_has(&page, "fill=\"#00204d\"><title>avx512-fma, 2: 1.90</title>");
	assert_has(&page, "class=\"light middle\">1.90</text>");
	assert_has(&page, "class=\"dark middle\">3.70</text>");
	/* What is absent has no color. */
	assert_has(&page, "class=\"dim middle\">\xe2\x80\x93</text>");
	free(page.text);
}

/* Ends of the scale of the caller's: equal clocks are not told apart by noise. */
static void heat_range(void **state)
{
	static const char *const names[] = { "a", "b" };
	static const double values[] = { 3.70e9, 3.69e9 };
	static const char *const texts[] = { "3.70", "3.69" };
	struct svg_heat heat = { .title = "t", .rows = names, .columns = names, .rows_title = "r",
				 .n_rows = 1, .n_columns = 2, .values = values, .texts = texts,
				 .low = 0, .high = 3.7e9 };
	struct page page;

	(void)state;
	page_open(&page);
	assert_int_equal(svg_heat_write(page.out, &heat), 0);
	page_close(&page);
	assert_xml(&page);
	assert_has(&page, "fill=\"#ffea46\"><title>a, a: 3.70");
	assert_has(&page, "fill=\"#fee946\"><title>a, b: 3.69");
	free(page.text);
}

static void full_device(void **state)
{
	const struct svg_heat heat = { .title = "t" };
	FILE *const out = fopen("/dev/full", "w");

	(void)state;
	if (!out)
		skip();
	assert_int_equal(svg_heat_write(out, &heat), -ENOSPC);
	(void)fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(escapes),	cmocka_unit_test(wraps),
		cmocka_unit_test(heat_map),	cmocka_unit_test(heat_range),
		cmocka_unit_test(full_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
