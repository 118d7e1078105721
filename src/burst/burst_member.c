/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every thread of a burst does first: pin itself, find out about its core, wait for the rest. */
#include "config.h"

#include "base/clock.h"
#include "burst/burst_own.h"
#include "burst/worker.h"

void member_complain(struct member *member, const struct problem *problem)
{
	(void)pthread_mutex_lock(&member->record.mutex);
	member->record.problem = *problem;
	(void)pthread_mutex_unlock(&member->record.mutex);
}

bool member_pin(struct member *member)
{
	struct problem problem;
	const int r = worker_pin(member->burst->host->cpus[member->cpu].id, &problem);

	if (r < 0)
		member_complain(member, &problem);
	return r == 0;
}

void member_calibrate(struct member *member)
{
	const struct burst *const burst = member->burst;
	struct gauge_core core = { 0 };
	struct problem problem;

	if (worker_calibrate(burst->host, member->cpu, burst->table, &core, &problem) < 0)
		member_complain(member, &problem);
	(void)pthread_mutex_lock(&member->record.mutex);
	member->record.core = core;
	(void)pthread_mutex_unlock(&member->record.mutex);
}

static struct gauge_core core_of(struct member *member)
{
	struct gauge_core core;

	(void)pthread_mutex_lock(&member->record.mutex);
	core = member->record.core;
	(void)pthread_mutex_unlock(&member->record.mutex);
	return core;
}

struct gauge_core member_core(struct member *member)
{
	const struct burst *const burst = member->burst;
	const struct host_cpu *const cpus = burst->host->cpus;
	struct gauge_core core = core_of(member);

	for (unsigned i = 0; core.imul_cycles == 0 && i < burst->n_members; i++)
		if (cpus[burst->members[i].cpu].kind == cpus[member->cpu].kind)
			core = core_of(&burst->members[i]);
	if (core.imul_cycles != 0) {
		(void)pthread_mutex_lock(&member->record.mutex);
		member->record.core = core;
		member->record.problem = (struct problem){ 0 };
		(void)pthread_mutex_unlock(&member->record.mutex);
	}
	return core;
}

#define START_AFTER_NS NS_PER_MS /* all are awake by then */

void member_arrive(struct member *member)
{
	struct burst *const burst = member->burst;

	(void)pthread_mutex_lock(&burst->gate_mutex);
	if (++burst->arrived == burst->n_drivers) {
		burst->start_mono_ns = clock_mono_ns() + START_AFTER_NS + SCHEDULE_LEAD_NS;
		(void)pthread_cond_broadcast(&burst->gate_cond);
	}
	(void)pthread_mutex_unlock(&burst->gate_mutex);
}

/* burst_stop() may be called from a signal handler and so cannot wake a condition. */
#define LOOK_FOR_STOP_NS (20 * NS_PER_MS)

bool member_wait(struct member *member, uint64_t *ret_start_mono_ns)
{
	struct burst *const burst = member->burst;
	uint64_t start;

	(void)pthread_mutex_lock(&burst->gate_mutex);
	while (burst->start_mono_ns == 0 && !atomic_load(&burst->stop)) {
		const uint64_t until = clock_mono_ns() + LOOK_FOR_STOP_NS;
		const struct timespec time = { .tv_sec = (time_t)(until / NS_PER_S),
					       .tv_nsec = (long)(until % NS_PER_S) };

		(void)pthread_cond_clockwait(&burst->gate_cond, &burst->gate_mutex,
					     CLOCK_MONOTONIC, &time);
	}
	start = burst->start_mono_ns;
	(void)pthread_mutex_unlock(&burst->gate_mutex);
	*ret_start_mono_ns = start;
	return start != 0 && !atomic_load(&burst->stop);
}

int64_t member_time(uint64_t start_mono_ns)
{
	return (int64_t)(clock_mono_ns() - start_mono_ns);
}
