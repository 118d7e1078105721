/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, cores, packages and kinds of machines of many shapes, and of trees with holes. */
#include "config.h"
#include "source/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "model/host.h"
#include "tests/unit/machine.h"
#include "tests/unit/tree.h"
#include "tests/unit/unit.h"

#define CPU "sys/devices/system/cpu"

static int setup(void **state)
{
	*state = tree_new();
	return 0;
}

static int teardown(void **state)
{
	tree_free(*state);
	return 0;
}

/* All that must hold of any host, whatever the tree says. */
static void check_host(const struct host *host)
{
	unsigned cpus = 0, cores = 0;

	for (unsigned p = 0; p < host->n_packages; p++) {
		const struct host_package *package = &host->packages[p];

		assert_true(package->n_cores > 0);
		assert_true(p == 0 || (unsigned)package->package_id > (unsigned)package[-1].package_id);
		for (unsigned i = 0; i < package->n_cores; i++) {
			assert_int_equal(host->cores[package->cores[i]].package, p);
			assert_int_equal(package->cores[i], cores++);
		}
	}
	assert_int_equal(cores, host->n_cores);
	for (unsigned c = 0; c < host->n_cores; c++) {
		const struct host_core *core = &host->cores[c];

		assert_true(core->n_cpus > 0);
		cpus += core->n_cpus;
		for (unsigned i = 0; i < core->n_cpus; i++) {
			assert_int_equal(host->cpus[core->cpus[i]].core, c);
			assert_int_equal(host->cpus[core->cpus[i]].package, core->package);
			assert_true(i == 0 || core->cpus[i] > core->cpus[i - 1]);
		}
	}
	assert_int_equal(cpus, host->n_cpus);
	for (unsigned i = 0; i < host->n_cpus; i++) {
		assert_int_equal(host_cpu_index(host, host->cpus[i].id), i);
		assert_true(host->cpus[i].kind < host->n_kinds);
	}
	assert_true(host->possible >= host->n_cpus);
}

static struct host *read_host(const char *root)
{
	struct hostfs *fs;
	struct host *host = NULL;

	assert_int_equal(hostfs_open(root, &fs), 0);
	assert_int_equal(topology_read(fs, NULL, &host, NULL), 0);
	hostfs_close(fs);
	check_host(host);
	return host;
}

static void check_shape(const struct host *host, const struct shape *shape, unsigned files)
{
	const unsigned n = machine_cpus(shape);
	const bool packages = (files & SHAPE_PACKAGE) != 0;
	struct list *ids;

	assert_int_equal(host->n_cpus, n);
	assert_int_equal(host->possible, n);
	assert_int_equal(host->n_cores, n / shape->threads);
	assert_int_equal(host->n_packages, packages ? shape->packages : 1);
	assert_int_equal(host->n_kinds, 1);
	assert_string_equal(host->kinds[0].name, "core");
	assert_int_equal(list_parse(shape->core_ids, &ids), 0);
	for (unsigned i = 0; i < n; i++) {
		const struct host_cpu *cpu = &host->cpus[i];
		const struct host_core *core = &host->cores[cpu->core];
		unsigned package, place, thread;
		int core_id = -1;

		machine_place(shape, i, &package, &place, &thread);
		for (unsigned k = 0; k <= place; k++)
			core_id = list_next(ids, core_id + 1);
		assert_int_equal(cpu->id, i);
		assert_true(cpu->online);
		assert_false(cpu->isolated);
		assert_int_equal(core->n_cpus, shape->threads);
		assert_int_equal(core->cpus[thread], i);
		assert_int_equal(core->core_id, files & SHAPE_CORE_ID ? core_id : -1);
		assert_int_equal(core->die_id, files & SHAPE_DIE ? 0 : -1);
		assert_int_equal(host->packages[cpu->package].package_id, packages ? (int)package : -1);
	}
	list_free(ids);
}

/* Each shape with all files, as kernels before 5.3 have them, and without sibling lists: then core ids,
 * which repeat in each package, must do. */
static void test_shapes(void **state)
{
	static const unsigned files[] = {
		SHAPE_ALL,
		SHAPE_SIBLINGS | SHAPE_CORE_ID | SHAPE_PACKAGE,
		SHAPE_CORE_ID | SHAPE_PACKAGE | SHAPE_DIE,
		SHAPE_CORE_CPUS,
	};

	(void)state;
	for (const struct shape *shape = machine_shapes; shape->name; shape++) {
		for (size_t i = 0; i < COUNT_OF(files); i++) {
			char *root;
			struct host *host;

			if (machine_cpus(shape) > 300 && i % 2 == 1)
				continue; /* to spare the file system */
			root = tree_new();
			machine_write(root, shape, files[i]);
			host = read_host(root);
			check_shape(host, shape, files[i]);
			host_free(host);
			tree_free(root);
		}
	}
}

