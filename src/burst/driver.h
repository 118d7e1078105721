/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State of the thread that loads a CPU: burst_driver.c runs it, burst_notes.c writes down. */
#ifndef AVXTOP_BURST_DRIVER_H
#define AVXTOP_BURST_DRIVER_H

#include <stdint.h>

#include "burst/burst_own.h"
#include "burst/copier.h"
#include "burst/span.h"

struct driver {
	struct member *member;
	struct burst *burst;
	const struct kernel_row *row;
	struct copier *copier; /* of a copying load; NULL: it computes */
	struct gauge_core core;
	uint64_t start_mono_ns, cpu_time_before_ns;
	uint64_t own_began_ns, wall_began_ns; /* this thread's CPU time, and the time, at the lead-in */
	struct span spans[2], *cur, *prev; /* prev: the stretch before, if it was whole */
	struct pair pending; /* waits for its "after" */
	bool has_pending, pending_rested;
	size_t edge_pairs; /* of the lead-in, in a burst without gaps */
	struct board_entry entry;
	uint64_t wide_tsc;  /* end of the last chunk of the kernel */
	double stamp_ticks; /* cost of one time stamp */
	uint64_t chunk_ops; /* counted instructions of a chunk */
	uint64_t chunks, chunks_wrong, ops; /* since the last flush */
	int64_t flushed_ns, last_ns;
	_Alignas(64) uint32_t state[KERNEL_STATE_WORDS];
};

void driver_init(struct driver *d, struct member *member);
/* From here on counts how much of its time it gets. */
void driver_begin(struct driver *d);
/* Tells others: the board what the clock is now, the record what was done. */
void driver_flush(struct driver *d);
void driver_open(struct driver *d, const struct stretch *stretch);
/* Ends the current stretch: pairs it with the one before. */
void driver_close(struct driver *d);
/* The CPU is no longer driven. */
void driver_end(struct driver *d);

/* Right after the last wide instruction of an on time: a row of sub-samples of 0.6 us. */
void driver_release_burst(struct driver *d);
/* And every look of the gap. */
void driver_release_look(struct driver *d, const struct gauge_look *look);

#endif
