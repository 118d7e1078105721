/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMUs cstate_core, cstate_pkg and power of Linux: arch/x86/events/intel/cstate.c, events/rapl.c. */
#include "config.h"

#include "source/perf_unit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/list.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/instant.h"
#include "source/perf_group.h"
#include "source/perf_plan.h"
#include "source/perf_pmu.h"
#include "source/perf_why.h"
#include "source/place.h"
#include "source/source.h"

struct unit_row {
	enum counter counter;
	const char *event;
	enum counter age; /* of an energy: when it was read; else COUNTER_N */
};

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

/* Where a package has several dies, each has its own PMU, which may have another name. */
static const struct unit_kind {
	const char *pmus[2];
	const struct unit_row *rows;
	size_t n_rows;
	enum scope scope;
	enum perf_part part;
} kinds[] = {
	{ { "cstate_core" }, ROWS(core_states), SCOPE_CORE, PERF_PART_CSTATE },
	{ { "cstate_pkg", "cstate_die" }, ROWS(package_states), SCOPE_PACKAGE, PERF_PART_CSTATE },
	{ { "power" }, ROWS(energies), SCOPE_PACKAGE, PERF_PART_POWER },
};

#define N_KINDS (sizeof(kinds) / sizeof(*kinds))

/* One PMU of one core or die. */
struct unit {
	const struct unit_kind *kind;
	unsigned cpu;	/* index of the one that is asked */
	unsigned place; /* index of the core or package */
	unsigned dies;	/* how many units make up the place */
	struct perf_group group;
	struct perf_event events[PERF_GROUP_MAX];
	const struct unit_row *rows[PERF_GROUP_MAX]; /* of the events */
	double uj[PERF_GROUP_MAX];		     /* microjoules of one count; 0 none */
	struct instant at; /* of the last read */
	bool stood; /* its time stood still at the last read */
};

struct perf_units {
	const struct host *host;
	struct unit *items; /* by the CPU that is asked */
	size_t n, next;
	unsigned budget;
	uint64_t begin_ns;
	bool read_before;
};

static int find_pmu(struct hostfs *fs, const struct unit_kind *kind, struct perf_pmu *ret)
{
	int r = -ENOENT;

	for (size_t i = 0; r < 0 && i < sizeof(kind->pmus) / sizeof(*kind->pmus) && kind->pmus[i]; i++)
		r = perf_pmu_find(fs, kind->pmus[i], ret);
	return r;
}

static void fill_unit(struct hostfs *fs, const struct unit_kind *kind, const struct perf_pmu *pmu,
		      struct unit *ret)
{
	*ret = (struct unit) { .kind = kind, .dies = 1 };
	for (size_t i = 0; i < kind->n_rows; i++) {
		const struct unit_row *row = &kind->rows[i];
		double joules = 0;
		uint64_t config;

		if (perf_pmu_event(pmu, fs, row->event, &config) < 0)
			continue;
		if (row->age != COUNTER_N)
			joules = perf_pmu_joules(pmu, fs, row->event);
		if (row->age != COUNTER_N && !(joules > 0))
			continue; /* nobody tells its unit */
		ret->rows[ret->group.n] = row;
		ret->uj[ret->group.n] = joules * 1e6;
		ret->events[ret->group.n++] = (struct perf_event) {
			.counter = row->counter, .what = { pmu->type, config }, .fd = -1
		};
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

/* The next CPU that this PMU is asked by and whose core or package is shown, after *at; its index or -1. */
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

static bool is_alone(const struct host *host, unsigned cpu)
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
		fill_unit(env->fs, kind, &pmu, &unit);
		do
			cpu = next_cpu(env->host, kind, &pmu, &at);
		while (cpu >= 0 && is_alone(env->host, (unsigned)cpu));
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
				because = unit.events[k].err < 0 ? perf_why(scene, kind->part,
									    unit.events[k].err)
								 : NULL;
		offer_counter(ret, kind->rows[i].counter, because);
		if (kind->rows[i].age != COUNTER_N)
			offer_counter(ret, kind->rows[i].age, because);
	}
	perf_pmu_free(&pmu);
}

