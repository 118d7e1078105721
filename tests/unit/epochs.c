/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Integrates the planted speed, step by step; see epochs.h. */
#include "config.h"

#include "tests/unit/epochs.h"

#include <math.h>
#include <stdlib.h>

#define TRIANGLE_HERTZ 31e3

struct epochs {
	struct planted planted;
	struct timeline_input input;
	struct timeline_step *steps;
	struct timeline_epoch *epochs;
	uint32_t *ticks;
	uint64_t random;
};

/* One epoch while it is made; times in ns since it began. */
struct run {
	struct epochs *epochs;
	double now, next_interrupt, phase;
	double steal_at, steal_ns, move_at, move;
	double first, last; /* of the burst; NAN not yet */
	double base;
	size_t at; /* element of the course that rules */
};

static double uniform(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return (double)(*random * 2685821657736338717ull >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *random)
{
	const double u = 1 - uniform(random), v = uniform(random);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* When an element of the course begins; INFINITY not yet. */
static double begins(const struct run *run, size_t i)
{
	const struct course *course = &run->epochs->planted.course[i];
	const double zero = course->of_end ? run->last : run->first;

	return isnan(zero) ? (double)INFINITY : zero + course->from_us * 1000;
}

/* Cycles a ns for a kind of step now; *ret_until: how long at least. */
static double speed(struct run *run, bool wide, double *ret_until)
{
	const struct planted *planted = &run->epochs->planted;
	double rate = run->base * 1e-9, turn,
	       next = run->now + 500; /* the triangle, in short pieces */

	while (run->at < planted->n_course && begins(run, run->at) <= run->now)
		run->at++;
	for (size_t i = run->at; i < planted->n_course; i++)
		next = fmin(next, begins(run, i));
	if (run->at > 0) {
		const struct course *course = &planted->course[run->at - 1];
		double clock = course->clock;

		if (planted->slope_us > 0 && run->at == planted->n_course)
			clock = 1 - (1 - clock) * exp(-(run->now - begins(run, run->at - 1)) /
						      (planted->slope_us * 1000));
		rate *= clock * (wide ? course->wide_rate : course->scalar_rate);
	}
	if (planted->spread > 0) {
		turn = fmod(run->now * TRIANGLE_HERTZ * 1e-9 + run->phase, 1);
		rate *= 1 + planted->spread * (fabs(2 * turn - 1) - 0.5);
	}
	rate *= 1 + planted->drift * run->now * 1e-3 /
			    (planted->before_us + planted->burst_us + planted->after_us);
	if (run->now >= run->move_at)
		rate *= 1 + run->move;
	else
		next = fmin(next, run->move_at);
	*ret_until = next;
	return rate;
}

/* The CPU is gone for a while: to the hypervisor, or to another. */
static void disturb(struct run *run)
{
	uint64_t *random = &run->epochs->random;

	while (run->now >= fmin(run->next_interrupt, run->steal_at)) {
		if (run->now >= run->steal_at) {
			run->now += run->steal_ns;
			run->steal_at = INFINITY;
			continue;
		}
		run->now += 1000 + 2000 * uniform(random);
		run->next_interrupt =
			run->now - log(1 - uniform(random)) * 1e9 / run->epochs->planted.interrupts;
	}
}

static void work(struct run *run, double cycles, bool wide)
{
	while (cycles > 1e-9) {
		double until, rate, most;

		disturb(run);
		rate = speed(run, wide, &until);
		most = fmin(until, fmin(run->next_interrupt, run->steal_at)) - run->now;
		if (rate > 0 && cycles / rate <= most) {
			run->now += cycles / rate;
			return;
		}
		cycles -= most * rate;
		run->now += fmax(most, 1e-3);
	}
}

static uint64_t stamp(struct run *run, uint64_t zero)
{
	const struct planted *planted = &run->epochs->planted;
	double ns;

	work(run, planted->stamp_cycles, false);
	run->now += planted->stamp_ns;
	ns = run->now;
	if (planted->jitter_ns > 0)
		ns += planted->jitter_ns * normal(&run->epochs->random);
	if (planted->step_ns > 0)
		ns = floor(ns / planted->step_ns) * planted->step_ns;
	return zero + (uint64_t)llround(ns * planted->tsc_hertz * 1e-9);
}

static size_t add_steps(struct timeline_step *steps, size_t n, const struct planted *planted,
			double us, double fine_us, bool burst, bool fine_at_end)
{
	size_t i = 0;

	for (double at = 0; at < us - 1e-6; i++) {
		const bool fine = at < fine_us || (fine_at_end && us - at < fine_us);
		double length = fine ? planted->fine_us : planted->coarse_us;

		/* two lengths by turns */
		length *= i % 4 < 2 ? 1.25 : 0.75;
		if (steps)
			steps[n + i] = (struct timeline_step) {
				.wide = burst && i % 2 == 0,
				.work = floor(length * planted->base_hertz * 1e-6) *
					(burst && i % 2 == 0 ? 2 : 1),
			};
		at += length;
	}
	return n + i - (burst && i % 2 == 0);
}

static size_t make_steps(struct timeline_step *steps, const struct planted *planted)
{
	size_t n = add_steps(steps, 0, planted, planted->before_us, 0, false, false);

	if (planted->burst_us > 0) {
		n = add_steps(steps, n, planted, planted->burst_us, 40, !planted->victim, true);
	} else {
		if (steps)
			steps[n] = (struct timeline_step) { .wide = !planted->victim, .work = 100 };
		n++;
	}
	return add_steps(steps, n, planted, planted->after_us, 40, false, false);
}

static void start(struct run *run, struct epochs *epochs)
{
	const struct planted *planted = &epochs->planted;
	const double length = 1000 * (planted->before_us + planted->burst_us + planted->after_us);
	uint64_t *random = &epochs->random;

	*run = (struct run) { .epochs = epochs,
			      .first = NAN,
			      .last = NAN,
			      .steal_at = INFINITY,
			      .move_at = INFINITY,
			      .next_interrupt = INFINITY };
	run->now = 100 * uniform(random);
	run->phase = uniform(random);
	run->base = planted->base_hertz * (1 + planted->wander * (uniform(random) - 0.5));
	if (planted->interrupts > 0)
		run->next_interrupt = -log(1 - uniform(random)) * 1e9 / planted->interrupts;
	if (uniform(random) < planted->steals) {
		run->steal_at = length * uniform(random);
		run->steal_ns = 1e6 * (1 + 4 * uniform(random));
	}
	if (uniform(random) < planted->moves) {
		run->move_at = length * uniform(random);
		run->move = uniform(random) < 0.5 ? -0.06 : 0.04;
	}
}

static void make_epoch(struct epochs *epochs, size_t e)
{
	const struct planted *planted = &epochs->planted;
	const uint64_t zero = 1000000000ull + 50000000ull * e;
	struct timeline_epoch *epoch = &epochs->epochs[e];
	uint32_t *ticks = epochs->ticks + e * epochs->input.n_steps;
	size_t first = 0, last;
	struct run run;
	uint64_t was;

	/* the burst by index, also where a victim has none of its own */
	first = add_steps(NULL, 0, planted, planted->before_us, 0, false, false);
	last = planted->burst_us > 0
		       ? add_steps(NULL, first, planted, planted->burst_us, 40, true, true)
		       : first + 1;
	start(&run, epochs);
	epoch->ticks = ticks;
	epoch->begin_tsc = was = stamp(&run, zero);
	for (size_t i = 0; i < epochs->input.n_steps; i++) {
		const struct timeline_step *step = &epochs->steps[i];
		uint64_t now;

		if (i == first) {
			run.first = run.now;
			epoch->first_tsc = was;
		}
		work(&run, step->wide ? step->work / 2 : step->work, step->wide);
		if (i + 1 == last)
			run.last = run.now;
		now = stamp(&run, zero);
		if (i + 1 == last)
			epoch->last_tsc = now;
		ticks[i] = now - was < UINT32_MAX ? (uint32_t)(now - was) : UINT32_MAX;
		was = now;
	}
}

struct epochs *epochs_new(const struct planted *planted)
{
	struct epochs *epochs = calloc(1, sizeof(*epochs));

	epochs->planted = *planted;
	if (!(epochs->planted.base_hertz > 0))
		epochs->planted.base_hertz = 3.2e9;
	if (!(epochs->planted.tsc_hertz > 0))
		epochs->planted.tsc_hertz = 2.1e9;
	if (!(epochs->planted.fine_us > 0))
		epochs->planted.fine_us = 0.25;
	if (!(epochs->planted.coarse_us > 0))
		epochs->planted.coarse_us = 1;
	epochs->random = planted->seed * 0x9e3779b97f4a7c15ull + 1;
	epochs->input.n_steps = make_steps(NULL, &epochs->planted);
	epochs->input.n_epochs = planted->n_epochs;
	epochs->input.tsc_hertz = epochs->planted.tsc_hertz;
	epochs->steps = calloc(epochs->input.n_steps, sizeof(*epochs->steps));
	epochs->epochs = calloc(planted->n_epochs + 1, sizeof(*epochs->epochs));
	epochs->ticks =
		calloc(planted->n_epochs * epochs->input.n_steps + 1, sizeof(*epochs->ticks));
	(void)make_steps(epochs->steps, &epochs->planted);
	epochs->input.steps = epochs->steps;
	epochs->input.epochs = epochs->epochs;
	for (size_t e = 0; e < planted->n_epochs; e++)
		make_epoch(epochs, e);
	return epochs;
}

const struct timeline_input *epochs_input(const struct epochs *epochs)
{
	return &epochs->input;
}

struct timeline_epoch *epochs_one(struct epochs *epochs, size_t epoch)
{
	return &epochs->epochs[epoch];
}

uint32_t *epochs_ticks(struct epochs *epochs, size_t epoch)
{
	return epochs->ticks + epoch * epochs->input.n_steps;
}

void epochs_free(struct epochs *epochs)
{
	if (!epochs)
		return;
	free(epochs->steps);
	free(epochs->epochs);
	free(epochs->ticks);
	free(epochs);
}
