/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups CPUs into cores and packages by sorting them; ids may be sparse, huge, repeated per package,
 * or unknown (-1). */
#include "config.h"
#include "source/topology_group.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/num.h"
#include "model/host.h"

/* How siblings are recognized, best first. */
enum key { KEY_SIBLINGS, KEY_CORE_ID, KEY_ALONE };

struct place {
	unsigned cpu;		/* index */
	int package, die, core; /* ids, -1 unknown */
	enum key key;
	unsigned lead;	/* by key: first CPU number of the siblings, core id, own number */
	unsigned first; /* CPU index of the core's first member */
};

static int read_id(struct hostfs *fs, unsigned cpu, const char *file, int *ret)
{
	uint64_t value;
	const int r = hostfs_read_u64(fs, &value, "sys/devices/system/cpu/cpu%u/topology/%s", cpu,
				      file);

	if (r == -ENOMEM)
		return r;
	*ret = r == 0 && value <= INT_MAX ? (int)value : -1;
	return 0;
}

/* First CPU number of the siblings of `cpu`; -1 where the list is absent or does not hold `cpu`. */
static int read_lead(struct hostfs *fs, unsigned cpu, int *ret)
{
	/* The first is the newer name of the second (Linux 5.3). */
	static const char *const files[] = { "core_cpus_list", "thread_siblings_list" };
	int lead = -1, r = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && lead < 0 && r == 0; i++) {
		struct list *list = NULL;
		char line[4096];

		r = hostfs_read_line(fs, line, sizeof(line),
				     "sys/devices/system/cpu/cpu%u/topology/%s", cpu, files[i]);
		if (r == 0)
			r = list_parse(line, &list);
		if (list_has(list, cpu))
			lead = list_next(list, 0);
		list_free(list);
		if (r != -ENOMEM)
			r = 0;
	}
	*ret = lead;
	return r;
}

static int read_place(struct hostfs *fs, const struct host *host, unsigned cpu, struct place *ret)
{
	const unsigned id = host->cpus[cpu].id;
	int lead = -1, r;

	ret->cpu = cpu;
	ret->package = ret->die = ret->core = -1;
	ret->key = KEY_ALONE;
	ret->lead = id;
	if (!host->cpus[cpu].online)
		return 0; /* the kernel tells nothing of it */
	r = read_id(fs, id, "physical_package_id", &ret->package);
	if (r == 0)
		r = read_id(fs, id, "die_id", &ret->die);
	if (r == 0)
		r = read_id(fs, id, "core_id", &ret->core);
	if (r == 0)
		r = read_lead(fs, id, &lead);
	if (lead >= 0) {
		ret->key = KEY_SIBLINGS;
		ret->lead = (unsigned)lead;
	} else if (ret->core >= 0) {
		ret->key = KEY_CORE_ID;
		ret->lead = (unsigned)ret->core;
	}
	return r;
}

/* The place of an offline CPU as it was last known: its core is that of the siblings it had. */
static void recall_place(const struct host *host, const struct host *before, struct place *places,
			 unsigned cpu)
{
	const int was = host_cpu_index(before, host->cpus[cpu].id);
	struct place *place = &places[cpu];
	const struct host_core *core;

	if (was < 0)
		return;
	core = &before->cores[before->cpus[was].core];
	place->package = before->packages[core->package].package_id;
	place->die = core->die_id;
	place->core = core->core_id;
	place->key = KEY_SIBLINGS;
	place->lead = before->cpus[core->cpus[0]].id;
	for (unsigned i = 0; i < core->n_cpus; i++) {
		const int sibling = host_cpu_index(host, before->cpus[core->cpus[i]].id);

		if (sibling < 0 || !host->cpus[sibling].online)
			continue;
		place->key = places[sibling].key;
		place->lead = places[sibling].lead;
		return;
	}
}

/* Unknown (-1) comes last. */
static int compare_ids(int a, int b)
{
	return ((unsigned)a > (unsigned)b) - ((unsigned)a < (unsigned)b);
}

static int compare_numbers(unsigned a, unsigned b)
{
	return (a > b) - (a < b);
}

