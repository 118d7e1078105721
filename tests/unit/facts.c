/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names by family, model and stepping: real hosts, among them those that libcpuid 0.6.2 names wrongly;
 * and the form of data/cpu itself. */
#include "config.h"
#include "model/facts.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "tests/unit/unit.h"

/* The files of names in a row: facts_match takes several. */
static int setup(void **state)
{
	static const char *const names[] = { "cpu/amd.ini", "cpu/intel.ini" };
	char *all = calloc(1, 1);

	for (unsigned i = 0; i < COUNT_OF(names); i++) {
		char *text;

		if (data_load(names[i], &text, NULL) < 0)
			return -1;
		all = realloc(all, strlen(all) + strlen(text) + 1);
		strcat(all, text);
		free(text);
	}
	*state = all;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

/* Family, model, stepping of dumps in InstLatx64 (087af2c). */
static void test_hosts(void **state)
{
	static const struct {
		const char *vendor;
		unsigned family, model, stepping;
		const char *kind, *name, *core;
	} rows[] = {
		/* Platinum 8160, 8180, Gold 6130, Core i7-7800X */
		{ "GenuineIntel", 6, 0x55, 4, "core", "Skylake-SP", "Skylake-X" },
		/* i9-10980XE, Platinum 8280: "Skylake-X" by libcpuid */
		{ "GenuineIntel", 6, 0x55, 7, "core", "Cascade Lake", "Skylake-X" },
		{ "GenuineIntel", 6, 0x55, 11, "core", "Cooper Lake", "Skylake-X" },
		/* Platinum 8351N: "P-III Xeon" */
		{ "GenuineIntel", 6, 0x6a, 6, "core", "Ice Lake-SP", "Ice Lake" },
		/* w9-3475X, Platinum 8570: "Xeon (Conroe/2M)" */
		{ "GenuineIntel", 6, 0x8f, 8, "core", "Sapphire Rapids", "Golden Cove" },
		{ "GenuineIntel", 6, 0xcf, 2, "core", "Emerald Rapids", "Raptor Cove" },
		/* Xeon 658X: "Sandy Bridge-E" */
		{ "GenuineIntel", 6, 0xad, 1, "core", "Granite Rapids", "Redwood Cove" },
		/* Core i9-12900K, with and without E-cores */
		{ "GenuineIntel", 6, 0x97, 2, "P-core", "Alder Lake", "Golden Cove" },
		{ "GenuineIntel", 6, 0x97, 2, "E-core", "Alder Lake", "Gracemont" },
		{ "GenuineIntel", 6, 0x97, 2, "core", "Alder Lake", "Golden Cove" },
		/* Core Ultra 7 155H, Core Ultra 9 288V */
		{ "GenuineIntel", 6, 0xaa, 4, "P-core", "Meteor Lake", "Redwood Cove" },
		{ "GenuineIntel", 6, 0xaa, 4, "E-core", "Meteor Lake", "Crestmont" },
		{ "GenuineIntel", 6, 0xbd, 1, "P-core", "Lunar Lake", "Lion Cove" },
		{ "GenuineIntel", 6, 0xbd, 1, "E-core", "Lunar Lake", "Skymont" },
		/* i9-11900K, i5-1035G4 */
		{ "GenuineIntel", 6, 0xa7, 1, "core", "Rocket Lake", "Rocket Lake" },
		{ "GenuineIntel", 6, 0x7e, 5, "core", "Ice Lake", "Ice Lake" },
		/* Atom C3958; N305: "Skylake (Core i3)" */
		{ "GenuineIntel", 6, 0x5f, 1, "core", "Denverton", "Goldmont" },
		{ "GenuineIntel", 6, 0xbe, 0, "core", "Alder Lake-N", "Gracemont" },
		/* Xeon Phi 7210, 7290: "P-III Xeon (Tanner)" */
		{ "GenuineIntel", 6, 0x57, 1, "core", "Knights Landing", "Knights Landing" },
		{ "GenuineIntel", 6, 0x3f, 2, "core", "Haswell-E", "Haswell" },
		/* EPYC 9654: "EPYC (Milan)"; 9950X3D: "Rembrandt"; EPYC 9965: "Naples"; 7763 */
		{ "AuthenticAMD", 25, 0x11, 1, "core", "Genoa", "Zen 4" },
		{ "AuthenticAMD", 26, 0x44, 0, "core", "Granite Ridge", "Zen 5" },
		{ "AuthenticAMD", 26, 0x11, 0, "core", "Turin Dense", "Zen 5" },
		{ "AuthenticAMD", 26, 0x02, 1, "core", "Turin", "Zen 5" },
		{ "AuthenticAMD", 25, 0x01, 1, "core", "Milan", "Zen 3" },
		{ "AuthenticAMD", 23, 0x01, 2, "core", "Naples", "Zen" },
		{ "AuthenticAMD", 23, 0x08, 2, "core", "Pinnacle Ridge", "Zen+" },
		{ "AuthenticAMD", 23, 0x31, 0, "core", "Rome", "Zen 2" },
		{ "AuthenticAMD", 23, 0x35, 0, "core", "Zen 2", "Zen 2" }, /* by the range only */
		{ "HygonGenuine", 24, 0x01, 1, "core", "Dhyana", "Zen" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct facts_model facts = { 0 };

		assert_int_equal(facts_match(*state, rows[i].vendor, rows[i].family, rows[i].model,
					     rows[i].stepping, rows[i].kind, &facts), 0);
		assert_string_equal(facts.name, rows[i].name);
		assert_string_equal(facts.core, rows[i].core);
		assert_int_equal(facts.amx, strcmp(rows[i].name, "Sapphire Rapids") == 0 ||
						    strcmp(rows[i].name, "Emerald Rapids") == 0 ||
						    strcmp(rows[i].name, "Granite Rapids") == 0);
	}
}

/* Events that count the turbo licenses: event lists of intel/perfmon; AMD has no licenses. */
static void test_license_events(void **state)
{
	static const struct {
		const char *vendor;
		unsigned family, model, stepping;
		enum license_events events;
	} rows[] = {
		{ "GenuineIntel", 6, 0x55, 4, LICENSE_EVENTS_SOME },  /* Skylake-SP */
		{ "GenuineIntel", 6, 0x55, 7, LICENSE_EVENTS_SOME },  /* Cascade Lake */
		{ "GenuineIntel", 6, 0x6a, 6, LICENSE_EVENTS_SOME },  /* Ice Lake-SP */
		{ "GenuineIntel", 6, 0x8f, 8, LICENSE_EVENTS_NONE },  /* Sapphire Rapids */
		{ "GenuineIntel", 6, 0xad, 1, LICENSE_EVENTS_NONE },  /* Granite Rapids */
		{ "GenuineIntel", 6, 0x97, 2, LICENSE_EVENTS_NONE },  /* Alder Lake */
		{ "GenuineIntel", 6, 0x3f, 2, LICENSE_EVENTS_NONE },  /* Haswell-E */
		{ "GenuineIntel", 6, 0x66, 3, LICENSE_EVENTS_UNKNOWN }, /* Cannon Lake */
		{ "AuthenticAMD", 25, 0x11, 1, LICENSE_EVENTS_NONE }, /* Genoa */
		{ "AuthenticAMD", 26, 0x02, 1, LICENSE_EVENTS_NONE }, /* Turin */
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct facts_model facts = { 0 };

		assert_int_equal(facts_match(*state, rows[i].vendor, rows[i].family, rows[i].model,
					     rows[i].stepping, "core", &facts), 0);
		assert_int_equal(facts.license_events, rows[i].events);
	}
}

static void test_unknown(void **state)
{
	struct facts_model facts = { .name = "before" };

	assert_int_equal(facts_match(*state, "GenuineIntel", 6, 0xff, 0, "core", &facts), -ENOENT);
	assert_int_equal(facts_match(*state, "GenuineIntel", 25, 0x11, 1, "core", &facts), -ENOENT);
	assert_int_equal(facts_match(*state, "", 6, 0xad, 1, "core", &facts), -ENOENT);
	assert_int_equal(facts_match("", "GenuineIntel", 6, 0xad, 1, "core", &facts), -ENOENT);
	assert_string_equal(facts.name, "before");
}

static void test_syntax(void **state)
{
	static const struct {
		const char *match;
		bool fits; /* 6/0x55 stepping 4 */
	} rows[] = {
		{ "6/0x55", true },	    { "6/85", true },	       { "6/0x55/4", true },
		{ "6/0x50-0x5f/0-4", true }, { "5-7/0x55", true },     { "6/1 6/0x55", true },
		{ "7/0x55 6/2   6/85", true }, { "6/0x55/5 6/0x55/4", true },
		{ "6/0x55/5", false },	    { "6/0x56-0x60", false },  { "6/0x5f-0x50", false },
		{ "6", false },		    { "6/", false },	       { "", false },
		{ "x", false },		    { "6/0x55x", false },      { "6/0x55/4/1", false },
		{ "6/0x55-", false },	    { "/0x55", false },	       { "6,0x55", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct facts_model facts;
		char ini[200];

		(void)snprintf(ini, sizeof(ini), "[A]\nvendor = V\nmatch = %s\ncore = B\n", rows[i].match);
		assert_int_equal(facts_match(ini, "V", 6, 0x55, 4, "core", &facts),
				 rows[i].fits ? 0 : -ENOENT);
	}
}

/* Sections do not leak into each other, and the first that fits wins. */
static void test_sections(void **state)
{
	static const char ini[] =
		"[Wrong vendor]\nvendor = W\nmatch = 6/1\ncore = X\namx = yes\nlicense = yes\n"
		"[No name]\nvendor = V\nmatch = 6/1\namx = yes\n"
		"[Bare]\nvendor = V\nmatch = 6/1\ncore = B\n"
		"[Second]\nvendor = V\nmatch = 6/0-9\ncore = S\ncore E-core = E\namx = yes\n";
	struct facts_model facts;

	(void)state;
	assert_int_equal(facts_match(ini, "V", 6, 1, 0, "E-core", &facts), 0);
	assert_string_equal(facts.name, "Bare");
	assert_string_equal(facts.core, "B");
	assert_false(facts.amx);
	assert_int_equal(facts.license_events, LICENSE_EVENTS_UNKNOWN);
	assert_int_equal(facts_match(ini, "V", 6, 2, 0, "E-core", &facts), 0);
	assert_string_equal(facts.name, "Second");
	assert_string_equal(facts.core, "E");
	assert_true(facts.amx);
	assert_int_equal(facts_match(ini, "V", 6, 2, 0, "LP-core", &facts), 0);
	assert_string_equal(facts.core, "S");
}

struct form {
	char section[64];
	unsigned keys; /* bits: vendor, match, core, source */
	unsigned sections, bad;
};

static int check_key(void *user, const char *section, const char *key, const char *value)
{
	static const char *const needed[] = { "vendor", "match", "core", "source" };
	struct form *form = user;
	bool known = strcmp(key, "amx") == 0 || strncmp(key, "core ", 5) == 0 ||
		     (strcmp(key, "license") == 0 && (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0));

	if (strcmp(section, form->section) != 0) {
		form->bad += form->sections > 0 && form->keys != 15;
		form->sections++;
		form->keys = 0;
		(void)snprintf(form->section, sizeof(form->section), "%s", section);
	}
	for (unsigned i = 0; i < COUNT_OF(needed); i++) {
		if (strcmp(key, needed[i]) != 0)
			continue;
		known = true;
		form->keys |= 1u << i;
	}
	if (!known || value[0] == '\0' || strlen(section) > 47 ||
	    (strncmp(key, "core", 4) == 0 && strlen(value) > 47)) {
		print_message("[%s] %s\n", section, key);
		form->bad++;
	}
	return 1;
}

/* Every section says who, what and from where; no line is malformed or too long for the reader. */
static void test_form(void **state)
{
	struct form form = { 0 };

	assert_int_equal(ini_parse_string(*state, check_key, &form), 0);
	form.bad += form.keys != 15;
	assert_int_equal(form.bad, 0);
	assert_true(form.sections > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hosts),  cmocka_unit_test(test_license_events),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_syntax), cmocka_unit_test(test_sections),
		cmocka_unit_test(test_form),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
