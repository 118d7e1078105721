/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the /proc and /sys of a large machine as plain files into a new folder, and prints its name:
 * big_tree CPUS. Eight packages, two threads a core, numbered as Linux does; idle states, cpufreq,
 * thermal_throttle, hwmon (coretemp) and powercap as a server has them. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "tests/unit/tree.h"

#define CPU "sys/devices/system/cpu/"
#define PACKAGES 8u

struct machine {
	const char *root;
	unsigned cpus, cores, package_cores;
};

/* A file of one CPU; of idle state `state` if that is not -1. */
static void put(const struct machine *m, unsigned cpu, int state, const char *file, const char *text)
{
	char path[128];

	if (state < 0)
		(void)snprintf(path, sizeof(path), CPU "cpu%u/%s", cpu, file);
	else
		(void)snprintf(path, sizeof(path), CPU "cpu%u/cpuidle/state%d/%s", cpu, state, file);
	tree_write(m->root, path, "%s\n", text);
}

static void put_number(const struct machine *m, unsigned cpu, int state, const char *file,
		       unsigned number)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%u", number);
	put(m, cpu, state, file, text);
}

static void write_cpu(const struct machine *m, unsigned cpu)
{
	static const char *const states[] = { "POLL", "C1", "C1E", "C6" };
	const unsigned core = cpu % m->cores;
	char siblings[32];

	(void)snprintf(siblings, sizeof(siblings), "%u,%u", core, core + m->cores);
	put_number(m, cpu, -1, "topology/physical_package_id", core / m->package_cores);
	put_number(m, cpu, -1, "topology/die_id", 0);
	put_number(m, cpu, -1, "topology/core_id", core % m->package_cores);
	put(m, cpu, -1, "topology/core_cpus_list", siblings);
	put(m, cpu, -1, "topology/thread_siblings_list", siblings);
	put(m, cpu, -1, "cpufreq/scaling_driver", "intel_pstate");
	put_number(m, cpu, -1, "cpufreq/scaling_cur_freq", 2000000 + cpu);
	put_number(m, cpu, -1, "cpufreq/scaling_min_freq", 800000);
	put_number(m, cpu, -1, "cpufreq/scaling_max_freq", 3800000);
	put_number(m, cpu, -1, "thermal_throttle/core_throttle_count", cpu % 7);
	put_number(m, cpu, -1, "thermal_throttle/core_throttle_total_time_ms", cpu % 7);
	put_number(m, cpu, -1, "thermal_throttle/package_throttle_count", 0);
	put_number(m, cpu, -1, "thermal_throttle/package_throttle_total_time_ms", 0);
	for (int s = 0; s < 4; s++) {
		put(m, cpu, s, "name", states[s]);
		put_number(m, cpu, s, "time", 1000000 + cpu * 4);
		put_number(m, cpu, s, "usage", 1000);
		put_number(m, cpu, s, "disable", 0);
	}
}

static void write_package(const struct machine *m, unsigned package)
{
	char path[128];

	for (unsigned i = 0; i <= m->package_cores; i++) {
		(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/temp%u_label", package, i + 1);
		if (i == 0)
			tree_write(m->root, path, "Package id %u\n", package);
		else
			tree_write(m->root, path, "Core %u\n", i - 1);
		(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/temp%u_input", package, i + 1);
		tree_write(m->root, path, "%u\n", 40000 + i * 100);
		(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/temp%u_crit", package, i + 1);
		tree_write(m->root, path, "100000\n");
	}
	(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/name", package);
	tree_write(m->root, path, "coretemp\n");
	(void)snprintf(path, sizeof(path), "sys/class/powercap/intel-rapl:%u/name", package);
	tree_write(m->root, path, "package-%u\n", package);
	(void)snprintf(path, sizeof(path), "sys/class/powercap/intel-rapl:%u/energy_uj", package);
	tree_write(m->root, path, "%u\n", 123456789 + package);
	(void)snprintf(path, sizeof(path), "sys/class/powercap/intel-rapl:%u/max_energy_range_uj", package);
	tree_write(m->root, path, "262143328850\n");
}

static void write_proc(const struct machine *m)
{
	struct text stat = { 0 }, info = { 0 };

	text_addf(&stat, "cpu  1000 0 1000 100000 0 0 0 0 0 0\n");
	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		text_addf(&stat, "cpu%u %u 2 345 %u 12 0 3 0 0 0\n", cpu, 1000 + cpu, 98765 + cpu);
		text_addf(&info,
			  "processor\t: %u\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
			  "model name\t: A large machine\nstepping\t: 7\n"
			  "flags\t\t: fpu sse2 avx fma avx2 avx512f avx512bw avx512_vnni\n\n",
			  cpu);
	}
	text_addf(&stat, "intr 0\nctxt 0\nbtime 1700000000\nprocesses 1\n");
	tree_write(m->root, "proc/stat", "%s", stat.data);
	tree_write(m->root, "proc/cpuinfo", "%s", info.data);
	tree_write(m->root, "proc/sys/kernel/osrelease", "6.1.0\n");
	text_free(&stat);
	text_free(&info);
}

int main(int argc, char **argv)
{
	static const char *const lists[] = { CPU "present", CPU "possible", CPU "online" };
	const int cpus = argc == 2 ? atoi(argv[1]) : 0;
	struct machine m;
	char *root;

	if (cpus < (int)PACKAGES * 2 || cpus % ((int)PACKAGES * 2)) {
		(void)fprintf(stderr, "usage: big_tree CPUS (a multiple of %u)\n", PACKAGES * 2);
		return 2;
	}
	root = tree_new();
	m = (struct machine){ root, (unsigned)cpus, (unsigned)cpus / 2,
			      (unsigned)cpus / 2 / PACKAGES };
	write_proc(&m);
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		tree_write(root, lists[i], "0-%u\n", m.cpus - 1);
	for (unsigned i = 0; i < m.cpus; i++)
		write_cpu(&m, i);
	for (unsigned i = 0; i < PACKAGES; i++)
		write_package(&m, i);
	puts(root);
	free(root);
	return 0;
}
