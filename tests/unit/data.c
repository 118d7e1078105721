/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The embedded copy is the text of data/, byte for byte; $AVXTOP_DATADIR takes its place. */
#include "config.h"
#include "base/data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

static void test_embedded_is_the_file(void **state)
{
	const char *srcdir = getenv("SRCDIR");
	unsigned count = 0;

	(void)state;
	if (!srcdir)
		skip();
	for (const char *name; (name = data_name("", count)); count++) {
		char *embedded, *original, *path;

		assert_true(asprintf(&path, "%s/data", srcdir) > 0);
		assert_int_equal(data_load(name, &embedded, NULL), 0);
		assert_int_equal(setenv("AVXTOP_DATADIR", path, 1), 0);
		assert_int_equal(data_load(name, &original, NULL), 0);
		assert_int_equal(unsetenv("AVXTOP_DATADIR"), 0);
		assert_string_equal(embedded, original);
		free(embedded);
		free(original);
		free(path);
	}
	assert_true(count >= 4);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(data_name("cpu/", 0), "cpu/amd.ini");
	assert_string_equal(data_name("cpu/", 1), "cpu/intel.ini");
	assert_string_equal(data_name("cpu/", 2), "cpu/registers.ini");
	assert_null(data_name("cpu/", 3)); /* not the folder in it */
	assert_string_equal(data_name("cpu/events/", 0), "cpu/events/alder-lake.ini");
	assert_null(data_name("nosuch/", 0));
}

static void test_folder(void **state)
{
	char *root = tree_new(), *text = NULL;
	struct problem problem = { 0 };

	(void)state;
	tree_write(root, "cpu/own.ini", "own = %d\n", 1);
	tree_write(root, "cpu/empty.ini", "%s", "");
	assert_int_equal(setenv("AVXTOP_DATADIR", root, 1), 0);
	assert_int_equal(data_load("cpu/own.ini", &text, &problem), 0);
	assert_string_equal(text, "own = 1\n");
	free(text);
	assert_int_equal(data_load("cpu/empty.ini", &text, &problem), 0);
	assert_string_equal(text, "");
	free(text);
	text = NULL;
	/* No silent way back to the built-in copy. */
	assert_int_equal(data_load("cpu/amd.ini", &text, &problem), -ENOENT);
	assert_int_equal(problem.err, ENOENT);
	assert_non_null(strstr(problem.text, "cpu/amd.ini"));
	assert_non_null(strstr(problem.remedy, "AVXTOP_DATADIR"));
	assert_int_equal(data_load("cpu", &text, &problem), -EISDIR);
	assert_null(text);
	assert_int_equal(unsetenv("AVXTOP_DATADIR"), 0);
	assert_int_equal(data_load("cpu/own.ini", &text, &problem), -ENOENT);
	tree_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_embedded_is_the_file),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_folder),
	};

	(void)unsetenv("AVXTOP_DATADIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