static void write_cpu(const char *root, unsigned cpu, int package, int die, int core)
{
	char path[100];

	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/physical_package_id", cpu);
	tree_write(root, path, "%d\n", package);
	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/die_id", cpu);
	tree_write(root, path, "%d\n", die);
	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/core_id", cpu);
	tree_write(root, path, "%d\n", core);
}

/* Dies 0 and 3, core ids that repeat in each, packages 0 and 7, CPU numbers with holes. */
static void test_sparse(void **state)
{
	static const struct {
		unsigned cpu;
		int package, die, core;
	} rows[] = {
		{ 0, 7, 0, 0 }, { 4, 7, 3, 0 }, { 5, 0, 0, 0 },	 { 6, 0, 3, 0 },
		{ 7, 7, 0, 0 }, { 9, 7, 3, 0 }, { 64, 0, 0, 9 }, { 300, 0, 3, 2147483647 },
	};
	struct host *host;

	tree_write(*state, CPU "/present", "0,4-7,9,64,300\n");
	tree_write(*state, CPU "/possible", "0-511\n");
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		write_cpu(*state, rows[i].cpu, rows[i].package, rows[i].die, rows[i].core);
	host = read_host(*state);
	assert_int_equal(host->possible, 512);
	assert_int_equal(host->n_cpus, 8);
	assert_int_equal(host->n_packages, 2);
	assert_int_equal(host->packages[0].package_id, 0);
	assert_int_equal(host->packages[0].n_cores, 4);
	assert_int_equal(host->packages[1].package_id, 7);
	assert_int_equal(host->packages[1].n_cores, 2);
	assert_int_equal(host_relation(host, 0, 4), RELATION_SIBLING);	    /* 0 and 7 */
	assert_int_equal(host_relation(host, 1, 5), RELATION_SIBLING);	    /* 4 and 9: die 3 */
	assert_int_equal(host_relation(host, 0, 1), RELATION_SAME_PACKAGE); /* same core id */
	assert_int_equal(host_relation(host, 0, 2), RELATION_OTHER_PACKAGE);
	host_free(host);
}

/* CPU numbers by turns in packages 3 and 90, whose core ids are the same in another order, without lists of
 * siblings: cores are their package's, and in the order of its own CPUs. */
static void test_twins(void **state)
{
	static const int cores[2][8] = { { 0, 64, 8, 9, 0, 64, 8, 9 }, { 9, 8, 64, 0, 9, 8, 64, 0 } };
	struct host *host;

	tree_write(*state, CPU "/present", "0-15\n");
	for (unsigned i = 0; i < 16; i++)
		write_cpu(*state, i, i % 2 ? 90 : 3, 0, cores[i % 2][i / 2]);
	host = read_host(*state);
	assert_int_equal(host->n_packages, 2);
	assert_int_equal(host->n_cores, 8);
	for (unsigned i = 0; i < 8; i++) {
		const struct host_core *core = &host->cores[i];

		assert_int_equal(host->packages[core->package].package_id, i < 4 ? 3 : 90);
		assert_int_equal(core->core_id, cores[i / 4][i % 4]);
		assert_int_equal(core->n_cpus, 2);
		assert_int_equal(core->cpus[0], 2 * (i % 4) + i / 4);
		assert_int_equal(core->cpus[1], 2 * (i % 4) + i / 4 + 8);
	}
	host_free(host);
}

/* No topology at all: each CPU its own core, one package "unknown". */
static void test_no_topology(void **state)
{
	struct host *host;

	tree_write(*state, CPU "/online", "0-3\n");
	host = read_host(*state);
	assert_int_equal(host->n_cpus, 4);
	assert_int_equal(host->n_cores, 4);
	assert_int_equal(host->n_packages, 1);
	assert_int_equal(host->packages[0].package_id, -1);
	assert_int_equal(host->cores[3].core_id, -1);
	host_free(host);
}

/* Ids that are no ids: -1 of virtual machines, words, numbers beyond int. */
static void test_bad_ids(void **state)
{
	struct host *host;

	machine_write(*state, &machine_shapes[1], SHAPE_ALL);
	tree_write(*state, CPU "/cpu0/topology/physical_package_id", "-1\n");
	tree_write(*state, CPU "/cpu1/topology/physical_package_id", "zero\n");
	tree_write(*state, CPU "/cpu0/topology/core_id", "4294967295\n");
	tree_write(*state, CPU "/cpu1/topology/core_id", "%s", "");
	tree_write(*state, CPU "/cpu0/topology/core_cpus_list", "1\n"); /* not itself */
	tree_write(*state, CPU "/cpu0/topology/thread_siblings_list", "0-\n");
	host = read_host(*state);
	assert_int_equal(host->n_packages, 1);
	assert_int_equal(host->packages[0].package_id, -1);
	assert_int_equal(host->n_cores, 2);
	assert_int_equal(host->cores[0].core_id, -1);
	assert_int_equal(host->cores[1].core_id, -1);
	host_free(host);
}

