/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted on each CPU of one kind, in which order, and why other things are not. */
#ifndef AVXTOP_SOURCE_PERF_PLAN_H
#define AVXTOP_SOURCE_PERF_PLAN_H

#include <stdbool.h>

#include "source/perf_group.h"

struct host;
struct perf_scene;
struct reason;
struct source_env;

struct perf_plan {
	struct perf_event events[PERF_GROUP_MAX]; /* in one group */
	unsigned n,
		n_clocks; /* the first n_clocks are of the PMU msr and need no hardware counter */
	bool cycles_by_aperf; /* APERF serves for the cycles, too */
	const struct reason
		*because[COUNTER_N]; /* why it is not counted; NULL: it is, or nobody could */
};

/* May this CPU be interrupted by reads, if it is online? An enum state: OK or why not. A cpuset
 * that keeps this process from running there is no hindrance. */
int perf_may_read(const struct host *host, unsigned cpu);

/* For CPUs of host->kinds[kind]: tried out on the first of them that may be. Nothing stays open. 0,
 * or -ENOENT: there is no such CPU. */
int perf_plan_make(const struct source_env *env, const struct perf_scene *scene, unsigned kind,
		   struct perf_plan *ret);

/* Leaves out what takes a hardware counter and is not wanted ([COUNTER_N]). */
void perf_plan_keep(struct perf_plan *plan, const bool *wanted);

#endif
