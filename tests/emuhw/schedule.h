/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules of CPUs and packages: what holds when, and the exact integral since the start. */
#ifndef AVXTOP_TESTS_EMUHW_SCHEDULE_H
#define AVXTOP_TESTS_EMUHW_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>

#include "state.h"

struct sched {
	double acc[NQ]; /* accumulated until t0 */
	double t0, loop;
	int n;
	struct seg *s;
	bool frozen; /* the CPU is offline */
};

void cpu_q(int cpu, double t, double q[NQ]);
void pkg_q(int pkg, double t, double q[NP]);
const struct cpustate *cpu_s(int cpu, double t);
const struct pkgstate *pkg_s(int pkg, double t);
/* The segment that holds at t; the one that counts at t, or NULL; when the next one begins. */
const struct seg *sched_at(const struct sched *s, double t);
const struct seg *sched_active(const struct sched *s, double t);
double sched_next_edge(const struct sched *s, double t);
/* From t on one segment: the present state changed by KEYS. 0, or -1 with a message in ERR. */
int cpu_change(int cpu, const char *keys, double t, char *err, size_t n);
int pkg_change(int pkg, const char *keys, double t, char *err, size_t n);
/* Replaces the state of a CPU until cpu_restore(). */
void cpu_override(int cpu, const char *keys, double t);
void cpu_restore(int cpu, double t);
void cpu_set_online(int cpu, bool on, double t);

#endif
