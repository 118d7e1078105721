/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures one point of a sweep: waits until the machine is as before, warms up, fires, looks around. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "burst/sweep.h"
#include "cmd/cmd.h"
#include "cmd/load.h"
#include "cmd/progress.h"
#include "cmd/sweep.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"

#define DURATION_NS NS_PER_S /* 200 pairs a CPU: a drop of 0.1 % stands out of 0.3 % of noise */
#define WARM_NS (60 * NS_PER_MS) /* longer than any clock takes to rise after idling */
#define SETTLE_TRIES 8u
#define SETTLE_MS 250
#define SAMPLE_MS 500
#define LOAD_MS 120 /* the kernel counts time in ticks of up to 10 ms */

const enum metric sweep_metrics[] = {
	METRIC_TEMPERATURE_CELSIUS, METRIC_PACKAGE_WATTS, METRIC_STEAL_RATIO,
	METRIC_THROTTLE_EVENTS, METRIC_POWER_THROTTLE_RATIO, METRIC_LICENSE0_RATIO,
	METRIC_LICENSE1_RATIO, METRIC_LICENSE2_RATIO, METRIC_LICENSE_UNKNOWN_RATIO,
	METRIC_LICENSE_THROTTLE_RATIO, METRIC_LIMIT_REASONS, METRIC_N,
};

/* A snapshot whose interval ends now; NULL: none came in time. */
static const struct snapshot *look_around(struct session *session)
{
	const uint64_t now_ns = clock_mono_ns();
	struct pollfd fd = { .fd = session_fd(session), .events = POLLIN };
	const struct snapshot *snapshot;

	session_kick(session);
	while (poll(&fd, 1, SAMPLE_MS) > 0) {
		const int r = session_take(session, &snapshot);

		if (r < 0)
			return NULL;
		if (r > 0 && snapshot->mono_ns >= now_ns)
			return snapshot;
	}
	return NULL;
}

static unsigned item_of(const struct host_cpu *cpu, unsigned index, enum scope scope)
{
	return scope == SCOPE_CPU ? index : scope == SCOPE_CORE ? cpu->core : scope == SCOPE_PACKAGE ?
	       cpu->package : 0;
}

/* Of the CPUs of a point, their cores, or their packages. */
static double metric_of(const struct snapshot *snapshot, enum metric metric, const struct list *cpus)
{
	const struct metric_row *const row = metric_row(metric);
	struct list *const seen = list_new();
	double sum = 0, most = NAN;
	unsigned n = 0;

	for (int id = -1; seen && (id = list_next(cpus, id + 1)) >= 0;) {
		const unsigned index = (unsigned)host_cpu_index(snapshot->host, (unsigned)id);
		const unsigned item = item_of(&snapshot->host->cpus[index], index, row->scope);
		const struct value *const value =
			snapshot_get(snapshot, metric, row->scope, item, 0);

		if (list_has(seen, item) || list_add(seen, item) < 0 || !state_usable(value->state))
			continue;
		sum += value->v;
		most = fmax(most, value->v);
		n++;
	}
	list_free(seen);
	if (n == 0)
		return NAN;
	return row->aggregate == AGGREGATE_SUM ? sum : row->aggregate == AGGREGATE_MAX ? most : sum / n;
}

/* By index of the host; NAN unknown. Caller frees; NULL: no memory. */
static double *of_each_cpu(const struct host *host, const struct snapshot *snapshot, enum metric metric)
{
	double *const values = calloc(host->n_cpus + 1, sizeof(*values));

	for (unsigned i = 0; values && i < host->n_cpus; i++) {
		const struct value *const value =
			snapshot ? snapshot_get(snapshot, metric, SCOPE_CPU, i, 0) : NULL;

		values[i] = value && state_usable(value->state) ? value->v : NAN;
	}
	return values;
}

static int fire(struct sweep_measure *m, const struct burst_plan *plan,
		const struct burst_result **ret, struct problem *ret_problem)
{
	struct problem note = { 0 };
	int r = session_burst_start(m->load->session, plan, NULL, ret_problem, &note);

	if (r < 0)
		return r;
	if (note.text[0] && !m->noted) {
		progress_clear(m->progress);
		cmd_complain(&note);
	}
	m->noted = true;
	load_wait(m->load, session_burst_running, session_burst_stop);
	*ret = session_burst_result(m->load->session);
	return *ret ? 0 : problem_set(ret_problem, ENOMEM, "", _("the burst has no result"));
}

static double *settled_of(struct sweep_measure *m, unsigned cores)
{
	unsigned i = 0;

	while (m->sweep->counts[i] != cores)
		i++;
	return &m->settled_hertz[i];
}

