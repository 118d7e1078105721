/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kinds of core are: their names and registers, by /proc/cpuinfo, CPUID and data/cpu. */
#include "config.h"
#include "source/identify.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "model/host.h"
#include "source/identity.h"
#include "tests/unit/machine.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CPU "sys/devices/system/cpu"

static int setup(void **state)
{
	*state = tree_new();
	machine_write(*state, &machine_shapes[3], SHAPE_ALL);
	return 0;
}

static int setup_empty(void **state)
{
	*state = tree_new();
	return 0;
}

static int teardown(void **state)
{
	tree_free(*state);
	return 0;
}

static int try(const char *root, bool live, struct host **ret, struct problem *problem)
{
	struct hostfs *fs;
	int r;

	assert_int_equal(hostfs_open(root, &fs), 0);
	r = identify(fs, live, NULL, NULL, ret, problem);
	hostfs_close(fs);
	return r;
}

static struct host *get(const char *root)
{
	struct host *host = NULL;

	assert_int_equal(try(root, false, &host, NULL), 0);
	return host;
}

/* The block of one CPU as Linux writes it. */
static void write_cpuinfo(const char *root, unsigned cpu, const char *vendor, unsigned family,
			  unsigned model, unsigned stepping, const char *flags)
{
	tree_write(root, "proc/cpuinfo",
		   "processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
		   "model name\t: Some CPU\nstepping\t: %u\nflags\t\t: %s\n\n",
		   cpu, vendor, family, model, stepping, flags);
}

static void test_names(void **state)
{
	static const struct {
		const char *vendor;
		unsigned family, model, stepping;
		const char *flags, *uarch, *codename, *hypervisor;
	} rows[] = {
		{ "AuthenticAMD", 26, 2, 1, "sse2 avx512f", "Zen 5", "Turin", "" },
		{ "GenuineIntel", 6, 0xad, 1, "sse2 avx512f amx_tile", "Redwood Cove", "Granite Rapids", "" },
		{ "GenuineIntel", 6, 0xa7, 1, "sse2 avx512f", "Rocket Lake", "Rocket Lake", "" },
		/* Claims Rocket Lake and has AMX: the model is masked, so no name. */
		{ "GenuineIntel", 6, 0xa7, 1, "sse2 avx512f amx_tile hypervisor", "", "", "unknown" },
		{ "GenuineIntel", 6, 0xfe, 1, "sse2", "", "", "" },
		{ "SomethingElse", 6, 0xad, 1, "sse2", "", "", "" },
	};

	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host;

		write_cpuinfo(*state, 0, rows[i].vendor, rows[i].family, rows[i].model,
			      rows[i].stepping, rows[i].flags);
		host = get(*state);
		assert_string_equal(host->vendor, rows[i].vendor);
		assert_string_equal(host->brand, "Some CPU");
		assert_string_equal(host->hypervisor, rows[i].hypervisor);
		assert_int_equal(host->kinds[0].family, rows[i].family);
		assert_int_equal(host->kinds[0].model, rows[i].model);
		assert_string_equal(host->kinds[0].uarch, rows[i].uarch);
		assert_string_equal(host->kinds[0].codename, rows[i].codename);
		assert_int_equal(host->kinds[0].isa & ISA_SSE2, ISA_SSE2);
		host_free(host);
	}
}

/* A kind that cannot be asked is named by the other's model, but nothing is claimed of what it can do. */
static void test_names_hybrid(void **state)
{
	struct host *host;

	machine_write_hybrid(*state);
	write_cpuinfo(*state, 0, "GenuineIntel", 6, 0x97, 2, "sse2 avx2");
	host = get(*state);
	assert_int_equal(host->n_kinds, 2);
	assert_string_equal(host->kinds[0].uarch, "Golden Cove");
	assert_string_equal(host->kinds[1].uarch, "Gracemont");
	assert_string_equal(host->kinds[1].codename, "Alder Lake");
	assert_int_equal(host->kinds[0].isa, ISA_SSE2 | ISA_AVX2);
	assert_int_equal(host->kinds[1].isa, 0);
	host_free(host);
	write_cpuinfo(*state, 16, "GenuineIntel", 6, 0x97, 2, "sse2");
	host = get(*state);
	assert_int_equal(host->kinds[0].isa, 0);
	assert_string_equal(host->kinds[0].uarch, "Golden Cove");
	assert_int_equal(host->kinds[1].isa, ISA_SSE2);
	host_free(host);
}

/* On a live machine the kernel's word decides what it is, CPUID what may be executed: an emulated machine (and
 * CPUID faulting) shows another model by the file. Its base clock is then not CPUID's either. */
static void test_live_cpuinfo(void **state)
{
	struct host *host = NULL;
	struct identity native;
	const char *vendor = "GenuineIntel";

	assert_int_equal(identity_read(-1, &native), 0);
	if (strcmp(native.vendor, vendor) == 0)
		vendor = "AuthenticAMD"; /* what this one is not */
	write_cpuinfo(*state, 0, vendor, 6, 0x55, 4, "sse2 amx_tile");
	tree_write(*state, CPU "/cpu0/cpufreq/base_frequency", "2100000\n");
	assert_int_equal(try(*state, true, &host, NULL), 0);
	assert_true(host->live);
	assert_string_equal(host->vendor, vendor);
	assert_string_equal(host->brand, "Some CPU");
	assert_string_equal(host->hypervisor, ""); /* no flag, whatever CPUID says */
	assert_int_equal(host->kinds[0].family, 6);
	assert_int_equal(host->kinds[0].model, 0x55);
	assert_int_equal(host->kinds[0].stepping, 4);
	assert_int_equal(host->kinds[0].isa, native.isa);
	assert_true(host->kinds[0].base_hertz == 2.1e9);
	host_free(host);

	/* The flag, and then the name by CPUID if it has one. */
	write_cpuinfo(*state, 0, vendor, 6, 0x55, 4, "sse2 hypervisor");
	assert_int_equal(try(*state, true, &host, NULL), 0);
	assert_string_equal(host->hypervisor, native.hypervisor[0] ? native.hypervisor : "unknown");
	host_free(host);

	/* Unreadable, or of another architecture: CPUID alone. */
	tree_write(*state, "proc/cpuinfo", "processor : 0\n");
	assert_int_equal(try(*state, true, &host, NULL), 0);
	assert_string_equal(host->vendor, native.vendor);
	assert_string_equal(host->brand, native.brand);
	assert_int_equal(host->kinds[0].model, native.model);
	host_free(host);
}

