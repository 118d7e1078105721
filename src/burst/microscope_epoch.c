/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One epoch: scalar code, the burst, scalar code; done again where something held it up. */
#include "config.h"

#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/microscope_own.h"
#include "burst/worker.h"

#define SLICE_NS NS_PER_MS /* how often scalar code looks whether it shall stop */
/* Who is held up for so many times as long as planned, and more, has its epoch done again. */
#define LATE_TIMES 4
#define LATE_NS (5 * NS_PER_MS)
/* The victim says every 3 us that it is there; if it is not so much time ahead, an epoch is put
 * off. */
#define AHEAD_S 50e-6
#define PUT_OFF_S 1e-3
#define PUT_OFF_MOST 8u
#define LATE_START_S 10e-6
/* Epochs are spread over a tick of the kernel (HZ 250, or 1000, which fits into it): else its
 * interrupt could come at the same place in most of them, and look like something the burst does.
 */
#define TICK_S 4e-3
#define GOLDEN 0.6180339887498949 /* multiples of it fill an interval most evenly (Weyl) */

void microscope_complain(struct microscope_driver *d, const struct problem *problem)
{
	(void)pthread_mutex_lock(&d->scope->mutex);
	d->scope->facts.problem = *problem;
	(void)pthread_mutex_unlock(&d->scope->mutex);
}

uint64_t microscope_ticks(const struct microscope_driver *d, double s)
{
	return (uint64_t)(s * d->tsc_hertz);
}

bool microscope_ended(const struct microscope_driver *d)
{
	return atomic_load_explicit(&d->scope->stop, memory_order_relaxed) ||
	       clock_mono_ns() >= d->deadline_ns;
}

bool microscope_rest(struct microscope_driver *d, uint64_t until_tsc)
{
	const uint64_t slice = microscope_ticks(d, SLICE_NS / 1e9);
	uint64_t now = gauge_tsc();

	while (!microscope_ended(d) && now + 2 * slice < until_tsc) {
		steps_spin(now + slice);
		now = gauge_tsc();
	}
	if (microscope_ended(d))
		return false;
	steps_spin(until_tsc);
	return true;
}

void microscope_publish(struct microscope_driver *d, enum phase phase)
{
	d->entry.phase = (uint8_t)phase;
	d->entry.cpu_time_ns = d->cpu_time_before_ns + worker_cpu_time_ns();
	board_publish(d->scope->board, d->scope->plan.cpu, &d->entry);
}

/* The board shows the clock of scalar code late in the burst. */
void microscope_publish_epoch(struct microscope_driver *d, const struct microscope_layout *layout,
			      const uint32_t *ticks)
{
	const size_t middle = (layout->first_wide + layout->last_wide) / 2;
	double cycles, sum;

	if (microscope_clock(layout, ticks, middle, layout->last_wide, &d->entry.cycles,
			     &d->entry.ticks))
		d->entry.mono_ns = clock_mono_ns();
	if (microscope_clock(layout, ticks, 0, layout->first_wide, &cycles, &sum))
		d->entry.before_hertz = cycles / sum * d->tsc_hertz;
	microscope_publish(d, PHASE_ON);
}

/* From the stamps' differences; false where one of them is not known. */
static bool date_epoch(const struct microscope_layout *layout, const struct steps_run *run,
		       const uint32_t *ticks, struct timeline_epoch *ret)
{
	uint64_t at = run->begin_tsc;

	ret->begin_tsc = at;
	ret->ticks = ticks;
	for (size_t i = 0; i < layout->n_steps; i++) {
		if (ticks[i] == UINT32_MAX)
			return false;
		if (i == layout->first_wide)
			ret->first_tsc = at;
		at += ticks[i];
		if (i == layout->last_wide)
			ret->last_tsc = at;
	}
	return true;
}

/* Scalar code until then, or until the victim is there to see it, which another program may keep
 * from its CPU; for so long at most. Returns the beginning, 0 where the end has come. */
static uint64_t wait_for_start(struct microscope_driver *d, uint64_t start, bool victim)
{
	struct microscope *const scope = d->scope;
	const uint64_t ahead = microscope_ticks(d, AHEAD_S);

	for (unsigned i = 0; victim && i < PUT_OFF_MOST; i++) {
		uint64_t here;

		if (!microscope_rest(d, start - ahead))
			return 0;
		here = atomic_load_explicit(&scope->here_tsc, memory_order_relaxed);
		if (here + ahead / 2 >= gauge_tsc())
			break;
		start = gauge_tsc() + microscope_ticks(d, PUT_OFF_S);
		atomic_store_explicit(&scope->next_tsc, start, memory_order_relaxed);
	}
	return microscope_rest(d, start) ? start : 0;
}

uint64_t microscope_place(unsigned number, uint64_t tick, uint64_t from)
{
	const uint64_t place = (uint64_t)(fmod(number * GOLDEN, 1) * (double)tick);

	return from + (place + tick - from % tick) % tick;
}

/* One epoch; done again where something held it up. False: the end has come. */
bool microscope_epoch(struct microscope_driver *d, const struct microscope_layout *layout,
		      unsigned number, uint32_t *ticks, struct timeline_epoch *ret)
{
	struct microscope *const scope = d->scope;
	struct steps_run run = { .load = &d->load.steps,
				 .first_state = d->load.states[0],
				 .state = d->load.states[1] };
	unsigned put_off = 0;
	bool whole = false;

	while (!whole) {
		const uint64_t soon = gauge_tsc() + microscope_ticks(d, 300e-6);
		const uint64_t planned = d->end_tsc + microscope_ticks(d, (double)d->gap_ns / 1e9);
		uint64_t start = microscope_place(d->n_starts++, microscope_ticks(d, TICK_S),
						  planned > soon ? planned : soon);

		if (!worker_is_on(scope->host->cpus[scope->plan.cpu].id)) {
			struct problem problem;

			(void)problem_set(&problem, ENODEV, "",
					  _("CPU %u went offline during the burst"),
					  scope->host->cpus[scope->plan.cpu].id);
			microscope_complain(d, &problem);
			return false;
		}
		microscope_load_poison(&d->load);
		atomic_store_explicit(&scope->next_tsc, start, memory_order_relaxed);
		atomic_store_explicit(&scope->next_epoch, number + 1, memory_order_release);
		start = wait_for_start(d, start,
				       scope->victim_made && number != MICROSCOPE_NO_NUMBER);
		if (!start)
			return false;
		/* Who gets the CPU back too late gets it at a tick, and has the same place as
		 * others. */
		if (gauge_tsc() > start + microscope_ticks(d, LATE_START_S) &&
		    put_off++ < PUT_OFF_MOST)
			continue;
		run.limit_tsc =
			start + microscope_ticks(d, LATE_TIMES * layout->all_s + LATE_NS / 1e9);
		whole = steps_run(layout->groups, layout->n_groups, &run, ticks) &&
			date_epoch(layout, &run, ticks, ret);
		d->end_tsc = run.end_tsc;
	}
	return true;
}

void microscope_check(struct microscope_driver *d, const struct microscope_layout *layout)
{
	const bool single = layout->first_wide == layout->last_wide;
	const unsigned wrong = microscope_load_wrong(&d->load, single);

	(void)pthread_mutex_lock(&d->scope->mutex);
	d->scope->facts.checked += single || d->load.copier ? 1 : 2;
	d->scope->facts.wrong += wrong;
	(void)pthread_mutex_unlock(&d->scope->mutex);
}
