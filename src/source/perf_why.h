/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why an event cannot be counted here, and what could be done about it. */
#ifndef AVXTOP_SOURCE_PERF_WHY_H
#define AVXTOP_SOURCE_PERF_WHY_H

#include <stdbool.h>

struct hostfs;
struct host;
struct reason;

/* Which PMU was asked. */
enum perf_part { PERF_PART_MSR, PERF_PART_CPU, PERF_PART_CSTATE, PERF_PART_POWER };

/* What decides whether an errno means this or that. */
struct perf_scene {
	int paranoid;	 /* kernel.perf_event_paranoid; -1 also where that cannot be read */
	bool amd, guest; /* guest: of a hypervisor */
	bool watchdog;	 /* the NMI watchdog has a hardware counter of each CPU */
};

void perf_scene_look(const struct host *host, struct hostfs *fs, struct perf_scene *ret);

/* err: negative errno of opening an event; -ENOENT also where the kernel lists no such event. */
const struct reason *perf_why(const struct perf_scene *scene, enum perf_part part, int err);

extern const struct reason perf_not_live, perf_no_license, perf_no_license_amd, perf_no_event,
	perf_no_pmu_asked, perf_not_asked, perf_no_counter_left, perf_no_counter_watchdog;

#endif
