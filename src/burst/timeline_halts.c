/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Halts: one sub-sample that takes microseconds longer, at the same place in most epochs. And the
 * shortest one, and the smallest change of level, that the noise would have let be seen. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/timeline_own.h"

/* Shorter ones are not told: the first run of code that was not in the cache takes as long. */
#define HALT_LEAST_S 1e-6
#define HALT_SAMPLES 1.7
#define HALT_RATIO (2.0 / 3)

bool timeline_is_halt(const struct timeline_view *view, enum timeline_kind kind, size_t segment)
{
	const struct timeline_segment *at = &view->segments[kind][segment];
	const double before = segment > 0 ? at[-1].level : 1;
	double after, own;

	if (segment + 1 == view->n_segments[kind] || at->end <= 0)
		return false;
	after = at[1].level;
	own = (at->end - at->begin) * at->level * (0.5 / before + 0.5 / after);
	return at->samples <= HALT_SAMPLES && at->level < HALT_RATIO * fmin(before, after) &&
	       at->end - at->begin - own >= HALT_LEAST_S * view->work->input->tsc_hertz;
}

/* The step of one epoch that is stretched most, of those that touch the window. Of either kind:
 * where interrupts have shifted the steps, the halt falls now into the one, now into the other. */
static bool most_stretched(const struct timeline_work *work, const struct timeline_base *base,
			   const double window[2], double *ret_begin, double *ret_length,
			   double *ret_own)
{
	const double shift = window[0] >= work->half ? work->burst - base->burst : 0;
	double at = base->begin + shift, most = 0;

	for (size_t i = 0; i < work->input->n_steps && at < window[1];
	     at += base->epoch->ticks[i++]) {
		const double length = base->epoch->ticks[i];
		const double own = timeline_cycles(work, i) / base->cycles_per_tick;

		if (isnan(own) || at + length < window[0] || !(length - own > most))
			continue;
		most = length - own;
		*ret_begin = at;
		*ret_length = length;
		*ret_own = own;
	}
	return most > 0;
}

/* Begin and length epoch by epoch. Where in its own work the sub-sample was halted cannot be told:
 * anywhere, with equal chance; its work before ran at the level before, that after at the one
 * after. */
static void measure_halt(const struct timeline_view *view, enum timeline_kind kind,
			 const struct timeline_segment *segment, float *begins, float *lengths,
			 struct timeline_halt *ret)
{
	const struct timeline_work *work = view->work;
	const double pad = timeline_sample(view, kind, segment->begin, segment->end) / 2;
	const double before = segment > view->segments[kind] ? segment[-1].level : 1;
	const double after = segment[1].level;
	const double window[2] = { segment->begin - pad, segment->end + pad };
	const double near = 0.5e-6 * work->input->tsc_hertz / (segment->end - segment->begin);
	struct timeline_center begin, length;
	double unknown = 0;
	size_t n = 0;

	for (size_t e = 0; e < work->n_bases; e++) {
		double at = 0, took = 0, own = 0;

		if (!most_stretched(work, &work->bases[e], window, &at, &took, &own))
			continue;
		begins[n] = (float)(at + own / before / 2 - segment->begin);
		lengths[n++] = (float)(took - own * (0.5 / before + 0.5 / after));
		unknown = own;
	}
	begin = timeline_center(begins, n, near);
	length = timeline_center(lengths, n, near);
	ret->begin = segment->begin + begin.middle;
	ret->end = ret->begin + length.middle;
	ret->begin_error = unknown / before / sqrt(12);
	ret->length_error =
		sqrt(length.error * length.error + pow(unknown * (1 / before - 1 / after), 2) / 12);
}

static int compare_halts(const void *a, const void *b)
{
	const struct timeline_halt *x = a, *y = b;

	return (x->begin > y->begin) - (x->begin < y->begin);
}

int timeline_find_halts(const struct timeline_view *view, struct timeline_halts *ret)
{
	const size_t most = view->n_segments[TIMELINE_SCALAR] + view->n_segments[TIMELINE_WIDE];
	struct timeline_halt *halts = calloc(most + 1, sizeof(*halts));
	float *values = malloc((2 * view->work->n_bases + 1) * sizeof(*values));
	size_t n = 0;

	if (!halts || !values) {
		free(halts);
		free(values);
		return -ENOMEM;
	}
	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++)
		for (size_t i = 0; i < view->n_segments[kind]; i++)
			if (timeline_is_halt(view, kind, i))
				measure_halt(view, kind, &view->segments[kind][i], values,
					     values + view->work->n_bases, &halts[n++]);
	free(values);
	qsort(halts, n, sizeof(*halts), compare_halts);
	ret->halts = halts;
	ret->n = 0;
	/* one that both kinds show is one */
	for (size_t i = 0; i < n; i++)
		if (ret->n == 0 || halts[i].begin > halts[ret->n - 1].end)
			halts[ret->n++] = halts[i];
	return 0;
}

struct local {
	double error, width, sample, level;
};

/* Means of the points of one kind around a time; false: none there. */
static bool local_mean(const struct timeline_view *view, enum timeline_kind kind, double from,
		       double to, struct local *ret)
{
	double variance = 0, width = 0, samples = 0, level = 0, n = 0;

	for (size_t i = 0; i < view->n; i++) {
		const struct timeline_point *point = &view->points[kind][i];

		if (isnan(point->error) || point->end <= from || point->begin >= to)
			continue;
		variance += point->error * point->error;
		width += point->end - point->begin;
		level += point->ratio;
		samples += point->samples;
		n++;
	}
	if (!(samples > 0))
		return false;
	ret->error = view->scale[kind] * sqrt(variance / n);
	ret->width = width / n;
	ret->level = level / n;
	ret->sample = width / samples;
	return true;
}

double timeline_sample(const struct timeline_view *view, enum timeline_kind kind, double from,
		       double to)
{
	struct local local;

	return local_mean(view, kind, from, to, &local) ? local.sample : (double)NAN;
}

double timeline_level(const struct timeline_view *view, enum timeline_kind kind, double from,
		      double to)
{
	struct local local;

	return local_mean(view, kind, from, to, &local) ? local.level : (double)NAN;
}

/* A halt of h in a sub-sample of d lowers (d + h) / width points by h / (d + h); that must be worth
 * two changes: h² / (d + h) = 2 (threshold × error)² × width. */
double timeline_halt_limit(const struct timeline_view *view, double from, double to)
{
	const double threshold = timeline_threshold(view->n), hertz = view->work->input->tsc_hertz;
	double limit = NAN;

	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++) {
		struct local local;
		double k, halt;

		if (!local_mean(view, kind, from, to, &local))
			continue;
		k = 2 * pow(threshold * local.error, 2) * local.width;
		halt = (k + sqrt(k * k + 4 * k * local.sample)) / 2;
		halt = fmax(halt, fmax(HALT_LEAST_S * hertz, local.sample * (1 / HALT_RATIO - 1)));
		limit = fmax(halt / hertz, limit); /* of NAN and a number: the number */
	}
	return limit;
}

double timeline_level_limit(const struct timeline_view *view, enum timeline_kind kind, double from,
			    double to, double length)
{
	struct local local;

	if (!local_mean(view, kind, from, to, &local))
		return NAN;
	return timeline_threshold(view->n) * M_SQRT2 * local.error /
	       sqrt(fmax(length / local.width, 1));
}
