/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the ticks of sub-samples to one look at the clock: what to keep, what it says, and whether it
 * may be believed. Pure, so that every disturbance can be planted by a test. */
#include "config.h"

#include "burst/gauge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shares of the long sub-sample's median. An absolute tolerance for both lengths: a short one is only
 * a few steps of a coarse TSC long (10 ns on AMD), so 3 % of itself would reject good ones. */
#define NEAR 0.03
#define JUMP 0.10
#define KEPT_LEAST 0.75
#define HALVES_MOST 0.005
#define WITNESS_MOST 0.005

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double part_median(const struct gauge_series *series, unsigned part)
{
	double values[GAUGE_SERIES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < series->n; i++)
		if (series->part[i] == part)
			values[n++] = series->ticks[i];
	return median(values, n);
}

/* Marks sub-samples near the median of their part; sums what jumps took. */
static void keep_near(const struct gauge_series *series, bool *keep, struct gauge_look *look)
{
	double medians[GAUGE_PARTS], gap = 0;

	for (unsigned part = 0; part < GAUGE_PARTS; part++)
		medians[part] = part_median(series, part);
	look->taken = series->n;
	for (unsigned i = 0; i < series->n; i++) {
		double off = series->ticks[i] - medians[series->part[i]];

		keep[i] = fabs(off) <= NEAR * medians[GAUGE_LONG];
		look->kept += keep[i];
		if (off > JUMP * medians[GAUGE_LONG])
			gap += off;
	}
	look->gap_ticks = (uint64_t)llround(gap);
}

/* A line through the time stamps: time = start + ticks_a_cycle × cycles so far + cost × stamps so
 * far, by least squares over the chained sub-samples that were kept (a rejected one is cut out of
 * both axes). Stamps err independently by the TSC's step, while differences of neighbors err twice
 * and in opposite directions: the line is what averages them best. */
struct line {
	double ticks_a_cycle, cost;
};

static bool fit_line(const struct gauge_series *series, const bool *keep, struct line *ret)
{
	double cycles = 0, stamps = 0, time = 0, points = 1;
	double c = 0, s = 0, t = 0, cc = 0, cs = 0, ss = 0, ct = 0, st = 0; /* sums */
	double determinant;

	for (unsigned i = 0; i < series->n; i++) {
		if (!keep[i] || series->part[i] == GAUGE_ADD)
			continue;
		cycles += series->cycles[series->part[i]];
		time += series->ticks[i];
		stamps++;
		points++;
		c += cycles, s += stamps, t += time;
		cc += cycles * cycles, cs += cycles * stamps, ss += stamps * stamps;
		ct += cycles * time, st += stamps * time;
	}
	cc -= c * c / points, cs -= c * s / points, ss -= s * s / points;
	ct -= c * t / points, st -= s * t / points;
	determinant = cc * ss - cs * cs;
	if (!(determinant > 1e-9 * cc * ss))
		return false;
	ret->ticks_a_cycle = (ct * ss - st * cs) / determinant;
	ret->cost = (st * cc - ct * cs) / determinant;
	return ret->ticks_a_cycle > 0;
}

/* Ticks a cycle of the kept sub-samples from..to of the ruler, or (witness) of the added chain. */
static double ticks_a_cycle(const struct gauge_series *series, const bool *keep, unsigned from,
			    unsigned to, bool witness, double cost)
{
	double ticks = 0, cycles = 0;

	for (unsigned i = from; i < to; i++) {
		if (!keep[i] || (series->part[i] == GAUGE_ADD) != witness)
			continue;
		ticks += series->ticks[i] - cost;
		cycles += series->cycles[series->part[i]];
	}
	return cycles > 0 ? ticks / cycles : NAN;
}

static double spread(const struct gauge_series *series, const bool *keep, const struct line *line)
{
	double residuals[GAUGE_SERIES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < series->n; i++) {
		double expected = line->ticks_a_cycle * series->cycles[series->part[i]] + line->cost;

		if (keep[i] && series->part[i] != GAUGE_ADD)
			residuals[n++] = fabs(series->ticks[i] / expected - 1);
	}
	return median(residuals, n);
}

void gauge_analyze(const struct gauge_series *series, double imul_cycles, struct gauge_look *ret)
{
	struct gauge_look look = { .witness = NAN, .spread = NAN };
	bool keep[GAUGE_SERIES_MAX] = { false };
	struct line line;
	double first, second;

	keep_near(series, keep, &look);
	if (look.kept < KEPT_LEAST * look.taken)
		look.flags |= GAUGE_FEW_KEPT;
	if (!fit_line(series, keep, &line)) {
		look.flags |= GAUGE_IMPOSSIBLE;
		*ret = look;
		return;
	}
	for (unsigned i = 0; i < series->n; i++)
		if (keep[i] && series->part[i] != GAUGE_ADD)
			look.cycles += series->cycles[series->part[i]];
	look.ticks = look.cycles * line.ticks_a_cycle;
	look.cost_ticks = line.cost;
	look.spread = spread(series, keep, &line);

	first = ticks_a_cycle(series, keep, 0, series->n / 2, false, line.cost);
	second = ticks_a_cycle(series, keep, series->n / 2, series->n, false, line.cost);
	if (fabs(first / second - 1) > HALVES_MOST)
		look.flags |= GAUGE_MOVED;

	look.witness = imul_cycles * line.ticks_a_cycle /
		       ticks_a_cycle(series, keep, 0, series->n, true, line.cost);
	if (fabs(look.witness / imul_cycles - 1) > WITNESS_MOST)
		look.flags |= GAUGE_WITNESS;
	*ret = look;
}
