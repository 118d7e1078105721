/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pinned workers that run a kernel by a pattern, gauge themselves, and always stop. */
#ifndef AVXTOP_BURST_BURST_H
#define AVXTOP_BURST_BURST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/copier.h"
#include "burst/judge.h"
#include "burst/kernel.h"
#include "burst/pattern.h"
#include "model/host.h"

struct board;
struct hostfs;
struct thermal_state;
struct list;

struct burst_plan {
	enum kernel kernel;
	const struct list *cpus; /* CPU numbers to drive */
	uint64_t duration_ns;
	struct pattern pattern;
	struct copy_shape copy; /* of loads that copy; .bytes 0: COPY_SHAPE_DEFAULT */
	bool force;	     /* lifts the load rule only */
	bool watch_others;   /* probe up to 8 other CPUs in pairs: who pays */
};

struct burst;

/* A CPU busier than this with other work is not driven, unless forced. */
#define BURST_BUSY_MOST 0.5

/* Every rule of SAFETY.md "Bursts" that does not need running: 0, or -errno with reason and remedy.
 * os_busy[i]: busy ratio of host cpu i by other work, NAN unknown. thermal: what thermal_look.h
 * found; NULL: is read here, which may take as long as the sensors do. notes: what is allowed but
 * said ("temperature unknown"). */
int burst_check(const struct burst_plan *plan, const struct host *host, struct hostfs *fs,
		const double *os_busy, const struct thermal_state *thermal,
		struct problem *ret_problem, struct problem *ret_note);
/* Default of --cpus: one CPU, not the last one that others need. Caller frees; NULL none. */
struct list *burst_default_cpus(const struct host *host);
/* "all": those that may be driven without being named, of whatever kind; maybe none. Caller frees;
 * NULL: no memory. */
struct list *burst_all_cpus(const struct host *host);

int burst_start(const struct burst_plan *plan, const struct host *host, struct board *board,
		struct burst **ret, struct problem *ret_problem);
bool burst_running(const struct burst *burst);
void burst_stop(struct burst *burst); /* async-signal-safe request; load is gone within 100 ms */
void burst_join(struct burst *burst); /* waits for the workers */
void burst_free(struct burst *burst); /* stops and joins; NULL is fine */

struct burst_cpu {
	unsigned cpu; /* index in host */
	enum relation role;
	struct judgment judgment;
	struct ends ends;
	enum recovery recovery; /* after the load ended */
	bool held; /* the low clock outlasts the gaps: judged by the longer rests alone */
	double ops_per_second; /* wall time; NAN for others */
	double ops_per_cycle;  /* median of undisturbed chunks; NAN */
	double peak_ratio;     /* NAN: see next */
	const char *peak_why;  /* why it is not known, to be translated; NULL where it is, and of others */
	double time_ratio; /* share of its time that other programs left it; NAN for others and unknown */
	const char *core_name; /* recognized core, NULL unknown; lives as long as the burst */
	bool verified;
	uint64_t chunks, chunks_wrong;
	struct problem problem; /* text "" when none: e.g. could not be pinned */
};

struct burst_result {
	enum kernel kernel;
	double seconds;
	struct burst_cpu *cpus; /* driven first */
	unsigned n_cpus, n_driven;
	/* How long the low clock outlasts the last wide instruction, and the shortest time that could
	 * have been told; NAN: no drop, so nothing to release. Not released within the gaps: their
	 * length, which it then is at least. */
	double release_s, release_resolution_s;
	const char *who_pays;	/* JSON key: "this thread", "sibling", "package", "nobody measurable" */
	char verdict[256];	/* one sentence, without the final period */
	bool stopped_early; /* it ended before its time */
};

/* Also while running: what is known so far. Caller frees with burst_result_free(). */
int burst_result(struct burst *burst, struct burst_result **ret);
void burst_result_free(struct burst_result *result);

#endif
