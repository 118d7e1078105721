/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the threads of a microscope, stops them, and cleans up. */
#include "config.h"

#include "burst/microscope.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nls.h"
#include "burst/core.h"
#include "burst/microscope_own.h"
#include "burst/worker.h"

/* Both buffers fit the L1 cache: what a piece copies is there. */
#define COPY_BYTES_MOST 16384u

int microscope_series_init(struct microscope_series *series, const struct microscope_layout *layout,
			   unsigned epochs)
{
	const size_t n = (layout->n_steps + 1) * epochs;

	series->layout = *layout;
	series->most = epochs;
	series->epochs = calloc(epochs, sizeof(*series->epochs));
	series->ticks = malloc(n * sizeof(*series->ticks));
	series->scratch = malloc((layout->n_steps + 1) * sizeof(*series->scratch));
	if (!series->epochs || !series->ticks || !series->scratch)
		return -ENOMEM;
	/* not calloc(): a page's first use would be in an epoch */
	memset(series->ticks, 0xff, n * sizeof(*series->ticks));
	memset(series->scratch, 0xff, (layout->n_steps + 1) * sizeof(*series->scratch));
	return 0;
}

void microscope_series_clear(struct microscope_series *series)
{
	microscope_layout_clear(&series->layout);
	free(series->epochs);
	free(series->ticks);
	free(series->scratch);
}

static int check_victim(const struct microscope_plan *plan, const struct host *host,
			struct problem *ret_problem)
{
	const struct host_cpu *cpu;

	if (plan->victim < 0)
		return 0;
	if ((unsigned)plan->victim >= host->n_cpus)
		return problem_set(ret_problem, EINVAL, "", _("there is no such CPU to look at"));
	cpu = &host->cpus[plan->victim];
	if ((unsigned)plan->victim == plan->cpu)
		return problem_set(
			ret_problem, EINVAL, _("name another one"),
			_("CPU %u is the one that is driven: it cannot be looked at as another"),
			cpu->id);
	if (!cpu->online)
		return problem_set(ret_problem, ENODEV, "", _("CPU %u is offline"), cpu->id);
	if (!cpu->allowed)
		return problem_set(
			ret_problem, EPERM, _("name a CPU that taskset and the cpuset allow"),
			_("this process may not run on CPU %u (cpuset or affinity)"), cpu->id);
	if (cpu->isolated && !cpu->named)
		return problem_set(ret_problem, EPERM, _("name it with --victim"),
				   _("CPU %u is isolated from general load"), cpu->id);
	return 0;
}

static int check_plan(const struct microscope_plan *plan, const struct host *host,
		      struct problem *ret_problem)
{
	if (!host->live)
		return problem_set(ret_problem, EPERM, "", _("a burst drives this machine only"));
	if (plan->cpu >= host->n_cpus)
		return problem_set(ret_problem, EINVAL, "", _("there is no such CPU to drive"));
	if (plan->epochs < 1 || plan->epochs > MICROSCOPE_EPOCHS_MOST)
		return problem_set(ret_problem, EINVAL, "",
				   _("between 1 and %u bursts can be looked at"),
				   MICROSCOPE_EPOCHS_MOST);
	if (plan->burst_ns < MICROSCOPE_BURST_LEAST_NS || plan->burst_ns > MICROSCOPE_BURST_MOST_NS)
		return problem_set(ret_problem, EINVAL, "",
				   _("a burst that is looked at takes between 1 us and 10 ms"));
	if (kernel_row(plan->kernel)->copy && plan->copy.bytes > COPY_BYTES_MOST)
		return problem_set(
			ret_problem, EINVAL, "",
			_("of a copy that is looked at each buffer has at most %u bytes"),
			COPY_BYTES_MOST);
	if (kernel_row(plan->kernel)->copy && plan->copy.cold)
		return problem_set(ret_problem, EINVAL, "",
				   _("a copy that is looked at cannot be from cold memory"));
	if (plan->n_duties > MICROSCOPE_DUTIES_MOST)
		return problem_set(ret_problem, EINVAL, "", _("at most %u patterns can be tried"),
				   MICROSCOPE_DUTIES_MOST);
	return check_victim(plan, host, ret_problem);
}

/* The load of half the width that counts the same operations, if it can run here. */
static int narrower_of(const struct microscope_plan *plan, const struct host *host)
{
	const char *const name = kernel_row(plan->kernel)->narrower;
	const int narrower = name ? kernel_by_name(name) : -1;

	if (narrower >= 0 &&
	    kernel_usable((enum kernel)narrower, host, host->cpus[plan->cpu].kind, NULL) < 0)
		return -1;
	return narrower;
}

static int start_threads(struct microscope *scope)
{
	int r = 0;

	atomic_store(&scope->running, scope->plan.victim >= 0 ? 2 : 1);
	if (scope->plan.victim >= 0) {
		scope->victim_made = true; /* before the driver asks */
		r = worker_create(&scope->victim, microscope_victim_main, scope);
		if (r < 0)
			scope->victim_made = false;
	}
	if (r == 0) {
		r = worker_create(&scope->driver, microscope_driver_main, scope);
		scope->driver_made = r == 0;
	}
	if (r < 0)
		atomic_store(&scope->over, true);
	return r;
}

int microscope_start(const struct microscope_plan *plan, const struct host *host,
		     struct board *board, struct microscope **ret, struct problem *ret_problem)
{
	struct microscope *scope;
	int r = check_plan(plan, host, ret_problem);

	if (r == 0)
		r = kernel_usable(plan->kernel, host, host->cpus[plan->cpu].kind, ret_problem);
	if (r < 0)
		return r;
	scope = calloc(1, sizeof(*scope));
	if (!scope)
		return problem_set(ret_problem, ENOMEM, "", _("the burst cannot be started"));
	scope->plan = *plan;
	if (!scope->plan.copy.bytes)
		scope->plan.copy = COPY_SHAPE_DEFAULT;
	scope->host = host;
	scope->board = board;
	scope->narrower = narrower_of(plan, host);
	scope->facts.narrower_rate = scope->facts.hold_s = scope->facts.epoch_s = NAN;
	(void)pthread_mutex_init(&scope->mutex, NULL);
	r = core_table_load(&scope->table, ret_problem);
	if (r < 0) {
		microscope_free(scope);
		return r;
	}
	r = start_threads(scope);
	if (r < 0) {
		microscope_free(scope);
		return problem_set(ret_problem, -r, "", _("the burst cannot be started"));
	}
	*ret = scope;
	return 0;
}

bool microscope_running(const struct microscope *scope)
{
	return atomic_load(&scope->running) > 0;
}

void microscope_stop(struct microscope *scope)
{
	atomic_store(&scope->stop, true);
}

void microscope_join(struct microscope *scope)
{
	if (scope->driver_made)
		(void)pthread_join(scope->driver, NULL);
	if (scope->victim_made)
		(void)pthread_join(scope->victim, NULL);
	scope->driver_made = scope->victim_made = false;
}

void microscope_free(struct microscope *scope)
{
	if (!scope)
		return;
	microscope_stop(scope);
	microscope_join(scope);
	microscope_series_clear(&scope->own);
	microscope_series_clear(&scope->other);
	core_table_free(scope->table);
	(void)pthread_mutex_destroy(&scope->mutex);
	free(scope);
}
