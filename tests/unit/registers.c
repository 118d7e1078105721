/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The layout of registers by CPU model: each section of data/cpu/registers.ini, and models whose layout is
 * known by heart (turbostat 6.12, dumps of InstLatx64). */
#include "config.h"
#include "model/registers.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "model/facts.h"
#include "tests/unit/unit.h"

#define INTEL "GenuineIntel"
#define FIXED_DRAM (1.0 / 65536)

static int setup(void **state)
{
	char *text;

	if (data_load("cpu/registers.ini", &text, NULL) < 0)
		return -1;
	*state = text;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static uint16_t bits(const char *states)
{
	uint16_t set = 0;

	for (; *states; states++)
		set = (uint16_t)(set | 1u << (*states == 'x' ? 10 : *states - '0'));
	return set;
}

static void test_models(void **state)
{
	static const struct {
		const char *vendor, *kind, *core_states, *package_states; /* x: 10 */
		unsigned family, model;
		struct registers registers; /* without the states */
	} rows[] = {
		/* Haswell-E */
		{ INTEL, "core", "367", "2367", 6, 0x3f,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_ACTIVE, .limit_reasons = 0x690,
		    .limit_reasons_doubtful = true, .energies = ENERGY_PACKAGE | ENERGY_DRAM,
		    .dram_joules = FIXED_DRAM, .tcc_bits = 4, .uncore_ratio = true } },
		/* Skylake-SP: no register of C1 */
		{ INTEL, "core", "6", "26", 6, 0x55,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_GROUPS, .limit_reasons = 0x690,
		    .limit_reasons_doubtful = true, .energies = ENERGY_PACKAGE | ENERGY_DRAM,
		    .dram_joules = FIXED_DRAM, .tcc_bits = 4, .uncore_ratio = true } },
		/* Sapphire Rapids: DRAM in the unit of the others, no limit reasons */
		{ INTEL, "core", "16", "26", 6, 0x8f,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_GROUPS,
		    .energies = ENERGY_PACKAGE | ENERGY_DRAM, .uncore_ratio = true } },
		/* Granite Rapids: the uncore is told by TPMI */
		{ INTEL, "core", "16", "26", 6, 0xad,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_GROUPS,
		    .energies = ENERGY_PACKAGE | ENERGY_DRAM } },
		/* Skylake: the only crystal that leaf 15h does not tell and that is known */
		{ INTEL, "core", "367", "236789x", 6, 0x5e,
		  { .bclk_hertz = 100e6, .crystal_hertz = 24e6, .turbo = TURBO_FORM_ACTIVE,
		    .limit_reasons = 0x64f, .energies = ENERGY_PACKAGE | ENERGY_CORES | ENERGY_DRAM,
		    .tcc_bits = 6, .tweak = true } },
		/* Alder Lake */
		{ INTEL, "P-core", "167", "2368x", 6, 0x97,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_ACTIVE, .limit_reasons = 0x64f,
		    .energies = ENERGY_PACKAGE | ENERGY_CORES | ENERGY_DRAM, .tcc_bits = 6,
		    .tweak = true, .uncore_ratio = true } },
		{ INTEL, "E-core", "167", "2368x", 6, 0x97,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_NONE, .limit_reasons = 0x64f,
		    .energies = ENERGY_PACKAGE | ENERGY_CORES | ENERGY_DRAM, .tcc_bits = 6,
		    .tweak = true, .uncore_ratio = true } },
		/* Knights Landing */
		{ INTEL, "core", "6", "36", 6, 0x57,
		  { .bclk_hertz = 100e6, .turbo = TURBO_FORM_DELTAS,
		    .energies = ENERGY_PACKAGE | ENERGY_DRAM, .dram_joules = FIXED_DRAM,
		    .times_1024 = true } },
		/* Denverton */
		{ INTEL, "core", "16", "26", 6, 0x5f,
		  { .bclk_hertz = 100e6, .crystal_hertz = 25e6, .turbo = TURBO_FORM_GROUPS,
		    .energies = ENERGY_PACKAGE | ENERGY_CORES | ENERGY_DRAM } },
		/* Nehalem */
		{ INTEL, "core", "36", "36", 6, 0x1a,
		  { .bclk_hertz = 133333333, .turbo = TURBO_FORM_ACTIVE } },
		/* Milan, Genoa, Turin; Dhyana */
		{ "AuthenticAMD", "core", "", "", 25, 0x01, { .energies = ENERGY_PACKAGE | ENERGY_CORES } },
		{ "AuthenticAMD", "core", "", "", 25, 0x11, { .energies = ENERGY_PACKAGE | ENERGY_CORES } },
		{ "AuthenticAMD", "core", "", "", 26, 0x02, { .energies = ENERGY_PACKAGE | ENERGY_CORES } },
		{ "HygonGenuine", "core", "", "", 24, 0x00, { .energies = ENERGY_PACKAGE | ENERGY_CORES } },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct registers want = rows[i].registers, got;

		want.core_states = bits(rows[i].core_states);
		want.package_states = bits(rows[i].package_states);
		memset(&got, 0xff, sizeof(got));
		assert_int_equal(facts_registers(*state, rows[i].vendor, rows[i].family, rows[i].model, 0,
						 rows[i].kind, &got), 0);
		assert_true(got.bclk_hertz == want.bclk_hertz);
		assert_true(got.crystal_hertz == want.crystal_hertz);
		assert_int_equal(got.core_states, want.core_states);
		assert_int_equal(got.package_states, want.package_states);
		assert_int_equal(got.turbo, want.turbo);
		assert_int_equal(got.limit_reasons, want.limit_reasons);
		assert_int_equal(got.limit_reasons_doubtful, want.limit_reasons_doubtful);
		assert_int_equal(got.energies, want.energies);
		assert_true(got.dram_joules == want.dram_joules);
		assert_int_equal(got.tcc_bits, want.tcc_bits);
		assert_int_equal(got.tweak, want.tweak);
		assert_int_equal(got.times_1024, want.times_1024);
		assert_int_equal(got.uncore_ratio, want.uncore_ratio);
	}
}

