/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of cores, and what is recognized by it. */
#include "config.h"

#include "burst/core.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "unit.h"

static struct core_table *load(void)
{
	struct core_table *table = NULL;
	struct problem problem = { 0 };

	if (core_table_load(&table, &problem) < 0)
		fail_msg("%s", problem.text);
	return table;
}

static struct core_fingerprint print_of(const struct core_row *row)
{
	return (struct core_fingerprint){ row->imul, row->addsd,  row->mulsd, row->fma,
					  row->load, row->popcnt, row->bswap };
}

static const struct core_row *find(const struct core_table *table, const char *name)
{
	for (unsigned i = 0; i < core_table_count(table); i++)
		if (strcmp(core_table_get(table, i)->name, name) == 0)
			return core_table_get(table, i);
	fail_msg("no %s", name);
	return NULL;
}

static bool sane_rate(double rate)
{
	return isnan(rate) || (rate >= 0.5 && rate <= 8);
}

static void rows_are_sane(void **state)
{
	struct core_table *table = load();

	(void)state;
	assert_true(core_table_count(table) >= 28);
	for (unsigned i = 0; i < core_table_count(table); i++) {
		const struct core_row *row = core_table_get(table, i);

		assert_true(row->imul == 3 || row->imul == 4 || row->imul == 5 || row->imul == 10);
		assert_true(row->addsd >= 2 && row->mulsd >= 3 && row->load >= 3 && row->bswap >= 1);
		assert_true(sane_rate(row->fma128) && sane_rate(row->fma256) && sane_rate(row->fma512));
		assert_true(sane_rate(row->int256) && sane_rate(row->int512) && sane_rate(row->vnni512));
		assert_true(sane_rate(row->scalar) && sane_rate(row->sse));
		assert_false(row->fma512_alt >= row->fma512 || row->int512_alt >= row->int512 ||
			     row->vnni512_alt >= row->vnni512);
		assert_true(isnan(row->amx_bf16) || row->amx_bf16 == 1 / 16.0);
		assert_true(isnan(row->amx_int8) || row->amx_int8 == 1 / 16.0);
		for (unsigned j = 0; j < i; j++)
			assert_string_not_equal(row->name, core_table_get(table, j)->name);
	}
	core_table_free(table);
}

/* By its own latencies and its name every core is itself; by other names, none is mistaken. */
static void every_core_is_itself(void **state)
{
	struct core_table *table = load();
	bool ambiguous;

	(void)state;
	for (unsigned i = 0; i < core_table_count(table); i++) {
		const struct core_row *row = core_table_get(table, i);
		struct core_fingerprint print = print_of(row);

		assert_ptr_equal(core_recognize(table, &print, row->name, &ambiguous), row);
		assert_false(ambiguous);
		print.load += 0.5;
		assert_null(core_recognize(table, &print, row->name, &ambiguous));
	}
	core_table_free(table);
}

static void masked_cores_are_told_apart(void **state)
{
	struct core_table *table = load();
	/* Measured on a Zen 5 and on a Redwood Cove server core whose CPUID was masked. */
	struct core_fingerprint zen5 = { 3.00, 2.00, 3.01, 4.00, 4.00, 1.00, 1.00 };
	struct core_fingerprint redwood = { 3.00, 2.00, 3.00, 4.00, 5.00, 3.00, 2.00 };
	struct core_fingerprint skylake = print_of(find(table, "Skylake"));
	bool ambiguous;

	(void)state;
	assert_string_equal(core_recognize(table, &zen5, "Skylake", &ambiguous)->name, "Zen 5");
	assert_false(ambiguous);
	assert_string_equal(core_recognize(table, &redwood, NULL, &ambiguous)->name, "Redwood Cove");
	assert_false(ambiguous);
	assert_non_null(core_recognize(table, &skylake, "", &ambiguous));
	assert_true(ambiguous);
	assert_string_equal(core_recognize(table, &skylake, "skylake-x", &ambiguous)->name,
			    "Skylake-X");
	assert_false(ambiguous);
	core_table_free(table);
}

static void unknown_cores_stay_unknown(void **state)
{
	struct core_table *table = load();
	struct core_fingerprint odd = { 3, 7, 3, 4, 4, 1, 1 };
	struct core_fingerprint nothing = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	struct core_fingerprint little = { 3, 2, NAN, NAN, NAN, NAN, NAN };
	bool ambiguous;

	(void)state;
	assert_null(core_recognize(table, &odd, "Zen 5", &ambiguous));
	assert_null(core_recognize(table, &nothing, "Zen 5", &ambiguous));
	assert_null(core_recognize(table, &little, "Zen 5", &ambiguous));
	assert_false(ambiguous);
	core_table_free(table);
}

static void bad_tables_are_refused(void **state)
{
	static const char *const bad[] = {
		"[A]\nimul = three\n", "[A]\nimul = -3\n", "[A]\nimul = 3\nimull = 3\n",
		"[A]\naddsd = 3\n",    "[A]\nimul\n",
	};
	struct core_table *table = NULL;
	struct problem problem;

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(bad); i++) {
		problem = (struct problem){ 0 };
		assert_int_equal(core_table_parse(&bad[i], 1, &table, &problem), -EINVAL);
		assert_true(problem.text[0]);
		assert_null(table);
	}
}

static void files_add_up(void **state)
{
	static const char *const texts[] = { "[A]\nimul = 3\nsource = x\n", "[B]\nimul = 4\n" };
	struct core_table *table = NULL;

	(void)state;
	assert_int_equal(core_table_parse(texts, 2, &table, NULL), 0);
	assert_int_equal(core_table_count(table), 2);
	assert_string_equal(core_table_get(table, 1)->name, "B");
	assert_true(core_table_get(table, 1)->imul == 4);
	assert_true(isnan(core_table_get(table, 1)->fma512));
	core_table_free(table);
	core_table_free(NULL);
}

static void fewer_units_are_seen_by_the_rate(void **state)
{
	(void)state;
	assert_true(core_rate(2, 1, 1.96) == 2);
	assert_true(core_rate(2, 1, 1.02) == 1);
	assert_true(core_rate(2, 1, 0.97) == 1);
	assert_true(core_rate(2, 1, 1.04) == 2);
	assert_true(core_rate(2, NAN, 0.97) == 2);
	assert_true(core_rate(2, 1, NAN) == 2);
	assert_true(isnan(core_rate(NAN, NAN, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sane),
		cmocka_unit_test(every_core_is_itself),
		cmocka_unit_test(masked_cores_are_told_apart),
		cmocka_unit_test(unknown_cores_stay_unknown),
		cmocka_unit_test(bad_tables_are_refused),
		cmocka_unit_test(files_add_up),
		cmocka_unit_test(fewer_units_are_seen_by_the_rate),
	};

	return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
