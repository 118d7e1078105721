/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMUs cstate_core, cstate_pkg and power of Linux (arch/x86/events/intel/cstate.c,
 * events/rapl.c): which are there, and for which cores and packages. */
#include "config.h"

#include "source/perf_unit_own.h"

#include <errno.h>
#include <stdlib.h>

#include "base/list.h"
#include "model/host.h"
#include "source/perf_plan.h"
#include "source/perf_pmu.h"
#include "source/source.h"

static const struct unit_row core_states[] = {
	{ COUNTER_CORE_C1, "c1-residency", COUNTER_N },
	{ COUNTER_CORE_C3, "c3-residency", COUNTER_N },
	{ COUNTER_CORE_C6, "c6-residency", COUNTER_N },
	{ COUNTER_CORE_C7, "c7-residency", COUNTER_N },
};
static const struct unit_row package_states[] = {
	{ COUNTER_PACKAGE_C2, "c2-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C3, "c3-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C6, "c6-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C7, "c7-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C8, "c8-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C9, "c9-residency", COUNTER_N },
	{ COUNTER_PACKAGE_C10, "c10-residency", COUNTER_N },
};
static const struct unit_row energies[] = {
	{ COUNTER_PACKAGE_ENERGY, "energy-pkg", COUNTER_PACKAGE_ENERGY_AGE },
	{ COUNTER_DRAM_ENERGY, "energy-ram", COUNTER_DRAM_ENERGY_AGE },
	{ COUNTER_CORE_ENERGY, "energy-cores", COUNTER_CORE_ENERGY_AGE },
};

#define ROWS(rows) rows, sizeof(rows) / sizeof(*(rows))

static const struct unit_kind kinds[] = {
	{ { "cstate_core" }, ROWS(core_states), SCOPE_CORE, PERF_PART_CSTATE },
	{ { "cstate_pkg", "cstate_die" }, ROWS(package_states), SCOPE_PACKAGE, PERF_PART_CSTATE },
	{ { "power" }, ROWS(energies), SCOPE_PACKAGE, PERF_PART_POWER },
};

#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

static int find_pmu(struct hostfs *fs, const struct unit_kind *kind, struct perf_pmu *ret)
{
	int r = -ENOENT;

	for (size_t i = 0; r < 0 && i < sizeof(kind->pmus) / sizeof(*kind->pmus) && kind->pmus[i];
	     i++)
		r = perf_pmu_find(fs, kind->pmus[i], ret);
	return r;
}

/* wanted: [COUNTER_N]; NULL all. */
static void fill_unit(struct hostfs *fs, const struct unit_kind *kind, const struct perf_pmu *pmu,
		      const bool *wanted, struct unit *ret)
{
	*ret = (struct unit) { .kind = kind, .dies = 1 };
	for (size_t i = 0; i < kind->n_rows; i++) {
		const struct unit_row *row = &kind->rows[i];
		double joules = 0;
		uint64_t config;

		if ((wanted && !wanted[row->counter]) ||
		    perf_pmu_event(pmu, fs, row->event, &config) < 0)
			continue;
		if (row->age != COUNTER_N)
			joules = perf_pmu_joules(pmu, fs, row->event);
		if (row->age != COUNTER_N && !(joules > 0))
			continue; /* nobody tells its unit */
		ret->rows[ret->group.n] = row;
		ret->uj[ret->group.n] = joules * 1e6;
		ret->events[ret->group.n++] = (struct perf_event) { .counter = row->counter,
								    .what = { pmu->type, config },
								    .fd = -1 };
	}
}

static bool is_shown(const struct host *host, enum scope scope, unsigned cpu)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].wanted &&
		    (scope == SCOPE_CORE ? host->cpus[i].core == host->cpus[cpu].core
					 : host->cpus[i].package == host->cpus[cpu].package))
			return true;
	return false;
}

/* The next CPU that this PMU is asked by and whose core or package is shown, after *at; its index
 * or -1. */
static int next_cpu(const struct host *host, const struct unit_kind *kind,
		    const struct perf_pmu *pmu, int *at)
{
	while ((*at = list_next(pmu->cpus, *at + 1)) >= 0) {
		const int cpu = host_cpu_index(host, (unsigned)*at);

		if (cpu >= 0 && host->cpus[cpu].online &&
		    is_shown(host, kind->scope, (unsigned)cpu))
			return cpu;
	}
	return -1;
}

