/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burst of a session: at most one at a time, checked against what the last snapshot says, its
 * result kept until the next one. Main thread only. */
#ifndef AVXTOP_ENGINE_OWN_BURST_H
#define AVXTOP_ENGINE_OWN_BURST_H

#include <stdbool.h>

#include "base/problem.h"
#include "burst/burst.h"

struct board;
struct host;
struct hostfs;
struct own_microscope;
struct snapshot;
struct thermal_state;

struct own_burst {
	const struct host *host; /* these three are borrowed */
	struct hostfs *fs;
	struct board *board;
	struct burst *burst; /* also after its end: the result names things of it */
	struct list *cpus;
	struct burst_result *result;
	uint64_t result_ns; /* when it was made: once final, when the end was noticed */
	bool final;	    /* `result` is that of a burst that ended */
};

/* Busy ratio of each CPU by others, NAN unknown. snapshot: the last one, NULL none yet; the CPU time of
 * avxtop's own earlier burst or microscope in it does not count as other work. Caller frees; NULL: no
 * memory. */
double *own_burst_busy(const struct own_burst *own, const struct own_microscope *scope,
		       const struct snapshot *snapshot);
/* busy: of each CPU with other work, as above. The plan is copied. 0 or -errno with a problem; ret_note as
 * burst_check(). */
int own_burst_start(struct own_burst *own, const struct burst_plan *plan,
		    const double *busy, const struct thermal_state *thermal,
		    struct problem *ret_problem, struct problem *ret_note);
bool own_burst_running(const struct own_burst *own);
void own_burst_stop(struct own_burst *own);
/* So far (at most 50 ms old), or of the last burst; NULL before the first. Valid until the next call. */
const struct burst_result *own_burst_result(struct own_burst *own);
void own_burst_free(struct own_burst *own); /* stops and joins; what `own` points to, not itself */

#endif