/* Addresses of Intel on AMD were tried by others, and ended them. */
static void test_unknown(void **state)
{
	struct registers got = { .tcc_bits = 99 };

	assert_int_equal(facts_registers(*state, INTEL, 6, 0xff, 0, "core", &got), -ENOENT);
	assert_int_equal(facts_registers(*state, "AuthenticAMD", 6, 0x55, 0, "core", &got), -ENOENT);
	assert_int_equal(facts_registers(*state, "AuthenticAMD", 16, 2, 0, "core", &got), -ENOENT);
	assert_int_equal(facts_registers(*state, INTEL, 25, 1, 0, "core", &got), -ENOENT);
	assert_int_equal(facts_registers(*state, "", 6, 0x55, 0, "core", &got), -ENOENT);
	assert_int_equal(got.tcc_bits, 99);
}

static void test_syntax(void **state)
{
	static const struct {
		const char *line;
		bool right;
	} rows[] = {
		{ "source = s", true },		  { "core_states = 1 3 6 7", true },
		{ "turbo = deltas", true },	  { "turbo E-core = none", true },
		{ "energies = dram package", true }, { "limit_reasons = 0x64f", true },
		{ "unknown = 1", false },	  { "core_states = 8", false },
		{ "core_states = 0", false },	  { "core_states = 1,6", false },
		{ "core_states = six", false },	  { "package_states = 11", false },
		{ "turbo = group", false },	  { "turboE-core = none", false },
		{ "turbo E-core = x", false },	  { "energies = package core", false },
		{ "limit_reasons = 690", false }, { "limit_reasons = 0x690x", false },
		{ "limit_reasons = 0x0", false }, { "tweak = no", false },
		{ "tcc_bits = 8", false },	  { "tcc_bits = 0", false },
		{ "bclk_hertz = 100", false },	  { "bclk_hertz = 100 MHz", false },
		{ "dram_joules = 15.3", false },  { "dram_joules = 0", false },
		{ "times_1024 = 1", false },	  { "uncore_ratio = maybe", false },
		{ "crystal_hertz = x", false },	  { "limit_reasons_doubtful = 1", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct registers got;
		char ini[200];

		(void)snprintf(ini, sizeof(ini), "[A]\nvendor = V\nmatch = 6/1\n%s\n[B]\nvendor = V\n",
			       rows[i].line);
		assert_int_equal(facts_registers(ini, "V", 6, 1, 0, "core", &got),
				 rows[i].right ? 0 : -EINVAL);
		/* A wrong section is no matter of other CPUs. */
		assert_int_equal(facts_registers(ini, "V", 6, 2, 0, "core", &got), -ENOENT);
	}
}

/* Sections do not leak into each other, the first that fits wins, and so does a kind's own form. */
static void test_sections(void **state)
{
	static const char ini[] = "[Other]\nvendor = W\nmatch = 6/1\nturbo = deltas\ntweak = yes\n"
				  "[First]\nvendor = V\nmatch = 6/1\nturbo E-core = groups\nturbo = active\n"
				  "[Second]\nvendor = V\nmatch = 6/1-2\nturbo = active\nturbo E-core = none\n"
				  "tweak = yes\n";
	struct registers got;

	(void)state;
	assert_int_equal(facts_registers(ini, "V", 6, 1, 0, "E-core", &got), 0);
	assert_int_equal(got.turbo, TURBO_FORM_GROUPS);
	assert_false(got.tweak);
	assert_int_equal(facts_registers(ini, "V", 6, 1, 0, "P-core", &got), 0);
	assert_int_equal(got.turbo, TURBO_FORM_ACTIVE);
	assert_int_equal(facts_registers(ini, "V", 6, 2, 0, "E-core", &got), 0);
	assert_int_equal(got.turbo, TURBO_FORM_NONE);
	assert_true(got.tweak);
}

struct walk {
	const char *all;
	char section[64], vendor[16], match[160];
	bool source;
	unsigned sections, models;
};

/* "6/0x10-0x1f 6/0x55": each model is served by a section, and by this one where it is asked alone. */
static void check_section(struct walk *walk)
{
	unsigned family, first, last;
	const char *at = walk->match;
	int used;

	if (walk->section[0] == '\0')
		return;
	assert_true(walk->source && walk->vendor[0] && walk->match[0]);
	walk->sections++;
	while (sscanf(at, " %u/%i%n", &family, (int *)&first, &used) == 2) {
		at += used;
		last = first;
		if (sscanf(at, "-%i%n", (int *)&last, &used) == 1)
			at += used;
		assert_true(last >= first && last < 256);
		for (; first <= last; first++, walk->models++) {
			static const char *const kinds[] = { "core", "P-core", "E-core", "LP-core" };

			for (size_t k = 0; k < COUNT_OF(kinds); k++) {
				struct registers got = { 0 };

				assert_int_equal(facts_registers(walk->all, walk->vendor, family, first, 0,
								 kinds[k], &got), 0);
				/* A section that says nothing would be none. */
				assert_true(got.core_states || got.energies);
				/* Ratios without what they are multiples of could not be told. */
				assert_true(got.turbo == TURBO_FORM_NONE || got.bclk_hertz > 0);
				assert_true(!got.limit_reasons_doubtful || got.limit_reasons);
				assert_true(got.dram_joules == 0 || got.energies & ENERGY_DRAM);
			}
		}
	}
	assert_int_equal(*at, '\0');
}

static int walk_key(void *user, const char *section, const char *key, const char *value)
{
	struct walk *walk = user;

	if (strcmp(section, walk->section) != 0) {
		check_section(walk);
		(void)snprintf(walk->section, sizeof(walk->section), "%s", section);
		walk->vendor[0] = walk->match[0] = '\0';
		walk->source = false;
	}
	if (strcmp(key, "vendor") == 0)
		(void)snprintf(walk->vendor, sizeof(walk->vendor), "%s", value);
	if (strcmp(key, "match") == 0)
		(void)snprintf(walk->match, sizeof(walk->match), "%s", value);
	walk->source |= strcmp(key, "source") == 0 && value[0] != '\0';
	return 1;
}

/* Every section says of whom and from where, has only keys and values that are known, and is reached. */
static void test_all(void **state)
{
	struct walk walk = { .all = *state };

	assert_int_equal(ini_parse_string(*state, walk_key, &walk), 0); /* no line malformed or too long */
	check_section(&walk);
	assert_true(walk.sections > 30);
	assert_true(walk.models > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_syntax), cmocka_unit_test(test_sections),
		cmocka_unit_test(test_all),
	};

	(void)unsetenv("AVXTOP_DATADIR");
	return cmocka_run_group_tests(tests, setup, teardown);
}
