/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPU lists as the kernel writes them: sparse, long, empty, and malformed. */
#include "config.h"
#include "base/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static void test_parse_good(void **state)
{
	static const struct {
		const char *text, *again;
		unsigned count;
	} rows[] = {
		{ "", "", 0 },
		{ "\n", "", 0 },
		{ " ", "", 0 },
		{ "5", "5", 1 },
		{ "0\n", "0", 1 },
		{ "0-3,8", "0-3,8", 5 },
		{ "0-3,8,10-12\n", "0-3,8,10-12", 8 },
		{ " 0-3 , 8 \n", "0-3,8", 5 },
		{ "8,0-3", "0-3,8", 5 },
		{ "1,1,1-2,2", "1-2", 2 },
		{ "3-3", "3", 1 },
		{ "0,2,4", "0,2,4", 3 },
		{ "63,64", "63-64", 2 },
		{ "0-1151", "0-1151", 1152 }, /* turbostat refused this one as malformed */
		{ "0-8191\n", "0-8191", 8192 },
		{ "00007", "7", 1 },
		{ "65535", "65535", 1 },
		{ "0-65535", "0-65535", 65536 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct list *list = NULL;
		char *again;

		assert_int_equal(list_parse(rows[i].text, &list), 0);
		assert_int_equal(list_count(list), rows[i].count);
		again = list_format(list);
		assert_string_equal(again, rows[i].again);
		free(again);
		list_free(list);
	}
}

static void test_parse_bad(void **state)
{
	static const struct {
		const char *text;
		int err;
	} rows[] = {
		{ ",", EINVAL },	 { "0,", EINVAL },	 { "0,\n", EINVAL },
		{ ",0", EINVAL },	 { "0,,1", EINVAL },	 { "0-", EINVAL },
		{ "-3", EINVAL },	 { "3-1", EINVAL },	 { "0--3", EINVAL },
		{ "0-1-2", EINVAL },	 { "1 2", EINVAL },	 { "0 - 3", EINVAL },
		{ "a", EINVAL },	 { "0x1", EINVAL },	 { "1.5", EINVAL },
		{ "0-3x", EINVAL },	 { "\n\n", EINVAL },	 { "0\n\n", EINVAL },
		{ "0\n1", EINVAL },	 { "(null)\n", EINVAL }, { "0-10:2/4", EINVAL },
		{ "all", EINVAL },	 { "65536", ERANGE },	 { "0-65536", ERANGE },
		{ "4294967296", ERANGE }, { "99999999999999999999999", ERANGE },
	};
	struct list *const untouched = (struct list *)&rows;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct list *list = untouched;

		assert_int_equal(list_parse(rows[i].text, &list), -rows[i].err);
		assert_ptr_equal(list, untouched);
	}
}

static void test_set(void **state)
{
	struct list *list = list_new(), *copy;

	(void)state;
	assert_int_equal(list_next(list, 0), -1);
	assert_false(list_has(list, 0));
	assert_int_equal(list_add(list, 70), 0);
	assert_int_equal(list_add(list, 0), 0);
	assert_int_equal(list_add(list, 70), 0);
	assert_int_equal(list_add(list, 8191), 0);
	assert_int_equal(list_add(list, LIST_MAX_ID + 1), -ERANGE);
	assert_int_equal(list_count(list), 3);
	assert_int_equal(list_next(list, -5), 0);
	assert_int_equal(list_next(list, 1), 70);
	assert_int_equal(list_next(list, 70), 70);
	assert_int_equal(list_next(list, 71), 8191);
	assert_int_equal(list_next(list, 8192), -1);
	assert_int_equal(list_next(list, 1000000), -1);
	copy = list_copy(list);
	list_remove(list, 70);
	list_remove(list, 71);
	list_remove(list, 1000000);
	assert_false(list_has(list, 70));
	assert_true(list_has(copy, 70)); /* of its own */
	assert_false(list_has(copy, 1000000));
	list_free(list);
	list_free(copy);
}

static void test_null(void **state)
{
	struct list *copy;

	(void)state;
	assert_false(list_has(NULL, 0));
	assert_int_equal(list_count(NULL), 0);
	assert_int_equal(list_next(NULL, 0), -1);
	copy = list_copy(NULL);
	assert_int_equal(list_count(copy), 0);
	list_free(copy);
	list_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse_good),
		cmocka_unit_test(test_parse_bad),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
