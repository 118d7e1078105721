/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a burst does at each moment: a scalar lead-in, the pattern with its rests, a scalar lead-out.
 * Pure arithmetic, so that workers and watchers agree without talking to each other. */
#ifndef AVXTOP_BURST_SCHEDULE_H
#define AVXTOP_BURST_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "burst/pattern.h"

/* Scalar code before the first and after the last vector instruction. */
#define SCHEDULE_LEAD_NS 5000000
/* Now and then a gap is made this long, by leaving out on times: it shows whether the low clock
 * outlasts the ordinary gap, in which case "before" would not be before. */
#define SCHEDULE_REST_NS 5000000
#define SCHEDULE_REST_EVERY_NS 160000000

struct schedule {
	struct pattern pattern;
	int64_t duration_ns;
};

/* One stretch without a change of class; times count from the first vector instruction, so the
 * lead-in is negative. */
struct stretch {
	int64_t from_ns, until_ns;
	bool on;
	bool rested; /* scalar for at least SCHEDULE_REST_NS */
	bool over;   /* nothing runs any more */
};

struct stretch schedule_at(const struct schedule *schedule, int64_t t_ns);
/* No gaps at all? */
bool schedule_solid(const struct schedule *schedule);

#endif