void perf_units_offer(const struct source_env *env, const struct perf_scene *scene, struct offer *ret)
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
	fill_unit(env->fs, kind, &pmu, &unit);
	while (r == 0 && unit.group.n > 0 && (cpu = next_cpu(host, kind, &pmu, &at)) >= 0) {
		unit.cpu = (unsigned)cpu;
		unit.place = kind->scope == SCOPE_CORE ? host->cpus[cpu].core
						       : host->cpus[cpu].package;
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

static void count_dies(struct perf_units *units)
{
	for (size_t i = 0; i < units->n; i++) {
		struct unit *unit = &units->items[i];

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
		if (is_alone(env->host, unit->cpu))
			continue;
		(void)perf_group_open(&unit->group, env->host->cpus[unit->cpu].id, budget);
	}
	units->budget = *budget;
	*ret = units;
	return 0;
}

void perf_units_close(struct perf_units *units)
{
	if (!units)
		return;
	for (size_t i = 0; i < units->n; i++)
		perf_group_close(&units->items[i].group, &units->budget);
	free(units->items);
	free(units);
}

void perf_units_begin(struct perf_units *units, uint64_t begin_ns)
{
	units->read_before = units->begin_ns > 0;
	units->begin_ns = begin_ns;
	units->next = 0;
}

static bool is_count(enum state state)
{
	return state_usable(state) || state == STATE_RESET || state == STATE_LATE ||
	       state == STATE_CROWDED;
}

static bool worse(enum state a, enum state b)
{
	return state_row(a)->rank > state_row(b)->rank;
}

/* All dies together: energies add up, of idle times each has its part. A sum that is late is one to count
 * from all the same. */
static void add_reading(const struct unit *unit, enum counter counter, const struct reading *more,
			struct sample *into)
{
	struct reading *sum = sample_at(into, counter, unit->place, 0);
	const enum state state = (enum state)more->state;

	if (sum->source == SOURCE_NONE || !is_count((enum state)sum->state) || !is_count(state)) {
		if (sum->source == SOURCE_NONE || worse(state, (enum state)sum->state))
			*sum = *more;
		return;
	}
	sum->raw += more->raw;
	if (worse(state, (enum state)sum->state))
		sum->state = more->state;
}

static void fail_unit(const struct unit *unit, enum state state, int err, struct sample *into)
{
	const struct reading failed = reading_failed(state, err, SOURCE_PERF);

	for (unsigned i = 0; i < unit->group.n; i++)
		add_reading(unit, unit->events[i].counter, &failed, into);
}

static enum state place_of(const struct perf_units *units, const struct unit *unit,
			   const struct sample *into, unsigned *ret_cpu)
{
	if (is_alone(units->host, unit->cpu))
		return STATE_ISOLATED;
	return unit->kind->scope == SCOPE_CORE
		       ? place_of_core(units->host, into, unit->place, true, ret_cpu)
		       : place_of_package(units->host, into, unit->place, true, ret_cpu);
}

static void read_once(struct unit *unit)
{
	unit->at.begin_ns = clock_mono_ns();
	perf_group_read(&unit->group);
	unit->at.end_ns = clock_mono_ns();
}

/* Of an energy the moment must be known: again where something held up the thread in the middle of a read.
 * The kernel hands a PMU to a sibling when its CPU goes; but the events of a core that went are dead. */
static int read_group(struct perf_units *units, struct unit *unit, unsigned cpu, bool *ret_anew)
{
	const uint64_t first_ns = clock_mono_ns(), elapsed_ns = first_ns - unit->at.end_ns;
	struct perf_group *group = &unit->group;
	int r;

	read_once(unit);
	if (group->frozen && !unit->stood) {
		unit->stood = true;
		perf_group_close(group, &units->budget);
		r = perf_group_open(group, units->host->cpus[cpu].id, &units->budget);
		if (r < 0)
			return r;
		*ret_anew = true;
		read_once(unit);
	} else {
		unit->stood = group->frozen;
		while (unit->uj[0] > 0 && group->state == STATE_OK && units->read_before &&
		       instant_again(&unit->at, first_ns, elapsed_ns))
			read_once(unit);
	}
	return group->state == STATE_FAILED ? group->err : 0;
}

/* What one event of it tells; `before`: when it was read the last time, if it was. */
static void tell(const struct perf_units *units, const struct unit *unit, unsigned i,
		 const struct instant *before, bool anew, struct sample *into)
{
	const struct perf_event *event = &unit->events[i];
	const double scale = unit->uj[i] > 0 ? unit->uj[i] : 1.0 / unit->dies;
	struct reading reading = { (uint64_t)((double)event->total * scale),
				   (uint8_t)unit->group.state, SOURCE_PERF };

	if (event->err < 0)
		reading = reading_failed(place_failed(event->err), event->err, SOURCE_PERF);
	else if (anew)
		reading.state = STATE_RESET;
	else if (unit->uj[i] > 0 && before->end_ns > 0 && reading.state == STATE_OK &&
		 !instant_sharp_both(before, &unit->at, unit->at.end_ns - before->end_ns))
		reading.state = STATE_LATE;
	add_reading(unit, event->counter, &reading, into);
	if (unit->rows[i]->age != COUNTER_N)
		sample_set(into, unit->rows[i]->age, unit->place, 0,
			   instant_ns(&unit->at) - units->begin_ns, SOURCE_PERF);
}

static void read_unit(struct perf_units *units, struct unit *unit, struct sample *into)
{
	const struct instant before = unit->at;
	bool anew = false;
	unsigned cpu = 0;
	const enum state state = place_of(units, unit, into, &cpu);
	int r = 0;

	if (state != STATE_OK) {
		if (state == STATE_OFFLINE)
			perf_group_close(&unit->group, &units->budget);
		fail_unit(unit, state, 0, into);
		return;
	}
	if (!unit->group.open) {
		r = perf_group_open(&unit->group, units->host->cpus[cpu].id, &units->budget);
		anew = units->read_before;
	}
	if (r == 0)
		r = read_group(units, unit, cpu, &anew);
	if (r < 0) {
		fail_unit(unit, place_failed(r), r, into);
		return;
	}
	for (unsigned i = 0; i < unit->group.n; i++)
		tell(units, unit, i, &before, anew, into);
}

void perf_units_read(struct perf_units *units, unsigned cpu, struct sample *into)
{
	while (units->next < units->n && units->items[units->next].cpu <= cpu)
		read_unit(units, &units->items[units->next++], into);
}
