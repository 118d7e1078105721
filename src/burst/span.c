/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at the clock during one stretch of a burst, and what they say together. */
#include "config.h"
#include "burst/span.h"

#include <math.h>

#include "burst/gauge.h"

#define LEAST_LOOKS 3
/* One look of two pairs has steps of 0.5 to 1 % where the TSC steps by 10 ns; jumps are larger. */
#define NEAR 0.04
#define LEAST_NEAR 0.75

void span_open(struct span *span, const struct stretch *stretch)
{
	span->stretch = *stretch;
	span->n_looks = 0;
	span->n_chunks = 0;
}

void span_look(struct span *span, int64_t t_ns, const struct gauge_look *look)
{
	const struct span_look kept = { t_ns, look->cycles, look->ticks };

	/* GAUGE_MOVED says nothing about a segment so short; its halves are a step or two apart */
	if (look->flags & (GAUGE_FEW_KEPT | GAUGE_IMPOSSIBLE))
		return;
	if (span->n_looks < SPAN_LOOKS)
		span->head[span->n_looks] = kept;
	span->tail[span->n_looks++ % SPAN_LOOKS] = kept;
}

void span_chunk(struct span *span, int64_t t_ns, uint64_t ticks)
{
	const struct window window = span_during_window(&span->stretch);

	if (t_ns >= window.from_ns && t_ns < window.until_ns && span->n_chunks < SPAN_CHUNKS)
		span->chunk_ticks[span->n_chunks++] = (double)ticks;
}

/* Looks are in order of time: the head holds the first ones, the ring the last ones. */
static const struct span_look *look_at(const struct span *span, size_t i)
{
	if (i < SPAN_LOOKS)
		return &span->head[i];
	return &span->tail[i % SPAN_LOOKS];
}

static size_t first_after_hole(const struct span *span, size_t i)
{
	const bool hole = span->n_looks > 2 * SPAN_LOOKS && i >= SPAN_LOOKS &&
			  i < span->n_looks - SPAN_LOOKS;

	return hole ? span->n_looks - SPAN_LOOKS : i;
}

static size_t collect(const struct span *span, int64_t from_ns, int64_t until_ns,
		      const struct span_look *ret[2 * SPAN_LOOKS])
{
	size_t n = 0;

	for (size_t i = 0; i < span->n_looks; i = first_after_hole(span, i + 1)) {
		const struct span_look *const look = look_at(span, i);

		if (look->t_ns > from_ns && look->t_ns <= until_ns && n < 2 * SPAN_LOOKS)
			ret[n++] = look;
	}
	return n;
}

bool span_clock(const struct span *span, int64_t from_ns, int64_t until_ns, struct span_clock *ret)
{
	const struct span_look *looks[2 * SPAN_LOOKS];
	double ratios[2 * SPAN_LOOKS], median;
	const size_t n = collect(span, from_ns, until_ns, looks);
	struct span_clock sum = { 0 };

	if (n < LEAST_LOOKS)
		return false;
	for (size_t i = 0; i < n; i++)
		ratios[i] = looks[i]->cycles / looks[i]->ticks;
	median = judge_median(ratios, n);
	for (size_t i = 0; i < n; i++) {
		if (fabs(looks[i]->cycles / looks[i]->ticks / median - 1) > NEAR)
			continue;
		sum.cycles += looks[i]->cycles;
		sum.ticks += looks[i]->ticks;
		sum.n++;
	}
	if (sum.n < LEAST_LOOKS || sum.n < LEAST_NEAR * (double)n)
		return false;
	*ret = sum;
	return true;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

struct window span_before_window(const struct stretch *gap)
{
	const int64_t tail = least(SPAN_TAIL_NS, (gap->until_ns - gap->from_ns) / 2);

	return (struct window){ gap->until_ns - tail, gap->until_ns };
}

struct window span_during_window(const struct stretch *on)
{
	const int64_t length = on->until_ns - on->from_ns;

	return (struct window){ on->from_ns + least(SPAN_SETTLE_NS, length / 2),
				on->from_ns + least(SPAN_APART_NS - SPAN_TAIL_NS, length) };
}

double span_hertz(const struct span *span, struct window window, double tsc_hertz)
{
	struct span_clock sum;

	if (!span_clock(span, window.from_ns, window.until_ns, &sum))
		return NAN;
	return sum.cycles / sum.ticks * tsc_hertz;
}

size_t span_edge_pairs(const struct span *gap, const struct span *on, double tsc_hertz,
		       struct pair ret[SPAN_EDGE_PAIRS])
{
	const int64_t step = SPAN_APART_NS / (SPAN_EDGE_PAIRS + 1);
	const bool first = gap->stretch.until_ns == on->stretch.from_ns;
	const int64_t edge = first ? on->stretch.from_ns : on->stretch.until_ns;
	size_t n = 0;

	/* the block next to the edge is left out on the side that comes later */
	for (int64_t i = 1; i <= SPAN_EDGE_PAIRS; i++) {
		const int64_t late = edge + i * step, early = late - SPAN_APART_NS;
		const struct window late_window = { late, late + step };
		const struct window early_window = { early, early + step };
		const double before = span_hertz(gap, first ? early_window : late_window, tsc_hertz);
		const double during = span_hertz(on, first ? late_window : early_window, tsc_hertz);

		if (!isnan(before) && !isnan(during))
			ret[n++] = (struct pair){ before, during, NAN };
	}
	return n;
}
