/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware events of a CPU model, from the files of data/cpu/events. */
#ifndef AVXTOP_MODEL_EVENTS_H
#define AVXTOP_MODEL_EVENTS_H

#include <stdint.h>

#include "model/counter.h"

struct event {
	char name[160]; /* of libpfm4 with its PMU; several that are counted together: "a | b" */
	uint64_t raw;	/* umask << 8 | event; 0: there is no such event */
};

struct events {
	struct event rows[COUNTER_N]; /* by the counter that they feed */
};

/* ini_text: one file of data/cpu/events, whose README tells the format. 0, -ENOENT: it is of other
 * CPUs, or -ENOMEM. Pure. */
int events_match(const char *ini_text, const char *vendor, unsigned family, unsigned model,
		 unsigned stepping, struct events *ret);

#endif
