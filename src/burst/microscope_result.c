/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the epochs that are done to what is told of them; also while others still run. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/microscope_own.h"

/* A victim that began so much later than the driver was held up. */
#define TOGETHER_S 60e-6
/* When a probe of the ruler behind a burst has ended: a wake-up and a switch of 35 us, and 45 us of
 * its own (tests/bench/gauge.c). */
#define PROBE_S 80e-6
#define EPOCHS_MEANWHILE 250u /* analyzed in 0.1 s */
#define DUTY_S 0.6	      /* about what one train takes with the rests around it */

static int analyze(const struct microscope_layout *layout, const struct timeline_epoch *epochs,
		   size_t n, double tsc_hertz, struct timeline *ret)
{
	const struct timeline_input input = { .steps = layout->steps,
					      .n_steps = layout->n_steps,
					      .epochs = epochs,
					      .n_epochs = n,
					      .tsc_hertz = tsc_hertz };
	const int r = timeline_analyze(&input, ret);

	return r == -ENODATA ? 0 : r;
}

/* One epoch in so many is looked at: all in the end, some hundred while it runs. */
static unsigned stride_of(const struct microscope *scope, unsigned done)
{
	return microscope_running(scope) ? done / EPOCHS_MEANWHILE + 1 : 1;
}

static int analyze_own(struct microscope *scope, unsigned done, struct timeline *ret)
{
	const unsigned stride = stride_of(scope, done);
	struct timeline_epoch *const epochs = calloc(done / stride + 1, sizeof(*epochs));
	size_t n = 0;
	int r;

	if (!epochs)
		return -ENOMEM;
	for (unsigned i = 0; i < done; i += stride)
		epochs[n++] = scope->own.epochs[i];
	r = analyze(&scope->own.layout, epochs, n, scope->host->tsc_hertz, ret);
	free(epochs);
	return r;
}

/* The epochs that both were there for; the burst's edges are the driver's. */
static size_t match_victim(const struct microscope *scope, unsigned done, struct timeline_epoch *to)
{
	const unsigned stride = stride_of(scope, done);
	const double together = TOGETHER_S * scope->host->tsc_hertz;
	size_t n = 0;

	for (unsigned i = 0; i < done; i += stride) {
		const struct timeline_epoch *const own = &scope->own.epochs[i];
		const struct timeline_epoch *const other = &scope->other.epochs[i];

		if (other->begin_tsc == 0 ||
		    fabs((double)(int64_t)(other->begin_tsc - own->begin_tsc)) > together)
			continue;
		to[n] = *other;
		to[n].first_tsc = own->first_tsc;
		to[n++].last_tsc = own->last_tsc;
	}
	return n;
}

static int analyze_victim(struct microscope *scope, unsigned done, struct timeline *ret)
{
	const unsigned there = atomic_load_explicit(&scope->other.done, memory_order_acquire);
	struct timeline_epoch *epochs;
	int r = 0;

	if (!atomic_load_explicit(&scope->other.ready, memory_order_acquire))
		return 0;
	if (done > there)
		done = there;
	epochs = calloc(done + 1, sizeof(*epochs));
	if (!epochs)
		return -ENOMEM;
	done = (unsigned)match_victim(scope, done, epochs);
	if (done > 0)
		r = analyze(&scope->other.layout, epochs, done, scope->host->tsc_hertz, ret);
	free(epochs);
	return r;
}

static void tell_rates(const struct microscope *scope, const struct microscope_facts *facts,
		       struct microscope_result *result)
{
	const struct kernel_row *const row = kernel_row(scope->plan.kernel);
	const double hertz = result->own.judgment.during_hertz;

	result->ops_per_second = microscope_rate(&scope->own, scope->host->tsc_hertz,
						 scope->stamp_s, &facts->piece) *
				 row->ops;
	if (!(result->ops_per_second > 0))
		result->ops_per_second = NAN;
	result->ops_per_cycle = hertz > 0 ? result->ops_per_second / hertz : NAN;
	result->narrower = scope->narrower;
	result->narrower_ops_per_second = facts->narrower_rate;
	price(&result->own, result->ops_per_second, result->narrower_ops_per_second, PROBE_S,
	      &result->price);
}

static void tell_facts(struct microscope *scope, const struct microscope_facts *facts,
		       struct microscope_result *result)
{
	const bool running = microscope_running(scope);

	result->core_name = facts->core.row ? facts->core.row->name : NULL;
	result->verified = facts->checked > 0 && facts->wrong == 0;
	result->hold_s = facts->hold_s;
	memcpy(result->duties, facts->duties, sizeof(result->duties));
	result->n_duties = facts->n_duties;
	result->problem = facts->problem;
	if (!result->problem.text[0])
		result->problem = facts->victim_problem;
	result->stopped_early = !running && !scope->whole;
	if (running && !isnan(facts->epoch_s))
		result->left_s = facts->epoch_s * (scope->plan.epochs - result->epochs_done) +
				 DUTY_S * (scope->plan.n_duties - facts->n_duties);
	else
		result->left_s = running ? NAN : 0;
}

int microscope_result(struct microscope *scope, struct microscope_result **ret)
{
	struct microscope_result *const result = calloc(1, sizeof(*result));
	const bool ready = atomic_load_explicit(&scope->own.ready, memory_order_acquire);
	struct microscope_facts facts;
	int r = 0;

	if (!result)
		return -ENOMEM;
	(void)pthread_mutex_lock(&scope->mutex);
	facts = scope->facts;
	(void)pthread_mutex_unlock(&scope->mutex);
	result->kernel = scope->plan.kernel;
	result->cpu = scope->plan.cpu;
	result->victim = scope->plan.victim;
	result->epochs_planned = scope->plan.epochs;
	result->epochs_done = atomic_load_explicit(&scope->own.done, memory_order_acquire);
	timeline_none(&result->own);
	timeline_none(&result->other);
	result->ops_per_second = result->ops_per_cycle = result->narrower_ops_per_second = NAN;
	result->narrower = -1;
	result->price = (struct price){ .entry_s = NAN, .after_s = NAN, .limit_s = NAN, .speedup = NAN,
					.break_even_s = NAN, .break_even_ratio = NAN };
	tell_facts(scope, &facts, result);
	if (ready && result->epochs_done > 0) {
		r = analyze_own(scope, result->epochs_done, &result->own);
		if (r == 0)
			r = analyze_victim(scope, result->epochs_done, &result->other);
		if (r == 0)
			tell_rates(scope, &facts, result);
	}
	if (r < 0) {
		microscope_result_free(result);
		return r;
	}
	microscope_verdict(result);
	*ret = result;
	return 0;
}

void microscope_result_free(struct microscope_result *result)
{
	if (!result)
		return;
	timeline_clear(&result->own);
	timeline_clear(&result->other);
	free(result);
}
