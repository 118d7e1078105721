/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time that was taken from the epochs: interrupts and steal, which no counter of a guest shows. */
#include "config.h"

#include <math.h>

#include "burst/timeline_own.h"

/* Where most epochs stand still or are slow, one that took longer tells nothing. */
#define SLOW 0.5

struct tally {
	double gaps, time; /* ticks */
};

static void add_epoch(const struct timeline_work *work, const struct timeline_point *points,
		      size_t n, const struct timeline_base *base, struct tally *tally)
{
	double at = base->begin;
	size_t k = 0;

	for (size_t i = 0; i < work->input->n_steps; i++) {
		const double length = base->epoch->ticks[i];
		const struct timeline_point *point;
		double expected;

		while (k + 1 < n && points[k].end < at)
			k++;
		at += length;
		tally->time += length;
		point = &points[(work->input->steps[i].wide ? n : 0) + k];
		if (!(point->ratio >= SLOW))
			continue;
		expected = timeline_cycles(work, i) / base->cycles_per_tick / point->ratio;
		if (length >
		    expected * (1 + TIMELINE_GAP_RATIO) + TIMELINE_GAP_S * work->input->tsc_hertz)
			tally->gaps += length - expected;
	}
}

double timeline_gaps(const struct timeline_work *work, const struct timeline_point *points,
		     size_t n)
{
	struct tally tally = { 0 };

	for (size_t e = 0; e < work->n_all; e++)
		if (!isnan(work->bases[e].cycles_per_tick))
			add_epoch(work, points, n, &work->bases[e], &tally);
	return tally.time > 0 ? tally.gaps / tally.time : (double)NAN;
}