static void test_hybrid(void **state)
{
	struct host *host;

	machine_write_hybrid(*state);
	host = read_host(*state);
	assert_int_equal(host->n_cpus, 24);
	assert_int_equal(host->n_cores, 16);
	assert_int_equal(host->n_kinds, 2);
	assert_string_equal(host->kinds[0].name, "P-core");
	assert_string_equal(host->kinds[1].name, "E-core");
	for (unsigned i = 0; i < 24; i++) {
		assert_int_equal(host->cpus[i].kind, i >= 16);
		assert_int_equal(host->cores[host->cpus[i].core].n_cpus, i < 16 ? 2 : 1);
	}
	host_free(host);

	/* Two of the E-cores are of the third kind, and two CPUs are offline: in no list. */
	tree_write(*state, "sys/devices/cpu_atom/cpus", "16-20\n");
	tree_write(*state, "sys/devices/cpu_lowpower/cpus", "22-23\n");
	tree_write(*state, "sys/devices/cpu_core/cpus", "0-14\n");
	tree_write(*state, CPU "/online", "0-14,16-20,22-23\n");
	host = read_host(*state);
	assert_int_equal(host->n_kinds, 3);
	assert_string_equal(host->kinds[2].name, "LP-core");
	assert_int_equal(host->cpus[15].kind, 0);
	assert_int_equal(host->cpus[21].kind, 1);
	assert_int_equal(host->cpus[22].kind, 2);
	assert_false(host->cpus[15].online);
	assert_int_equal(host->n_packages, 1); /* the offline ones too */
	assert_int_equal(host->n_cores, 17);   /* 15 is a core of its own now */
	host_free(host);

	/* All E-cores are off, or their PMU lists CPUs that are not there. */
	tree_write(*state, "sys/devices/cpu_atom/cpus", "100-107\n");
	tree_remove(*state, "sys/devices/cpu_lowpower");
	host = read_host(*state);
	assert_int_equal(host->n_kinds, 1);
	assert_string_equal(host->kinds[0].name, "P-core");
	host_free(host);
}

static void test_offline(void **state)
{
	struct host *host;

	machine_write(*state, &machine_shapes[3], SHAPE_ALL); /* 8 CPUs */
	tree_write(*state, CPU "/online", "0-4,7\n");
	tree_write(*state, CPU "/possible", "0-15\n");
	tree_remove(*state, CPU "/cpu5/topology");
	tree_remove(*state, CPU "/cpu6/topology");
	tree_write(*state, CPU "/cpu1/topology/core_cpus_list", "1\n");
	tree_write(*state, CPU "/cpu2/topology/core_cpus_list", "2\n");
	host = read_host(*state);
	assert_int_equal(host->possible, 16);
	assert_int_equal(host->n_cpus, 8);
	assert_int_equal(host->n_packages, 1);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(host->cpus[i].online, i != 5 && i != 6);
	assert_int_equal(host_relation(host, 0, 4), RELATION_SIBLING);
	assert_int_equal(host_relation(host, 5, 6), RELATION_SAME_PACKAGE);
	host_free(host);
}

/* With two packages nobody knows where an offline CPU sits. */
static void test_offline_two_packages(void **state)
{
	const struct shape two = { "two", 2, 1, "0-1", false };
	struct host *host;

	machine_write(*state, &two, SHAPE_ALL);
	tree_write(*state, CPU "/online", "0-2\n");
	host = read_host(*state);
	assert_int_equal(host->n_packages, 3);
	assert_int_equal(host->packages[2].package_id, -1);
	assert_int_equal(host->cpus[3].package, 2);
	host_free(host);
}

static void test_isolated(void **state)
{
	static const struct {
		const char *file, *text;
		unsigned from, to; /* isolated CPUs, to excluded */
	} rows[] = {
		{ CPU "/isolated", "4-7\n", 4, 8 },
		{ CPU "/isolated", "\n", 0, 0 },
		{ CPU "/nohz_full", "2-3\n", 2, 4 },
		{ CPU "/nohz_full", "(null)\n", 0, 0 }, /* some kernels, where it is not set */
		{ "sys/fs/cgroup/cpuset.cpus.isolated", "7\n", 7, 8 },
	};

	machine_write(*state, &machine_shapes[3], SHAPE_ALL);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct host *host;

		tree_write(*state, rows[i].file, "%s", rows[i].text);
		host = read_host(*state);
		for (unsigned c = 0; c < 8; c++)
			assert_int_equal(host->cpus[c].isolated, c >= rows[i].from && c < rows[i].to);
		host_free(host);
		tree_remove(*state, rows[i].file);
	}
	tree_write(*state, CPU "/isolated", "1\n");
	tree_write(*state, CPU "/nohz_full", "1-2\n");
	struct host *host = read_host(*state);
	assert_true(host->cpus[1].isolated && host->cpus[2].isolated && !host->cpus[3].isolated);
	host_free(host);
}

