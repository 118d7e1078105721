/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All formulas: each a small function of two samples, named in its metric's row. */
#include "config.h"

#include "model/derive.h"

#include <math.h>
#include <string.h>

#include "model/aggregate.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"

/* A release of the low clock that takes longer than the start-up of a probe (about 20 us: wake-up,
 * switch and the first two sub-samples) is seen by the ruler even behind another program's code. */
#define PROBE_START_S 20e-6

struct interval {
	const struct host *host;
	const struct sample *prev, *cur; /* prev NULL: the first sample */
	double elapsed_s;
	bool suspended; /* the machine slept in between */
};

/* A raw reading or difference, on the way into a formula. */
struct part {
	double v;
	enum state state;
	uint8_t source;
};

typedef struct value formula_fn(const struct interval *at, unsigned index, unsigned label);

/* A reading of this moment. */
static struct part moment(const struct interval *at, enum counter counter, unsigned index,
			  unsigned label)
{
	const struct reading *cur = sample_get(at->cur, counter, index, label);

	return (struct part){ (double)cur->raw, (enum state)cur->state, cur->source };
}

/* By how much a rising counter rose. No counter runs through half of its range in one interval, so
 * a difference beyond that is a step backwards: a reset, or a virtual CPU that moved. What a source knows
 * to have begun anew (STATE_RESET) is something to count from, though not up to. Over a suspend nothing
 * is a rate: some counters slept, some did not, and all CPUs but one went offline. */
static struct part rise(const struct interval *at, enum counter counter, unsigned index,
			unsigned label)
{
	unsigned bits = counter_row(counter)->bits;
	struct part ret = moment(at, counter, index, label);
	const struct reading *prev;
	uint64_t delta;

	if (!state_usable(ret.state))
		return ret;
	prev = at->prev ? sample_get(at->prev, counter, index, label) : NULL;
	if (!prev || (!state_usable((enum state)prev->state) && prev->state != STATE_RESET)) {
		ret.state = STATE_FIRST;
		return ret;
	}
	if (at->suspended) {
		ret.state = STATE_SUSPENDED;
		return ret;
	}
	delta = counter_delta(prev->raw, sample_get(at->cur, counter, index, label)->raw, bits);
	if (delta >> (bits - 1))
		ret.state = STATE_RESET;
	ret.v = (double)delta;
	return ret;
}

/* A value of several parts: it has the state of the part that tells most, and the first's source. */
static bool usable(const struct part *parts, unsigned n, struct value *ret)
{
	enum state state = parts[0].state;

	for (unsigned i = 1; i < n; i++)
		if (state_row(parts[i].state)->rank > state_row(state)->rank)
			state = parts[i].state;
	*ret = (struct value){ .state = (uint8_t)state, .source = parts[0].source };
	return state_usable(state);
}

/* part : whole, at most 1. Without a whole nothing was counted: unknown, not 0. */
static void set_share(struct value *ret, double part, double whole)
{
	if (whole > 0)
		ret->v = fmin(part / whole, 1);
	else
		ret->state = STATE_NO_TICKS;
}

/* The ruler's clock = cycles / ticks x rate of the TSC: a look at this moment, so no difference. */
static struct value busy_hertz(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		moment(at, COUNTER_RULER_CYCLES, index, label),
		moment(at, COUNTER_RULER_TICKS, index, label),
	};
	struct part sees = moment(at, COUNTER_RULER_SEES, index, label);
	struct value ret;

	if (!usable(parts, 2, &ret))
		return ret;
	if (!(parts[1].v > 0) || !(at->host->tsc_hertz > 0)) {
		ret.state = STATE_UNCALIBRATED;
		return ret;
	}
	ret.v = parts[0].v / parts[1].v * at->host->tsc_hertz;
	if (state_usable(sees.state) && sees.v > 0)
		ret.sees = SEES_BURST;
	else
		ret.sees = at->host->release_s >= PROBE_START_S ? SEES_ALL : SEES_SCALAR;
	return ret;
}

