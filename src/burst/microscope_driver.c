/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that runs the epochs: finds out about its core and the load, then scalar code, burst,
 * scalar code, hundreds of times. It owns its deadline. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/microscope_own.h"
#include "burst/worker.h"

/* Scalar code between two epochs, at least. */
#define GAP_NS (5 * NS_PER_MS)
/* Longer than the hold was measured to be, by so much. */
#define GAP_OVER_HOLD 1.5
#define GAP_MOST_NS (100 * NS_PER_MS)
#define TAIL_OVER_HOLD 1.3
#define TAIL_MOST_S 20e-3
/* How long the low clock is held is found by a few epochs with a tail of 12 ms, or of 60. */
#define PILOT_EPOCHS 6u
#define PILOT_TAIL_S 12e-3
#define PILOT_NS (2 * NS_PER_S) /* on a busy CPU none gets through, and the hold stays unknown */
#define PILOT_LONG_EPOCHS 4u
#define PILOT_LONG_TAIL_S 60e-3
/* Behind the wide code that measures the load itself; some parts hold long after that much. */
#define REST_NS (60 * NS_PER_MS)
#define TICKS_BYTES_MOST (64u << 20)
#define STEPS_MOST 4000u
#define VICTIM_S 10e-3 /* an epoch more, where a victim must be there too: put off for up to 8 ms \
			*/
#define DEADLINE_NS (10 * NS_PER_S)
#define NARROW_LOOKS 5u

static bool complain_memory(struct microscope_driver *d)
{
	struct problem problem;

	(void)problem_set(&problem, ENOMEM, "", _("out of memory"));
	microscope_complain(d, &problem);
	return false;
}

static bool make_layout(struct microscope_driver *d, double tail_s, size_t steps_most,
			struct microscope_layout *ret)
{
	const struct microscope_wish wish = {
		.hertz = d->hertz,
		.imul_cycles = d->core.imul_cycles,
		.stamp_s = d->stamp_s,
		.burst_s = (double)d->scope->plan.burst_ns / 1e9,
		.tail_s = tail_s,
		.piece = d->piece,
		.steps_most = steps_most,
	};

	if (microscope_layout_make(&wish, ret) < 0)
		return complain_memory(d);
	microscope_load_expect(&d->load, ret->fine_loops);
	return true;
}

/* A few epochs with a long tail. NAN: stopped, or no memory. */
static double pilot(struct microscope_driver *d, unsigned epochs, double tail_s)
{
	struct microscope_layout layout;
	struct timeline_epoch *const stamps = calloc(epochs, sizeof(*stamps));
	uint32_t *ticks = NULL;
	double hold_s = NAN;
	unsigned done = 0;

	if (!stamps || !make_layout(d, tail_s, STEPS_MOST, &layout)) {
		free(stamps);
		return NAN;
	}
	ticks = calloc(epochs * layout.n_steps, sizeof(*ticks));
	while (ticks && done < epochs &&
	       microscope_epoch(d, &layout, MICROSCOPE_NO_NUMBER, ticks + done * layout.n_steps,
				&stamps[done])) {
		microscope_publish_epoch(d, &layout, stamps[done].ticks);
		microscope_check(d, &layout);
		done++;
	}
	if (done == epochs) {
		const struct timeline_input input = { layout.steps, layout.n_steps, stamps, epochs,
						      d->tsc_hertz };

		hold_s = microscope_hold(&input);
	}
	free(ticks);
	free(stamps);
	microscope_layout_clear(&layout);
	return hold_s;
}

