/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks at the clock during one stretch of a burst, and what they say together. */
#include "config.h"
#include "burst/span.h"

#include <math.h>

#include "burst/gauge.h"

#define LEAST_LOOKS 3
/* Steps of 10 ns, as of AMD's TSC, are 1 % of a sub-sample of a microsecond; jumps are larger. */
#define NEAR 0.04
#define LEAST_NEAR 0.75

void span_open(struct span *span, const struct stretch *stretch)
{
	span->stretch = *stretch;
	span->n_looks = 0;
	span->n_chunks = 0;
}

static void keep(struct span *span, struct span_look look)
{
	if (span->n_looks < SPAN_LOOKS)
		span->head[span->n_looks] = look;
	span->tail[span->n_looks++ % SPAN_LOOKS] = look;
}

void span_look(struct span *span, int64_t t_ns, const struct gauge_look *look)
{
	/* GAUGE_MOVED says nothing about a segment so short; its halves are a step or two apart */
	if (!(look->flags & (GAUGE_FEW_KEPT | GAUGE_IMPOSSIBLE)))
		keep(span, (struct span_look){ t_ns, look->cycles, look->ticks });
}

void span_sample(struct span *span, int64_t t_ns, double cycles, uint64_t ticks)
{
	keep(span, (struct span_look){ t_ns, cycles, (double)ticks });
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

/* Looks that a jump (an interrupt, stolen time) did not hit: near the median of their ratio. */
static bool clock_of_looks(const struct span_look *const *looks, size_t n, struct span_clock *ret)
{
	double ratios[2 * SPAN_LOOKS], median;
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
	*ret = sum;
	return sum.n >= LEAST_LOOKS && sum.n >= LEAST_NEAR * (double)n;
}

/* Mean ticks of the sub-samples of one length that lie near their median; `near` in ticks, 0: a share
 * of that median. NAN where they are too few. */
static double mean_ticks(const struct span_look *const *looks, size_t n, double cycles, double near,
			 unsigned *ret_kept)
{
	double ticks[2 * SPAN_LOOKS], median, sum = 0;
	size_t taken = 0;
	unsigned kept = 0;

	for (size_t i = 0; i < n; i++)
		if (looks[i]->cycles == cycles)
			ticks[taken++] = looks[i]->ticks;
	median = judge_median(ticks, taken);
	for (size_t i = 0; i < taken; i++) {
		if (fabs(ticks[i] - median) > (near > 0 ? near : NEAR * median))
			continue;
		sum += ticks[i];
		kept++;
	}
	*ret_kept = kept;
	return kept >= LEAST_LOOKS && kept >= LEAST_NEAR * (double)taken ? sum / kept : NAN;
}

static bool clock_of_samples(const struct span_look *const *looks, size_t n, struct span_clock *ret)
{
	double longer = 0, shorter = INFINITY, long_ticks, short_ticks;
	unsigned n_long, n_short;

	for (size_t i = 0; i < n; i++) {
		longer = fmax(longer, looks[i]->cycles);
		shorter = fmin(shorter, looks[i]->cycles);
	}
	if (!(shorter < longer))
		return false;
	long_ticks = mean_ticks(looks, n, longer, 0, &n_long);
	/* steps of the TSC are as large for short ones: the same distance in ticks */
	short_ticks = mean_ticks(looks, n, shorter, NEAR * long_ticks, &n_short);
	if (!(long_ticks > short_ticks))
		return false;
	ret->n = n_long + n_short;
	ret->cycles = (longer - shorter) * ret->n;
	ret->ticks = (long_ticks - short_ticks) * ret->n;
	return true;
}

bool span_clock(const struct span *span, int64_t from_ns, int64_t until_ns, struct span_clock *ret)
{
	const struct span_look *looks[2 * SPAN_LOOKS];
	const size_t n = collect(span, from_ns, until_ns, looks);
	struct span_clock clock;

	if (!(span->stretch.on ? clock_of_samples : clock_of_looks)(looks, n, &clock))
		return false;
	*ret = clock;
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
