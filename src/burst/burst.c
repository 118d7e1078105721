/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the threads of a burst, stops them, and cleans up. */
#include "config.h"
#include "burst/burst.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/nls.h"
#include "burst/burst_own.h"
#include "burst/core.h"
#include "burst/worker.h"

/* So many CPUs that are not driven are watched: siblings first, then the same package. */
#define WATCH_MOST 8

static int refuse_memory(struct problem *ret_problem)
{
	return problem_set(ret_problem, ENOMEM, "", _("the burst cannot be started"));
}

struct copy_shape burst_copy_shape(const struct burst_plan *plan)
{
	return plan->copy.bytes ? plan->copy : COPY_SHAPE_DEFAULT;
}

/* Nearest role of `cpu` to any driven CPU. */
static enum relation role_of(const struct burst *burst, unsigned cpu)
{
	enum relation role = RELATION_OTHER_PACKAGE;

	for (unsigned i = 0; i < burst->n_drivers; i++) {
		const enum relation one = host_relation(burst->host, burst->members[i].cpu, cpu);

		if (one < role)
			role = one;
	}
	return role;
}

/* driven: asked first, since of 8,192 CPUs that are all driven none is a candidate. */
static void add_watchers(struct burst *burst, const struct list *driven)
{
	const struct host *const host = burst->host;

	for (unsigned role = RELATION_SIBLING; role <= RELATION_OTHER_PACKAGE; role++) {
		for (unsigned cpu = 0; cpu < host->n_cpus; cpu++) {
			const struct host_cpu *const c = &host->cpus[cpu];

			if (burst->n_members - burst->n_drivers == WATCH_MOST)
				return;
			if (list_has(driven, c->id) || !c->online || !c->allowed ||
			    (c->isolated && !c->named) || role_of(burst, cpu) != role)
				continue;
			burst->members[burst->n_members].cpu = cpu;
			burst->members[burst->n_members++].role = (enum relation)role;
		}
	}
}

static int make_members(struct burst *burst, const struct burst_plan *plan)
{
	const unsigned most = list_count(plan->cpus) + WATCH_MOST;

	burst->members = calloc(most, sizeof(*burst->members));
	if (!burst->members)
		return -ENOMEM;
	for (int id = -1; (id = list_next(plan->cpus, id + 1)) >= 0;) {
		const int cpu = host_cpu_index(burst->host, (unsigned)id);

		if (cpu < 0)
			return -ENODEV;
		burst->members[burst->n_drivers++].cpu = (unsigned)cpu;
	}
	burst->n_members = burst->n_drivers;
	if (plan->watch_others)
		add_watchers(burst, plan->cpus);
	for (unsigned i = 0; i < burst->n_members; i++) {
		const int r = record_init(&burst->members[i].record, i < burst->n_drivers, i == 0);

		burst->members[i].burst = burst;
		if (r < 0) {
			burst->n_members = i + 1;
			return r;
		}
	}
	return 0;
}

/* Seeds and the state that every chunk must end in, once and before anything runs. */
static int make_data(struct burst *burst)
{
	const struct kernel_row *const row = kernel_row(burst->kernel);

	if (row->copy)
		return 0; /* each driver fills its own buffers */
	burst->seeds = aligned_alloc(64, KERNEL_SEED_BYTES);
	burst->reference = aligned_alloc(64, KERNEL_STATE_WORDS * sizeof(*burst->reference));
	if (!burst->seeds || !burst->reference)
		return -ENOMEM;
	row->seed(burst->seeds);
	row->reference(row->chunk_loops, burst->seeds, burst->reference);
	return 0;
}

static int start_threads(struct burst *burst)
{
	int r = 0;

	atomic_store(&burst->driving, burst->n_drivers);
	for (unsigned i = 0; i < burst->n_members && r == 0; i++) {
		struct member *const m = &burst->members[i];

		r = worker_create(&m->thread, i < burst->n_drivers ? driver_main : watcher_main, m);
		m->made = r == 0;
		if (r < 0 && i >= burst->n_drivers)
			r = 0; /* a burst without this watcher is a burst */
	}
	return r;
}

static int check_kernel(const struct burst_plan *plan, const struct host *host,
			struct problem *ret_problem)
{
	for (int id = -1; (id = list_next(plan->cpus, id + 1)) >= 0;) {
		const int cpu = host_cpu_index(host, (unsigned)id);
		int r;

		if (cpu < 0)
			return problem_set(ret_problem, ENODEV, "", _("there is no CPU %d"), id);
		r = kernel_usable(plan->kernel, host, host->cpus[cpu].kind, ret_problem);
		if (r < 0)
			return r;
	}
	if (list_count(plan->cpus) == 0)
		return problem_set(ret_problem, EINVAL, "", _("no CPU to drive"));
	return 0;
}

int burst_start(const struct burst_plan *plan, const struct host *host, struct board *board,
		struct burst **ret, struct problem *ret_problem)
{
	struct burst *burst;
	int r;

	if (!host->live)
		return problem_set(ret_problem, EPERM, "", _("a burst drives this machine only"));
	r = check_kernel(plan, host, ret_problem);
	if (r < 0)
		return r;
	burst = calloc(1, sizeof(*burst));
	if (!burst)
		return refuse_memory(ret_problem);
	burst->kernel = plan->kernel;
	burst->copy = burst_copy_shape(plan);
	burst->schedule.pattern = plan->pattern;
	burst->schedule.duration_ns = (int64_t)plan->duration_ns;
	burst->host = host;
	burst->board = board;
	(void)pthread_mutex_init(&burst->gate_mutex, NULL);
	(void)pthread_cond_init(&burst->gate_cond, NULL);
	r = core_table_load(&burst->table, ret_problem);
	if (r < 0) {
		burst_free(burst);
		return r;
	}
	r = make_members(burst, plan);
	if (r == 0)
		r = make_data(burst);
	if (r == 0)
		r = start_threads(burst);
	if (r < 0) {
		burst_free(burst);
		return problem_set(ret_problem, -r, "", _("the burst cannot be started"));
	}
	*ret = burst;
	return 0;
}

bool burst_running(const struct burst *burst)
{
	return atomic_load(&burst->driving) > 0;
}

void burst_stop(struct burst *burst)
{
	atomic_store(&burst->stop, true);
}

void burst_join(struct burst *burst)
{
	for (unsigned i = 0; i < burst->n_members; i++) {
		if (burst->members[i].made)
			(void)pthread_join(burst->members[i].thread, NULL);
		burst->members[i].made = false;
	}
}

void burst_free(struct burst *burst)
{
	if (!burst)
		return;
	burst_stop(burst);
	burst_join(burst);
	for (unsigned i = 0; i < burst->n_members; i++)
		record_free(&burst->members[i].record);
	free(burst->members);
	core_table_free(burst->table);
	free(burst->seeds);
	free(burst->reference);
	(void)pthread_cond_destroy(&burst->gate_cond);
	(void)pthread_mutex_destroy(&burst->gate_mutex);
	free(burst);
}
