/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware events of data/cpu/events: the form of each file, and every name by libpfm4 against its
 * code. */
#include "config.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "model/counter.h"
#include "model/events.h"
#include "model/facts.h"
#include "source/perf_encode.h"
#include "unit.h"

/* Which keys of a section were there. */
enum { NAME = 1, RAW = 2, MEANING = 4, LIMITS = 8, SOURCE_KEY = 16, MATCH = 32, NO_LICENSE = 64 };

static const struct {
	const char *key;
	unsigned bit;
} keys[] = {
	{ "name", NAME },
	{ "raw", RAW },
	{ "meaning", MEANING },
	{ "limits", LIMITS },
	{ "source", SOURCE_KEY },
	{ "match", MATCH },
	{ "no_license", NO_LICENSE },
};

#define SECTIONS_MAX 16

struct form {
	char sections[SECTIONS_MAX][32];
	unsigned seen[SECTIONS_MAX], n;
	bool strange;
};

static int on_key(void *user, const char *section, const char *key, const char *value)
{
	struct form *form = user;
	unsigned bit = 0;

	if (form->n == 0 || strcmp(form->sections[form->n - 1], section) != 0) {
		assert_true(form->n < SECTIONS_MAX);
		snprintf(form->sections[form->n++], sizeof(form->sections[0]), "%s", section);
	}
	for (size_t i = 0; i < COUNT_OF(keys); i++)
		if (strcmp(keys[i].key, key) == 0)
			bit = keys[i].bit;
	if (bit == 0 || !value[0] || form->seen[form->n - 1] & bit)
		form->strange = true;
	form->seen[form->n - 1] |= bit;
	return 1;
}

static bool is_counter(const char *name)
{
	for (unsigned c = 0; c < COUNTER_N; c++)
		if (strcmp(counter_row((enum counter)c)->name, name) == 0)
			return true;
	return false;
}

/* Either all three levels, or why there are none. */
static void test_form(void **state)
{
	const char *name;

	(void)state;
	for (unsigned i = 0; (name = data_name("cpu/events/", i)); i++) {
		struct form form = { 0 };
		unsigned licenses = 0;
		char *text;

		assert_int_equal(data_load(name, &text, NULL), 0);
		assert_int_equal(ini_parse_string(text, on_key, &form), 0);
		free(text);
		print_message("%s\n", name);
		assert_false(form.strange);
		assert_string_equal(form.sections[0], "cpu");
		for (unsigned s = 1; s < form.n; s++) {
			assert_true(is_counter(form.sections[s]));
			assert_int_equal(form.seen[s], NAME | RAW | MEANING | LIMITS | SOURCE_KEY);
			licenses += strncmp(form.sections[s], "license", 7) == 0 &&
				    strlen(form.sections[s]) == 8;
		}
		assert_int_equal(form.seen[0],
				 MATCH | SOURCE_KEY | (licenses ? 0 : (unsigned)NO_LICENSE));
		assert_true(licenses == 0 || licenses == 3);
	}
	assert_true(name == NULL);
}

/* Of one file whatever it is for: it names its CPUs itself. */
static void load_any(const char *text, struct events *ret)
{
	static const struct {
		const char *vendor;
		unsigned family, last;
	} makers[] = { { "GenuineIntel", 6, 0xff }, { "AuthenticAMD", 26, 0x7f } };

	for (size_t i = 0; i < COUNT_OF(makers); i++)
		for (unsigned model = 0; model <= makers[i].last; model++)
			for (unsigned stepping = 0; stepping < 16; stepping++)
				if (events_match(text, makers[i].vendor, makers[i].family, model,
						 stepping, ret) == 0)
					return;
	fail_msg("a file of no CPU");
}

static void test_encode(void **state)
{
	struct problem problem = { 0 };
	unsigned n = 0;
	const char *name;

	(void)state;
	for (unsigned i = 0; (name = data_name("cpu/events/", i)); i++) {
		struct events events;
		char *text;

		assert_int_equal(data_load(name, &text, NULL), 0);
		load_any(text, &events);
		free(text);
		for (unsigned c = 0; c < COUNTER_N; c++) {
			const struct event *event = &events.rows[c];
			uint64_t config = 0;

			if (!event->name[0])
				continue;
			if (perf_encode(event->name, &config, &problem) < 0)
				fail_msg("%s: %s", name, problem.text);
			if (config != event->raw)
				fail_msg("%s: %s is %#lx by libpfm4, not %#lx", name, event->name,
					 (unsigned long)config, (unsigned long)event->raw);
			assert_int_equal(perf_encode_event(event), event->raw);
			n++;
		}
	}
	assert_true(n >= 30);
}

