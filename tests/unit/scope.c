/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said and drawn of a scope whose every phase is known. */
#include "config.h"

#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "cmd/scope_show.h"
#include "cmd/scope_write.h"
#include "engine/options.h"
#include "model/host.h"
#include "scope_fixture.h"

static struct host_cpu cpus[2] = {
	{ .id = 3, .online = true, .allowed = true }, { .id = 35, .online = true, .allowed = true }
};
static unsigned threads[2] = { 0, 1 };
static struct host_core core = { .cpus = threads, .n_cpus = 2 };
static struct host_package package;
static const struct host host = { .brand = "Made <up> & sold", .cpus = cpus, .cores = &core,
				  .packages = &package, .n_cpus = 2, .n_cores = 1, .n_packages = 1 };

static char *written(enum format format, bool ascii, const struct microscope_result *result)
{
	const struct options options = { .format = format, .ascii = ascii };
	char *text;
	size_t size;
	FILE *const out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(scope_write(&options, &host, result, true, out), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("not there: %s\ninside: %s", part, text);
}

static void phase_in_words(enum timeline_phase_id id, const char *words)
{
	struct microscope_result *const result = scope_fixture(-1);
	char buf[256];

	scope_phase_words(&result->own, id, buf, sizeof(buf));
	assert_has(buf, words);
	microscope_result_free(result);
}

static void words(void **state)
{
	struct microscope_result *const flat = scope_fixture_flat();
	char buf[256];

	(void)state;
	phase_in_words(TIMELINE_THROTTLE, "to ×0.25 for 9 us");
	phase_in_words(TIMELINE_HALT_DOWN, "11 us");
	phase_in_words(TIMELINE_LOW_CLOCK, "12.5 % lower");
	phase_in_words(TIMELINE_HOLD, "650 us after the last wide instruction");
	for (int id = 0; id < TIMELINE_PHASES; id++) {
		assert_false(scope_phase_told(&flat->own, (enum timeline_phase_id)id) &&
			     flat->own.phases[id].seen);
		if (!scope_phase_told(&flat->own, (enum timeline_phase_id)id))
			continue;
		scope_phase_words(&flat->own, (enum timeline_phase_id)id, buf, sizeof(buf));
		assert_has(buf, "not seen: none of ");
	}
	microscope_result_free(flat);
}

static double lowest(const struct timeline *timeline, struct scope_window window)
{
	double values[60], low = INFINITY;

	scope_columns(timeline, &window, false, values, COUNT_OF(values));
	for (size_t i = 0; i < COUNT_OF(values); i++)
		low = fmin(low, values[i]);
	return low;
}

static void windows(void **state)
{
	struct microscope_result *const result = scope_fixture(-1);
	const struct timeline *const t = &result->own;
	const struct scope_window entry = scope_entry(t), exit = scope_exit(t);

	(void)state;
	assert_true(entry.from_s < 0 && entry.to_s > 20e-6 && entry.to_s < 100e-6);
	assert_true(exit.from_s < t->burst_s && exit.to_s > t->burst_s + 661e-6);
	/* a halt is narrower than a column of the second, and is not lost */
	assert_true(lowest(t, entry) < 0.1 && lowest(t, exit) < 0.1);
	assert_true(lowest(t, (struct scope_window) { 50e-6, 150e-6 }) > 0.8);
	microscope_result_free(result);
}

static double real_at(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static void json(void **state)
{
	struct microscope_result *const result = scope_fixture(1);
	char *const text = written(FORMAT_JSON, false, result);
	json_t *const object = json_loads(text, 0, NULL), *phases, *series;

	(void)state;
	assert_non_null(object);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_string_equal(json_string_value(json_object_get(object, "schema")), "avxtop.scope/1");
	assert_int_equal(json_integer_value(json_object_get(object, "cpu")), 3);
	phases = json_object_get(object, "phases");
	assert_int_equal(json_array_size(phases), TIMELINE_PHASES);
	assert_float_equal(real_at(json_array_get(phases, 0), "rate_ratio"), 0.25, 0.01);
	assert_float_equal(real_at(json_array_get(phases, 1), "duration_s"), 11e-6, 1e-7);
	assert_float_equal(real_at(json_array_get(phases, 2), "drop_ratio"), 0.125, 1e-3);
	assert_float_equal(real_at(json_array_get(phases, 3), "duration_s"), 650e-6, 1e-6);
	assert_true(real_at(json_array_get(phases, 5), "after_s") > 650e-6);
	assert_true(json_is_null(json_object_get(json_array_get(phases, 0), "limit_s")));
	series = json_object_get(object, "series");
	assert_int_equal(json_array_size(series), result->own.n_buckets);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(object, "victim"), "cpu")),
			 35);
	json_decref(object);
	free(text);
	microscope_result_free(result);
}

