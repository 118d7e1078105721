/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the low clock outlasts the burst, from a few epochs with a long tail: so that what
 * stands before the next burst is not what the last one has left. Pure. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "burst/microscope_own.h"

/* A clock moves by 1 % by itself; the smallest step of a license is 100 MHz. */
#define LOW 0.02
/* Ends of the stretches that are looked at; each must hold some steps. */
static const double edges_s[] = { 0,	  60e-6, 150e-6, 300e-6, 500e-6, 700e-6, 1e-3,
				  1.5e-3, 2e-3,	 3e-3,	 4e-3,	 5e-3,	 6e-3,	 8e-3,
				  10e-3,  15e-3, 20e-3,	 30e-3,	 40e-3,	 50e-3,	 60e-3 };
#define EDGES (sizeof(edges_s) / sizeof(*edges_s))
#define LEAST 4u
#define NEAR 0.06 /* steps longer than the usual one by more were disturbed */

struct stretch_of_time {
	double from_s, until_s; /* after the last wide step */
};

struct looks {
	const struct timeline_input *input;
	size_t first, last; /* wide steps */
	double *values;	    /* room for one a step */
};

/* Does step i of the epoch lie there? *at: ticks since the end of the last wide step. */
static bool lies_in(const struct looks *looks, double at_ticks, struct stretch_of_time in)
{
	const double at_s = at_ticks / looks->input->tsc_hertz;

	return at_s >= in.from_s && at_s < in.until_s;
}

/* Sums over steps that no interrupt stretched. */
struct mean {
	double work, ticks;
};

/* Of the chains there that are longer or shorter than `limit`; means, NAN of too few. before: those
 * before the burst instead. */
static struct mean mean_of(const struct looks *looks, unsigned epoch, double limit, bool longer,
			   bool before, struct stretch_of_time in)
{
	const struct timeline_input *const input = looks->input;
	const uint32_t *const ticks = input->epochs[epoch].ticks;
	const size_t from = before ? 0 : looks->last + 1,
		     to = before ? looks->first : input->n_steps;
	struct mean sum = { 0 };
	double at = 0, usual;
	size_t n = 0, kept = 0;

	for (size_t i = from; i < to; at += ticks[i++])
		if ((input->steps[i].work > limit) == longer && (before || lies_in(looks, at, in)))
			looks->values[n++] = ticks[i] / input->steps[i].work;
	usual = judge_median(looks->values, n);
	at = 0;
	for (size_t i = from; i < to; at += ticks[i++]) {
		if ((input->steps[i].work > limit) != longer ||
		    !(before || lies_in(looks, at, in)) ||
		    fabs(ticks[i] / input->steps[i].work / usual - 1) > NEAR)
			continue;
		sum.work += input->steps[i].work;
		sum.ticks += ticks[i];
		kept++;
	}
	return kept < LEAST ? (struct mean) { NAN, NAN }
			    : (struct mean) { sum.work / (double)kept, sum.ticks / (double)kept };
}

/* Cycles a tick there, by two lengths, as those of the steps a and a + 1. */
static double clock_by(const struct looks *looks, unsigned epoch, size_t a, bool before,
		       struct stretch_of_time in)
{
	const struct timeline_step *const steps = looks->input->steps;
	const double limit = (steps[a].work + steps[a + 1].work) / 2;
	const struct mean shorter = mean_of(looks, epoch, limit, false, before, in);
	const struct mean longer = mean_of(looks, epoch, limit, true, before, in);

	return (longer.work - shorter.work) / (longer.ticks - shorter.ticks);
}

/* Median over the epochs; NAN unknown. Before the burst that of the first one where it is higher: then the
 * others begin with what the burst before has left. */
static double clock_in(const struct looks *looks, bool before, struct stretch_of_time in)
{
	const size_t fine = looks->last + 1, coarse = looks->input->n_steps - 2;
	const bool early = in.until_s <= MICROSCOPE_EDGE_S;
	double clocks[64], first, middle;
	size_t n = 0;

	for (unsigned i = 0; i < looks->input->n_epochs && n < 64; i++) {
		const double clock = clock_by(looks, i,
					      before  ? 0
					      : early ? fine
						      : coarse,
					      before, in);

		if (isfinite(clock) && clock > 0)
			clocks[n++] = clock;
	}
	first = n ? clocks[0] : NAN; /* sorted next */
	middle = judge_median(clocks, n);
	return before && first > (1 + LOW) * middle ? first : middle;
}

static bool find_wide(const struct timeline_input *input, struct looks *looks)
{
	bool any = false;

	for (size_t i = 0; i < input->n_steps; i++) {
		if (!input->steps[i].wide)
			continue;
		if (!any)
			looks->first = i;
		looks->last = i;
		any = true;
	}
	return any && looks->first >= 2 && looks->last + 4 < input->n_steps;
}

double microscope_hold(const struct timeline_input *input)
{
	struct looks looks = { .input = input };
	double clocks[EDGES], top, last = NAN, hold_s = 0;

	if (!find_wide(input, &looks))
		return NAN;
	looks.values = calloc(input->n_steps, sizeof(*looks.values));
	if (!looks.values)
		return NAN;
	top = clock_in(&looks, true, (struct stretch_of_time) { 0 });
	for (size_t i = 0; i + 1 < EDGES; i++) {
		clocks[i] = clock_in(&looks, false,
				     (struct stretch_of_time) { edges_s[i], edges_s[i + 1] });
		if (!isnan(clocks[i]))
			last = clocks[i];
	}
	free(looks.values);
	if (isnan(last) || isnan(top))
		return NAN;
	/* from the end of the burst on without a break: what is low later on was moved by others */
	for (size_t i = 0; i + 1 < EDGES; i++) {
		if (isnan(clocks[i]))
			continue;
		if (clocks[i] >= (1 - LOW) * fmax(top, last))
			return hold_s;
		hold_s = edges_s[i + 1];
	}
	return INFINITY;
}
