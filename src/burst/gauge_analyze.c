/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the ticks of sub-samples to one look at the clock: what to keep, what it says, and whether it
 * may be believed. Pure, so that every disturbance can be planted by a test. */
#include "config.h"

#include "burst/gauge.h"

#include <limits.h>
#include <math.h>

/* What a part's sub-samples are compared with, and when enough of them agree. Interrupts, steal and a
 * busy SMT sibling only ever lengthen: so the norm of a long one is near the shortest. */
static const struct {
	double norm;  /* quantile that the others must be near */
	double near;  /* share of that */
	double least; /* share that must be near */
} rules[GAUGE_PARTS] = {
	/* One step of a coarse TSC (10 ns on AMD) is 0.5 %, and a sibling's delays begin at 1 %. */
	[GAUGE_LONG] = { 0.15, 0.0075, 0.85 },
	/* A few steps long altogether. */
	[GAUGE_SHORT] = { 0.5, 0.5, 0.75 },
	[GAUGE_REFERENCE] = { 0.15, 0.03, 0.5 },
};

/* What is counted as a jump, as a share of a long sub-sample. */
#define JUMP 0.10
#define HALVES_MOST 0.005
/* Median residual of the long sub-samples; a coarse TSC alone gives 0.1 to 0.25 %. */
#define SPREAD_MOST 0.003
/* The chain may not be slower than the witness says by more than this share. */
#define CHAIN_SLOW 0.005
/* The witness may be slower: while the SMT sibling is busy, one add in 30 waits a cycle for its port
 * (seen on Zen 5: add 3 to 7 % slow, imul 0.1 to 0.2 %). More is a throttle or another core. */
#define WITNESS_SLOW 0.10

/* Few values, most of them equal: insertion is faster than qsort(), and this runs on the CPU that is
 * probed. */
static double quantile(double *values, unsigned n, double q)
{
	for (unsigned i = 1; i < n; i++) {
		double value = values[i];
		unsigned at = i;

		for (; at > 0 && values[at - 1] > value; at--)
			values[at] = values[at - 1];
		values[at] = value;
	}
	return n > 0 ? values[(unsigned)(q * n)] : NAN;
}

static double part_norm(const struct gauge_series *series, unsigned part)
{
	double values[GAUGE_SERIES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < series->n; i++)
		if (series->part[i] == part)
			values[n++] = series->ticks[i];
	return quantile(values, n, rules[part].norm);
}

/* Marks sub-samples near the norm of their part; sums what jumps took. */
static void keep_near(const struct gauge_series *series, bool *keep, struct gauge_look *look)
{
	unsigned kept[GAUGE_PARTS] = { 0 }, taken[GAUGE_PARTS] = { 0 };
	double norms[GAUGE_PARTS], gap = 0;

	for (unsigned part = 0; part < GAUGE_PARTS; part++)
		norms[part] = part_norm(series, part);
	for (unsigned i = 0; i < series->n; i++) {
		unsigned part = series->part[i];
		double off = series->ticks[i] - norms[part];

		keep[i] = fabs(off) <= rules[part].near * norms[part];
		kept[part] += keep[i];
		taken[part]++;
		if (off > JUMP * norms[GAUGE_LONG])
			gap += off;
	}
	for (unsigned part = 0; part < GAUGE_PARTS; part++)
		if (kept[part] < rules[part].least * taken[part])
			look->flags |= GAUGE_FEW_KEPT;
	look->kept = kept[GAUGE_LONG];
	look->taken = taken[GAUGE_LONG];
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
		if (!keep[i] || series->part[i] == GAUGE_REFERENCE)
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

/* Ticks a cycle of the kept sub-samples of a part, from the from-th of that part up to the to-th. */
static double ticks_a_cycle(const struct gauge_series *series, const bool *keep, unsigned part,
			    unsigned from, unsigned to, double cost)
{
	double ticks = 0, cycles = 0;
	unsigned at = 0;

	for (unsigned i = 0; i < series->n; i++) {
		if (series->part[i] != part)
			continue;
		if (keep[i] && at >= from && at < to) {
			ticks += series->ticks[i] - cost;
			cycles += series->cycles[part];
		}
		at++;
	}
	return cycles > 0 ? ticks / cycles : NAN;
}

static double spread(const struct gauge_series *series, const bool *keep, const struct line *line)
{
	double residuals[GAUGE_SERIES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < series->n; i++) {
		double expected = line->ticks_a_cycle * series->cycles[series->part[i]] + line->cost;

		if (keep[i] && series->part[i] == GAUGE_LONG)
			residuals[n++] = fabs(series->ticks[i] / expected - 1);
	}
	return quantile(residuals, n, 0.5);
}

void gauge_analyze(const struct gauge_series *series, double latency, struct gauge_look *ret)
{
	struct gauge_look look = { .witness = NAN, .spread = NAN };
	bool keep[GAUGE_SERIES_MAX];
	struct line line;
	double first, second;
	unsigned half;

	keep_near(series, keep, &look);
	if (!fit_line(series, keep, &line)) {
		look.flags |= GAUGE_IMPOSSIBLE;
		*ret = look;
		return;
	}
	for (unsigned i = 0; i < series->n; i++)
		if (keep[i] && series->part[i] != GAUGE_REFERENCE)
			look.cycles += series->cycles[series->part[i]];
	look.ticks = look.cycles * line.ticks_a_cycle;
	look.cost_ticks = line.cost;
	look.spread = spread(series, keep, &line);

	half = look.taken / 2;
	first = ticks_a_cycle(series, keep, GAUGE_LONG, 0, half, line.cost);
	second = ticks_a_cycle(series, keep, GAUGE_LONG, half, look.taken, line.cost);
	if (fabs(first / second - 1) > HALVES_MOST || look.spread > SPREAD_MOST)
		look.flags |= GAUGE_MOVED;

	look.witness = latency * line.ticks_a_cycle /
		       ticks_a_cycle(series, keep, GAUGE_REFERENCE, 0, UINT_MAX, line.cost);
	if (look.witness > (1 + CHAIN_SLOW) * latency || look.witness < (1 - WITNESS_SLOW) * latency)
		look.flags |= GAUGE_WITNESS;
	*ret = look;
}
