/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of one interval: each metric × cpu, core, package, host, each with its state. */
#ifndef AVXTOP_MODEL_SNAPSHOT_H
#define AVXTOP_MODEL_SNAPSHOT_H

#include <stdint.h>

#include "model/metric.h"
#include "model/state.h"

struct value {
	double v;
	uint8_t state;	/* enum state; v means something only if state_usable() */
	uint8_t source; /* enum source_id, 0 none */
	uint8_t sees;	/* ruler clocks: SEES_… below */
	float more;	/* it may be up to so much more; 0: it is exact */
};

enum sees { SEES_ALL, SEES_SCALAR, SEES_BURST }; /* SCALAR: only what scalar code gets at the probe */

/* How many cores of a package are active, out of their deep idle states, at the same time. */
struct active {
	unsigned least, most;
};

struct snapshot {
	uint64_t mono_ns, real_ns;
	double elapsed_s;	 /* since the previous sample; 0 for the first */
	double suspended_s;	 /* how long of the time before this sample the machine was suspended */
	const struct host *host; /* borrowed */
	struct active *active;	 /* [n_packages] */
	struct value *values;
	unsigned offset[METRIC_N][SCOPE_N], n_values;
};

struct snapshot *snapshot_new(const struct host *host);
void snapshot_free(struct snapshot *snapshot);
struct value *snapshot_at(struct snapshot *snapshot, enum metric metric, enum scope scope,
			  unsigned index, unsigned label);
/* Never NULL: a scope the metric is not given at yields an UNSUPPORTED value. */
const struct value *snapshot_get(const struct snapshot *snapshot, enum metric metric,
				 enum scope scope, unsigned index, unsigned label);

#endif
