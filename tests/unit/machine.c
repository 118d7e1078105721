/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topologies of real and made-up machines as trees of /sys, built by rule. Real ones: x2APIC ids of the
 * dumps of InstLatx64 (087af2c), numbered as Linux does. */
#include "config.h"
#include "tests/unit/machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/text.h"
#include "tests/unit/tree.h"

#define CPU "sys/devices/system/cpu"

const struct shape machine_shapes[] = {
	{ "1 CPU", 1, 1, "0", false },
	{ "2 CPUs", 1, 1, "0-1", false },
	{ "2 CPUs of one core", 1, 2, "0", true },
	{ "8 CPUs", 1, 2, "0-3", false },
	{ "512 CPUs, 2 packages", 2, 2, "0-127", false },
	{ "1152 CPUs, 6 packages", 6, 2, "0-95", false },
	{ "core ids beyond the count", 2, 2, "0-1,8-9,64,1000", false },
	{ "Xeon Platinum 8160 x 2", 2, 2, "0-5,8-13,16-21,24-29", false },
	{ "Xeon Platinum 8180 x 2", 2, 2, "0-6,8-14,16-22,24-30", false },
	{ "Xeon E5-2699 v3", 1, 2, "0-4,8-11,16-20,24-27", false },
	{ "Xeon Phi 7210", 1, 4, "2-3,6-15,18-53,56-65,68-73", false },
	{ "EPYC 9654 x 2", 2, 2, "0-95", false },
	{ "EPYC 9965 x 2, SMT off", 2, 1, "0-191", false },
	{ "Core i9-12900K, E-cores off", 1, 2, "0,4,8,12,16,20,24,28", true },
	{ NULL, 0, 0, NULL, false },
};

static unsigned core_count(const struct shape *shape)
{
	struct list *ids;
	unsigned count;

	if (list_parse(shape->core_ids, &ids) < 0)
		abort();
	count = list_count(ids);
	list_free(ids);
	return count;
}

unsigned machine_cpus(const struct shape *shape)
{
	return shape->packages * shape->threads * core_count(shape);
}

void machine_place(const struct shape *shape, unsigned cpu, unsigned *package, unsigned *core,
		   unsigned *thread)
{
	const unsigned cores = core_count(shape), all = cores * shape->packages;

	*thread = shape->threads_first ? cpu % shape->threads : cpu / all;
	cpu = shape->threads_first ? cpu / shape->threads : cpu % all;
	*package = cpu / cores;
	*core = cpu % cores;
}

static char *siblings(const struct shape *shape, unsigned cpu)
{
	const unsigned all = machine_cpus(shape) / shape->threads;
	struct text text = { 0 };

	for (unsigned t = 0; t < shape->threads; t++)
		text_addf(&text, "%s%u", t ? "," : "",
			  shape->threads_first ? cpu / shape->threads * shape->threads + t
					       : cpu % all + t * all);
	return text.data;
}

static void write_number(const char *root, unsigned cpu, const char *file, unsigned number)
{
	char path[100];

	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/%s", cpu, file);
	tree_write(root, path, "%u\n", number);
}

static void write_text(const char *root, unsigned cpu, const char *file, const char *text)
{
	char path[100];

	(void)snprintf(path, sizeof(path), CPU "/cpu%u/topology/%s", cpu, file);
	tree_write(root, path, "%s\n", text);
}

void machine_write(const char *root, const struct shape *shape, unsigned files)
{
	const unsigned n = machine_cpus(shape);
	struct list *ids;
	unsigned *core_ids = calloc(n, sizeof(*core_ids)), count = 0;

	if (!core_ids || list_parse(shape->core_ids, &ids) < 0)
		abort();
	for (int id = -1; (id = list_next(ids, id + 1)) >= 0;)
		core_ids[count++] = (unsigned)id;
	list_free(ids);
	tree_write(root, CPU "/possible", "0-%u\n", n - 1);
	tree_write(root, CPU "/present", "0-%u\n", n - 1);
	tree_write(root, CPU "/online", "0-%u\n", n - 1);
	for (unsigned cpu = 0; cpu < n; cpu++) {
		unsigned package, core, thread;
		char *list = siblings(shape, cpu);

		machine_place(shape, cpu, &package, &core, &thread);
		if (files & SHAPE_PACKAGE)
			write_number(root, cpu, "physical_package_id", package);
		if (files & SHAPE_DIE)
			write_number(root, cpu, "die_id", 0);
		if (files & SHAPE_CORE_ID)
			write_number(root, cpu, "core_id", core_ids[core]);
		if (files & SHAPE_CORE_CPUS)
			write_text(root, cpu, "core_cpus_list", list);
		if (files & SHAPE_SIBLINGS)
			write_text(root, cpu, "thread_siblings_list", list);
		free(list);
	}
	free(core_ids);
}

void machine_write_hybrid(const char *root)
{
	static const char present[] = "0-23\n";

	tree_write(root, CPU "/possible", present);
	tree_write(root, CPU "/present", present);
	tree_write(root, CPU "/online", present);
	tree_write(root, "sys/devices/cpu_core/cpus", "0-15\n");
	tree_write(root, "sys/devices/cpu_atom/cpus", "16-23\n");
	for (unsigned cpu = 0; cpu < 24; cpu++) {
		char list[16];

		if (cpu < 16)
			(void)snprintf(list, sizeof(list), "%u-%u", cpu & ~1u, cpu | 1u);
		else
			(void)snprintf(list, sizeof(list), "%u", cpu);
		write_number(root, cpu, "physical_package_id", 0);
		write_number(root, cpu, "core_id", cpu < 16 ? cpu / 2 * 4 : cpu + 16);
		write_text(root, cpu, "core_cpus_list", list);
	}
}
