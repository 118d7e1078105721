/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the values of CPUs (or cores) to the one of their core, package or host. Pure. */
#ifndef AVXTOP_MODEL_AGGREGATE_H
#define AVXTOP_MODEL_AGGREGATE_H

#include <stdbool.h>

#include "model/metric.h"
#include "model/snapshot.h"

struct gathering {
	enum aggregate how;
	bool clock;	 /* a clock: never across kinds of core or sources */
	bool one_clock;	 /* the members share one clock: unknown weights do no harm */
	bool mixed, missing;
	bool weighted;	 /* every member so far came with a weight */
	int kind;	 /* of the members so far, -1 none yet */
	unsigned n;	 /* members with a value */
	unsigned bits;	 /* of all members */
	double sum, weighted_sum, weight, least, most;
	enum state usable, absent, unweighted; /* what to say of the values used; of the others; of their weights */
	uint8_t source, sees;
};

/* For values of `row` at a larger scope than its own. */
void gather_start(struct gathering *gathering, const struct metric_row *row, enum scope scope);
/* weight: share of the interval in which the member was not halted, or its unhalted cycles; used by
 * AGGREGATE_UNHALTED and AGGREGATE_CYCLES.
 * kind: index in host->kinds. */
void gather_add(struct gathering *gathering, const struct value *value, const struct value *weight,
		unsigned kind);
/* Without a usable member: the state of the one that is nearest to having a value. A mean leaves
 * out members without value, a sum does not exist without all of them (but the offline ones).
 * Where all members are known to have been idle the weights are equal. */
struct value gather_end(const struct gathering *gathering);

#endif
