/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How near this machine is to its thermal limit, as far as the kernel tells everybody. */
#ifndef AVXTOP_BURST_THERMAL_H
#define AVXTOP_BURST_THERMAL_H

#include <stdbool.h>

struct hostfs;
struct list;

struct thermal_margin {
	char sensor[48]; /* "coretemp temp1" */
	double celsius, limit_celsius;
};

/* The CPU sensor with the least margin: hwmon's CPU drivers, else thermal zones. False where no
 * sensor has both a reading and a limit (k10temp on Zen has none; most virtual machines). */
bool thermal_nearest(struct hostfs *fs, struct thermal_margin *ret);

/* Is one of these CPUs throttled now: does a counter of the kernel's thermal_throttle rise within
 * 50 ms? Takes that long where the counters exist (Intel, bare metal); elsewhere nothing that an
 * ordinary user may read tells, and the answer is false. Alarm files are no help: coretemp's are the
 * sticky log bits of the status register. */
bool thermal_limited(struct hostfs *fs, const struct list *cpus, unsigned *ret_cpu);

/* Both of the above. */
struct thermal_state {
	bool limited, known; /* known: nearest is one */
	unsigned limited_cpu;
	struct thermal_margin nearest;
};
void thermal_ask(struct hostfs *fs, const struct list *cpus, struct thermal_state *ret);

#endif
