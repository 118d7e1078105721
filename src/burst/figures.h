/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One point of a sweep: what the CPUs that ran one load together make of its clock and rate. Pure. */
#ifndef AVXTOP_BURST_FIGURES_H
#define AVXTOP_BURST_FIGURES_H

#include <stdbool.h>

#include "burst/agreement.h"
#include "burst/burst.h"

struct host;

/* What is known of the CPUs beside the burst's own figures: by index of the host; NULL and NAN unknown. */
struct figures_weather {
	const double *steal_ratio, *busy_ratio;
};

/* One driven CPU. */
struct figures_cpu {
	unsigned id;
	bool verified;
	double hertz, before_hertz, drop_ratio, ops_per_cycle, peak_ratio, time_ratio;
};

#define FIGURES_GROUP_PAIRS 10

/* Of all driven CPUs; NAN: not known. Where the figures contradict each other there is no clock, no drop
 * and no clock by base. */
struct figures {
	struct agreement agreement;
	double hertz;		       /* median of the CPUs */
	double hertz_low, hertz_high;  /* all of their 95 % intervals lie in between; NAN: one has none */
	double ruler_hertz;	       /* as hertz, whatever others say */
	double throughput_hertz;       /* that clock by the rate and what the core can do a cycle */
	double before_hertz;	       /* scalar code on as many cores, in turns with the load; median */
	double drop_ratio, drop_low, drop_high; /* of that; positive: the clock fell */
	double noise;		       /* smallest drop that could have been seen; NAN: none could */
	bool seen;		       /* on most of the CPUs */
	bool held;		       /* the low clock outlasts the gaps: judged by the longer rests */
	bool still_low;		       /* on one CPU at least, after the load ended */
	unsigned pairs;		       /* of all CPUs */
	double ops_per_second;	       /* of all CPUs together, over wall time */
	double kernel_ops_per_second;  /* the same while the kernel ran: without gaps, looks, flushes */
	double ops_per_cycle, peak_ratio; /* medians */
	const char *peak_why;	       /* as in struct burst_cpu */
	double seconds;
	bool verified, stopped_early;
	struct base_group *groups;     /* ascending base, of all CPUs; of FIGURES_GROUP_PAIRS, if any is */
	unsigned n_groups;
	struct figures_cpu *cpus;
	unsigned n_cpus;
};

/* 0 or -ENOMEM. */
int figures_make(const struct burst_result *result, const struct host *host,
		 const struct figures_weather *weather, struct figures *ret);
void figures_free(struct figures *figures); /* what it points to, not itself */

#endif
