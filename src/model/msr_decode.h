/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What single registers mean. Addresses and layouts are those of turbostat 6.12 and the Intel SDM
 * volume 4, of AMD those of CoreFreq 5c04f2a; pure. */
#ifndef AVXTOP_MODEL_MSR_DECODE_H
#define AVXTOP_MODEL_MSR_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* MSR_PLATFORM_INFO 0xCE. Ratios are multiples of registers.bclk_hertz. */
unsigned msr_base_ratio(uint64_t platform_info);
unsigned msr_least_ratio(uint64_t platform_info); /* of best efficiency */

/* IA32_PERF_STATUS 0x198: the ratio of this moment, and the voltage; 0 V: not reported. */
unsigned msr_current_ratio(uint64_t perf_status);
double msr_volts(uint64_t perf_status);

/* IA32_TEMPERATURE_TARGET 0x1A2, degrees Celsius. 0 in it: 100, as turbostat assumes. */
unsigned msr_tjmax(uint64_t temperature_target);
/* How far below TjMax the clock is throttled already; tcc_bits: registers.tcc_bits. 0 where
 * PLATFORM_INFO (bit 30) says that it is not in force. */
unsigned msr_tcc_offset(uint64_t temperature_target, uint64_t platform_info, unsigned tcc_bits);
/* IA32_THERM_STATUS 0x19C, IA32_PACKAGE_THERM_STATUS 0x1B1: is there a temperature, and which. */
bool msr_celsius(uint64_t therm_status, unsigned tjmax, int *ret);

/* MSR_RAPL_POWER_UNIT 0x606, AMD 0xC0010299: what 1 stands for in the other registers of power. */
struct msr_units {
	double watts, joules, seconds;
};
struct msr_units msr_units(uint64_t power_unit);
/* MSR_PKG_POWER_INFO 0x614: 0 not told. */
double msr_tdp_watts(uint64_t power_info, const struct msr_units *units);
/* MSR_PKG_POWER_LIMIT 0x610; which: 0 long term, 1 short term. */
struct msr_power_limit {
	double watts, window_s;
	bool enabled;
};
struct msr_power_limit msr_power_limit(uint64_t power_limit, unsigned which,
				       const struct msr_units *units);
bool msr_power_limit_locked(uint64_t power_limit);

/* AMD's P-state definitions 0xC0010064 + n, and the hardware's own state 0xC0010293; family as
 * CPUID says it, 0x17 and later. Hertz; 0 unknown, or not in use. */
double msr_amd_pstate_hertz(uint64_t pstate, unsigned family);
double msr_amd_current_hertz(uint64_t hw_pstate, unsigned family);

#endif
