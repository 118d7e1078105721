/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a performance event counts, by its type and configuration. */
#ifndef AVXTOP_TESTS_EMUHW_EVENT_H
#define AVXTOP_TESTS_EMUHW_EVENT_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Types of the emulated PMUs: the numbers in their files `type`. */
enum { T_ATOM = 10, T_MSR = 31, T_CCORE = 32, T_CPKG = 33, T_POWER = 34, T_UNC = 35 };

#define ANYTHREAD (1ULL << 21)
#define NOEV (-INFINITY)

/* Counted in all modes, or with exclude_kernel, exclude_user. */
enum ev_mode { EV_ALL, EV_USER, EV_KERNEL };

/* The count since the start of the machine, or NOEV when there is no such event. */
double ev_q(uint32_t type, uint64_t cfg, int cpu, double t, enum ev_mode mode);
/* The kernel has PMUs of residencies on Intel's CPUs, and not under a hypervisor. */
bool ev_has_cstates(void);
bool ev_is_fixed(uint32_t type, uint64_t cfg);
/* An event of a PMU that can neither sample nor tell user from kernel. */
bool ev_is_counting_only(uint32_t type);
bool ev_anythread(uint64_t cfg);

#endif
