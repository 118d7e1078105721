/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the low clock outlasts the burst, from a few epochs with a long tail: so that what stands
 * before the next burst is not what the last one has left. Pure. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "burst/microscope_own.h"

/* A clock moves by 1 % by itself; the smallest step of a license is 100 MHz. */
#define LOW 0.02
/* Ends of the stretches that are looked at; each must hold some steps. */
static const double edges_s[] = { 0,	  60e-6, 150e-6, 300e-6, 500e-6, 700e-6, 1e-3,	1.5e-3, 2e-3, 3e-3,
				  4e-3,	  5e-3,	 6e-3,	 8e-3,	 10e-3,	 15e-3,	 20e-3, 30e-3,	40e-3, 50e-3,
				  60e-3 };
#define EDGES (sizeof(edges_s) / sizeof(*edges_s))
#define LEAST 4u
#define NEAR 0.05 /* steps longer than the usual one by more were disturbed */

/* Mean of those near the median, which of few whole steps of a coarse TSC is one of them. */
static double clean_mean(double *values, size_t n)
{
	const double middle = judge_median(values, n);
	double sum = 0;
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (fabs(values[i] / middle - 1) > NEAR)
			continue;
		sum += values[i];
		kept++;
	}
	return kept >= LEAST ? sum / (double)kept : NAN;
}

struct stretch_of_time {
	double from_s, until_s; /* after the last wide step */
};

struct looks {
	const struct timeline_input *input;
	size_t first, last;  /* wide steps */
	double *values;	     /* room for one a step */
};

/* Does step i of the epoch lie there? *at: ticks since the end of the last wide step. */
static bool lies_in(const struct looks *looks, double at_ticks, struct stretch_of_time in)
{
	const double at_s = at_ticks / looks->input->tsc_hertz;

	return at_s >= in.from_s && at_s < in.until_s;
}

/* Ticks that a scalar step with that work takes there. before: those before the burst instead. */
static double mean_ticks(const struct looks *looks, unsigned epoch, double work, bool before,
			 struct stretch_of_time in)
{
	const struct timeline_input *const input = looks->input;
	const uint32_t *const ticks = input->epochs[epoch].ticks;
	double at = 0;
	size_t n = 0;

	for (size_t i = before ? 0 : looks->last + 1; i < (before ? looks->first : input->n_steps); i++) {
		if (input->steps[i].work == work && (before || lies_in(looks, at, in)))
			looks->values[n++] = ticks[i];
		at += ticks[i];
	}
	return clean_mean(looks->values, n);
}

/* Cycles a tick there, by two lengths. `a` and `b`: two neighboring steps. */
static double clock_by(const struct looks *looks, unsigned epoch, size_t a, bool before,
		       struct stretch_of_time in)
{
	const struct timeline_step *const steps = looks->input->steps;
	const double short_ticks = mean_ticks(looks, epoch, steps[a].work, before, in);
	const double long_ticks = mean_ticks(looks, epoch, steps[a + 1].work, before, in);

	return (steps[a + 1].work - steps[a].work) / (long_ticks - short_ticks);
}

/* Median over the epochs; NAN unknown. Before the burst: the highest, as all but the first may be low from
 * the burst before. */
static double clock_in(const struct looks *looks, bool before, struct stretch_of_time in)
{
	const size_t fine = looks->last + 1, coarse = looks->input->n_steps - 2;
	const bool early = in.until_s <= MICROSCOPE_EDGE_S;
	double clocks[64];
	size_t n = 0;

	for (unsigned i = 0; i < looks->input->n_epochs && n < 64; i++) {
		const double clock = clock_by(looks, i, before ? 0 : early ? fine : coarse, before, in);

		if (isfinite(clock) && clock > 0)
			clocks[n++] = clock;
	}
	for (size_t i = 1; before && i < n; i++)
		clocks[0] = fmax(clocks[0], clocks[i]);
	return judge_median(clocks, before && n ? 1 : n);
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
	top = clock_in(&looks, true, (struct stretch_of_time){ 0 });
	for (size_t i = 0; i + 1 < EDGES; i++) {
		clocks[i] = clock_in(&looks, false, (struct stretch_of_time){ edges_s[i], edges_s[i + 1] });
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
