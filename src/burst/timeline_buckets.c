/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Epochs laid over each other by their real time: the progress of each sub-sample is spread over
 * the buckets that it covers, and the middle of the epochs is taken bucket by bucket. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/timeline_own.h"

#define FINE_S 0.25e-6
#define COARSE_S 1e-6
/* Around the first and the last wide instruction buckets are fine: throttle and halt of all known
 * parts end before 30 us. */
#define FINE_BEFORE_S 4e-6
#define FINE_AFTER_S 48e-6
#define MOST_COARSE 1500 /* of one stretch; wider ones then */
#define BLOCK 64	 /* buckets at a time, for memory's sake */
#define COVERED 0.3	 /* of a bucket, by steps of one kind, at least */
#define LATE_WIDE 4	 /* so many wide steps at least, of which the last 1 / LATE_WIDE are late */
#define LATE_NEAR 0.05	 /* time stamps step by that much of a short sub-sample */
#define LATE_VALUES 20000

struct cursor {
	size_t step;
	double at; /* when it begins */
};

struct grid {
	double *edges;	/* n + 1 */
	size_t n, side; /* buckets from `side` on are aligned at the last wide instruction */
};

struct filler {
	const struct timeline_work *work;
	const struct grid *grid;
	struct cursor *cursors;
	float *values;			   /* [kind][bucket of the block][epoch] */
	unsigned n[TIMELINE_KINDS][BLOCK]; /* of them */
	double samples[TIMELINE_KINDS][BLOCK], covered[TIMELINE_KINDS][BLOCK];
};

/* What of one epoch lies in the buckets of a block. */
struct share {
	double progress[TIMELINE_KINDS][BLOCK], covered[TIMELINE_KINDS][BLOCK];
};

/* The last wide steps, and the scalar ones between them: slowness of the scalar ones against the
 * base clock, or cycles of a unit of work of the wide ones. */
static size_t late_values(const struct timeline_work *work, bool wide, double slowness,
			  float *values)
{
	const struct timeline_step *steps = work->input->steps;
	size_t wides = 0, from = work->last_wide, n = 0, stride;

	for (size_t i = work->first_wide; i <= work->last_wide; i++)
		wides += steps[i].wide;
	if (wides < LATE_WIDE)
		return 0;
	for (wides = (wides - 1) / LATE_WIDE; wides > 0; wides -= steps[from].wide)
		from--;
	if (from > work->first_wide)
		from--; /* with the scalar one before it */
	stride = 1 + work->n_bases * (work->last_wide - from + 1) / LATE_VALUES;
	for (size_t e = 0; e < work->n_bases; e += stride)
		for (size_t i = from; i <= work->last_wide && n < LATE_VALUES; i++) {
			const double cycles =
				work->bases[e].epoch->ticks[i] * work->bases[e].cycles_per_tick;

			if (steps[i].wide != wide)
				continue;
			values[n++] =
				(float)(wide ? (cycles / slowness - work->cost) / steps[i].work
					     : cycles / timeline_cycles(work, i));
		}
	return n;
}

/* Work of the load in a cycle, such that its rate and the clock agree late in the burst. Where no
 * scalar step tells the clock there, the rate is against its own late one. */
static int find_rate(struct timeline_work *work)
{
	double slowness, cycles;
	float *values;

	work->per_cycle = NAN;
	if (work->first_wide == work->input->n_steps)
		return 0;
	values = malloc((LATE_VALUES + 1) * sizeof(*values));
	if (!values)
		return -ENOMEM;
	slowness = timeline_center(values, late_values(work, false, 1, values), LATE_NEAR).middle;
	if (!(slowness > 0))
		slowness = 1;
	cycles = timeline_center(values, late_values(work, true, slowness, values), LATE_NEAR)
			 .middle;
	if (cycles > 0)
		work->per_cycle = 1 / cycles;
	free(values);
	return 0;
}

static void stretch(struct grid *grid, double to, double width)
{
	const double from = grid->edges[grid->n], length = to - from;
	size_t n = (size_t)fmin(fmax(length / width + 0.5, 1), MOST_COARSE);

	if (!(length > 0))
		return;
	for (size_t i = 1; i <= n; i++)
		grid->edges[grid->n + i] = i == n ? to : from + length * (double)i / (double)n;
	grid->n += n;
}

static int make_grid(const struct timeline_work *work, struct grid *ret)
{
	const double us = work->input->tsc_hertz * 1e-6, fine = FINE_S * 1e6 * us;
	const double coarse = COARSE_S * 1e6 * us, after = FINE_AFTER_S * 1e6 * us;
	const double before = FINE_BEFORE_S * 1e6 * us;

	ret->edges = malloc((8 * MOST_COARSE + 1) * sizeof(*ret->edges));
	if (!ret->edges)
		return -ENOMEM;
	ret->n = 0;
	ret->edges[0] = fmin(work->from, 0);
	stretch(ret, fmax(-before, work->from), coarse);
	stretch(ret, 0, fine);
	stretch(ret, fmin(after, work->half), fine);
	stretch(ret, work->half, coarse);
	ret->side = ret->n;
	stretch(ret, fmax(work->burst - before, work->half), coarse);
	stretch(ret, work->burst, fine);
	stretch(ret, fmin(work->burst + after, work->to), fine);
	stretch(ret, work->to, coarse);
	return 0;
}

static void spread_step(const struct filler *filler, size_t first, size_t n, size_t *at,
			double begin, double end, double cycles, enum timeline_kind kind,
			struct share *share, double *samples)
{
	const double *edges = filler->grid->edges + first;
	const double length = end - begin;

