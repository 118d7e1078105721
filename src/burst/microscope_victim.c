/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that looks at another CPU while the burst runs: chains alone, over the same time. Both
 * threads run scalar code between the epochs and wait for a TSC value, so that neither is woken. */
#include "config.h"

#include <errno.h>
#include <time.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/microscope_own.h"
#include "burst/worker.h"

#define LOOK_NS (2 * NS_PER_MS)
#define SLICE_S 3e-6 /* how often it looks what the driver tells */
#define EARLY_S 5e-6 /* before the driver's first step */
#define LATE_S 5e-3  /* beyond twice its time an epoch is given up */

static void complain(struct microscope *scope, const struct problem *problem)
{
	(void)pthread_mutex_lock(&scope->mutex);
	scope->facts.victim_problem = *problem;
	(void)pthread_mutex_unlock(&scope->mutex);
}

static bool is_ended(struct microscope *scope)
{
	return atomic_load_explicit(&scope->stop, memory_order_relaxed) ||
	       atomic_load(&scope->over);
}

/* Until the driver knows what an epoch is. */
static bool wait_for_driver(struct microscope *scope)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };

	while (!atomic_load_explicit(&scope->own.ready, memory_order_acquire)) {
		if (is_ended(scope))
			return false;
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &look, NULL);
	}
	return true;
}

static bool make_series(struct microscope *scope, double imul_cycles)
{
	const struct microscope_wish wish = {
		.hertz = scope->hertz,
		.imul_cycles = imul_cycles,
		.stamp_s = scope->stamp_s,
		.burst_s = scope->own.layout.burst_s,
		.tail_s = scope->tail_s,
		.victim = true,
		.steps_most = scope->own.layout.n_steps + 500,
	};
	struct microscope_layout layout;
	struct problem problem;

	if (microscope_layout_make(&wish, &layout) < 0 ||
	    microscope_series_init(&scope->other, &layout, scope->plan.epochs) < 0) {
		(void)problem_set(&problem, ENOMEM, "", _("out of memory"));
		complain(scope, &problem);
		return false;
	}
	atomic_store_explicit(&scope->other.ready, true, memory_order_release);
	return true;
}

static void publish(struct microscope *scope, struct board_entry *entry, uint64_t time_before_ns)
{
	entry->cpu_time_ns = time_before_ns + worker_cpu_time_ns();
	board_publish(scope->board, (unsigned)scope->plan.victim, entry);
}

/* The epoch that the driver has told of; scalar code until then. False: the end has come. */
static bool wait_for_epoch(struct microscope *scope, unsigned last, unsigned *ret)
{
	const uint64_t slice = (uint64_t)(SLICE_S * scope->host->tsc_hertz);
	unsigned next;

	while ((next = atomic_load_explicit(&scope->next_epoch, memory_order_acquire)) == last) {
		if (is_ended(scope))
			return false;
		steps_spin(gauge_tsc() + slice);
	}
	*ret = next;
	return !is_ended(scope);
}

/* Shows the driver that it is here meanwhile. Returns when that was. */
static uint64_t wait_for_start(struct microscope *scope)
{
	const double tsc_hertz = scope->host->tsc_hertz;
	const uint64_t early = (uint64_t)(EARLY_S * tsc_hertz),
		       slice = (uint64_t)(SLICE_S * tsc_hertz);

	for (;;) {
		const uint64_t now = gauge_tsc();
		const uint64_t start =
			atomic_load_explicit(&scope->next_tsc, memory_order_relaxed) - early;

		if (now + slice >= start) {
			steps_spin(start);
			return start;
		}
		if (is_ended(scope))
			return now;
		atomic_store_explicit(&scope->here_tsc, now, memory_order_relaxed);
		steps_spin(now + slice);
	}
}

static bool run_epoch(struct microscope *scope, unsigned index)
{
	struct microscope_series *const other = &scope->other;
	const double tsc_hertz = scope->host->tsc_hertz;
	const size_t n_steps = other->layout.n_steps;
	struct steps_run run = { .limit_tsc = 0 };
	bool whole;

	run.limit_tsc =
		wait_for_start(scope) + (uint64_t)((other->layout.all_s * 2 + LATE_S) * tsc_hertz);
	whole = steps_run(other->layout.groups, other->layout.n_groups, &run, other->scratch);
	steps_keep(other->ticks + index * n_steps, other->scratch, n_steps);
	other->epochs[index].begin_tsc = whole ? run.begin_tsc : 0;
	other->epochs[index].ticks = other->ticks + index * n_steps;
	return whole;
}

static void watch(struct microscope *scope, struct board_entry *entry, uint64_t time_before_ns)
{
	struct microscope_series *const other = &scope->other;
	unsigned last = atomic_load(&scope->next_epoch), next;

	while (wait_for_epoch(scope, last, &next)) {
		last = next;
		if (!worker_is_on(scope->host->cpus[scope->plan.victim].id))
			return;
		if (run_epoch(scope, next - 1) &&
		    microscope_clock(&other->layout, other->epochs[next - 1].ticks, 0,
				     other->layout.n_steps, &entry->cycles, &entry->ticks))
			entry->mono_ns = clock_mono_ns();
		publish(scope, entry, time_before_ns);
		atomic_store_explicit(&other->done, next, memory_order_release);
	}
}

void *microscope_victim_main(void *argument)
{
	struct microscope *const scope = argument;
	const unsigned cpu = (unsigned)scope->plan.victim;
	struct board_entry entry = { .kernel = KERNEL_SCALAR, .driven = true, .phase = PHASE_GAP };
	struct board_entry before = { 0 };
	struct gauge_core core = { 0 };
	struct problem problem;

	if (worker_pin(scope->host->cpus[cpu].id, &problem) == 0) {
		(void)board_read(scope->board, cpu, &before);
		publish(scope, &entry, before.cpu_time_ns);
		worker_be_nice();
		if (worker_calibrate(scope->host, cpu, scope->table, &core, &problem) < 0)
			complain(scope, &problem);
		else if (wait_for_driver(scope) && make_series(scope, core.imul_cycles)) {
			atomic_store(&scope->victim_ready, true);
			watch(scope, &entry, before.cpu_time_ns);
		}
		entry.driven = false;
		entry.phase = PHASE_NONE;
		publish(scope, &entry, before.cpu_time_ns);
	} else {
		complain(scope, &problem);
	}
	atomic_store(&scope->victim_ready, true); /* or never will be: nobody shall wait */
	atomic_fetch_sub(&scope->running, 1);
	return NULL;
}