/* What was not seen is no 0: its limit is the number. */
static void not_seen_is_null(void **state)
{
	struct microscope_result *const flat = scope_fixture_flat();
	const char *const keys[] = { "entry_s", "after_s", "break_even_s", "break_even_ratio" };
	json_t *object, *price;
	char *text;

	(void)state;
	flat->price = (struct price){ .limit_s = 1e-6, .speedup = 2 };
	flat->n_duties = 1;
	flat->duties[0] = (struct microscope_duty){ .bursts = 3, .last_ratio = 1 };
	text = written(FORMAT_JSON, false, flat);
	object = json_loads(text, 0, NULL);
	price = json_object_get(object, "price");
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		assert_true(json_is_null(json_object_get(price, keys[i])));
	assert_float_equal(real_at(price, "limit_s"), 1e-6, 1e-9);
	assert_string_equal(json_string_value(json_object_get(json_object_get(price, "why"),
							      "break_even_s")), "not seen");
	assert_true(json_is_null(json_object_get(json_array_get(json_object_get(object, "duty"), 0),
						 "after_s")));
	json_decref(object);
	free(text);
	microscope_result_free(flat);
}

/* One header, one row a bucket, nothing that a program would take for a number. */
static void csv(void **state)
{
	struct microscope_result *const result = scope_fixture(1);
	char *const text = written(FORMAT_CSV, false, result);
	size_t lines = 0;

	(void)state;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 1 + result->own.n_buckets + result->other.n_buckets);
	assert_has(text, "kernel,cpu,role,t_s,");
	assert_null(strstr(text, "nan"));
	assert_has(text, "avx512-fma,35,sibling,");
	free(text);
	microscope_result_free(result);
}

static void table(void **state)
{
	struct microscope_result *const result = scope_fixture(1), *const flat = scope_fixture_flat();
	char *text = written(FORMAT_TABLE, true, result);

	(void)state;
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
	assert_has(text, "avx512-fma on CPU 3: ");
	assert_has(text, "to x0.25 for 9 us");
	assert_has(text, "CPU 35 (sibling) meanwhile");
	free(text);
	flat->verified = false;
	text = written(FORMAT_TABLE, true, flat);
	assert_has(text, "WRONG RESULTS");
	free(text);
	microscope_result_free(result);
	microscope_result_free(flat);
}

static void picture(void **state)
{
	struct microscope_result *const result = scope_fixture(-1);
	char *const text = written(FORMAT_SVG, false, result);

	(void)state;
	assert_has(text, "Made &lt;up&gt; &amp; sold");
	assert_has(text, "halt 11 us");
	assert_null(strstr(text, "nan"));
	free(text);
	microscope_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words), cmocka_unit_test(windows), cmocka_unit_test(json),
		cmocka_unit_test(not_seen_is_null),
		cmocka_unit_test(csv),	 cmocka_unit_test(table),   cmocka_unit_test(picture),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests_name("scope", tests, NULL, NULL);
}