	while (*at < n && edges[*at + 1] <= begin)
		(*at)++;
	for (size_t k = *at; k < n && edges[k] < end; k++) {
		const double inside = fmin(end, edges[k + 1]) - fmax(begin, edges[k]);

		if (!(inside > 0))
			continue;
		share->progress[kind][k] += cycles * (inside / length);
		share->covered[kind][k] += inside;
		samples[(size_t)kind * BLOCK + k] += inside / length;
	}
}

/* The steps of one epoch into buckets [first, first + n). */
static void fill_epoch(struct filler *filler, size_t e, size_t first, size_t n, double shift)
{
	const struct timeline_work *work = filler->work;
	const struct timeline_base *base = &work->bases[e];
	const double *edges = filler->grid->edges + first;
	struct cursor *cursor = &filler->cursors[e];
	struct share share = { 0 };
	size_t at = 0;

	while (cursor->step < work->input->n_steps && cursor->at + shift < edges[n]) {
		const double end = cursor->at + base->epoch->ticks[cursor->step];
		const bool wide = work->input->steps[cursor->step].wide;

		if (end + shift > edges[0] && !(wide && isnan(work->per_cycle)))
			spread_step(filler, first, n, &at, cursor->at + shift, end + shift,
				    timeline_cycles(work, cursor->step),
				    wide ? TIMELINE_WIDE : TIMELINE_SCALAR, &share,
				    filler->samples[0]);
		if (end + shift > edges[n])
			break; /* goes on in the next block */
		cursor->at = end;
		cursor->step++;
	}
	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++)
		for (size_t k = 0; k < n; k++)
			if (share.covered[kind][k] > 0) {
				filler->covered[kind][k] += share.covered[kind][k];
				filler->values[(kind * BLOCK + k) * work->n_bases +
					       filler->n[kind][k]++] =
					(float)(share.progress[kind][k] / share.covered[kind][k] /
						base->cycles_per_tick);
			}
}

static void sum_up(struct filler *filler, unsigned kind, size_t k, double begin, double end,
		   struct timeline_point *ret)
{
	const size_t n_bases = filler->work->n_bases;
	const double step = TIMELINE_STEP_S * filler->work->input->tsc_hertz;
	const double samples = filler->samples[kind][k] / (double)n_bases;
	const double longest = (end - begin) / fmin(1, samples);
	struct timeline_center center = { .middle = NAN, .low = NAN, .high = NAN, .error = NAN };

	/* At the ends only the longest epochs are left, and few are no middle of all. One epoch may
	 * not be chosen by how long its own steps took. */
	if (2 * filler->n[kind][k] >= n_bases &&
	    filler->covered[kind][k] > COVERED * (end - begin) * (double)n_bases)
		center = timeline_center(filler->values + (kind * BLOCK + k) * n_bases,
					 filler->n[kind][k], step / longest);
	*ret = (struct timeline_point) { .begin = begin,
					 .end = end,
					 .ratio = center.middle,
					 .error = center.error,
					 .low = center.low,
					 .high = center.high,
					 .samples = samples,
					 .n = isnan(center.middle) ? 0 : filler->n[kind][k] };
}

static void fill_block(struct filler *filler, size_t first, size_t n, struct timeline_point *points)
{
	const struct timeline_work *work = filler->work;
	const struct grid *grid = filler->grid;

	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++)
		for (size_t k = 0; k < BLOCK; k++) {
			filler->n[kind][k] = 0;
			filler->samples[kind][k] = 0;
			filler->covered[kind][k] = 0;
		}
	for (size_t e = 0; e < work->n_bases; e++)
		fill_epoch(filler, e, first, n,
			   first < grid->side ? 0 : work->burst - work->bases[e].burst);
	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++)
		for (size_t k = 0; k < n; k++)
			sum_up(filler, kind, k, grid->edges[first + k], grid->edges[first + k + 1],
			       &points[kind * grid->n + first + k]);
}

static void fill(struct filler *filler, struct timeline_point *points)
{
	const struct timeline_work *work = filler->work;
	const size_t side = filler->grid->side;

	for (size_t first = 0, n; first < filler->grid->n; first += n) {
		const size_t to = first < side ? side : filler->grid->n;

		n = to - first < BLOCK ? to - first : BLOCK;
		for (size_t e = 0; e < work->n_bases && (first == 0 || first == side); e++)
			filler->cursors[e] = (struct cursor) { .at = work->bases[e].begin };
		fill_block(filler, first, n, points);
	}
}

int timeline_buckets(struct timeline_work *work, struct timeline_point **ret_points, size_t *ret_n)
{
	struct grid grid = { 0 };
	struct filler filler = { .work = work, .grid = &grid };
	struct timeline_point *points = NULL;
	int r = find_rate(work);

	if (r == 0)
		r = make_grid(work, &grid);
	if (r == 0) {
		points = calloc(TIMELINE_KINDS * (grid.n + 1), sizeof(*points));
		filler.cursors = calloc(work->n_bases + 1, sizeof(*filler.cursors));
		filler.values = malloc((TIMELINE_KINDS * BLOCK * work->n_bases + 1) *
				       sizeof(*filler.values));
		if (!points || !filler.cursors || !filler.values)
			r = -ENOMEM;
	}
	if (r == 0) {
		fill(&filler, points);
		*ret_points = points;
		*ret_n = grid.n;
	} else {
		free(points);
	}
	free(filler.cursors);
	free(filler.values);
	free(grid.edges);
	return r;
}
