/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All formulas: each a small function of two samples, named in its metric's row. */
#include "config.h"

#include "model/derive.h"

#include <math.h>
#include <string.h>

#include "model/aggregate.h"
#include "model/host.h"
#include "model/interval.h"
#include "model/sample.h"
#include "model/snapshot.h"

/* A release of the low clock that takes longer than the start-up of a probe (about 20 us: wake-up,
 * switch and the first two sub-samples) is seen by the ruler even behind another program's code. */
#define PROBE_START_S 20e-6

typedef struct value formula_fn(const struct interval *at, unsigned index, unsigned label);

/* The ruler's clock = cycles / ticks x rate of the TSC: a look at this moment, so no difference. */
static struct value busy_hertz(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		interval_moment(at, COUNTER_RULER_CYCLES, index, label),
		interval_moment(at, COUNTER_RULER_TICKS, index, label),
	};
	struct part sees = interval_moment(at, COUNTER_RULER_SEES, index, label);
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
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
		interval_rise(at, COUNTER_TSC, index, label),
		interval_rise(at, COUNTER_TSC_TIME, index, label),
	};
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
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
		interval_rise(at, counter, index, 0),
		interval_rise(at, COUNTER_OS_BUSY, index, 0),
		interval_rise(at, COUNTER_OS_IDLE, index, 0),
		interval_rise(at, COUNTER_OS_STEAL, index, 0),
	};
	struct value ret;

	if (interval_usable(parts, 4, &ret))
		interval_share(&ret, parts[0].v, parts[1].v + parts[2].v + parts[3].v);
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
	struct part idle = interval_rise(at, COUNTER_OS_IDLE, index, 0);
	struct part busy = interval_rise(at, COUNTER_OS_BUSY, index, 0);

	if (state_usable(idle.state) && state_usable(busy.state) && !(idle.v > 0) && busy.v > 0)
		return true;
	for (unsigned i = 0; i < at->host->n_idle_states; i++) {
		struct part time = interval_rise(at, COUNTER_IDLE_TIME, index, i);

		if (state_usable(time.state) && time.v > 0)
			return true;
	}
	return false;
}

/* From one reading of the thing's own to the next, where a counter says how late in the sample each was. */
static double own_elapsed_s(const struct interval *at, enum counter age, unsigned index,
			    unsigned label, uint8_t source)
{
	const struct reading *cur = sample_get(at->cur, age, index, label);
	const struct reading *prev = sample_get(at->prev, age, index, label);

	return interval_elapsed_s(at, source) + ((double)cur->raw - (double)prev->raw) / 1e9;
}

/* Microseconds in the state over the interval. The source holds back what a long sleep adds at once
 * (source/cpuidle.c); what still exceeds the interval is cut. */
static struct value idle_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, COUNTER_IDLE_TIME, index, label);
	struct value ret;

	if (!interval_usable(&part, 1, &ret))
		return ret;
	if (part.v > 0 || zero_is_known(at, index))
		interval_share(&ret, part.v,
			       own_elapsed_s(at, COUNTER_IDLE_AGE, index, label, part.source) *
				       1e6);
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

/* Lost to jumps of the TSC, over the length of all probes since the last sample. */
static struct value gap_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		interval_rise(at, COUNTER_RULER_GAP, index, label),
		interval_rise(at, COUNTER_RULER_SPAN, index, label),
	};
	struct value ret;

	if (interval_usable(parts, 2, &ret))
		interval_share(&ret, parts[0].v, parts[1].v);
	return ret;
}

/* CPU time over time; several threads may use more than one CPU. */
static struct value self_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, COUNTER_SELF_TIME, index, label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		interval_rate(&ret, &part, at, 1e-9);
	return ret;
}

/* A reading that is the value. */
static struct value as_read(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label)
{
	struct part part = interval_moment(at, counter, index, label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
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

static enum counter by_scope(const struct interval *at, enum counter core, enum counter package)
{
	return at->scope == SCOPE_PACKAGE ? package : core;
}

static struct value temperature_celsius(const struct interval *at, unsigned index, unsigned label)
{
	struct value ret = as_read(at, by_scope(at, COUNTER_CORE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE),
				   index, label);

	ret.v /= 1000;
	return ret;
}

static struct value thermal_margin_celsius(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		interval_moment(at, by_scope(at, COUNTER_CORE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE), index, label),
		interval_moment(at, by_scope(at, COUNTER_CORE_TEMPERATURE_LIMIT, COUNTER_PACKAGE_TEMPERATURE_LIMIT),
		       index, label),
	};
	struct value ret;

	if (interval_usable(parts, 2, &ret))
		ret.v = (parts[1].v - parts[0].v) / 1000;
	return ret;
}

static struct value throttle_events(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, by_scope(at, COUNTER_CORE_THROTTLE, COUNTER_PACKAGE_THROTTLE), index,
				label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		ret.v = part.v;
	return ret;
}

/* Microjoules over time. Hardware adds to a counter of energy every millisecond or so: one that stands
 * still was not looked at for long enough, or does not count. */
static struct value watts(const struct interval *at, enum counter counter, enum counter age, unsigned index)
{
	struct part part = interval_rise(at, counter, index, 0);
	struct value ret;
	double seconds;

	if (!interval_usable(&part, 1, &ret))
		return ret;
	seconds = own_elapsed_s(at, age, index, 0, part.source);
	if (part.v > 0 && seconds > 0)
		ret.v = part.v * 1e-6 / seconds;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

static struct value package_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_PACKAGE_ENERGY, COUNTER_PACKAGE_ENERGY_AGE, index);
}

static struct value dram_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_DRAM_ENERGY, COUNTER_DRAM_ENERGY_AGE, index);
}

static struct value core_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_CORE_ENERGY, COUNTER_CORE_ENERGY_AGE, index);
}

static struct value power_limit_watts(const struct interval *at, unsigned index, unsigned label)
{
	struct value ret = as_read(at, COUNTER_POWER_LIMIT, index, label);

	ret.v /= 1e6;
	return ret;
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

/* Measured where it can be, else made of the smaller scope. */
static struct value value_of(const struct interval *at, enum metric metric, unsigned index, unsigned label,
			     const struct snapshot *smaller)
{
	const struct metric_row *row = metric_row(metric);
	struct value ret = { .state = STATE_UNSUPPORTED };

	if (at->scope == row->scope || (at->scope == SCOPE_PACKAGE && row->package_inputs))
		ret = formulas[metric](at, index, label);
	if (at->scope != row->scope && ret.state == STATE_UNSUPPORTED)
		ret = aggregate(smaller, metric, at->scope, index, label);
	return ret;
}

static void fill(const struct interval *at, enum metric metric, struct snapshot *ret)
{
	unsigned labels = label_count(at->host, metric_row(metric)->label);
	unsigned n = scope_items(at->host, at->scope);

	if (!formulas[metric] || !metric_has_scope(metric, at->scope))
		return;
	for (unsigned i = 0; i < n; i++)
		for (unsigned label = 0; label < labels; label++)
			*snapshot_at(ret, metric, at->scope, i, label) =
				value_of(at, metric, i, label, ret);
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
	for (unsigned s = 0; s < SCOPE_N; s++) {
		at.scope = (enum scope)s;
		for (unsigned m = 0; m < METRIC_N; m++)
			fill(&at, (enum metric)m, ret);
	}
}
