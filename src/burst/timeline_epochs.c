/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The base clock of each epoch, what a time stamp costs, and which epochs do not count. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/timeline_own.h"

#define COLD 2 /* steps after a wake-up that read slow */
#define LEAST_STEPS 4
/* Cycles of a time stamp: rdtscp and lfence take 50 to 100. What no second length tells, and what
 * is no time stamp any more. */
#define COST_UNKNOWN 60
#define COST_MOST 400
/* Context switch or steal; the longest known halt takes 12 us. */
#define LONG_GAP_S 50e-6
#define EDGE_GAP_S 0.5e-6
/* Two looks at one clock agree within this (as for the halves of a probe), or as well as most do.
 */
#define MOVED_RATIO 0.005
#define MOVED_SIGMAS 5
#define TAIL_S 60e-6
#define FEW 0.1 /* of the epochs may lack a bucket at the ends of the line */

/* What is compared between epochs; of those that count so far. */
enum trait { TRAIT_HALVES, TRAIT_TAIL, TRAIT_FIRST, TRAIT_LAST, TRAIT_LONGEST, TRAITS };

struct scratch {
	float *steps, *sorted;
	float *traits[TRAITS]; /* NAN: has none */
};

/* Steps that end before the first wide instruction. */
static size_t steps_before(const struct timeline_work *work, const struct timeline_base *base)
{
	double at = base->begin;
	size_t i = 0;

	while (i < work->first_wide && (at += base->epoch->ticks[i]) <= 0)
		i++;
	return i;
}

/* Base clock of one epoch; NAN when it has none. */
static void find_base(const struct timeline_work *work, struct timeline_base *base, float *scratch)
{
	const size_t n = steps_before(work, base);
	const size_t from = n > COLD + 2 * LEAST_STEPS ? COLD : 0;

	base->cycles_per_tick = timeline_clock(work, base->epoch->ticks, from, n, scratch);
}

/* In core cycles: the instructions of a time stamp run in the core, and so slow down with it. */
static void find_cost(struct timeline_work *work)
{
	const double gap = TIMELINE_GAP_S * work->input->tsc_hertz;
	struct timeline_classes classes = { 0 };
	struct timeline_line line;

	for (size_t e = 0; e < work->n_bases; e++) {
		const struct timeline_base *base = &work->bases[e];
		const size_t n = isnan(base->cycles_per_tick) ? 0 : steps_before(work, base);

		for (size_t i = COLD; i < n; i++) {
			const double cycles = base->epoch->ticks[i] * base->cycles_per_tick;
			const double own = work->input->steps[i].work;

			if (cycles < own * (1 + TIMELINE_GAP_RATIO) + gap * base->cycles_per_tick)
				timeline_count(&classes, own, cycles);
		}
	}
	work->cost = 0;
	work->cost_error = COST_UNKNOWN;
	if (!timeline_fit(&classes, &line))
		return;
	work->cost = fmax(fmin(line.cost / line.slope, COST_MOST), 0);
	work->cost_error = line.error / line.slope;
}

static void find_traits(const struct timeline_work *work, size_t e, struct scratch *scratch)
{
	const struct timeline_base *base = &work->bases[e];
	const size_t n_steps = work->input->n_steps, n = steps_before(work, base);
	const uint32_t *ticks = base->epoch->ticks;
	const double first = timeline_clock(work, ticks, 0, n / 2, scratch->steps);
	const double second = timeline_clock(work, ticks, n / 2, n, scratch->steps);
	double after = 0, tail = 0, longest = 0;
	size_t i = n_steps;

	for (size_t j = 0; j < n_steps; j++) {
		longest = fmax(longest, ticks[j]);
		after += ticks[j];
	}
	after += base->begin - base->burst;
	while (i > 0 && tail < fmin(TAIL_S * work->input->tsc_hertz, after / 4))
		tail += ticks[--i];
	scratch->traits[TRAIT_HALVES][e] = (float)(second / first);
	scratch->traits[TRAIT_TAIL][e] =
		(float)(timeline_clock(work, ticks, i, n_steps, scratch->steps) /
			base->cycles_per_tick);
	scratch->traits[TRAIT_LONGEST][e] = (float)longest;
	scratch->traits[TRAIT_FIRST][e] = scratch->traits[TRAIT_LAST][e] = NAN;
	if (work->first_wide < n_steps) {
		scratch->traits[TRAIT_FIRST][e] = (float)ticks[work->first_wide];
		scratch->traits[TRAIT_LAST][e] = (float)ticks[work->last_wide];
	}
}

/* Far from what most epochs have: by `least` and by MOVED_SIGMAS of their own spread. */
static void mark_far(const struct timeline_work *work, struct scratch *scratch, enum trait trait,
		     double least, bool both_sides, enum timeline_drop why, unsigned char *drop)
{
	const float *values = scratch->traits[trait];
	double median, reach;
	size_t n = 0;

	for (size_t e = 0; e < work->n_bases; e++)
		if (!drop[e] && !isnan(values[e]))
			scratch->sorted[n++] = values[e];
	if (n == 0)
		return;
	median = timeline_median(scratch->sorted, n);
	reach = (double)timeline_select(scratch->sorted, n, n * 3 / 4) - median;
	reach = fmax(least, MOVED_SIGMAS * reach / 0.6745);
	for (size_t e = 0; e < work->n_bases; e++) {
		const double off = (double)values[e] - median;

		if (!drop[e] && (both_sides ? fabs(off) : off) > reach)
			drop[e] = (unsigned char)(1 + why);
	}
}

static void leave_out(struct timeline_work *work, struct scratch *scratch, unsigned char *drop,
		      struct timeline *into)
{
	const double hertz = work->input->tsc_hertz;
	size_t kept = 0;

