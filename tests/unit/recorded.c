/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identification of each real machine of tests/hosts/hosts.tsv: by CPUID, and by its files. */
#include "config.h"

#include <errno.h>
#include <libcpuid.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/text.h"
#include "model/host.h"
#include "source/identify.h"
#include "source/identity.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CPU "sys/devices/system/cpu"

enum column {
	HOST, LEAF1, FAMILY, MODEL, STEPPING, BASE, HIGHEST, BRAND, PRODUCT, CORE, E_CORE, FLAGS,
	PACKAGES, THREADS, ORDER, CORES, CPUS, SIBLINGS, N_COLUMNS
};

/* The cells of a row; "-" is NULL. */
struct machine {
	const char *cell[N_COLUMNS];
};

static unsigned number(const struct machine *m, enum column column)
{
	return m->cell[column] ? (unsigned)strtoul(m->cell[column], NULL, 0) : 0;
}

static const char *vendor(const struct machine *m)
{
	return number(m, FAMILY) == 6 ? "GenuineIntel" : "AuthenticAMD";
}

static bool has(const struct machine *m, const char *flag)
{
	return m->cell[FLAGS] && strstr(m->cell[FLAGS], flag);
}

/* Registers as the CPU would answer them. */
static void fill_cpuid(const struct machine *m, struct cpu_raw_data_t *raw)
{
	memset(raw, 0, sizeof(*raw));
	raw->basic_cpuid[0][EAX] = m->cell[BASE] ? 0x16 : 0xd;
	memcpy(&raw->basic_cpuid[0][EBX], vendor(m), 4);
	memcpy(&raw->basic_cpuid[0][EDX], vendor(m) + 4, 4);
	memcpy(&raw->basic_cpuid[0][ECX], vendor(m) + 8, 4);
	raw->basic_cpuid[1][EAX] = number(m, LEAF1);
	raw->basic_cpuid[1][ECX] = has(m, "hypervisor") ? 1u << 31 : 0;
	raw->basic_cpuid[0x16][EAX] = number(m, BASE);
	raw->basic_cpuid[0x16][EBX] = number(m, HIGHEST);
	raw->ext_cpuid[0][EAX] = 0x80000008;
	memcpy(raw->ext_cpuid[2], m->cell[BRAND], strlen(m->cell[BRAND]) + 1);
}

static void check_cpuid(const struct machine *m)
{
	struct cpu_raw_data_t raw;
	struct identity got;

	fill_cpuid(m, &raw);
	identity_decode(&raw, 0, &got);
	assert_string_equal(got.vendor, vendor(m));
	assert_string_equal(got.brand, m->cell[BRAND]);
	assert_int_equal(got.family, number(m, FAMILY));
	assert_int_equal(got.model, number(m, MODEL));
	assert_int_equal(got.stepping, number(m, STEPPING));
	assert_true(got.base_hertz == number(m, BASE) * 1e6); /* zeros of a hypervisor are no clock */
	assert_string_equal(got.hypervisor, has(m, "hypervisor") ? "unknown" : "");
	raw.basic_cpuid[0x16][EBX] = 200; /* half of a leaf */
	identity_decode(&raw, 0, &got);
	assert_true(got.base_hertz == 0);
}

static void write_cpu(const char *root, unsigned cpu, const char *file, unsigned value)
{
	char path[100];

	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/%s", cpu, file);
	tree_write(root, path, "%u\n", value);
}

static unsigned write_cores(const char *root, const struct machine *m, const struct list *ids,
			    unsigned threads, unsigned first)
{
	const unsigned packages = m->cell[PACKAGES] ? number(m, PACKAGES) : 1;
	const unsigned cores = list_count(ids), n = packages * cores * threads;
	const bool threads_first = m->cell[ORDER] && strcmp(m->cell[ORDER], "threads") == 0;

	for (unsigned i = 0; i < n; i++) {
		const unsigned core = threads_first ? i / threads : i % (packages * cores);
		int id = list_next(ids, 0);

		for (unsigned step = core % cores; step > 0; step--)
			id = list_next(ids, id + 1);
		write_cpu(root, first + i, "physical_package_id", core / cores);
		write_cpu(root, first + i, "core_id", (unsigned)id);
	}
	return n;
}

/* Only ids, no lists of siblings: those are what is to be found. Returns the number of CPUs. */
static unsigned write_topology(const char *root, const struct machine *m)
{
	const unsigned threads = m->cell[THREADS] ? number(m, THREADS) : 1;
	char *cores = strdup(m->cell[CORES] ? m->cell[CORES] : "0"), *plus = strchr(cores, '+');
	struct list *ids;
	unsigned n, p_cpus;

	if (plus)
		*plus++ = '\0';
	assert_int_equal(list_parse(cores, &ids), 0);
	n = p_cpus = write_cores(root, m, ids, threads, 0);
	list_free(ids);
	if (plus) {
		assert_int_equal(list_parse(plus, &ids), 0);
		n += write_cores(root, m, ids, 1, p_cpus);
		list_free(ids);
		tree_write(root, "sys/devices/cpu_core/cpus", "0-%u\n", p_cpus - 1);
		tree_write(root, "sys/devices/cpu_atom/cpus", "%u-%u\n", p_cpus, n - 1);
	}
	free(cores);
	tree_write(root, CPU "/possible", "0-%u\n", n - 1);
	tree_write(root, CPU "/present", "0-%u\n", n - 1);
	tree_write(root, CPU "/online", "0-%u\n", n - 1);
	return n;
}

