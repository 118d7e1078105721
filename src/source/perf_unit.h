/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is counted once a core or package: idle states and energy, by PMUs of their own whose events
 * cannot join those of CPUs. */
#ifndef AVXTOP_SOURCE_PERF_UNIT_H
#define AVXTOP_SOURCE_PERF_UNIT_H

#include <stdint.h>

struct offer;
struct perf_scene;
struct perf_units;
struct sample;
struct source_env;

void perf_units_offer(const struct source_env *env, const struct perf_scene *scene,
		      struct offer *ret);

/* Opens as many as *budget descriptors allow. 0 or -ENOMEM. */
int perf_units_open(const struct source_env *env, unsigned *budget, struct perf_units **ret);
void perf_units_close(struct perf_units *units); /* NULL is fine */
/* Before the first CPU; begin_ns: CLOCK_MONOTONIC when the source began to read. */
void perf_units_begin(struct perf_units *units, uint64_t begin_ns);
/* Reads those that are asked of this CPU, for each CPU (by its index) in ascending order: next to
 * its own events, so that its time-stamp counter tells theirs. */
void perf_units_read(struct perf_units *units, unsigned cpu, struct sample *into);

#endif
