/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock from a run of chained sub-samples, and what of their time is the time stamps'. */
#include "config.h"

#include <math.h>

#include "burst/timeline_own.h"

#define LEAST_STEPS 4

double timeline_cycles(const struct timeline_work *work, size_t step)
{
	const struct timeline_step *at = &work->input->steps[step];

	return at->wide ? at->work / work->per_cycle + work->cost : at->work + work->cost;
}

/* Scalar steps [from, to) that no gap stretched. False: they are too few. */
static bool sum_of(const struct timeline_work *work, const uint32_t *ticks, size_t from, size_t to,
		   float *scratch, struct timeline_sum *ret)
{
	const struct timeline_step *steps = work->input->steps;
	const double gap = TIMELINE_GAP_S * work->input->tsc_hertz;
	struct timeline_sum sum = { 0 };
	double typical;
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		if (!steps[i].wide && ticks[i] > 0)
			scratch[n++] = (float)(ticks[i] / timeline_cycles(work, i));
	typical = timeline_median(scratch, n);
	for (size_t i = from; i < to; i++) {
		if (steps[i].wide || ticks[i] == 0)
			continue;
		if (ticks[i] > timeline_cycles(work, i) * typical * (1 + TIMELINE_GAP_RATIO) + gap)
			continue;
		sum.work += steps[i].work;
		sum.time += ticks[i];
		sum.n++;
	}
	*ret = sum;
	return sum.n >= LEAST_STEPS && 2 * sum.n >= (double)n;
}

/* In cycles a tick; NAN when it is not known. */
double timeline_clock(const struct timeline_work *work, const uint32_t *ticks, size_t from,
		      size_t to, float *scratch)
{
	struct timeline_sum sum;

	if (!sum_of(work, ticks, from, to, scratch, &sum))
		return NAN;
	return (sum.work + sum.n * work->cost) / sum.time;
}

void timeline_count(struct timeline_classes *classes, double work, double cycles)
{
	size_t i = 0;

	while (i < classes->n && classes->at[i].work != work)
		i++;
	if (i == TIMELINE_CLASSES)
		return;
	if (i == classes->n)
		classes->at[classes->n++] = (struct timeline_class) { .work = work };
	classes->at[i].cycles += cycles;
	classes->at[i].squares += cycles * cycles;
	classes->at[i].n++;
}

bool timeline_fit(const struct timeline_classes *classes, struct timeline_line *ret)
{
	double sum = 0, w = 0, y = 0, ww = 0, wy = 0, scatter = 0, spread;

	for (size_t i = 0; i < classes->n; i++) {
		const struct timeline_class *at = &classes->at[i];

		sum += at->n;
		w += at->n * at->work;
		y += at->cycles;
		ww += at->n * at->work * at->work;
		wy += at->cycles * at->work;
		scatter += at->squares - at->cycles * at->cycles / at->n;
	}
	spread = sum * ww - w * w;
	if (classes->n < 2 || !(spread > 1e-6 * w * w))
		return false;
	ret->slope = (sum * wy - w * y) / spread;
	ret->cost = (y - ret->slope * w) / sum;
	ret->error = sqrt(fmax(scatter, 0) / sum * ww / spread);
	return ret->slope > 0;
}

bool timeline_look(const struct timeline_work *work, const struct timeline_base *base, double from,
		   double to, float *scratch, struct timeline_sum *ret,
		   struct timeline_classes *classes)
{
	const double shift = from >= work->half ? work->burst - base->burst : 0;
	const double gap = TIMELINE_GAP_S * work->input->tsc_hertz;
	const uint32_t *ticks = base->epoch->ticks;
	double at = base->begin + shift, typical;
	size_t first = 0, last;

	while (first < work->input->n_steps && at < from)
		at += ticks[first++];
	for (last = first; last < work->input->n_steps && at + ticks[last] <= to; last++)
		at += ticks[last];
	if (!sum_of(work, ticks, first, last, scratch, ret))
		return false;
	typical = ret->time / (ret->work + ret->n * work->cost);
	for (size_t i = first; i < last; i++)
		if (!work->input->steps[i].wide && ticks[i] > 0 &&
		    ticks[i] <= timeline_cycles(work, i) * typical * (1 + TIMELINE_GAP_RATIO) + gap)
			timeline_count(classes, work->input->steps[i].work,
				       ticks[i] * base->cycles_per_tick);
	return true;
}

double timeline_density(const struct timeline_work *work, double from, double to)
{
	const struct timeline_base *base = &work->bases[0];
	double at = base->begin, steps = 0, cycles = 0;

	for (size_t i = 0; i < work->input->n_steps && at < to; at += base->epoch->ticks[i++])
		if (at >= from && !work->input->steps[i].wide) {
			steps++;
			cycles += timeline_cycles(work, i);
		}
	return cycles > 0 ? steps / cycles : (double)NAN;
}
