/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hardware counters by perf_event_open(2): clocks, licenses and vector work of each CPU by one
 * read, idle states and energy of each core and package by one more. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/kept.h"
#include "source/perf_group.h"
#include "source/perf_plan.h"
#include "source/perf_unit.h"
#include "source/perf_why.h"
#include "source/place.h"
#include "source/source.h"

/* What is counted on CPUs, those first whose reason stands for all. */
static const enum counter of_cpus[] = {
	COUNTER_APERF,	   COUNTER_MPERF,
	COUNTER_CLOCK_TSC, COUNTER_SMI,
	COUNTER_CYCLES,	   COUNTER_INSTRUCTIONS,
	COUNTER_LICENSE0,  COUNTER_LICENSE1,
	COUNTER_LICENSE2,  COUNTER_LICENSE_THROTTLE,
	COUNTER_FP512_OPS, COUNTER_FP256_OPS,
	COUNTER_AMX_BUSY,
};

#define N_OF(array) (sizeof(array) / sizeof(*(array)))

/* One CPU. A group counts all at once or not at all: where other users leave too few hardware
 * counters for it, the clocks, which need none, are read from a group of their own. It is open from
 * the start, and read only then; its totals begin with those of the other. */
struct cpu {
	const struct perf_plan *plan; /* NULL: nothing is counted here */
	struct perf_group all, clocks;
	bool split; /* the clocks are read from `clocks` */
	bool stood; /* time stood still at the last read */
};

struct source {
	const struct host *host;
	struct perf_plan *plans;   /* by kind */
	struct cpu *cpus;	   /* by index */
	struct perf_event *events; /* of all groups of CPUs */
	struct perf_units *units;
	unsigned budget; /* descriptors that may be opened */
	bool read_before;
};

static bool counts(const struct perf_plan *plan, enum counter counter)
{
	if (counter == COUNTER_CYCLES && plan->cycles_by_aperf)
		return true;
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->events[i].counter == counter)
			return true;
	return false;
}

/* Here is what some kind of core counts. */
static void offer_plan(const struct perf_plan *plan, const struct perf_scene *scene,
		       struct offer *ret)
{
	const bool hardware = plan->n > plan->n_clocks;

	for (size_t i = 0; i < N_OF(of_cpus); i++)
		if (counts(plan, of_cpus[i]))
			offer_counter(ret, of_cpus[i], NULL);
		else if (!ret->here[of_cpus[i]])
			offer_counter(ret, of_cpus[i], plan->because[of_cpus[i]]);
	ret->here[COUNTER_PMU_ENABLED] = ret->here[COUNTER_PMU_ENABLED] || hardware;
	ret->here[COUNTER_PMU_RUNNING] = ret->here[COUNTER_PMU_ENABLED];
	if (plan->cycles_by_aperf)
		ret->note[COUNTER_CYCLES] =
			N_("here APERF, which counts the same and takes no hardware "
			   "counter");
	if (scene->amd)
		ret->note[COUNTER_FP512_OPS] = ret->note[COUNTER_FP256_OPS] =
			N_("here micro-operations, by AMD's own definition (PMCx008)");
	if (scene->watchdog && hardware)
		for (enum counter c = COUNTER_LICENSE0; c <= COUNTER_LICENSE2; c++)
			ret->note[c] = N_(
				"the NMI watchdog holds one hardware counter of each CPU, so that "
				"there is one less to share (sysctl kernel.nmi_watchdog)");
}

static int perf_probe(const struct source_env *env, struct offer *ret)
{
	struct perf_scene scene;
	struct perf_plan plan;

	if (!env->host->live || env->left_out) {
		for (size_t i = 0; i < N_OF(of_cpus); i++)
			offer_counter(ret, of_cpus[i],
				      env->left_out ? &reason_left_out : &perf_not_live);
		return 0;
	}
	perf_scene_look(env->host, env->fs, &scene);
	for (unsigned i = 0; i < env->host->n_kinds; i++)
		if (perf_plan_make(env, &scene, i, &plan) == 0)
			offer_plan(&plan, &scene, ret);
	perf_units_offer(env, &scene, ret);
	return 0;
}