/* Sets the gap; the tail that the epochs need is returned. */
static double find_hold(struct microscope_driver *d)
{
	const uint64_t deadline_ns = d->deadline_ns;
	double hold_s, gap_s;

	d->deadline_ns = clock_mono_ns() + PILOT_NS;
	hold_s = pilot(d, PILOT_EPOCHS, PILOT_TAIL_S);
	if (isinf(hold_s)) {
		d->gap_ns = GAP_MOST_NS;
		hold_s = pilot(d, PILOT_LONG_EPOCHS, PILOT_LONG_TAIL_S);
	}
	d->deadline_ns = deadline_ns;
	(void)pthread_mutex_lock(&d->scope->mutex);
	d->scope->facts.hold_s = hold_s;
	(void)pthread_mutex_unlock(&d->scope->mutex);
	if (isnan(hold_s))
		hold_s = 0;
	gap_s = fmin(hold_s * GAP_OVER_HOLD, GAP_MOST_NS / 1e9);
	d->gap_ns = (uint64_t)fmax(gap_s * 1e9, GAP_NS);
	return fmin(fmax(hold_s * TAIL_OVER_HOLD, MICROSCOPE_TAIL_S), TAIL_MOST_S);
}

/* What the load and the clock are like. */
static bool find_out(struct microscope_driver *d)
{
	struct microscope *const scope = d->scope;
	int r;

	r = microscope_load_init(&d->load, scope->plan.kernel, &scope->plan.copy, &scope->stop);
	if (r == -EINTR)
		return false;
	if (r < 0)
		return complain_memory(d);
	microscope_stamps_tune(d->core.imul_cycles, d->tsc_hertz, &d->hertz, &d->stamp_s);
	if (!(d->hertz >= 100e6 && d->hertz <= 10e9) || !(d->stamp_s >= 0 && d->stamp_s < 1e-6)) {
		d->hertz = d->tsc_hertz;
		d->stamp_s = 20e-9;
	}
	microscope_load_tune(&d->load, d->tsc_hertz, d->stamp_s, &d->piece);
	(void)pthread_mutex_lock(&scope->mutex);
	scope->facts.core = d->core;
	scope->facts.piece = d->piece;
	(void)pthread_mutex_unlock(&scope->mutex);
	return microscope_rest(d, gauge_tsc() + microscope_ticks(d, REST_NS / 1e9));
}

/* All that the epochs will need. */
static bool make_series(struct microscope_driver *d, double tail_s)
{
	struct microscope_series *const own = &d->scope->own;
	const unsigned epochs = d->scope->plan.epochs;
	size_t most = TICKS_BYTES_MOST / sizeof(*own->ticks) / epochs;
	struct microscope_layout layout;

	if (most > STEPS_MOST)
		most = STEPS_MOST;
	if (!make_layout(d, tail_s, most, &layout))
		return false;
	if (microscope_series_init(own, &layout, epochs) < 0)
		return complain_memory(d);
	d->scope->imul_cycles = d->core.imul_cycles;
	d->scope->hertz = d->hertz;
	d->scope->stamp_s = d->stamp_s;
	d->scope->tail_s = tail_s;
	atomic_store_explicit(&own->ready, true, memory_order_release);
	(void)pthread_mutex_lock(&d->scope->mutex);
	d->scope->facts.epoch_s = layout.all_s + (double)d->gap_ns / 1e9;
	(void)pthread_mutex_unlock(&d->scope->mutex);
	d->deadline_ns = clock_mono_ns() + DEADLINE_NS +
			 (uint64_t)(2e9 * epochs *
				    (layout.all_s + (double)d->gap_ns / 1e9 +
				     (d->scope->victim_made ? VICTIM_S : 0)));
	return true;
}

/* The victim calibrates its own core meanwhile. */
static bool wait_for_victim(struct microscope_driver *d)
{
	while (d->scope->victim_made && !atomic_load(&d->scope->victim_ready))
		if (!microscope_rest(d, gauge_tsc() + microscope_ticks(d, 1e-3)))
			return false;
	return true;
}

static bool run_epochs(struct microscope_driver *d)
{
	struct microscope_series *const own = &d->scope->own;
	const size_t n_steps = own->layout.n_steps;
	const uint32_t *scratch;

	for (unsigned i = 0; i < own->most; i++) {
		if (!microscope_epoch(d, &own->layout, i, own->scratch, &own->epochs[i]))
			return false;
		scratch = own->scratch;
		steps_keep(own->ticks + i * n_steps, scratch, n_steps);
		own->epochs[i].ticks = own->ticks + i * n_steps;
		microscope_check(d, &own->layout);
		microscope_publish_epoch(d, &own->layout, own->epochs[i].ticks);
		atomic_store_explicit(&own->done, i + 1, memory_order_release);
	}
	return true;
}