	work->n_all = work->n_bases;
	for (size_t e = 0; e < work->n_bases; e++)
		if (isnan(work->bases[e].cycles_per_tick))
			drop[e] = 1 + TIMELINE_GAP;
		else
			find_traits(work, e, scratch);
	mark_far(work, scratch, TRAIT_LONGEST, LONG_GAP_S * hertz, false, TIMELINE_GAP, drop);
	mark_far(work, scratch, TRAIT_FIRST, EDGE_GAP_S * hertz, false, TIMELINE_GAP, drop);
	mark_far(work, scratch, TRAIT_LAST, EDGE_GAP_S * hertz, false, TIMELINE_GAP, drop);
	mark_far(work, scratch, TRAIT_HALVES, MOVED_RATIO, true, TIMELINE_MOVED, drop);
	mark_far(work, scratch, TRAIT_TAIL, MOVED_RATIO, true, TIMELINE_MOVED, drop);
	for (size_t e = 0; e < work->n_bases; e++) {
		const struct timeline_base base = work->bases[e];

		if (drop[e]) {
			into->dropped[drop[e] - 1]++;
		} else {
			work->bases[e] = work->bases[kept];
			work->bases[kept++] = base;
		}
	}
	work->n_bases = kept;
}

/* Of what is a number at all: a saturated step leaves no time behind it. */
static void take_epochs(struct timeline_work *work, struct timeline *into)
{
	for (size_t e = 0; e < work->input->n_epochs; e++) {
		const struct timeline_epoch *epoch = &work->input->epochs[e];
		const int64_t begin = (int64_t)(epoch->begin_tsc - epoch->first_tsc);
		const int64_t burst = (int64_t)(epoch->last_tsc - epoch->first_tsc);
		bool good = begin <= 0 && burst >= 0;

		for (size_t i = 0; i < work->input->n_steps && good; i++)
			good = epoch->ticks[i] < UINT32_MAX;
		if (good)
			work->bases[work->n_bases++] = (struct timeline_base) {
				.epoch = epoch, .begin = (double)begin, .burst = (double)burst
			};
		else
			into->dropped[TIMELINE_GAP]++;
	}
}

static void gather(const struct timeline_work *work, struct scratch *scratch,
		   double (*value)(const struct timeline_work *, const struct timeline_base *))
{
	for (size_t e = 0; e < work->n_bases; e++)
		scratch->sorted[e] = (float)value(work, &work->bases[e]);
}

static double median_of_bases(const struct timeline_work *work, struct scratch *scratch,
			      double (*value)(const struct timeline_work *,
					      const struct timeline_base *))
{
	gather(work, scratch, value);
	return timeline_median(scratch->sorted, work->n_bases);
}

/* That only `share` of the epochs are below. */
static double quantile_of_bases(const struct timeline_work *work, struct scratch *scratch,
				double (*value)(const struct timeline_work *,
						const struct timeline_base *),
				double share)
{
	const size_t n = work->n_bases;

	gather(work, scratch, value);
	return n ? timeline_select(scratch->sorted, n, (size_t)(share * (double)(n - 1))) : NAN;
}

static double begin_of(const struct timeline_work *work, const struct timeline_base *base)
{
	(void)work;
	return base->begin;
}

static double burst_of(const struct timeline_work *work, const struct timeline_base *base)
{
	(void)work;
	return base->burst;
}

static double after_of(const struct timeline_work *work, const struct timeline_base *base)
{
	double at = base->begin - base->burst;

	for (size_t i = 0; i < work->input->n_steps; i++)
		at += base->epoch->ticks[i];
	return at;
}

static double clock_of_base(const struct timeline_work *work, const struct timeline_base *base)
{
	return base->cycles_per_tick * work->input->tsc_hertz;
}

static void find_all(struct timeline_work *work, struct scratch *scratch, unsigned char *drop,
		     struct timeline *into)
{
	take_epochs(work, into);
	/* the cost is known by the clock, and the clock by the cost */
	for (unsigned round = 0; round < 2; round++) {
		for (size_t e = 0; e < work->n_bases; e++)
			find_base(work, &work->bases[e], scratch->steps);
		if (round == 0)
			find_cost(work);
	}
	leave_out(work, scratch, drop, into);
	into->epochs = (unsigned)work->n_bases;
	into->before_hertz = median_of_bases(work, scratch, clock_of_base);
	work->burst = median_of_bases(work, scratch, burst_of);
	work->half = work->burst / 2;
	/* Where nearly all are: those that reach farther were held up the most. */
	work->from = quantile_of_bases(work, scratch, begin_of, 1 - FEW);
	work->to = work->burst + quantile_of_bases(work, scratch, after_of, FEW);
	into->burst_s = work->burst / work->input->tsc_hertz;
}

int timeline_epochs(struct timeline_work *work, struct timeline *into)
{
	const struct timeline_input *input = work->input;
	const size_t n = input->n_epochs;
	float *floats = malloc(((TRAITS + 1) * n + input->n_steps + 1) * sizeof(*floats));
	unsigned char *drop = calloc(n + 1, 1);
	struct scratch scratch;
	int r = -ENOMEM;

	work->first_wide = work->last_wide = input->n_steps;
	for (size_t i = 0; i < input->n_steps; i++)
		if (input->steps[i].wide) {
			work->last_wide = i;
			if (work->first_wide == input->n_steps)
				work->first_wide = i;
		}
	if (floats && drop) {
		for (unsigned i = 0; i < TRAITS; i++)
			scratch.traits[i] = floats + i * n;
		scratch.sorted = floats + TRAITS * n;
		scratch.steps = floats + (TRAITS + 1) * n;
		find_all(work, &scratch, drop, into);
		r = 0;
	}
	free(floats);
	free(drop);
	return r;
}
