/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks, starts, remembers: the rules are those of bursts. */
#include "config.h"

#include "engine/own_microscope.h"

#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "burst/burst.h"
#include "model/host.h"

/* Analyzing the epochs takes a tenth of a second. */
#define RESULT_AGE_NS NS_PER_S

static void forget(struct own_microscope *own)
{
	microscope_result_free(own->result);
	microscope_free(own->scope);
	own->result = NULL;
	own->scope = NULL;
	own->final = false;
}

/* The rules ask for CPU numbers: of those that will be driven, and of the one that is looked at. */
static int check(const struct own_microscope *own, const struct microscope_plan *plan, bool force,
		 const double *busy, const struct thermal_state *thermal,
		 struct problem *ret_problem, struct problem *ret_note)
{
	struct burst_plan burst = { .kernel = plan->kernel, .copy = plan->copy, .force = force };
	struct list *const cpus = list_new();
	int r;

	if (plan->cpu >= own->host->n_cpus) {
		list_free(cpus);
		return problem_set(ret_problem, EINVAL, "", _("there is no such CPU to drive"));
	}
	r = cpus ? list_add(cpus, own->host->cpus[plan->cpu].id) : -ENOMEM;
	burst.cpus = cpus;
	if (r < 0)
		(void)problem_set(ret_problem, ENOMEM, "", _("the burst cannot be started"));
	else
		r = burst_check(&burst, own->host, own->fs, busy, thermal, ret_problem, ret_note);
	list_free(cpus);
	return r;
}

int own_microscope_start(struct own_microscope *own, const struct microscope_plan *plan, bool force,
			 const double *busy, const struct thermal_state *thermal,
			 struct problem *ret_problem, struct problem *ret_note)
{
	struct microscope *scope = NULL;
	int r;

	if (own_microscope_running(own))
		return problem_set(ret_problem, EBUSY, _("stop it first"),
				   _("a burst is running already"));
	(void)own_microscope_result(own); /* notices the end of the last one */
	r = check(own, plan, force, busy, thermal, ret_problem, ret_note);
	if (r == 0)
		r = microscope_start(plan, own->host, own->board, &scope, ret_problem);
	if (r < 0)
		return r;
	forget(own);
	own->scope = scope;
	own->plan = *plan;
	return 0;
}

bool own_microscope_running(const struct own_microscope *own)
{
	return own->scope && microscope_running(own->scope);
}

bool own_microscope_drove(const struct own_microscope *own, unsigned cpu, double since_mono_ns)
{
	return own->scope && (cpu == own->plan.cpu || (int)cpu == own->plan.victim) &&
	       (!own->final || (double)own->result_ns >= since_mono_ns);
}

void own_microscope_stop(struct own_microscope *own)
{
	if (own->scope)
		microscope_stop(own->scope);
}

const struct microscope_result *own_microscope_result(struct own_microscope *own)
{
	struct microscope_result *result;
	const uint64_t now_ns = clock_mono_ns();
	const bool ended = !own_microscope_running(own);

	if (!own->scope || own->final)
		return own->result;
	if (own->result && !ended && now_ns - own->result_ns < RESULT_AGE_NS)
		return own->result;
	if (ended)
		microscope_join(own->scope);
	if (microscope_result(own->scope, &result) < 0)
		return own->result;
	microscope_result_free(own->result);
	own->result = result;
	own->result_ns = now_ns;
	own->final = ended;
	return own->result;
}

void own_microscope_free(struct own_microscope *own)
{
	forget(own);
}