/* The narrower load alone, from the base clock on: what the same work would get without the wide
 * one. */
static void run_narrower(struct microscope_driver *d)
{
	const struct kernel_row *row;
	double rates[NARROW_LOOKS];
	struct microscope_load load;

	if (d->scope->narrower < 0 ||
	    !microscope_rest(d, d->end_tsc + microscope_ticks(d, REST_NS / 1e9)))
		return;
	row = kernel_row((enum kernel)d->scope->narrower);
	if (microscope_load_init(&load, (enum kernel)d->scope->narrower, &d->scope->plan.copy,
				 &d->scope->stop) < 0)
		return;
	for (unsigned i = 0; i < NARROW_LOOKS; i++) {
		struct microscope_piece piece;

		microscope_load_tune(&load, d->tsc_hertz, d->stamp_s, &piece);
		rates[i] = piece.loop_work / piece.loop_s * row->ops;
	}
	microscope_load_clear(&load);
	d->end_tsc = gauge_tsc();
	(void)pthread_mutex_lock(&d->scope->mutex);
	d->scope->facts.narrower_rate = judge_median(rates, NARROW_LOOKS);
	(void)pthread_mutex_unlock(&d->scope->mutex);
}

/* Why it ended before its time, unless it was asked to, or has said so. */
static void explain_end(struct microscope_driver *d)
{
	struct microscope *const scope = d->scope;
	struct problem problem;
	bool said;

	(void)pthread_mutex_lock(&scope->mutex);
	said = scope->facts.problem.text[0];
	(void)pthread_mutex_unlock(&scope->mutex);
	if (said || scope->whole || atomic_load(&scope->stop))
		return;
	(void)problem_set(&problem, ETIME, _("try again when this CPU is less busy"),
			  _("other work held the bursts up for so long that they were given up"));
	microscope_complain(d, &problem);
}

static void drive(struct microscope_driver *d)
{
	double tail_s;

	if (!find_out(d))
		return;
	tail_s = find_hold(d);
	if (microscope_ended(d) || !make_series(d, tail_s) || !wait_for_victim(d) || !run_epochs(d))
		return;
	run_narrower(d);
	microscope_duties(d);
	d->scope->whole = !microscope_ended(d);
}

static void begin_entry(struct microscope_driver *d)
{
	struct board_entry before;

	d->entry.kernel = (uint8_t)d->scope->plan.kernel;
	d->entry.driven = true;
	if (board_read(d->scope->board, d->scope->plan.cpu, &before))
		d->cpu_time_before_ns = before.cpu_time_ns;
	microscope_publish(d, PHASE_GAP);
}

void *microscope_driver_main(void *argument)
{
	struct microscope *const scope = argument;
	struct microscope_driver d = { .scope = scope,
				       .tsc_hertz = scope->host->tsc_hertz,
				       .gap_ns = GAP_NS,
				       .deadline_ns = clock_mono_ns() + DEADLINE_NS };
	struct problem problem;

	if (worker_pin(scope->host->cpus[scope->plan.cpu].id, &problem) == 0) {
		begin_entry(&d);
		worker_be_nice();
		worker_flush_to_zero();
		if (worker_calibrate(scope->host, scope->plan.cpu, scope->table, &d.core,
				     &problem) == 0)
			drive(&d);
		else
			microscope_complain(&d, &problem);
		explain_end(&d);
		microscope_load_clear(&d.load);
		d.entry.driven = false;
		microscope_publish(&d, PHASE_NONE);
	} else {
		microscope_complain(&d, &problem);
	}
	atomic_store(&scope->over, true);
	atomic_fetch_sub(&scope->running, 1);
	return NULL;
}
