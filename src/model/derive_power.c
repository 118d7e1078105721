/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of heat and power: temperatures, throttling by heat, watts, volts. */
#include "config.h"

#include "model/derive_own.h"
#include "model/host.h"

static enum counter by_scope(const struct interval *at, enum counter core, enum counter package)
{
	return at->scope == SCOPE_PACKAGE ? package : core;
}

struct value derive_temperature_celsius(const struct interval *at, unsigned index, unsigned label)
{
	return derive_as_read(at, by_scope(at, COUNTER_CORE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE),
			      index, label, 1e-3);
}

struct value derive_thermal_margin_celsius(const struct interval *at, unsigned index, unsigned label)
{
	struct part parts[] = {
		interval_moment(at, by_scope(at, COUNTER_CORE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE),
				index, label),
		interval_moment(at, by_scope(at, COUNTER_CORE_TEMPERATURE_LIMIT,
					     COUNTER_PACKAGE_TEMPERATURE_LIMIT),
				index, label),
	};
	struct value ret;

	if (interval_usable(parts, 2, &ret))
		ret.v = (parts[1].v - parts[0].v) / 1000;
	return ret;
}

struct value derive_throttle_events(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, by_scope(at, COUNTER_CORE_THROTTLE, COUNTER_PACKAGE_THROTTLE),
					 index, label);
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
	seconds = derive_package_seconds(at, age, index, part.source);
	if (part.v > 0 && seconds > 0)
		ret.v = part.v * 1e-6 / seconds;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

struct value derive_package_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_PACKAGE_ENERGY, COUNTER_PACKAGE_ENERGY_AGE, index);
}

struct value derive_dram_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_DRAM_ENERGY, COUNTER_DRAM_ENERGY_AGE, index);
}

struct value derive_core_watts(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return watts(at, COUNTER_CORE_ENERGY, COUNTER_CORE_ENERGY_AGE, index);
}

struct value derive_power_limit_watts(const struct interval *at, unsigned index, unsigned label)
{
	return derive_as_read(at, COUNTER_POWER_LIMIT, index, label, 1e-6);
}

/* What adds up over all dies of a package may add up to more than its time. */
struct value derive_power_throttle_ratio(const struct interval *at, unsigned index, unsigned label)
{
	struct part part = interval_rise(at, COUNTER_POWER_THROTTLE, index, label);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		interval_share(&ret, part.v, derive_package_seconds(at, COUNTER_N, index, part.source) * 1e9);
	return ret;
}

/* In steps of 1/8192 V (IA32_PERF_STATUS, bits 47:32); some parts have the register and read 0. */
struct value derive_core_volts(const struct interval *at, unsigned index, unsigned label)
{
	struct value ret = derive_as_read(at, COUNTER_CORE_VOLTAGE, index, label, 1.0 / 8192);

	if (state_usable((enum state)ret.state) && !(ret.v > 0))
		ret.state = STATE_NOT_REPORTED;
	return ret;
}

struct value derive_uncore_hertz(const struct interval *at, unsigned index, unsigned label)
{
	struct value ret = derive_as_read(at, COUNTER_UNCORE_RATIO, index, label, 100e6);

	if (state_usable((enum state)ret.state) && !(ret.v > 0))
		ret.state = STATE_NOT_REPORTED;
	return ret;
}