static void write_cpuinfo(const char *root, const struct machine *m, unsigned n)
{
	struct text text = { 0 };

	for (unsigned i = 0; i < n; i++)
		text_addf(&text,
			  "processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n"
			  "model name\t: %s\nstepping\t: %u\nflags\t\t: fpu tsc sse2%s%s%s\n\n",
			  i, vendor(m), number(m, FAMILY), number(m, MODEL), m->cell[BRAND],
			  number(m, STEPPING), has(m, "avx512f") ? " avx512f" : "",
			  has(m, "amx_tile") ? " amx_tile" : "", has(m, "hypervisor") ? " hypervisor" : "");
	tree_write(root, "proc/cpuinfo", "%s", text.data);
	free(text.data);
}

/* "0,48" of the core of a CPU, as the kernel would write it: ranges only where they are true of it. */
static void check_siblings(const struct host *host, unsigned cpu, const char *want)
{
	const struct host_core *core = &host->cores[host->cpus[cpu].core];
	struct list *list = list_new(), *wanted;
	char *text, *other;

	assert_non_null(list);
	for (unsigned i = 0; i < core->n_cpus; i++)
		assert_int_equal(list_add(list, host->cpus[core->cpus[i]].id), 0);
	assert_int_equal(list_parse(want, &wanted), 0);
	text = list_format(list);
	other = list_format(wanted);
	assert_string_equal(text, other);
	free(text);
	free(other);
	list_free(list);
	list_free(wanted);
}

static void check_topology(const struct host *host, const struct machine *m)
{
	const char *last = strchr(m->cell[SIBLINGS], ' ') + 1;
	char *first = strndup(m->cell[SIBLINGS], (size_t)(last - m->cell[SIBLINGS]) - 1);

	assert_int_equal(host->n_cpus, number(m, CPUS));
	assert_int_equal(host->n_packages, number(m, PACKAGES));
	check_siblings(host, 0, first);
	check_siblings(host, host->n_cpus - 1, last);
	free(first);
}

static void check_kind(const struct host_kind *kind, const struct machine *m, const char *core)
{
	const bool intel = number(m, FAMILY) == 6;

	assert_int_equal(kind->family, number(m, FAMILY));
	assert_int_equal(kind->model, number(m, MODEL));
	assert_int_equal(kind->stepping, number(m, STEPPING));
	assert_string_equal(kind->uarch, core ? core : "");
	assert_string_equal(kind->codename, m->cell[PRODUCT] ? m->cell[PRODUCT] : "");
	assert_int_equal(kind->isa & ISA_AVX512F, has(m, "avx512f") ? ISA_AVX512F : 0);
	/* A masked CPU may have none of the registers of what it claims to be. */
	assert_int_equal(kind->registers.energies != 0, core != NULL);
	assert_int_equal(kind->registers.bclk_hertz > 0, core && intel);
	assert_int_equal(kind->registers.core_states != 0, core && intel);
	assert_int_equal(kind->registers.turbo != TURBO_FORM_NONE,
			 core && intel && strcmp(kind->name, "E-core") != 0);
}

static void check_files(const struct machine *m)
{
	char *root = tree_new();
	struct problem problem = { 0 };
	struct hostfs *fs;
	struct host *host;

	write_cpuinfo(root, m, write_topology(root, m));
	assert_int_equal(hostfs_open(root, &fs), 0);
	assert_int_equal(identify(fs, false, NULL, NULL, &host, &problem), 0);
	hostfs_close(fs);
	assert_string_equal(host->vendor, vendor(m));
	assert_string_equal(host->brand, m->cell[BRAND]);
	assert_string_equal(host->hypervisor, has(m, "hypervisor") ? "unknown" : "");
	assert_int_equal(host->n_kinds, m->cell[E_CORE] ? 2 : 1);
	assert_string_equal(host->kinds[0].name, m->cell[E_CORE] ? "P-core" : "core");
	check_kind(&host->kinds[0], m, m->cell[CORE]);
	if (m->cell[E_CORE])
		check_kind(&host->kinds[1], m, m->cell[E_CORE]);
	if (m->cell[CORES])
		check_topology(host, m);
	host_free(host);
	tree_free(root);
}

static bool read_machine(char *line, struct machine *ret)
{
	unsigned n = 0;

	line[strcspn(line, "\n")] = '\0';
	if (line[0] == '#')
		return false;
	for (char *cell; (cell = strsep(&line, "\t")); n++) {
		assert_true(n < N_COLUMNS);
		ret->cell[n] = strcmp(cell, "-") == 0 ? NULL : cell;
	}
	assert_int_equal(n, N_COLUMNS);
	return true;
}

static void test_machines(void **state)
{
	const char *srcdir = getenv("SRCDIR");
	unsigned machines = 0;
	size_t size = 0;
	char *path, *line = NULL;
	FILE *file;

	(void)state;
	if (!srcdir)
		skip();
	assert_true(asprintf(&path, "%s/tests/hosts/hosts.tsv", srcdir) > 0);
	file = fopen(path, "re");
	assert_non_null(file);
	free(path);
	while (getline(&line, &size, file) >= 0) {
		struct machine m;

		if (!read_machine(line, &m))
			continue;
		print_message("%s\n", m.cell[HOST]);
		check_cpuid(&m);
		check_files(&m);
		machines++;
	}
	free(line);
	(void)fclose(file);
	assert_int_equal(machines, 25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
	};

	(void)unsetenv("AVXTOP_DATADIR");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
