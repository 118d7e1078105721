/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at the clock during one stretch of a burst, and the pairs that two stretches make. Pure. */
#ifndef AVXTOP_BURST_SPAN_H
#define AVXTOP_BURST_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "burst/judge.h"
#include "burst/schedule.h"

struct gauge_look;

#define SPAN_LOOKS 512	/* at each end of a stretch: 5 ms at the densest */
#define SPAN_CHUNKS 512 /* of the window in which the clock during a burst is taken */
/* What "before" is: the last part of a gap, when the low clock is gone (measured: see rests). */
#define SPAN_TAIL_NS 300000
/* What "during" is: not the first half (a part may throttle or halt first, for up to 24 us on Ice
 * Lake, 20 us on Skylake-SP), and nothing that is more than 5 ms away from "before". */
#define SPAN_SETTLE_NS 2000000
#define SPAN_APART_NS 5000000

/* In a gap: a whole look. In an on time: one sub-sample, long or short by turns, that begins right
 * behind the last wide instruction of a chunk; some parts release their low clock within a few
 * microseconds, when a whole look would still go on. Whatever it costs to begin there is the same
 * for both lengths, and their difference is free of it. */
struct span_look {
	int64_t t_ns; /* since the first vector instruction of the burst */
	double cycles, ticks;
};

struct span {
	struct stretch stretch;
	struct span_look head[SPAN_LOOKS], tail[SPAN_LOOKS]; /* tail: a ring */
	size_t n_looks;
	double chunk_ticks[SPAN_CHUNKS];
	size_t n_chunks;
};

void span_open(struct span *span, const struct stretch *stretch);
/* Disturbed looks are left out here. */
void span_look(struct span *span, int64_t t_ns, const struct gauge_look *look);
void span_sample(struct span *span, int64_t t_ns, double cycles, uint64_t ticks);
/* A chunk of the kernel that began at t_ns; kept if it lies in the window of "during". */
void span_chunk(struct span *span, int64_t t_ns, uint64_t ticks);

struct span_clock {
	double cycles, ticks; /* sums over the looks kept; of sub-samples, long less short */
	unsigned n;
};
/* Of the looks with from < t <= until: false where there are fewer than 3 (of each length), or where
 * fewer than three quarters lie near their median. */
bool span_clock(const struct span *span, int64_t from_ns, int64_t until_ns, struct span_clock *ret);

struct window {
	int64_t from_ns, until_ns;
};
struct window span_before_window(const struct stretch *gap);
struct window span_during_window(const struct stretch *on);
/* In hertz; NAN where span_clock() has none. */
double span_hertz(const struct span *span, struct window window, double tsc_hertz);

/* Pairs at the edge of a burst without gaps: `gap` is its lead-in or lead-out, `on` the stretch
 * beside it; looks of one pair are 5 ms apart. */
#define SPAN_EDGE_PAIRS 4
size_t span_edge_pairs(const struct span *gap, const struct span *on, double tsc_hertz,
		       struct pair ret[SPAN_EDGE_PAIRS]);

#endif