/* A short burst of scalar code on these CPUs, which wakes them up; what clock it got. */
static int warm_up(struct sweep_measure *m, const struct list *cpus, double *ret_hertz,
		   struct problem *ret_problem)
{
	const struct burst_plan plan = { .kernel = KERNEL_SCALAR, .cpus = cpus, .duration_ns = WARM_NS,
					 .pattern = PATTERN_DEFAULT, .force = m->load->options->force };
	const struct figures_weather nothing = { 0 };
	const struct burst_result *result;
	struct figures figures;
	int r = fire(m, &plan, &result, ret_problem);

	if (r < 0)
		return r;
	r = figures_make(result, session_host(m->load->session), &nothing, &figures);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("out of memory"));
	*ret_hertz = figures.ruler_hertz;
	figures_free(&figures);
	return 0;
}

/* Warms up until clock and temperature are as before, but not for ever: the next points then count from
 * where it is. */
static int settle(struct sweep_measure *m, const struct sweep_point *point, const struct list *cpus,
		  bool *ret_settled, struct problem *ret_problem)
{
	double *const before_hertz = settled_of(m, point->cores);
	double hertz = NAN;

	*ret_settled = true;
	/* Later points count the load of others since the one before; the first one from here. */
	if (!m->noted && load_signaled(m->load, LOAD_MS))
		return 0;
	for (unsigned try = 0; !m->load->stopped; try++) {
		const struct snapshot *const snapshot = look_around(m->load->session);
		const double celsius = snapshot ? metric_of(snapshot, METRIC_TEMPERATURE_CELSIUS, cpus) : NAN;
		const int r = warm_up(m, cpus, &hertz, ret_problem);

		if (r < 0)
			return r;
		if (isnan(m->settled_celsius))
			m->settled_celsius = celsius;
		if (isnan(*before_hertz))
			*before_hertz = hertz;
		if (sweep_settled(*before_hertz, hertz, m->settled_celsius, celsius))
			break;
		if (try + 1 == SETTLE_TRIES) {
			*ret_settled = false;
			*before_hertz = hertz;
			break;
		}
		(void)load_signaled(m->load, SETTLE_MS);
	}
	return 0;
}

static int take_figures(const struct sweep_measure *m, const struct burst_result *result,
			const struct list *cpus, struct sweep_entry *ret)
{
	const struct host *const host = session_host(m->load->session);
	const struct snapshot *const snapshot = look_around(m->load->session);
	double *const steal = of_each_cpu(host, snapshot, METRIC_STEAL_RATIO);
	double *const busy = of_each_cpu(host, snapshot, METRIC_OS_BUSY_RATIO);
	const struct figures_weather weather = { steal, busy };
	int r = -ENOMEM;

	if (steal && busy)
		r = figures_make(result, host, &weather, &ret->figures);
	for (const enum metric *metric = sweep_metrics; snapshot && *metric != METRIC_N; metric++)
		ret->metrics[*metric] = metric_of(snapshot, *metric, cpus);
	free(steal);
	free(busy);
	return r;
}

static int measure(struct sweep_measure *m, const struct sweep_point *point, const struct list *cpus,
		   struct sweep_entry *ret, struct problem *ret_problem)
{
	const struct options *const options = m->load->options;
	const struct burst_plan plan = {
		.kernel = point->kernel, .cpus = cpus,
		.duration_ns = options->duration_ns ? options->duration_ns : DURATION_NS,
		.pattern = PATTERN_DEFAULT, .copy = point->copy, .force = options->force,
	};
	const struct burst_result *result;
	bool settled;
	int r = settle(m, point, cpus, &settled, ret_problem);

	if (r < 0 || m->load->stopped)
		return r;
	(void)look_around(m->load->session); /* what follows counts from here */
	r = fire(m, &plan, &result, ret_problem);
	if (r < 0)
		return r;
	ret->unsettled = !settled;
	r = take_figures(m, result, cpus, ret);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("out of memory"));
	ret->measured = true;
	(void)snprintf(ret->why, sizeof(ret->why), "%s", ret->figures.agreement.why);
	return 0;
}

int sweep_measure_point(struct sweep_measure *m, const struct sweep_point *point,
			struct sweep_entry *ret, struct problem *ret_problem)
{
	struct list *const cpus = sweep_cpus(m->sweep, point->cores);
	int r;

	*ret = (struct sweep_entry){ .point = point };
	for (unsigned i = 0; i < METRIC_N; i++)
		ret->metrics[i] = NAN;
	if (!cpus)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	r = measure(m, point, cpus, ret, ret_problem);
	list_free(cpus);
	if (r < 0)
		(void)snprintf(ret->why, sizeof(ret->why), "%s", ret_problem->text);
	return r;
}
