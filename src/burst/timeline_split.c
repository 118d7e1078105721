/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a series of medians changes its level: least squares with a penalty for each change
 * (optimal partitioning, Jackson et al. 2005, pruned as in PELT, Killick et al. 2012), the penalty
 * from how often noise alone may pay it. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/judge.h"
#include "burst/timeline_own.h"

/* Chance of a change that is none, over a whole line. */
#define FALSE_CHANGES 0.002
/* No median is better than this: what is not noise, but no phase either, may not be split up. */
#define LEAST_ERROR 1e-4
/* Neighbors share sub-samples, and a clock is modulated in a triangle of some 31 kHz: what means
 * over such a time scatter more than their buckets say is noise too. */
#define BLOCK_S 16e-6
#define ROUGH 0.06
#define ROUGH_BELOW 0.6

/* Standard errors that one of n places reaches by chance as rarely as FALSE_CHANGES (Bonferroni),
 * both signs; the tail of the normal distribution by its asymptote, solved by iteration. */
double timeline_threshold(size_t n)
{
	const double tail = FALSE_CHANGES / 2 / (double)(n > 1 ? n : 1);
	double z = 4;

	for (unsigned i = 0; i < 20; i++)
		z = sqrt(2 * log(1 / (tail * z * sqrt(2 * M_PI))));
	return z;
}

struct sums {
	double w, wx, wxx;
};

struct series {
	const struct timeline_point *points;
	size_t *index; /* of those with a ratio */
	size_t n;
	double *ratio, *variance;
	struct sums *sums; /* n + 1, of those before */
	double *best;	   /* n + 1 */
	double scale;	   /* of the errors */
	bool rough;	   /* a rate, no clock */
	size_t *since, *open;
};

static double misfit(const struct series *series, size_t from, size_t to)
{
	const struct sums *a = &series->sums[from], *b = &series->sums[to];
	const double w = b->w - a->w, wx = b->wx - a->wx;

	return b->wxx - a->wxx - wx * wx / w;
}