static void test_refusals(void **state)
{
	const struct event unknown = { "skx::CORE_POWER:LVL9_TURBO_LICENSE", 0x1828 };
	struct problem problem;
	uint64_t config = 7;

	(void)state;
	/* Published for no such part (intel/perfmon 6dadedf): encoding must not invent it. */
	assert_int_equal(perf_encode("spr::CORE_POWER:LICENSE_1", &config, &problem), -ENOENT);
	assert_non_null(strstr(problem.text, "event not found"));
	assert_int_equal(perf_encode("icx::CORE_POWER:THROTTLE", &config, &problem), -ENOENT);
	/* The same name means different codes on different CPUs. */
	assert_int_equal(perf_encode("CORE_POWER:THROTTLE", &config, &problem), -EINVAL);
	assert_int_equal(config, 7);
	assert_int_equal(perf_encode_event(&unknown), 0x1828);
}

/* Who has license events by data/cpu has all three here, and nobody else. */
static void test_agrees(void **state)
{
	static const struct {
		const char *vendor;
		unsigned family, model, stepping;
		bool license, throttle, fp512, fp256, amx;
	} rows[] = {
		{ "GenuineIntel", 6, 0x55, 4, true, true, true, true, false },
		{ "GenuineIntel", 6, 0x55, 7, true, true, true, true, false },
		{ "GenuineIntel", 6, 0x55, 11, true, true, true, true, false },
		{ "GenuineIntel", 6, 0x7e, 5, true, false, true, true, false },
		{ "GenuineIntel", 6, 0x8c, 1, true, false, true, true, false },
		{ "GenuineIntel", 6, 0xa7, 1, true, false, true, true, false },
		{ "GenuineIntel", 6, 0x6a, 6, true, false, true, true, false },
		{ "GenuineIntel", 6, 0x6c, 1, true, false, true, true, false },
		{ "GenuineIntel", 6, 0x8f, 8, false, false, true, true, true },
		{ "GenuineIntel", 6, 0xcf, 2, false, false, true, true, true },
		{ "GenuineIntel", 6, 0xad, 1, false, false, true, true, true },
		{ "GenuineIntel", 6, 0x97, 2, false, false, false, true, false },
		{ "GenuineIntel", 6, 0x9e, 10, false, false, false, true, false },
		{ "GenuineIntel", 6, 0x4f, 1, false, false, false, true, false },
		{ "GenuineIntel", 6, 0x3f, 2, false, false, false, false, false },
		{ "AuthenticAMD", 25, 0x11, 1, false, false, true, true, false },
		{ "AuthenticAMD", 26, 0x02, 1, false, false, true, true, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct events events;
		struct facts_model facts;
		const char *name;
		char *text;
		int r = -ENOENT;

		for (unsigned k = 0; r < 0 && (name = data_name("cpu/events/", k)); k++) {
			assert_int_equal(data_load(name, &text, NULL), 0);
			r = events_match(text, rows[i].vendor, rows[i].family, rows[i].model,
					 rows[i].stepping, &events);
			free(text);
		}
		assert_int_equal(r, 0);
		assert_int_equal(data_load(i < 15 ? "cpu/intel.ini" : "cpu/amd.ini", &text, NULL),
				 0);
		assert_int_equal(facts_match(text, rows[i].vendor, rows[i].family, rows[i].model,
					     rows[i].stepping, "core", &facts),
				 0);
		free(text);
		print_message("%s\n", facts.name);
		for (unsigned c = COUNTER_LICENSE0; c <= COUNTER_LICENSE2; c++)
			assert_int_equal(events.rows[c].raw != 0, rows[i].license);
		assert_int_equal(facts.license_events,
				 rows[i].license ? LICENSE_EVENTS_SOME : LICENSE_EVENTS_NONE);
		assert_int_equal(events.rows[COUNTER_LICENSE_THROTTLE].raw != 0, rows[i].throttle);
		assert_int_equal(events.rows[COUNTER_FP512_OPS].raw != 0, rows[i].fp512);
		assert_int_equal(events.rows[COUNTER_FP256_OPS].raw != 0, rows[i].fp256);
		assert_int_equal(events.rows[COUNTER_AMX_BUSY].raw != 0, rows[i].amx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_encode),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_agrees),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
