/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers to and from text: exact, in range, and never in the user's locale. */
#include "config.h"
#include "base/num.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static void test_bytes(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
		const char *back;
	} rows[] = {
		{ "0", 0, 0, "0" },	     { "1", 0, 1, "1" },
		{ "16K", 0, 16384, "16K" },  { "16384", 0, 16384, "16K" },
		{ "64M", 0, 64 << 20, "64M" }, { "1500", 0, 1500, "1500" },
		{ "1025K", 0, 1025 << 10, "1025K" }, { "3G", 0, 3ull << 30, "3G" },
		{ "4096G", 0, 4096ull << 30, "4096G" },
		{ "17179869183G", 0, 17179869183ull << 30, "17179869183G" },
		{ "17179869184G", -ERANGE, 0, "" },
		{ "18446744073709551616", -ERANGE, 0, "" },
		{ "111111111111111111111111111111", -ERANGE, 0, "" },
		{ "", -EINVAL, 0, "" },	     { "K", -EINVAL, 0, "" },
		{ "16k", -EINVAL, 0, "" },   { "16KB", -EINVAL, 0, "" },
		{ "1.5M", -EINVAL, 0, "" },  { "-1", -EINVAL, 0, "" },
		{ " 1", -EINVAL, 0, "" },    { "1T", -EINVAL, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t value = 42;
		char back[32];

		assert_int_equal(num_parse_bytes(rows[i].text, &value), rows[i].r);
		assert_true(value == (rows[i].r ? 42 : rows[i].value));
		if (rows[i].r == 0)
			assert_string_equal(num_format_bytes(value, back, sizeof(back)), rows[i].back);
	}
}

static void test_u64(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t value;
	} rows[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "184467440737095516150", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1\n", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
		{ "99999999999999999999x", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t value = 42;

		assert_int_equal(num_parse_u64(rows[i].text, &value), rows[i].r);
		assert_int_equal(value, rows[i].r == 0 ? rows[i].value : 42);
	}
}

