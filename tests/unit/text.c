/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing strings, widths in cells, safe output for a terminal, and near names. */
#include "config.h"
#include "base/text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static void test_grow(void **state)
{
	struct text text = { 0 };
	char expected[5000] = "";

	(void)state;
	assert_null(text.data);
	text_add(&text, "");
	assert_string_equal(text.data, "");
	for (int i = 0; i < 1000; i++) {
		text_addf(&text, "%d", i % 10);
		text_add(&text, "ab");
		expected[i * 3] = (char)('0' + i % 10);
		memcpy(expected + i * 3 + 1, "ab", 3);
	}
	assert_int_equal(text.len, 3000);
	assert_string_equal(text.data, expected);
	assert_false(text.failed);
	text_free(&text);
	assert_null(text.data);
	text_free(&text);
	text_free(NULL);
}

/* Doubling hits the end of the buffer exactly once per power of two: each length once. */
static void test_grow_every_length(void **state)
{
	static char string[300];

	(void)state;
	memset(string, 'x', sizeof(string) - 1);
	for (size_t len = 0; len < sizeof(string) - 1; len++) {
		struct text text = { 0 };

		text_add(&text, string + len);
		text_addf(&text, "%s", string + len);
		assert_int_equal(text.len, 2 * (sizeof(string) - 1 - len));
		assert_int_equal(strlen(text.data), text.len);
		text_free(&text);
	}
}

static void test_failed(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_add(&text, "kept");
	text.failed = true;
	text_add(&text, "dropped");
	text_addf(&text, "%s", "dropped");
	assert_string_equal(text.data, "kept");
	text_free(&text);
}

static void test_width(void **state)
{
	static const struct {
		const char *text;
		int width;
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "\u00e4b", 2 },
		{ "\u6f22\u5b57", 4 },  /* two cells each */
		{ "e\u0301x", 2 },      /* the accent takes none */
		{ "a\xff\xfe", 3 },     /* invalid bytes: one cell each */
		{ "a\xe6\xbc", 3 },     /* a character that was cut */
		{ "\u28ff\u2588", 2 },  /* braille and blocks of graphs */
		{ "a\tb", 3 },
	};

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_int_equal(text_width(rows[i].text), rows[i].width);
	(void)setlocale(LC_CTYPE, "C");
}

static void test_escape(void **state)
{
	static const struct {
		const char *text, *safe;
	} rows[] = {
		{ "Intel(R) Xeon(R)", "Intel(R) Xeon(R)" },
		{ "\033[31mred", "?[31mred" },
		{ "a\nb\tc\x7f", "a?b?c?" },
		{ "\302\23331m", "?31m" },	    /* the one-character CSI */
		{ "\u00b5s \u2013 \u6f22", "\u00b5s \u2013 \u6f22" },
		{ "\u202egnp.exe", "?gnp.exe" },    /* right-to-left override */
		{ "\xff\xfe", "??" },
		{ "\xc0\xaf", "??" },		    /* overlong "/" */
		{ "\xed\xa0\x80", "???" },	    /* surrogate */
		{ "\xf4\x90\x80\x80", "????" },	    /* above U+10FFFF */
		{ "\xe2\x82", "??" },
		{ "\xf0\x9d\x84\x9e", "\U0001d11e" },
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		text_escape_terminal(rows[i].text, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].safe);
	}
	text_escape_terminal("ab\u00e4", buf, 4); /* the last character does not fit whole */
	assert_string_equal(buf, "ab");
	text_escape_terminal("abc", buf, 1);
	assert_string_equal(buf, "");
}

static const char *kernel_name(unsigned index)
{
	static const char *const names[] = { "scalar",	    "avx2-fma", "avx512-int",
					     "avx512-fma", "amx-bf16" };

	return index < COUNT_OF(names) ? names[index] : NULL;
}

static const char *no_name(unsigned index)
{
	(void)index;
	return NULL;
}

static const char *same_name(unsigned index)
{
	return index < 100 ? "name" : NULL;
}

static void test_near(void **state)
{
	static const struct {
		const char *word, *near;
	} rows[] = {
		{ "avx512-fam", "avx512-fma, avx2-fma, avx512-int" }, /* a swap is one edit */
		{ "avx512-fma", "avx512-fma, avx2-fma, avx512-int" },
		{ "avx512", "avx512-int, avx512-fma" },	    /* the beginning of two */
		{ "AVX2-FMA", "avx2-fma, avx512-fma" },
		{ "scalxr", "scalar" },
		{ "amx", "amx-bf16" },
		{ "avx", "avx2-fma, avx512-int, avx512-fma" },
		{ "nosuchkernel", "" },
		{ "x", "" },
		{ "", "" },
		{ "a-word-that-is-longer-than-any-name-that-somebody-might-have-meant-to-type", "" },
	};
	char buf[128];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		text_near(rows[i].word, kernel_name, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].near);
	}
	text_near("avx512", kernel_name, buf, 12); /* room for one */
	assert_string_equal(buf, "avx512-int");
	text_near("avx512", no_name, buf, sizeof(buf));
	assert_string_equal(buf, "");
	text_near("name", same_name, buf, sizeof(buf)); /* a handful is enough */
	assert_string_equal(buf, "name, name, name, name, name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_grow),   cmocka_unit_test(test_grow_every_length),
		cmocka_unit_test(test_failed), cmocka_unit_test(test_width),
		cmocka_unit_test(test_escape), cmocka_unit_test(test_near),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
