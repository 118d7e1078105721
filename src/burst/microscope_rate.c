/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rates and clocks from the ticks of steps. Pure. */
#include "config.h"

#include <math.h>

#include "burst/microscope_own.h"

#define NEAR 0.1 /* steps longer than the usual one by more were disturbed */
/* A chain that takes longer than its fellows by so much was interrupted. */
#define INTERRUPTED 1.3
#define CLOCK_PAIRS_LEAST 4u
#define SOME 256u

struct late {
	size_t n;
	double sum;
};

/* The wide steps of so much work in the later half of the burst, those near the usual one only
 * (NAN: all). The first `most` go to `values`, where that is not NULL. */
static struct late late_steps(const struct microscope_series *series, unsigned done, double work,
			      double usual, double *values, size_t most)
{
	const struct microscope_layout *const layout = &series->layout;
	const size_t from = (layout->first_wide + layout->last_wide + 1) / 2;
	struct late late = { 0 };

	for (unsigned e = 0; e < done && late.n < most; e++) {
		const uint32_t *const ticks = series->ticks + e * layout->n_steps;

		for (size_t i = from; i <= layout->last_wide && late.n < most; i++) {
			if (!layout->steps[i].wide || layout->steps[i].work != work ||
			    (!isnan(usual) && fabs(ticks[i] / usual - 1) > NEAR))
				continue;
			if (values)
				values[late.n] = ticks[i];
			late.sum += ticks[i];
			late.n++;
		}
	}
	return late;
}

/* Mean ticks of those near the shorter ones; what is usual, the first few hundred tell. */
static double late_ticks(const struct microscope_series *series, unsigned done, double work)
{
	double some[SOME];
	const size_t n = late_steps(series, done, work, NAN, some, SOME).n;
	const struct late late =
		late_steps(series, done, work, judge_clean_median(some, n, NEAR), NULL, SIZE_MAX);

	return n && late.n ? late.sum / (double)late.n : NAN;
}

double microscope_rate(const struct microscope_series *series, double tsc_hertz, double stamp_s,
		       const struct microscope_piece *piece)
{
	const struct microscope_layout *const layout = &series->layout;
	const unsigned done = atomic_load_explicit(&series->done, memory_order_acquire);
	const double fine = microscope_work(piece, layout->fine_loops);
	const double coarse = microscope_work(piece, layout->coarse_loops);
	const double fine_ticks = late_ticks(series, done, fine);

	if (layout->coarse_loops)
		return (coarse - fine) / (late_ticks(series, done, coarse) - fine_ticks) *
		       tsc_hertz;
	return fine / (fine_ticks / tsc_hertz - stamp_s);
}

/* The next chain from step i on; `until` none. */
static size_t next_chain(const struct microscope_layout *layout, size_t i, size_t until)
{
	while (i < until && layout->steps[i].wide)
		i++;
	return i;
}

/* From *first on: a short chain and the longer one that follows it. False at the end. */
static bool next_pair(const struct microscope_layout *layout, size_t until, size_t *first,
		      size_t *second)
{
	for (size_t a = next_chain(layout, *first, until), b; a < until; a = b) {
		b = next_chain(layout, a + 1, until);
		if (b < until && layout->steps[a].work < layout->steps[b].work) {
			*first = a;
			*second = b;
			return true;
		}
	}
	return false;
}

bool microscope_clock(const struct microscope_layout *layout, const uint32_t *ticks, size_t from,
		      size_t until, double *ret_cycles, double *ret_ticks)
{
	uint32_t least_short = UINT32_MAX, least_long = UINT32_MAX;
	double cycles = 0, sum = 0;
	unsigned pairs = 0, kept = 0;
	size_t b;

	for (size_t a = from; next_pair(layout, until, &a, &b); a = b) {
		least_short = ticks[a] < least_short ? ticks[a] : least_short;
		least_long = ticks[b] < least_long ? ticks[b] : least_long;
		pairs++;
	}
	for (size_t a = from; next_pair(layout, until, &a, &b); a = b) {
		if (ticks[a] > INTERRUPTED * least_short || ticks[b] > INTERRUPTED * least_long)
			continue;
		cycles += layout->steps[b].work - layout->steps[a].work;
		sum += (double)ticks[b] - ticks[a];
		kept++;
	}
	if (kept < CLOCK_PAIRS_LEAST || kept < pairs / 2 || !(sum > 0))
		return false;
	*ret_cycles = cycles;
	*ret_ticks = sum;
	return true;
}