/* since[i]: where the last segment of the best way to split the first i points begins. */
static void partition(struct series *series, double penalty)
{
	size_t n_open = 1;

	series->best[0] = -penalty;
	series->open[0] = 0;
	for (size_t to = 1; to <= series->n; to++) {
		size_t kept = 0;

		series->best[to] = INFINITY;
		for (size_t i = 0; i < n_open; i++) {
			const size_t from = series->open[i];
			const double cost = series->best[from] + misfit(series, from, to) + penalty;

			if (cost < series->best[to]) {
				series->best[to] = cost;
				series->since[to] = from;
			}
		}
		for (size_t i = 0; i < n_open; i++) {
			const size_t from = series->open[i];

			if (series->best[from] + misfit(series, from, to) <= series->best[to])
				series->open[kept++] = from;
		}
		series->open[kept++] = to;
		n_open = kept;
	}
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* How much more the means of blocks scatter than the errors of their points tell: by the median of
 * the differences of neighbors, that a few changes do not move. At least 1. */
static double long_noise(const struct series *series, double *scratch, double block)
{
	double mean = 0, error = 0;
	size_t n = 0;

	for (size_t from = 0, to; from < series->n; from = to) {
		double w = 0, wx = 0, was_mean = mean, was_error = error;
		const double end = series->points[series->index[from]].begin + block;

		for (to = from; to < series->n && series->points[series->index[to]].begin < end;
		     to++) {
			w += 1 / series->variance[to];
			wx += series->ratio[to] / series->variance[to];
		}
		mean = wx / w;
		error = 1 / w;
		if (from > 0)
			scratch[n++] = fabs(mean - was_mean) / sqrt(error + was_error);
	}
	if (n < 4)
		return 1;
	qsort(scratch, n, sizeof(*scratch), compare_doubles);
	return fmax(1, scratch[n / 2] / 0.6745);
}

static int open_series(const struct timeline_point *points, size_t n, struct series *ret)
{
	*ret = (struct series) { .points = points };
	ret->index = calloc(3 * (n + 1), sizeof(*ret->index));
	ret->ratio = calloc(3 * (n + 1), sizeof(*ret->ratio));
	ret->sums = calloc(n + 1, sizeof(*ret->sums));
	if (!ret->index || !ret->ratio || !ret->sums)
		return -ENOMEM;
	ret->since = ret->index + n + 1;
	ret->open = ret->since + n + 1;
	ret->variance = ret->ratio + n + 1;
	ret->best = ret->variance + n + 1;
	for (size_t i = 0; i < n; i++) {
		if (isnan(points[i].ratio) || isnan(points[i].error))
			continue;
		ret->index[ret->n] = i;
		ret->ratio[ret->n] = points[i].ratio;
		ret->variance[ret->n++] =
			fmax(points[i].error * points[i].error, LEAST_ERROR * LEAST_ERROR);
	}
	return 0;
}

static void close_series(struct series *series)
{
	free(series->index);
	free(series->ratio);
	free(series->sums);
}

static void prepare(struct series *series, double block)
{
	/* best is not needed yet */
	const double scale = long_noise(series, series->best, block);

	series->scale = scale;
	for (size_t i = 0; i < series->n; i++) {
		double w, x;

		series->variance[i] *= scale * scale;
		w = 1 / series->variance[i];
		x = series->ratio[i] - 1;
		series->sums[i + 1] = (struct sums) { .w = series->sums[i].w + w,
						      .wx = series->sums[i].wx + w * x,
						      .wxx = series->sums[i].wxx + w * x * x };
	}
}

static void measure(const struct series *series, struct timeline_segment *segment)
{
	const struct sums *a = &series->sums[segment->from], *b = &series->sums[segment->to];

	segment->level = 1 + (b->wx - a->wx) / (b->w - a->w);
	segment->error = 1 / sqrt(b->w - a->w);
	segment->samples = 0;
	for (size_t i = segment->from; i < segment->to; i++)
		segment->samples += series->points[series->index[i]].samples;
}

static void remove_one(struct timeline_segment *segments, size_t *n, size_t i)
{
	(*n)--;
	for (; i < *n; i++)
		segments[i] = segments[i + 1];
}

/* What two looks at one clock may differ by. A rate, and the speed of throttled code, do so by what
 * the time stamp takes then, which is known for full speed only. */
static double least_change(const struct series *series, double a, double b)
{
	const double higher = fmax(a, b);

	return series->rough || higher < ROUGH_BELOW ? ROUGH * higher : JUDGE_FLOOR;
}

static void merge_equal(const struct series *series, struct timeline_segment *segments, size_t *n)
{
	while (*n > 1) {
		double least = INFINITY;
		size_t at = 0;

		for (size_t i = 0; i + 1 < *n; i++) {
			const double a = segments[i].level, b = segments[i + 1].level;
			const double apart = fabs(b - a) / least_change(series, a, b);

			if (apart < least) {
				least = apart;
				at = i;
			}
		}
		if (least >= 1)
			return;
		segments[at].to = segments[at + 1].to;
		measure(series, &segments[at]);
		remove_one(segments, n, at + 1);
	}
}

/* A change inside of a bucket or of a sub-sample makes a short level between the two of its sides.
 */
static bool transitional(const struct timeline_segment *segment)
{
	const double before = segment[-1].level, after = segment[1].level;

	return (segment->to - segment->from <= 2 || segment->samples <= 1) &&
	       (segment->level - before) * (after - segment->level) > 0;
}

static void drop_transitional(struct timeline_segment *segments, size_t *n)
{
	for (size_t i = 1; i + 1 < *n;) {
		if (transitional(&segments[i])) {
			remove_one(segments, n, i);
			i = i > 1 ? i - 1 : 1;
		} else {
			i++;
		}
	}
}

/* Where a step from one level to the next would leave the same area as what was measured between.
 */
static void place_edge(const struct series *series, struct timeline_segment *left,
		       struct timeline_segment *right)
{
	const struct timeline_point *points = series->points;
	/* the outermost points of both may hold a part of the change */
	const size_t from = left->to - left->from > 1 ? left->to - 1 : left->to;
	const size_t to = right->to - right->from > 1 ? right->from + 1 : right->from;
	const double apart = right->level - left->level;
	double at = (points[series->index[from - 1]].end +
		     points[series->index[from < series->n ? from : from - 1]].begin) /
		    2;
	double variance = 0, width = 0;

	for (size_t i = from; i < to; i++) {
		const struct timeline_point *point = &points[series->index[i]];
		/* where the other kind of steps lies between, half of it is on each side */
		const double end = i + 1 < series->n
					   ? (point->end + points[series->index[i + 1]].begin) / 2
					   : point->end;
		const double begin = i > 0 ? (points[series->index[i - 1]].end + point->begin) / 2
					   : point->begin;
		const double part = (right->level - series->ratio[i]) / apart;

		if (i == from)
			at = begin;
		width = fmax(end - begin, (end - begin) / fmax(fmin(1, point->samples), 1e-3));
		at += (end - begin) * fmin(fmax(part, 0), 1);
		variance += (end - begin) * (end - begin) * series->variance[i] / (apart * apart);
	}
	left->end = right->begin = at;
	left->end_error = right->begin_error = sqrt(variance + width * width / 12);
}

static int make_segments(const struct series *series, struct timeline_segment **ret, size_t *ret_n)
{
	struct timeline_segment *segments;
	size_t n = 0, at;

	for (size_t to = series->n; to > 0; to = series->since[to])
		n++;
	segments = calloc(n + 1, sizeof(*segments));
	if (!segments)
		return -ENOMEM;
	at = n;
	for (size_t to = series->n; to > 0; to = series->since[to]) {
		segments[--at] = (struct timeline_segment) { .from = series->since[to], .to = to };
		measure(series, &segments[at]);
	}
	merge_equal(series, segments, &n);
	drop_transitional(segments, &n);
	merge_equal(series, segments, &n);
	if (n > 0) {
		segments[0].begin = series->points[series->index[0]].begin;
		segments[n - 1].end = series->points[series->index[series->n - 1]].end;
	}
	for (size_t i = 0; i + 1 < n; i++)
		place_edge(series, &segments[i], &segments[i + 1]);
	*ret = segments;
	*ret_n = n;
	return 0;
}

int timeline_split(const struct timeline_point *points, size_t n, double tsc_hertz, bool rough,
		   struct timeline_segment **ret, size_t *ret_n, double *ret_scale)
{
	struct series series;
	int r = open_series(points, n, &series);

	if (r == 0) {
		const double threshold = timeline_threshold(series.n);

		series.rough = rough;
		prepare(&series, BLOCK_S * tsc_hertz);
		partition(&series, threshold * threshold);
		r = make_segments(&series, ret, ret_n);
		*ret_scale = series.scale;
	}
	close_series(&series);
	return r;
}