/* TSC ticks between two probes of this CPU, over the time between them taken beside each. */
static struct value tsc_hertz(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		rise(at, COUNTER_TSC, index, label),
		rise(at, COUNTER_TSC_TIME, index, label),
	};
	struct value ret;

	if (!usable(parts, 2, &ret))
		return ret;
	if (parts[1].v > 0)
		ret.v = parts[0].v / parts[1].v * 1e9;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

/* Share of `counter` in the kernel's accounting; stolen time belongs to the whole (as in htop) and
 * is neither busy nor idle. */
static struct value os_share(const struct interval *at, enum counter counter, unsigned index)
{
	struct part parts[] = {
		rise(at, counter, index, 0),
		rise(at, COUNTER_OS_BUSY, index, 0),
		rise(at, COUNTER_OS_IDLE, index, 0),
		rise(at, COUNTER_OS_STEAL, index, 0),
	};
	struct value ret;

	if (usable(parts, 4, &ret))
		set_share(&ret, parts[0].v, parts[1].v + parts[2].v + parts[3].v);
	return ret;
}

static struct value os_busy_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return os_share(at, COUNTER_OS_BUSY, index);
}

static struct value steal_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return os_share(at, COUNTER_OS_STEAL, index);
}

/* cpuidle adds to a state only when it is left. When no state of a CPU grew, it either slept
 * through the interval or never slept; only the kernel's idle time tells which. When some state grew,
 * the CPU was awake to leave it, and a state that did not grow was not slept in. */
static bool zero_is_known(const struct interval *at, unsigned index)
{
	struct part idle = rise(at, COUNTER_OS_IDLE, index, 0);
	struct part busy = rise(at, COUNTER_OS_BUSY, index, 0);

	if (state_usable(idle.state) && state_usable(busy.state) && !(idle.v > 0) && busy.v > 0)
		return true;
	for (unsigned i = 0; i < at->host->n_idle_states; i++) {
		struct part time = rise(at, COUNTER_IDLE_TIME, index, i);

		if (state_usable(time.state) && time.v > 0)
			return true;
	}
	return false;
}

/* Microseconds in the state over the interval. The source holds back what a long sleep adds at once
 * (source/cpuidle.c); what still exceeds the interval is cut. */
static struct value idle_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = rise(at, COUNTER_IDLE_TIME, index, label);
	struct value ret;

	if (!usable(&part, 1, &ret))
		return ret;
	if (part.v > 0 || zero_is_known(at, index))
		set_share(&ret, part.v, at->elapsed_s * 1e6);
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

/* Lost to jumps of the TSC, over the length of all probes since the last sample. */
static struct value gap_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		rise(at, COUNTER_RULER_GAP, index, label),
		rise(at, COUNTER_RULER_SPAN, index, label),
	};
	struct value ret;

	if (usable(parts, 2, &ret))
		set_share(&ret, parts[0].v, parts[1].v);
	return ret;
}

/* CPU time over time; several threads may use more than one CPU. */
static struct value self_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = rise(at, COUNTER_SELF_TIME, index, label);
	struct value ret;

	if (!usable(&part, 1, &ret))
		return ret;
	if (at->elapsed_s > 0)
		ret.v = part.v / 1e9 / at->elapsed_s;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

/* A reading that is the value. */
static struct value as_read(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label)
{
	struct part part = moment(at, counter, index, label);
	struct value ret;

	if (usable(&part, 1, &ret))
		ret.v = part.v;
	return ret;
}

static struct value os_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return as_read(at, COUNTER_OS_HERTZ, index, label);
}

static struct value cap_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return as_read(at, COUNTER_CAP_HERTZ, index, label);
}

static struct value floor_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return as_read(at, COUNTER_FLOOR_HERTZ, index, label);
}

