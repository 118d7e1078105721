/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was told of the time in idle states, and how much more may be told now. */
#ifndef AVXTOP_SOURCE_IDLE_TOLD_H
#define AVXTOP_SOURCE_IDLE_TOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "source/instant.h"

struct host;
struct sample;

/* One label of one CPU. */
struct idle_told {
	uint64_t us;
	bool ok;
	struct instant at;     /* of the read under way */
	struct instant before; /* of the last one */
};

/* A state's time grows only when it is left: ten seconds of sleep arrive in one sample. So that no
 * interval holds more sleep than time, a CPU's states together grow at most as fast as the clock,
 * deepest first, and what is held back is told in the following samples. all: [cpu][label]; changes
 * the readings of COUNTER_IDLE_TIME. */
void idle_hold_back(struct idle_told *all, const struct host *host, unsigned cpu, uint64_t elapsed_us,
		    struct sample *into);

#endif