/* Witnesses of which CPUs there are, each taken away in turn. */
static void test_witnesses(void **state)
{
	struct hostfs *fs;
	struct host *host = NULL;
	struct problem problem = { 0 };

	tree_write(*state, "proc/cpuinfo", "processor : 0\n\nprocessor : 1\n\nprocessor : 9\n");
	tree_mkdir(*state, CPU "/cpu0");
	tree_mkdir(*state, CPU "/cpu3");
	tree_mkdir(*state, CPU "/cpufreq");
	tree_mkdir(*state, CPU "/cpu");
	tree_mkdir(*state, CPU "/cpu1x");
	tree_mkdir(*state, CPU "/cpu99999");
	tree_write(*state, CPU "/online", "0-3\n");
	tree_write(*state, CPU "/possible", "0-5\n");
	tree_write(*state, CPU "/present", "0-4\n");
	static const struct {
		const char *gone;
		unsigned n_cpus, last;
		bool last_online;
	} rows[] = {
		{ NULL, 5, 4, false },
		{ CPU "/present", 6, 5, false },
		{ CPU "/possible", 4, 3, true },
		{ CPU "/online", 2, 3, true },
		{ CPU, 3, 9, true },
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		if (rows[i].gone)
			tree_remove(*state, rows[i].gone);
		host = read_host(*state);
		assert_int_equal(host->n_cpus, rows[i].n_cpus);
		assert_int_equal(host->cpus[host->n_cpus - 1].id, rows[i].last);
		assert_int_equal(host->cpus[host->n_cpus - 1].online, rows[i].last_online);
		host_free(host);
		host = NULL;
	}
	tree_remove(*state, "proc/cpuinfo");
	assert_int_equal(hostfs_open(*state, &fs), 0);
	assert_int_equal(topology_read(fs, NULL, &host, &problem), -ENOENT);
	assert_null(host);
	assert_int_equal(problem.err, ENOENT);
	assert_true(problem.remedy[0] != '\0');
	hostfs_close(fs);
}

/* The first read of `online` fails, so the scan takes all for online; the read after it tells another
 * story, and only a second scan gets it right. */
static void test_rescan(void **state)
{
	struct hostfs *fs;
	struct host *host = NULL;

	machine_write(*state, &machine_shapes[3], SHAPE_ALL);
	tree_write(*state, CPU "/online", "0-5\n");
	assert_int_equal(hostfs_open(*state, &fs), 0);
	hostfs_fail_after(fs, 1, EIO);
	assert_int_equal(topology_read(fs, NULL, &host, NULL), 0);
	hostfs_close(fs);
	check_host(host);
	assert_true(host->cpus[5].online);
	assert_false(host->cpus[6].online);
	host_free(host);
}

/* No memory at any access: -ENOMEM, or what is left out is optional; nothing is freed twice. The empty
 * list of present CPUs makes it ask the next witness. */
static void test_no_memory(void **state)
{
	machine_write(*state, &machine_shapes[3], SHAPE_ALL);
	tree_write(*state, CPU "/present", "\n");
	for (unsigned n = 1; n < 200; n++) {
		struct hostfs *fs;
		struct host *host = NULL;
		int r;

		assert_int_equal(hostfs_open(*state, &fs), 0);
		hostfs_fail_after(fs, n, ENOMEM);
		r = topology_read(fs, NULL, &host, NULL);
		hostfs_close(fs);
		assert_true(r == 0 || r == -ENOMEM);
		assert_int_equal(host != NULL, r == 0);
		host_free(host);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test_setup_teardown(test_sparse, setup, teardown),
		{ "case 38: core ids repeat in packages that take CPU numbers by turns", test_twins, setup, teardown, NULL },
		cmocka_unit_test_setup_teardown(test_no_topology, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_ids, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hybrid, setup, teardown),
		cmocka_unit_test_setup_teardown(test_offline, setup, teardown),
		cmocka_unit_test_setup_teardown(test_offline_two_packages, setup, teardown),
		cmocka_unit_test_setup_teardown(test_isolated, setup, teardown),
		cmocka_unit_test_setup_teardown(test_witnesses, setup, teardown),
		{ "case 46: scanned anew when CPUs come or go meanwhile", test_rescan, setup, teardown, NULL },
		cmocka_unit_test_setup_teardown(test_no_memory, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
