/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks, starts, remembers: the rules are burst.c's, the knowledge of the host's load is ours. */
#include "config.h"

#include "engine/own_burst.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "engine/own_microscope.h"
#include "model/host.h"
#include "model/snapshot.h"

/* Judging all pairs at each frame would cost more than the frame. */
#define RESULT_AGE_NS (50 * NS_PER_MS)

static double began_ns(const struct snapshot *snapshot)
{
	return (double)snapshot->mono_ns - snapshot->elapsed_s * (double)NS_PER_S;
}

/* Was the CPU driven by our last burst at some time of the snapshot's interval? */
static bool driven_in(const struct own_burst *own, unsigned cpu, const struct snapshot *snapshot)
{
	return own->burst && list_has(own->cpus, own->host->cpus[cpu].id) &&
	       (!own->final || (double)own->result_ns >= began_ns(snapshot));
}

double *own_burst_busy(const struct own_burst *own, const struct own_microscope *scope,
		       const struct snapshot *snapshot)
{
	double *busy = calloc(own->host->n_cpus ? own->host->n_cpus : 1, sizeof(*busy));

	for (unsigned i = 0; busy && i < own->host->n_cpus; i++) {
		const struct value *value = NULL;

		busy[i] = NAN;
		if (!snapshot || driven_in(own, i, snapshot) ||
		    own_microscope_drove(scope, i, began_ns(snapshot)))
			continue;
		value = snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, i, 0);
		if (state_usable((enum state)value->state))
			busy[i] = value->v;
	}
	return busy;
}

static void forget(struct own_burst *own)
{
	burst_result_free(own->result);
	burst_free(own->burst);
	list_free(own->cpus);
	own->result = NULL;
	own->burst = NULL;
	own->cpus = NULL;
	own->final = false;
}

int own_burst_start(struct own_burst *own, const struct burst_plan *plan, const double *busy,
		    const struct thermal_state *thermal, struct problem *ret_problem,
		    struct problem *ret_note)
{
	struct burst_plan copy = *plan;
	int r;

	if (own_burst_running(own))
		return problem_set(ret_problem, EBUSY, _("stop it first"),
				   _("a burst is running already"));
	(void)own_burst_result(own); /* notices the end of the last one */
	r = burst_check(plan, own->host, own->fs, busy, thermal, ret_problem, ret_note);
	if (r < 0)
		return r;

	forget(own);
	own->cpus = list_copy(plan->cpus);
	if (!own->cpus)
		return problem_set(ret_problem, ENOMEM, "", _("the burst cannot be started"));
	copy.cpus = own->cpus;
	r = burst_start(&copy, own->host, own->board, &own->burst, ret_problem);
	if (r < 0)
		forget(own);
	return r;
}

bool own_burst_running(const struct own_burst *own)
{
	return own->burst && burst_running(own->burst);
}

void own_burst_stop(struct own_burst *own)
{
	if (own->burst)
		burst_stop(own->burst);
}

const struct burst_result *own_burst_result(struct own_burst *own)
{
	struct burst_result *result;
	uint64_t now_ns = clock_mono_ns();
	bool ended = !own_burst_running(own);

	if (!own->burst || own->final)
		return own->result;
	if (own->result && !ended && now_ns - own->result_ns < RESULT_AGE_NS)
		return own->result;
	if (ended)
		burst_join(own->burst); /* watchers of other CPUs may be at their last pair */
	if (burst_result(own->burst, &result) < 0)
		return own->result;
	burst_result_free(own->result);
	own->result = result;
	own->result_ns = now_ns;
	own->final = ended;
	return own->result;
}

void own_burst_free(struct own_burst *own)
{
	forget(own);
}