/* Case 30: what cannot be a clock is none. */
static void test_base(void **state)
{
	static const struct {
		const char *khz;
		double hertz;
	} rows[] = {
		{ "2100000\n", 2.1e9 }, { "0\n", 0 },	 { "99\n", 0 },
		{ "-1\n", 0 },		{ "x\n", 0 }, { "343570000000\n", 0 },
	};

	write_cpuinfo(*state, 0, "GenuineIntel", 6, 0x55, 4, "sse2");
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host;

		tree_write(*state, CPU "/cpu0/cpufreq/base_frequency", "%s", rows[i].khz);
		host = get(*state);
		assert_true(host->kinds[0].base_hertz == rows[i].hertz);
		host_free(host);
	}
}

/* Case 32: E-cores count MPERF at the clock of P-cores, not at their own base. */
static void test_base_hybrid(void **state)
{
	struct host *host;

	machine_write_hybrid(*state);
	write_cpuinfo(*state, 0, "GenuineIntel", 6, 0x97, 2, "sse2");
	tree_write(*state, CPU "/cpu0/cpufreq/base_frequency", "3200000\n");
	tree_write(*state, CPU "/cpu16/cpufreq/base_frequency", "2400000\n");
	host = get(*state);
	assert_true(host->kinds[0].base_hertz == 3.2e9);
	assert_true(host->kinds[1].base_hertz == 3.2e9);
	assert_int_equal(host->kinds[0].registers.turbo, TURBO_FORM_ACTIVE);
	assert_int_equal(host->kinds[1].registers.turbo, TURBO_FORM_NONE);
	assert_true(host->kinds[1].registers.tweak);
	host_free(host);
}

/* Case 13: a guest of one CPU whose CPUID claims two threads a core; cases 14 and 61: it is named by its brand
 * alone where the model is masked, and no vendor's registers are looked for on another's. */
static void test_guest(void **state)
{
	struct host *host;

	machine_write(*state, &machine_shapes[0], SHAPE_ALL);
	write_cpuinfo(*state, 0, "GenuineIntel", 6, 167, 1, "sse2 ht hypervisor amx_tile");
	host = get(*state);
	assert_int_equal(host->n_cpus, 1);
	assert_int_equal(host->n_cores, 1);
	assert_int_equal(host->n_packages, 1);
	assert_string_equal(host->brand, "Some CPU");
	assert_string_equal(host->kinds[0].codename, "");
	assert_int_equal(host->kinds[0].model, 167);
	assert_int_equal(host->kinds[0].registers.core_states, 0);
	host_free(host);
	write_cpuinfo(*state, 0, "AuthenticAMD", 6, 167, 1, "sse2");
	host = get(*state);
	assert_int_equal(host->kinds[0].registers.core_states, 0);
	assert_int_equal(host->kinds[0].registers.limit_reasons, 0);
	host_free(host);
	write_cpuinfo(*state, 0, "GenuineIntel", 6, 167, 1, "sse2");
	host = get(*state);
	assert_string_equal(host->kinds[0].codename, "Rocket Lake");
	assert_int_not_equal(host->kinds[0].registers.core_states, 0);
	host_free(host);
}

/* A copy of data/ with a wrong line is told, not passed over. */
static void test_wrong_data(void **state)
{
	struct host *host = NULL;
	struct problem problem = { 0 };
	char *folder = NULL;

	tree_write(*state, "data/cpu/amd.ini", "[A]\nvendor = V\nmatch = 6/1\ncore = C\n");
	tree_write(*state, "data/cpu/intel.ini", "\n");
	tree_write(*state, "data/cpu/registers.ini", "[A]\nvendor = V\nmatch = 6/1\ntcc_bits = x\n");
	write_cpuinfo(*state, 0, "V", 6, 1, 1, "sse2");
	assert_true(asprintf(&folder, "%s/data", (char *)*state) > 0);
	assert_int_equal(setenv("AVXTOP_DATADIR", folder, 1), 0);
	free(folder);
	assert_int_equal(try(*state, false, &host, &problem), -EINVAL);
	assert_non_null(strstr(problem.text, "registers.ini"));
	tree_write(*state, "data/cpu/registers.ini", "[A]\nvendor = V\nmatch = 6/1\ntcc_bits = 6\n");
	assert_int_equal(try(*state, false, &host, &problem), 0);
	assert_int_equal(host->kinds[0].registers.tcc_bits, 6);
	host_free(host);
	assert_int_equal(unsetenv("AVXTOP_DATADIR"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names_hybrid, setup_empty, teardown),
		cmocka_unit_test_setup_teardown(test_live_cpuinfo, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base, setup, teardown),
		cmocka_unit_test_setup_teardown(test_base_hybrid, setup_empty, teardown),
		cmocka_unit_test_setup_teardown(test_guest, setup_empty, teardown),
		cmocka_unit_test_setup_teardown(test_wrong_data, setup, teardown),
	};

	(void)unsetenv("AVXTOP_DATADIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
