/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which model-specific registers a kind of core has, and how they are laid out: vendor and model
 * decide. */
#ifndef AVXTOP_MODEL_REGISTERS_H
#define AVXTOP_MODEL_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* How turbo limits are told (turbostat 6.12: enum of its trl_msrs). */
enum turbo_form {
	TURBO_FORM_NONE,
	TURBO_FORM_ACTIVE, /* byte n - 1 of 0x1AD: ratio with n cores active; 0x1AE, 0x1AF continue
			    */
	TURBO_FORM_GROUPS, /* byte k of 0x1AD: ratio of group k; of 0x1AE: its core count
			      (Skylake-SP and later) */
	TURBO_FORM_DELTAS, /* 0x1AD: base of count and ratio, then their steps (Knights Landing) */
};

/* Bits of registers.energies. */
enum energy { ENERGY_PACKAGE = 1 << 0, ENERGY_CORES = 1 << 1, ENERGY_DRAM = 1 << 2 };

/* All 0: nothing is known of the model, and only what CPUID promises is read. From data/cpu. */
struct registers {
	double bclk_hertz;	 /* of a ratio; 0 unknown */
	double crystal_hertz;	 /* of CPUID 15h where its ECX is 0; 0 unknown */
	uint16_t core_states;	 /* bit n: the residency of the core in Cn can be read */
	uint16_t package_states; /* likewise of the package */
	enum turbo_form turbo;
	uint32_t limit_reasons;	     /* address of the register; 0 none */
	bool limit_reasons_doubtful; /* it may not report: while it has only read 0, that says
					nothing */
	uint32_t energies;	     /* bits of enum energy */
	double dram_joules;	     /* unit of DRAM energy; 0: that of the others */
	unsigned tcc_bits;	     /* of the offset in 0x1A2, from bit 24 on */
	bool tweak;		     /* MPERF counts at the base clock, which is not the TSC's */
	bool times_1024;	     /* APERF and MPERF count once in 1024 */
	bool uncore_ratio;	     /* 0x621 can be read */
};

#endif
