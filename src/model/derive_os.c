/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of what the kernel accounts: busy, stolen and idle time, its own figures for the clock. */
#include "config.h"

#include "model/derive_own.h"
#include "model/host.h"
#include "model/sample.h"

struct value derive_nothing(const struct interval *at, unsigned index, unsigned label)
{
	(void)at;
	(void)index;
	(void)label;
	return (struct value){ .state = STATE_UNSUPPORTED };
}

struct value derive_as_read(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label, double unit)
{
	struct part part = interval_moment(at, counter, index, label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		ret.v = part.v * unit;
	return ret;
}

double derive_own_elapsed_s(const struct interval *at, enum counter age, unsigned index,
			    unsigned label, uint8_t source)
{
	const struct reading *cur = sample_get(at->cur, age, index, label);
	const struct reading *prev = sample_get(at->prev, age, index, label);

	return interval_elapsed_s(at, source) + ((double)cur->raw - (double)prev->raw) / 1e9;
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

struct value derive_os_busy_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return os_share(at, COUNTER_OS_BUSY, index);
}

struct value derive_steal_ratio(const struct interval *at, unsigned index, unsigned label)
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

/* Microseconds in the state over the interval. The source holds back what a long sleep adds at once
 * (source/cpuidle.c); what still exceeds the interval is cut. */
struct value derive_idle_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, COUNTER_IDLE_TIME, index, label);
	struct value ret;

	if (!interval_usable(&part, 1, &ret))
		return ret;
	if (part.v > 0 || zero_is_known(at, index))
		interval_share(&ret, part.v,
			       derive_own_elapsed_s(at, COUNTER_IDLE_AGE, index, label,
						    part.source) *
				       1e6);
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

/* Lost to jumps of the TSC, over the length of all probes since the last sample. */
struct value derive_gap_ratio(const struct interval *at, unsigned index, unsigned label)
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
struct value derive_self_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, COUNTER_SELF_TIME, index, label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		interval_rate(&ret, &part, at, 1e-9);
	return ret;
}

struct value derive_os_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return derive_as_read(at, COUNTER_OS_HERTZ, index, label, 1);
}

struct value derive_cap_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return derive_as_read(at, COUNTER_CAP_HERTZ, index, label, 1);
}

struct value derive_floor_hertz(const struct interval *at, unsigned index, unsigned label)
{
	return derive_as_read(at, COUNTER_FLOOR_HERTZ, index, label, 1);
}