static void test_double(void **state)
{
	static const struct {
		const char *text;
		int r;
		double value;
	} rows[] = {
		{ "0.5", 0, 0.5 },	   { "-2e3", 0, -2000 },     { "+1", 0, 1 },
		{ ".5", 0, 0.5 },	   { "5.", 0, 5 },	     { "1e-320", 0, 1e-320 },
		{ "1e999", -ERANGE, 0 },   { "inf", -EINVAL, 0 },    { "-inf", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },	   { "0x1p3", -EINVAL, 0 },  { "-0X1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },	   { "1 ", -EINVAL, 0 },     { "", -EINVAL, 0 },
		{ "-", -EINVAL, 0 },	   { ".", -EINVAL, 0 },	     { "1,5", -EINVAL, 0 },
		{ "1e", -EINVAL, 0 },	   { "1.2.3", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		double value = 42;

		assert_int_equal(num_parse_double(rows[i].text, &value), rows[i].r);
		assert_true(value == (rows[i].r == 0 ? rows[i].value : 42));
	}
}

static void test_time(void **state)
{
	static const struct {
		const char *text;
		int r;
		uint64_t ns;
	} rows[] = {
		{ "1", 0, 1000000000 },
		{ "0.5", 0, 500000000 },
		{ "0.1", 0, 100000000 }, /* not 100000000.00000001 cut short */
		{ "0.3", 0, 300000000 },
		{ "250ms", 0, 250000000 },
		{ "3s", 0, 3000000000 },
		{ "80us", 0, 80000 },
		{ "80\u00b5s", 0, 80000 },
		{ "80\u03bcs", 0, 80000 },
		{ "7ns", 0, 7 },
		{ "2min", 0, 120000000000 },
		{ "1h", 0, 3600000000000 },
		{ "1.5e3us", 0, 1500000 },
		{ "0", 0, 0 },
		{ "0ms", 0, 0 },
		{ "-1", -EINVAL, 0 },
		{ "-0", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "ms", -EINVAL, 0 },
		{ "1 s", -EINVAL, 0 },
		{ "1S", -EINVAL, 0 },
		{ "1m", -EINVAL, 0 }, /* minute or milli? */
		{ "1sec", -EINVAL, 0 },
		{ "0,5", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "0x1", -EINVAL, 0 },
		{ "1e10", -ERANGE, 0 },
		{ "1e999", -ERANGE, 0 },
		{ "9223372036", 0, 9223372036000000000 },
		{ "9223372037", -ERANGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		uint64_t ns = 42;

		assert_int_equal(num_parse_time(rows[i].text, &ns), rows[i].r);
		assert_int_equal(ns, rows[i].r == 0 ? rows[i].ns : 42);
	}
}

static void test_format(void **state)
{
	static const struct {
		double value;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -17, "-17" },
		{ 1000000, "1000000" },
		{ 3410000000, "3410000000" },
		{ 9007199254740991, "9007199254740991" },
		{ 0.1, "0.1" },
		{ 0.5, "0.5" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 1e-5, "1e-05" },
		{ 1e300, "1e+300" },
		{ 3410123456.789, "3410123456.789" },
	};
	char buf[40];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		assert_string_equal(num_format(rows[i].value, buf, sizeof(buf)), rows[i].text);
}

static void test_format_reads_back(void **state)
{
	static const double edges[] = { DBL_MIN, DBL_MAX, DBL_EPSILON, 5e-324, 0x1p53, 0x1p53 + 2 };
	uint64_t seed = 1;
	char buf[40];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(edges); i++)
		assert_true(strtod(num_format(edges[i], buf, sizeof(buf)), NULL) == edges[i]);
	for (unsigned i = 0; i < 20000; i++) {
		double value;

		seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
		memcpy(&value, &seed, sizeof(value));
		if (isfinite(value))
			assert_true(strtod(num_format(value, buf, sizeof(buf)), NULL) == value);
	}
}

static void test_human(void **state)
{
	static const struct {
		double value;
		const char *hertz, *time;
	} rows[] = {
		{ 0, "0 Hz", "0 ns" },
		{ 3.41e9, "3.41 GHz", "3410000000 s" },
		{ 812e6, "812 MHz", "812000000 s" },
		{ 999.4e6, "999 MHz", "999400000 s" },
		{ 999.6e6, "1.00 GHz", "999600000 s" }, /* never "1000 MHz" */
		{ 9.996e9, "10.0 GHz", "9996000000 s" },
		{ 9.994e9, "9.99 GHz", "9994000000 s" },
		{ 99.96, "100 Hz", "100 s" },
		{ 12.34, "12.3 Hz", "12 s" },
		{ 1.5, "1.50 Hz", "1.5 s" },
		{ 4e-3, "0.00 Hz", "4.0 ms" },
		{ 71e-6, "0.00 Hz", "71 us" },
		{ 650e-6, "0.00 Hz", "650 us" },
		{ 9.96e-6, "0.00 Hz", "10 us" },
		{ 999.7e-6, "0.00 Hz", "1.0 ms" },
		{ 2e-8, "0.00 Hz", "20 ns" },
		{ -1.5, "-1.50 Hz", "-1.5 s" },
		{ NAN, "–", "–" },
		{ INFINITY, "–", "–" },
	};
	char buf[40];

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_string_equal(num_human_hertz(rows[i].value, buf, sizeof(buf)), rows[i].hertz);
		assert_string_equal(num_human_time(rows[i].value, buf, sizeof(buf)), rows[i].time);
	}
	assert_string_equal(num_human_rate(12.5e9, "FLOP/s", buf, sizeof(buf)), "12.5 GFLOP/s");
	assert_string_equal(num_human_rate(7, "op/s", buf, sizeof(buf)), "7.00 op/s");
	assert_string_equal(num_human_rate(3.2e12, "FLOP/s", buf, sizeof(buf)), "3.20 TFLOP/s");
	assert_string_equal(num_human_rate(NAN, "FLOP/s", buf, sizeof(buf)), "–");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_u64),
		cmocka_unit_test(test_double),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_format_reads_back),
		cmocka_unit_test(test_human),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
