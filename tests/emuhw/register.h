/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the registers of each vendor say. */
#ifndef AVXTOP_TESTS_EMUHW_REGISTER_H
#define AVXTOP_TESTS_EMUHW_REGISTER_H

#include <stdbool.h>
#include <stdint.h>

/* Each is false where this model has no such register, which is EIO. */
bool intel_register(int cpu, uint32_t n, double t, uint64_t *v);
bool amd_register(int cpu, uint32_t n, double t, uint64_t *v);

/* What was written, or DFLT. */
uint64_t wr_or(int cpu, uint32_t n, uint64_t dflt);
uint64_t fixed_read(int cpu, int i, double t);

/* Joules as an energy register counts them, in units of 2^-ESU from energy_base on. */
uint64_t energy_count(double joule, double esu);
/* What MSR_RAPL_POWER_UNIT and AMD's say: 1/8 W, 2^-esu J, 1/1024 s. */
uint64_t power_units(void);

#endif
