/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Model-specific registers. */
#ifndef AVXTOP_TESTS_EMUHW_MSR_H
#define AVXTOP_TESTS_EMUHW_MSR_H

#include <stdbool.h>
#include <stdint.h>

/* 0 or an errno. */
int msr_read(int cpu, uint32_t n, double t, uint64_t *v);
int msr_write(int cpu, uint32_t n, uint64_t v, double t);
/* Makes the register have that value, whatever it is. */
void msr_pin(int cpu, uint32_t n, uint64_t v, double t);
uint64_t tsc_now(double t);
uint64_t aperf_reg(int cpu, double t);
uint64_t mperf_reg(int cpu, double t);

#endif
