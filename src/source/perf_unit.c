/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the PMUs of cores and packages. */
#include "config.h"

#include "source/perf_unit_own.h"

#include <stdlib.h>

#include "base/clock.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/place.h"
#include "source/source.h"

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

/* All dies together: energies add up, of idle times each has its part. A sum that is late is one to
 * count from all the same. */
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
	if (perf_unit_is_alone(units->host, unit->cpu))
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

/* Of an energy the moment must be known: again where something held up the thread in the middle of
 * a read. The kernel hands a PMU to a sibling when its CPU goes; but the events of a core that went
 * are dead. */
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