static void perf_close(struct source *source)
{
	if (!source)
		return;
	for (unsigned i = 0; source->cpus && i < source->host->n_cpus; i++) {
		perf_group_close(&source->cpus[i].all, &source->budget);
		perf_group_close(&source->cpus[i].clocks, &source->budget);
	}
	perf_units_close(source->units);
	free(source->events);
	free(source->cpus);
	free(source->plans);
	free(source);
}

static struct perf_event *take_events(struct perf_group *group, const struct perf_plan *plan,
				      unsigned n, struct perf_event *at)
{
	memcpy(at, plan->events, n * sizeof(*at));
	group->events = at;
	group->n = n;
	return at + n;
}

/* Which groups each CPU has; none is open yet. */
static int lay_out(struct source *source, const struct source_env *env)
{
	const struct host *host = env->host;
	struct perf_scene scene;
	struct perf_event *at;

	source->plans = calloc(host->n_kinds + 1, sizeof(*source->plans));
	source->cpus = calloc(host->n_cpus + 1, sizeof(*source->cpus));
	source->events =
		calloc((size_t)host->n_cpus * 2 * PERF_GROUP_MAX + 1, sizeof(*source->events));
	if (!source->plans || !source->cpus || !source->events)
		return -ENOMEM;
	perf_scene_look(host, env->fs, &scene);
	for (unsigned i = 0; i < host->n_kinds; i++)
		if (perf_plan_make(env, &scene, i, &source->plans[i]) == 0 && env->wanted)
			perf_plan_keep(&source->plans[i], env->wanted);
	at = source->events;
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct perf_plan *plan = &source->plans[host->cpus[i].kind];
		struct cpu *cpu = &source->cpus[i];

		if (plan->n == 0 || perf_may_read(host, i) != STATE_OK)
			continue;
		cpu->plan = plan;
		at = take_events(&cpu->all, plan, plan->n, at);
		if (plan->n > plan->n_clocks)
			at = take_events(&cpu->clocks, plan, plan->n_clocks, at);
	}
	return 0;
}

static int open_cpu(struct source *source, unsigned index)
{
	struct cpu *cpu = &source->cpus[index];
	const int r = perf_group_open(&cpu->all, source->host->cpus[index].id, &source->budget);

	cpu->split = false;
	return r;
}

static void open_clocks(struct source *source, unsigned index)
{
	struct cpu *cpu = &source->cpus[index];

	if (cpu->all.open && cpu->clocks.n > 0)
		(void)perf_group_open(&cpu->clocks, source->host->cpus[index].id, &source->budget);
}

static int perf_open(const struct source_env *env, struct source **ret, struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->budget = kept_budget(2); /* cpuidle takes the other half */
	if (lay_out(source, env) < 0)
		goto fail;
	for (unsigned i = 0; i < env->host->n_cpus; i++)
		if (source->cpus[i].plan && env->host->cpus[i].online)
			(void)open_cpu(source, i);
	if (perf_units_open(env, &source->budget, &source->units) < 0)
		goto fail;
	/* What is only wanted in need comes last, while descriptors last. */
	for (unsigned i = 0; i < env->host->n_cpus; i++)
		open_clocks(source, i);
	*ret = source;
	return 0;
fail:
	perf_close(source);
	return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
}

static void close_cpu(struct source *source, struct cpu *cpu)
{
	perf_group_close(&cpu->all, &source->budget);
	perf_group_close(&cpu->clocks, &source->budget);
}

/* Events end with their CPU for good: after it returned they are opened anew, and count from 0. */
static int read_groups(struct source *source, unsigned index, bool *ret_anew)
{
	struct cpu *cpu = &source->cpus[index];
	int r = 0;

	if (cpu->all.open) {
		perf_group_read(&cpu->all);
		/* Once: an emulated clock may really stand still. */
		if (!cpu->all.frozen || cpu->stood)
			cpu->stood = cpu->all.frozen;
		else
			close_cpu(source, cpu);
	}
	if (!cpu->all.open) {
		cpu->stood = true;
		*ret_anew = source->read_before;
		r = open_cpu(source, index);
		if (r < 0)
			return r;
		open_clocks(source, index);
		perf_group_read(&cpu->all);
	}
	return cpu->all.state == STATE_FAILED ? cpu->all.err : 0;
}

