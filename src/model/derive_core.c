/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a core is made of: sums over its CPUs, its clock, its residencies. */
#include "config.h"

#include "model/derive_own.h"
#include "model/host.h"

/* A CPU that is not there or was left alone: the core is known by its others. */
static bool left_out(enum state state)
{
	return state == STATE_OFFLINE || state == STATE_NOT_ASKED || state == STATE_ISOLATED ||
	       state == STATE_NOT_ALLOWED;
}

static struct part join(const struct part *a, const struct part *b)
{
	struct part ret = *a;

	ret.v += b->v;
	if (state_row(b->state)->rank > state_row(a->state)->rank)
		ret.state = b->state;
	return ret;
}

typedef struct part part_fn(const struct interval *at, unsigned cpu, enum counter counter);

static struct part sum(const struct interval *at, unsigned core, part_fn *of_cpu, enum counter counter)
{
	const struct host_core *row = &at->host->cores[core];
	struct part ret = { .state = STATE_UNSUPPORTED };
	bool any = false;

	for (unsigned i = 0; i < row->n_cpus; i++) {
		const struct part part = of_cpu(at, row->cpus[i], counter);

		if (any && left_out(part.state))
			continue;
		ret = any && !left_out(ret.state) ? join(&ret, &part) : part;
		any = true;
	}
	return ret;
}

static struct part rise(const struct interval *at, unsigned cpu, enum counter counter)
{
	return interval_rise(at, counter, cpu, 0);
}

struct part derive_core_rise(const struct interval *at, enum counter counter, unsigned core)
{
	return sum(at, core, rise, counter);
}

static struct part cycles(const struct interval *at, unsigned cpu, enum counter counter)
{
	(void)counter;
	return derive_cycles(at, cpu);
}

struct part derive_core_cycles(const struct interval *at, unsigned core)
{
	return sum(at, core, cycles, COUNTER_N);
}

static struct part tick(const struct interval *at, unsigned cpu, enum counter counter)
{
	const struct ticks ticks = derive_ticks(at, cpu);

	return counter == COUNTER_APERF ? ticks.aperf : ticks.mperf;
}

struct value derive_core_clock(const struct interval *at, unsigned core)
{
	const unsigned cpu = at->host->cores[core].cpus[0];
	const struct part aperf = sum(at, core, tick, COUNTER_APERF);
	const struct part mperf = sum(at, core, tick, COUNTER_MPERF);
	const struct part tsc = interval_rise(at, COUNTER_CLOCK_TSC, cpu, 0);

	return derive_clock(&aperf, &mperf, &tsc, at, cpu);
}

struct value derive_core_residency(const struct interval *at, enum counter counter, unsigned core)
{
	const struct part part = interval_rise(at, counter, core, 0);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		interval_share(&ret, part.v, derive_core_ticks(at, core, part.source));
	return ret;
}
