/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of registers. */
#include "config.h"

#include "model/msr_decode.h"

#include <math.h>

static uint64_t field(uint64_t raw, unsigned high, unsigned low)
{
	return raw >> low & ((1ull << (high - low + 1)) - 1);
}

unsigned msr_base_ratio(uint64_t platform_info)
{
	return (unsigned)field(platform_info, 15, 8);
}

unsigned msr_least_ratio(uint64_t platform_info)
{
	return (unsigned)field(platform_info, 47, 40);
}

unsigned msr_current_ratio(uint64_t perf_status)
{
	return (unsigned)field(perf_status, 15, 8);
}

double msr_volts(uint64_t perf_status)
{
	return (double)field(perf_status, 47, 32) / 8192;
}

unsigned msr_tjmax(uint64_t temperature_target)
{
	const unsigned tjmax = (unsigned)field(temperature_target, 23, 16);

	return tjmax > 0 ? tjmax : 100;
}

unsigned msr_tcc_offset(uint64_t temperature_target, uint64_t platform_info, unsigned tcc_bits)
{
	if (tcc_bits == 0 || tcc_bits > 7 || !field(platform_info, 30, 30))
		return 0;
	return (unsigned)field(temperature_target, 24 + tcc_bits - 1, 24);
}

bool msr_celsius(uint64_t therm_status, unsigned tjmax, int *ret)
{
	if (!field(therm_status, 31, 31))
		return false;
	*ret = (int)tjmax - (int)field(therm_status, 22, 16);
	return true;
}

/* turbostat takes a time unit of 0 for 2^-10 s. */
struct msr_units msr_units(uint64_t power_unit)
{
	const unsigned time = (unsigned)field(power_unit, 19, 16);

	return (struct msr_units) {
		.watts = exp2(-(double)field(power_unit, 3, 0)),
		.joules = exp2(-(double)field(power_unit, 12, 8)),
		.seconds = exp2(-(double)(time ? time : 10)),
	};
}

double msr_tdp_watts(uint64_t power_info, const struct msr_units *units)
{
	return (double)field(power_info, 14, 0) * units->watts;
}

/* The window: two bits of fourths, then five of the power of two. */
struct msr_power_limit msr_power_limit(uint64_t power_limit, unsigned which,
				       const struct msr_units *units)
{
	const uint64_t half = which == 0 ? power_limit : power_limit >> 32;

	return (struct msr_power_limit) {
		.watts = (double)field(half, 14, 0) * units->watts,
		.window_s = (1 + (double)field(half, 23, 22) / 4) *
			    exp2((double)field(half, 21, 17)) * units->seconds,
		.enabled = field(half, 15, 15) != 0,
	};
}

bool msr_power_limit_locked(uint64_t power_limit)
{
	return field(power_limit, 63, 63) != 0;
}

/* Up to family 0x19 a multiple of 25 MHz and a divisor in eighths, since family 0x1A steps of 5
 * MHz. */
static double amd_hertz(uint64_t raw, unsigned family)
{
	const uint64_t multiple = field(raw, 7, 0), divisor = field(raw, 13, 8);

	if (family >= 0x1a)
		return (double)field(raw, 11, 0) * 5e6;
	if (family < 0x17 || divisor == 0)
		return 0;
	return (double)multiple / (double)divisor * 200e6;
}

double msr_amd_pstate_hertz(uint64_t pstate, unsigned family)
{
	return field(pstate, 63, 63) ? amd_hertz(pstate, family) : 0;
}

double msr_amd_current_hertz(uint64_t hw_pstate, unsigned family)
{
	return amd_hertz(hw_pstate, family);
}