bool perf_unit_is_alone(const struct host *host, unsigned cpu)
{
	return perf_may_read(host, cpu) == STATE_ISOLATED;
}

static void offer_kind(const struct source_env *env, const struct perf_scene *scene,
		       const struct unit_kind *kind, struct offer *ret)
{
	struct perf_pmu pmu = { 0 };
	struct unit unit = { 0 };
	unsigned budget = PERF_GROUP_MAX;
	int r = find_pmu(env->fs, kind, &pmu), at = -1, cpu = -1;

	if (r == 0) {
		fill_unit(env->fs, kind, &pmu, NULL, &unit);
		do
			cpu = next_cpu(env->host, kind, &pmu, &at);
		while (cpu >= 0 && perf_unit_is_alone(env->host, (unsigned)cpu));
	}
	unit.group.events = unit.events;
	if (cpu >= 0 && unit.group.n > 0) {
		(void)perf_group_open(&unit.group, env->host->cpus[cpu].id, &budget);
		perf_group_close(&unit.group, &budget);
	}
	for (size_t i = 0; i < kind->n_rows; i++) {
		const struct reason *because = perf_why(scene, kind->part, r < 0 ? r : -ENOENT);

		for (unsigned k = 0; cpu >= 0 && k < unit.group.n; k++)
			if (unit.rows[k] == &kind->rows[i])
				because = unit.events[k].err < 0
						  ? perf_why(scene, kind->part, unit.events[k].err)
						  : NULL;
		offer_counter(ret, kind->rows[i].counter, because);
		if (kind->rows[i].age != COUNTER_N)
			offer_counter(ret, kind->rows[i].age, because);
	}
	perf_pmu_free(&pmu);
}

void perf_units_offer(const struct source_env *env, const struct perf_scene *scene,
		      struct offer *ret)
{
	for (size_t i = 0; i < N_KINDS; i++)
		offer_kind(env, scene, &kinds[i], ret);
}

static int add_unit(struct perf_units *units, const struct unit *unit)
{
	struct unit *items = reallocarray(units->items, units->n + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	units->items = items;
	items[units->n++] = *unit;
	return 0;
}

static int add_kind(struct perf_units *units, const struct source_env *env,
		    const struct unit_kind *kind)
{
	const struct host *host = env->host;
	struct perf_pmu pmu = { 0 };
	struct unit unit;
	int at = -1, cpu, r = 0;

	if (find_pmu(env->fs, kind, &pmu) < 0)
		return 0;
	fill_unit(env->fs, kind, &pmu, env->wanted, &unit);
	while (r == 0 && unit.group.n > 0 && (cpu = next_cpu(host, kind, &pmu, &at)) >= 0) {
		unit.cpu = (unsigned)cpu;
		unit.place =
			kind->scope == SCOPE_CORE ? host->cpus[cpu].core : host->cpus[cpu].package;
		r = add_unit(units, &unit);
	}
	perf_pmu_free(&pmu);
	return r;
}

static int by_cpu(const void *a, const void *b)
{
	const struct unit *left = a, *right = b;

	return left->cpu < right->cpu ? -1 : left->cpu > right->cpu;
}

/* Only packages have several. */
static void count_dies(struct perf_units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		struct unit *unit = &units->items[i];

		if (unit->kind->scope == SCOPE_CORE)
			continue;
		unit->dies = 0;
		for (size_t k = 0; k < units->n; k++)
			unit->dies += units->items[k].kind == unit->kind &&
				      units->items[k].place == unit->place;
	}
}

int perf_units_open(const struct source_env *env, unsigned *budget, struct perf_units **ret)
{
	struct perf_units *units = calloc(1, sizeof(*units));
	int r = units ? 0 : -ENOMEM;

	if (units)
		units->host = env->host;
	for (size_t i = 0; r == 0 && i < N_KINDS; i++)
		r = add_kind(units, env, &kinds[i]);
	if (r < 0) {
		perf_units_close(units);
		return r;
	}
	if (units->n > 0)
		qsort(units->items, units->n, sizeof(*units->items), by_cpu);
	count_dies(units);
	for (size_t i = 0; i < units->n; i++) {
		struct unit *unit = &units->items[i];

		unit->group.events = unit->events; /* they moved */
		if (perf_unit_is_alone(env->host, unit->cpu))
			continue;
		(void)perf_group_open(&unit->group, env->host->cpus[unit->cpu].id, budget);
	}
	units->budget = *budget;
	*ret = units;
	return 0;
}