/* The clocks' own group, at first to begin with the same totals, later where it is needed. */
static void read_clocks(struct cpu *cpu)
{
	const bool first = !cpu->clocks.begun;

	cpu->split = cpu->split || perf_group_shared(&cpu->all);
	if (!cpu->clocks.open || !(first || cpu->split))
		return;
	perf_group_read(&cpu->clocks);
	for (unsigned i = 0; first && i < cpu->clocks.n; i++)
		cpu->clocks.events[i].total = cpu->all.events[i].total;
}

static struct reading tell(const struct cpu *cpu, unsigned i, bool anew)
{
	const bool split = cpu->split && cpu->clocks.open && i < cpu->clocks.n &&
			   cpu->clocks.events[i].err == 0;
	const struct perf_group *group = split ? &cpu->clocks : &cpu->all;
	const struct perf_event *event = &group->events[i];

	if (event->err < 0)
		return reading_failed(place_failed(event->err), event->err, SOURCE_PERF);
	if (group->state == STATE_FAILED)
		return reading_failed(STATE_FAILED, group->err, SOURCE_PERF);
	return (struct reading) { event->total, (uint8_t)(anew ? STATE_RESET : group->state),
				  SOURCE_PERF };
}

static void fail_cpu(const struct perf_plan *plan, unsigned index, const struct reading *as,
		     struct sample *into)
{
	for (size_t i = 0; i < N_OF(of_cpus); i++)
		if (counts(plan, of_cpus[i]))
			*sample_at(into, of_cpus[i], index, 0) = *as;
}

static void read_cpu(struct source *source, unsigned index, struct sample *into)
{
	struct cpu *cpu = &source->cpus[index];
	struct reading failed;
	bool anew = false;
	int r = read_groups(source, index, &anew);

	if (r < 0) {
		failed = reading_failed(place_failed(r), r, SOURCE_PERF);
		fail_cpu(cpu->plan, index, &failed, into);
		return;
	}
	read_clocks(cpu);
	for (unsigned i = 0; i < cpu->all.n; i++)
		*sample_at(into, cpu->all.events[i].counter, index, 0) = tell(cpu, i, anew);
	if (cpu->plan->cycles_by_aperf)
		*sample_at(into, COUNTER_CYCLES, index, 0) =
			*sample_at(into, COUNTER_APERF, index, 0);
	if (cpu->clocks.n > 0) {
		*sample_at(into, COUNTER_PMU_ENABLED, index, 0) =
			(struct reading) { cpu->all.enabled_ns, anew ? STATE_RESET : STATE_OK,
					   SOURCE_PERF };
		*sample_at(into, COUNTER_PMU_RUNNING, index, 0) =
			(struct reading) { cpu->all.running_ns, anew ? STATE_RESET : STATE_OK,
					   SOURCE_PERF };
	}
}

static bool is_offline(const struct host *host, const struct sample *sample, unsigned index)
{
	const struct reading *os = sample_get(sample, COUNTER_OS_BUSY, index, 0);

	return os->source ? os->state == STATE_OFFLINE : !host->cpus[index].online;
}

/* Each read interrupts its CPU: those that are to be left alone have no events. */
static int perf_read(struct source *source, struct sample *into)
{
	const struct host *host = source->host;
	struct reading none = { .source = SOURCE_PERF };

	perf_units_begin(source->units, clock_mono_ns());
	for (unsigned i = 0; i < host->n_cpus; i++) {
		struct cpu *cpu = &source->cpus[i];
		const struct perf_plan *plan = &source->plans[host->cpus[i].kind];

		if (is_offline(host, into, i)) {
			close_cpu(source, cpu);
			none.state = STATE_OFFLINE;
			fail_cpu(plan, i, &none, into);
		} else if (cpu->plan) {
			read_cpu(source, i, into);
		} else {
			none.state = (uint8_t)perf_may_read(host, i);
			if (none.state != STATE_OK)
				fail_cpu(plan, i, &none, into);
		}
		perf_units_read(source->units, i, into);
	}
	source->read_before = true;
	return 0;
}

const struct source_ops perf_ops = {
	.probe = perf_probe,
	.open = perf_open,
	.read = perf_read,
	.close = perf_close,
};