static formula_fn *const formulas[METRIC_N] = {
#define METRIC(id, formula, ...) [METRIC_##id] = formula,
#include "model/metric_rows.h"
#undef METRIC
};

/* One member of a group, at the metric's own scope; CPUs that nobody asked for don't count. */
static void add_member(const struct snapshot *snapshot, enum metric metric, unsigned index,
		       unsigned label, struct gathering *gathering)
{
	const struct host *host = snapshot->host;
	enum scope own = metric_row(metric)->scope;
	const unsigned *cpus = own == SCOPE_CORE ? host->cores[index].cpus : &index;
	unsigned n = own == SCOPE_CORE ? host->cores[index].n_cpus : 1;

	for (unsigned i = 0; i < n; i++)
		if (host->cpus[cpus[i]].wanted) {
			gather_add(gathering, snapshot_get(snapshot, metric, own, index, label),
				   snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, own, index, 0),
				   host->cpus[cpus[i]].kind);
			return;
		}
}

static void add_core(const struct snapshot *snapshot, enum metric metric, unsigned core,
		     unsigned label, struct gathering *gathering)
{
	const struct host_core *row = &snapshot->host->cores[core];

	if (metric_row(metric)->scope == SCOPE_CORE) {
		add_member(snapshot, metric, core, label, gathering);
		return;
	}
	for (unsigned i = 0; i < row->n_cpus; i++)
		add_member(snapshot, metric, row->cpus[i], label, gathering);
}

/* The value of item `index` of a scope larger than the metric's own (a CPU's or a core's). */
static struct value aggregate(const struct snapshot *snapshot, enum metric metric, enum scope scope,
			      unsigned index, unsigned label)
{
	const struct host *host = snapshot->host;
	struct gathering gathering;

	gather_start(&gathering, metric_row(metric), scope);
	if (scope == SCOPE_CORE)
		add_core(snapshot, metric, index, label, &gathering);
	for (unsigned i = 0; scope == SCOPE_PACKAGE && i < host->packages[index].n_cores; i++)
		add_core(snapshot, metric, host->packages[index].cores[i], label, &gathering);
	for (unsigned i = 0; scope == SCOPE_HOST && i < host->n_cores; i++)
		add_core(snapshot, metric, i, label, &gathering);
	return gather_end(&gathering);
}

static void fill(const struct interval *at, enum metric metric, enum scope scope,
		 struct snapshot *ret)
{
	const struct metric_row *row = metric_row(metric);
	unsigned labels = label_count(at->host, row->label), n = scope_items(at->host, scope);

	if (!formulas[metric] || !metric_has_scope(metric, scope))
		return;
	for (unsigned i = 0; i < n; i++)
		for (unsigned label = 0; label < labels; label++)
			*snapshot_at(ret, metric, scope, i, label) =
				scope == row->scope ? formulas[metric](at, i, label)
						    : aggregate(ret, metric, scope, i, label);
}

void derive(const struct host *host, const struct sample *prev, const struct sample *cur,
	    struct snapshot *ret)
{
	struct interval at = { .host = host, .prev = prev, .cur = cur };

	if (prev && cur->mono_ns > prev->mono_ns)
		at.elapsed_s = (double)(cur->mono_ns - prev->mono_ns) / 1e9;
	if (prev)
		ret->suspended_s = (double)sample_suspended_ns(prev, cur) / 1e9;
	else
		ret->suspended_s = 0;
	at.suspended = ret->suspended_s > 0;
	ret->mono_ns = cur->mono_ns;
	ret->real_ns = cur->real_ns;
	ret->elapsed_s = at.elapsed_s;
	memset(ret->values, 0, ret->n_values * sizeof(*ret->values));
	/* Smallest scope first: larger ones are made of it. */
	for (unsigned s = 0; s < SCOPE_N; s++)
		for (unsigned m = 0; m < METRIC_N; m++)
			fill(&at, (enum metric)m, (enum scope)s, ret);
}
