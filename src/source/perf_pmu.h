/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What counts events: the PMUs of sys/bus/event_source/devices, as the kernel describes them. */
#ifndef AVXTOP_SOURCE_PERF_PMU_H
#define AVXTOP_SOURCE_PERF_PMU_H

#include <stdint.h>

struct hostfs;
struct list;

struct perf_pmu {
	const char *name;  /* borrowed */
	uint32_t type;	   /* for perf_event_open(); given anew at each boot */
	struct list *cpus; /* of a hybrid part: the CPUs that it counts for; of a PMU of cores or
			      packages: those that are asked for them; NULL all */
};

/* 0, -ENOENT: the kernel has no such PMU, or another -errno. */
int perf_pmu_find(struct hostfs *fs, const char *name, struct perf_pmu *ret);
void perf_pmu_free(struct perf_pmu *pmu); /* zeroed is fine */

/* The code of an event that the PMU lists: "event=0x02" or "event=0x3c,umask=0x01". What is not
 * listed cannot be counted here, whatever opening it would say (a guest's msr PMU has no aperf). 0
 * or -errno. */
int perf_pmu_event(const struct perf_pmu *pmu, struct hostfs *fs, const char *event, uint64_t *ret);
/* How many joules one count of the event is; 0 where that is not told. */
double perf_pmu_joules(const struct perf_pmu *pmu, struct hostfs *fs, const char *event);

#endif