/* 0 for two CPUs of one core. */
static int compare_cores(const struct place *a, const struct place *b)
{
	int r = compare_ids(a->package, b->package);

	if (r == 0)
		r = compare_ids(a->die, b->die);
	if (r == 0)
		r = compare_numbers(a->key, b->key);
	return r ? r : compare_numbers(a->lead, b->lead);
}

static int by_core(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	const int r = compare_cores(a, b);

	return r ? r : compare_numbers(a->cpu, b->cpu);
}

/* The order that people see: packages, then cores by their first CPU. */
static int by_package(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	int r = compare_ids(a->package, b->package);

	if (r == 0)
		r = compare_numbers(a->first, b->first);
	return r ? r : compare_numbers(a->cpu, b->cpu);
}

/* Offline CPUs tell no package: where there is only one, it is theirs. */
static void adopt_package(struct place *places, unsigned n)
{
	int only = -1;

	for (unsigned i = 0; i < n; i++) {
		if (places[i].package < 0)
			continue;
		if (only >= 0 && only != places[i].package)
			return;
		only = places[i].package;
	}
	for (unsigned i = 0; i < n; i++)
		places[i].package = only;
}

static void sort_places(struct place *places, unsigned n)
{
	qsort(places, n, sizeof(*places), by_core);
	for (unsigned i = 0; i < n; i++)
		places[i].first = i > 0 && compare_cores(&places[i - 1], &places[i]) == 0
					  ? places[i - 1].first
					  : places[i].cpu;
	qsort(places, n, sizeof(*places), by_package);
}

/* places[0..n): the CPUs of one core. */
static int add_core(struct host *host, const struct place *places, unsigned n)
{
	struct host_core *core = &host->cores[host->n_cores];

	core->cpus = calloc(n, sizeof(*core->cpus));
	if (!core->cpus)
		return -ENOMEM;
	core->core_id = places[0].core;
	core->die_id = places[0].die;
	core->package = host->n_packages;
	core->n_cpus = n;
	for (unsigned i = 0; i < n; i++) {
		core->cpus[i] = places[i].cpu;
		host->cpus[places[i].cpu].core = host->n_cores;
		host->cpus[places[i].cpu].package = host->n_packages;
	}
	host->n_cores++;
	return 0;
}

/* places[0..n): the CPUs of one package, core after core. */
static int add_package(struct host *host, const struct place *places, unsigned n)
{
	struct host_package *package = &host->packages[host->n_packages];
	const unsigned first_core = host->n_cores;

	for (unsigned i = 0, end; i < n; i = end) {
		int r;

		for (end = i + 1; end < n && places[end].first == places[i].first; end++)
			;
		r = add_core(host, places + i, end - i);
		if (r < 0)
			return r;
	}
	package->package_id = places[0].package;
	package->n_cores = host->n_cores - first_core;
	package->cores = calloc(package->n_cores, sizeof(*package->cores));
	if (!package->cores)
		return -ENOMEM;
	for (unsigned i = 0; i < package->n_cores; i++)
		package->cores[i] = first_core + i;
	host->n_packages++;
	return 0;
}

int topology_group(struct hostfs *fs, const struct host *before, struct host *host)
{
	const unsigned n = host->n_cpus;
	struct place *places = calloc(n, sizeof(*places));
	int r = 0;

	/* There can be as many as CPUs. */
	host->cores = calloc(n, sizeof(*host->cores));
	host->packages = calloc(n, sizeof(*host->packages));
	if (!places || !host->cores || !host->packages)
		r = -ENOMEM;
	for (unsigned i = 0; i < n && r == 0; i++)
		r = read_place(fs, host, i, &places[i]);
	if (r == 0) {
		for (unsigned i = 0; before && i < n; i++)
			if (!host->cpus[i].online)
				recall_place(host, before, places, i);
		adopt_package(places, n);
		sort_places(places, n);
	}
	for (unsigned i = 0, end; i < n && r == 0; i = end) {
		for (end = i + 1; end < n && places[end].package == places[i].package; end++)
			;
		r = add_package(host, places + i, end - i);
	}
	free(places);
	return r;
}
