/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The microscope of a session: as its burst (own_burst.h), by the same rules. Main thread only. */
#ifndef AVXTOP_ENGINE_OWN_MICROSCOPE_H
#define AVXTOP_ENGINE_OWN_MICROSCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/microscope.h"

struct host;
struct hostfs;
struct snapshot;
struct thermal_state;

struct own_microscope {
	const struct host *host; /* these three are borrowed */
	struct hostfs *fs;
	struct board *board;
	struct microscope *scope; /* also after its end: the result names things of it */
	struct microscope_plan plan;
	struct microscope_result *result;
	uint64_t result_ns; /* when it was made: once final, when the end was noticed */
	bool final;	    /* `result` is that of a scope that ended */
};

/* busy: of each CPU with other work, as own_burst_busy() tells. Otherwise as own_burst_start(). */
int own_microscope_start(struct own_microscope *own, const struct microscope_plan *plan, bool force,
			 const double *busy, const struct thermal_state *thermal,
			 struct problem *ret_problem, struct problem *ret_note);
bool own_microscope_running(const struct own_microscope *own);
/* Did the last one load this CPU (index) at some time since then? */
bool own_microscope_drove(const struct own_microscope *own, unsigned cpu, double since_mono_ns);
void own_microscope_stop(struct own_microscope *own);
/* So far (a second old at most), or of the last one; NULL before the first. Valid until the next
 * call. */
const struct microscope_result *own_microscope_result(struct own_microscope *own);
void own_microscope_free(struct own_microscope *own); /* stops and joins; not `own` itself */

#endif
