/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of one CPU that are read by one call, and what they have counted so far. */
#ifndef AVXTOP_SOURCE_PERF_GROUP_H
#define AVXTOP_SOURCE_PERF_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/counter.h"
#include "model/state.h"
#include "source/perf_call.h"

#define PERF_GROUP_MAX 16 /* of our own tables: events that one group has at most */

struct perf_event {
	enum counter counter;
	struct perf_what what;
	int fd;		/* -1 */
	int err;	/* negative errno: why it could not be opened; 0 */
	uint64_t last;	/* as read */
	uint64_t total; /* since the first read, scaled up where a hardware counter was shared */
};

struct perf_group {
	struct perf_event *events; /* borrowed; in the order in which they are opened */
	unsigned n;
	uint64_t enabled_ns, running_ns; /* as read last */
	bool open, begun;		 /* begun: was read */
	bool frozen; /* time stood still since the last read: its CPU was away, which ends events
			for good */
	enum state state; /* of all its counts: OK, SCALED, CROWDED, or FAILED with `err` */
	int err;
};

/* Opens those that can be opened, each at the cost of one of *budget descriptors. 0, or the -errno
 * of the first when there is none. */
int perf_group_open(struct perf_group *group, unsigned cpu, unsigned *budget);
void perf_group_close(struct perf_group *group,
		      unsigned *budget); /* not open is fine; may be opened again */
/* Adds to `total` what was counted since the last read. Allocates nothing. */
void perf_group_read(struct perf_group *group);
/* Did the last interval lack hardware counters? */
bool perf_group_shared(const struct perf_group *group);

#endif
