/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which events a CPU gets: wanted, encoded, and tried out. */
#include "config.h"

#include "source/perf_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "model/events.h"
#include "model/host.h"
#include "source/perf_encode.h"
#include "source/perf_pmu.h"
#include "source/perf_why.h"
#include "source/source.h"

/* Counted by no hardware counter. On AMD `irperf` is what INST_RETIRED is elsewhere. */
static const struct {
	enum counter counter;
	const char *event;
} clocks[] = {
	{ COUNTER_CLOCK_TSC, "tsc" },	    { COUNTER_APERF, "aperf" },
	{ COUNTER_MPERF, "mperf" },	    { COUNTER_SMI, "smi" },
	{ COUNTER_INSTRUCTIONS, "irperf" },
};

/* Each takes one of the few general counters, in order of preference. */
static const enum counter licenses[] = { COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2 };
static const enum counter extras[] = { COUNTER_LICENSE_THROTTLE, COUNTER_FP512_OPS,
				       COUNTER_FP256_OPS, COUNTER_AMX_BUSY };
/* Where the fixed counters are the architecture's own (Intel SDM, "Architectural Performance
 * Monitoring"): those are nobody's loss. */
static const struct {
	enum counter counter;
	uint64_t config;
} fixed[] = { { COUNTER_INSTRUCTIONS, 0x00c0 }, { COUNTER_CYCLES, 0x003c } };

#define N_OF(array) (sizeof(array) / sizeof(*(array)))

/* While a plan is made. */
struct maker {
	const struct source_env *env;
	const struct perf_scene *scene;
	const struct host_kind *kind;
	unsigned cpu; /* number in the kernel of the one that is tried */
	struct perf_plan *plan;
};

int perf_may_read(const struct host *host, unsigned cpu)
{
	const struct host_cpu *row = &host->cpus[cpu];

	if (row->isolated && !row->named)
		return STATE_ISOLATED;
	return row->wanted ? STATE_OK : STATE_NOT_ASKED;
}

static void add(struct perf_plan *plan, enum counter counter, uint32_t type, uint64_t config)
{
	plan->events[plan->n++] =
		(struct perf_event) { .counter = counter, .what = { type, config }, .fd = -1 };
	plan->because[counter] = NULL;
}

static bool is_planned(const struct perf_plan *plan, enum counter counter)
{
	for (unsigned i = 0; i < plan->n; i++)
		if (plan->events[i].counter == counter)
			return true;
	return false;
}

static void drop(struct perf_plan *plan, enum counter counter, const struct reason *because)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->n; i++) {
		if (plan->events[i].counter == counter)
			plan->n_clocks -= i < plan->n_clocks;
		else
			plan->events[n++] = plan->events[i];
	}
	plan->n = n;
	plan->because[counter] = because;
}

static void add_clocks(struct maker *maker)
{
	const struct reason **because = maker->plan->because;
	struct perf_pmu pmu = { 0 };
	const int r = perf_pmu_find(maker->env->fs, "msr", &pmu);

	for (size_t i = 0; i < N_OF(clocks); i++) {
		uint64_t config;
		const int e =
			r < 0 ? r : perf_pmu_event(&pmu, maker->env->fs, clocks[i].event, &config);

		if (e == 0)
			add(maker->plan, clocks[i].counter, pmu.type, config);
		else if (!because[clocks[i].counter]) /* nor may another PMU */
			because[clocks[i].counter] = perf_why(maker->scene, PERF_PART_MSR, e);
	}
	perf_pmu_free(&pmu);
	maker->plan->n_clocks = maker->plan->n;
}

/* The PMU of this kind of core: of hybrid parts each has its own. */
static int find_core_pmu(const struct maker *maker, struct perf_pmu *ret)
{
	static const char *const names[] = { "cpu", "cpu_core", "cpu_atom", "cpu_lowpower" };

	for (size_t i = 0; i < N_OF(names); i++) {
		if (perf_pmu_find(maker->env->fs, names[i], ret) < 0)
			continue;
		if (!ret->cpus || list_has(ret->cpus, maker->cpu))
			return 0;
		perf_pmu_free(ret);
	}
	return -ENOENT;
}

/* Events of data/cpu/events are those of big cores: on an E-core the same code may mean another
 * event. */
static bool is_small_core(const struct host_kind *kind)
{
	return strcmp(kind->name, "E-core") == 0 || strcmp(kind->name, "LP-core") == 0;
}

static int find_events(const struct maker *maker, struct events *ret)
{
	const struct host_kind *kind = maker->kind;
	const char *name;
	int r = -ENOENT;

	for (unsigned i = 0; r == -ENOENT && (name = data_name("cpu/events/", i)); i++) {
		char *text;

		r = data_load(name, &text, NULL);
		if (r < 0)
			return r;
		r = events_match(text, maker->env->host->vendor, kind->family, kind->model,
				 kind->stepping, ret);
		free(text);
	}
	return r;
}

/* The NMI watchdog holds the fixed counter of cycles, and a second event of it would take a general
 * one: where APERF counts the same, that is taken. A guest's may be those of the physical CPU. */
static bool takes_aperf(const struct maker *maker)
{
	return is_planned(maker->plan, COUNTER_APERF) && !maker->scene->guest &&
	       (maker->scene->watchdog || maker->scene->amd || maker->env->no_pmu);
}

static void add_fixed(struct maker *maker, const struct perf_pmu *pmu)
{
	for (size_t i = 0; i < N_OF(fixed); i++)
		if (!is_planned(maker->plan, fixed[i].counter) &&
		    !(fixed[i].counter == COUNTER_CYCLES && maker->plan->cycles_by_aperf))
			add(maker->plan, fixed[i].counter, pmu->type, fixed[i].config);
}

static bool is_asked(const struct source_env *env, enum counter counter)
{
	return env->asked && env->asked[counter];
}

static void add_general(struct maker *maker, const struct perf_pmu *pmu,
			const struct events *events, enum counter counter)
{
	if (events->rows[counter].raw != 0)
		add(maker->plan, counter, pmu->type, perf_encode_event(&events->rows[counter]));
}

/* This CPU has the event, and it is the kernel that has no PMU for it. */
static void explain_no_pmu(struct maker *maker, const struct events *events)
{
	for (unsigned c = 0; !maker->env->no_pmu && c < COUNTER_N; c++)
		if (events->rows[c].raw != 0)
			maker->plan->because[c] = perf_why(maker->scene, PERF_PART_CPU, -ENOENT);
}

/* Licenses by default; but what was named comes before what was not. */
static void add_hardware(struct maker *maker)
{
	struct events events = { 0 };
	struct perf_pmu pmu = { 0 };
	bool named = false;
	int r = maker->env->no_pmu ? -ENOENT : find_core_pmu(maker, &pmu);

	maker->plan->cycles_by_aperf = takes_aperf(maker);
	if (maker->plan->cycles_by_aperf)
		maker->plan->because[COUNTER_CYCLES] = NULL;
	if (!is_small_core(maker->kind))
		(void)find_events(maker, &events);
	if (r < 0) {
		explain_no_pmu(maker, &events);
		return;
	}
	if (!maker->scene->amd)
		add_fixed(maker, &pmu);
	for (size_t i = 0; i < N_OF(licenses); i++)
		named = named || is_asked(maker->env, licenses[i]);
	for (size_t i = 0; named && i < N_OF(licenses); i++)
		add_general(maker, &pmu, &events, licenses[i]);
	for (size_t i = 0; i < N_OF(extras); i++) {
		if (is_asked(maker->env, extras[i]))
			add_general(maker, &pmu, &events, extras[i]);
		else if (events.rows[extras[i]].raw != 0)
			maker->plan->because[extras[i]] = &perf_not_asked;
	}
	for (size_t i = 0; !named && i < N_OF(licenses); i++)
		add_general(maker, &pmu, &events, licenses[i]);
	perf_pmu_free(&pmu);
}

/* Is there a counter for it, and only not beside the others? */
static bool opens_alone(const struct maker *maker, const struct perf_event *event)
{
	const int fd = perf_call_open(&event->what, -1, (int)maker->cpu, -1);

	if (fd >= 0)
		perf_call_close(fd);
	return fd >= 0;
}

static const struct reason *why_not(const struct maker *maker, const struct perf_event *event,
				    bool clock)
{
	if (!clock && opens_alone(maker, event))
		return maker->scene->watchdog ? &perf_no_counter_watchdog : &perf_no_counter_left;
	return perf_why(maker->scene, clock ? PERF_PART_MSR : PERF_PART_CPU, event->err);
}

/* Opens the plan once. Drops what cannot be opened, and all licenses with one of them, for two tell
 * nothing. False: it fits now. */
static bool try_out(struct maker *maker)
{
	struct perf_plan tried = *maker->plan;
	struct perf_group group = { .events = tried.events, .n = tried.n };
	const struct reason *license = NULL;
	unsigned budget = tried.n, n_failed = 0;

	(void)perf_group_open(&group, maker->cpu, &budget);
	perf_group_close(&group, &budget);
	for (unsigned i = 0; i < tried.n; i++) {
		const struct perf_event *event = &tried.events[i];
		const struct reason *because;

		if (event->err == 0)
			continue;
		because = why_not(maker, event, i < tried.n_clocks);
		drop(maker->plan, event->counter, because);
		n_failed++;
		for (size_t k = 0; k < N_OF(licenses); k++)
			if (licenses[k] == event->counter && !license)
				license = because;
	}
	for (size_t k = 0; license && k < N_OF(licenses); k++)
		drop(maker->plan, licenses[k], license);
	return n_failed > 0;
}

static void explain_general(const struct maker *maker)
{
	const bool amd = maker->scene->amd;
	struct perf_plan *plan = maker->plan;

	for (size_t i = 0; i < N_OF(licenses); i++)
		plan->because[licenses[i]] = maker->env->no_pmu ? &perf_no_pmu_asked
					     : amd		? &perf_no_license_amd
								: &perf_no_license;
	for (size_t i = 0; i < N_OF(extras); i++)
		plan->because[extras[i]] = maker->env->no_pmu ? &perf_no_pmu_asked : &perf_no_event;
	for (size_t i = 0; i < N_OF(fixed); i++)
		plan->because[fixed[i].counter] =
			maker->env->no_pmu ? &perf_no_pmu_asked
					   : perf_why(maker->scene, PERF_PART_CPU, -ENOENT);
}

static int find_cpu(const struct host *host, unsigned kind)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].kind == kind && host->cpus[i].online &&
		    perf_may_read(host, i) == STATE_OK)
			return (int)i;
	return -1;
}

int perf_plan_make(const struct source_env *env, const struct perf_scene *scene, unsigned kind,
		   struct perf_plan *ret)
{
	const int cpu = find_cpu(env->host, kind);
	struct maker maker = { env, scene, &env->host->kinds[kind], 0, ret };

	memset(ret, 0, sizeof(*ret));
	if (cpu < 0)
		return -ENOENT;
	maker.cpu = env->host->cpus[cpu].id;
	explain_general(&maker);
	add_clocks(&maker);
	add_hardware(&maker);
	while (ret->n > 0 && try_out(&maker))
		;
	/* Without APERF nobody has counted the cycles. */
	if (ret->cycles_by_aperf && !is_planned(ret, COUNTER_APERF)) {
		ret->cycles_by_aperf = false;
		ret->because[COUNTER_CYCLES] = ret->because[COUNTER_APERF];
	}
	return 0;
}

void perf_plan_keep(struct perf_plan *plan, const bool *wanted)
{
	for (size_t i = 0; i < N_OF(licenses); i++)
		if (!wanted[licenses[i]])
			drop(plan, licenses[i], &perf_not_asked);
	for (size_t i = 0; i < N_OF(extras); i++)
		if (!wanted[extras[i]])
			drop(plan, extras[i], &perf_not_asked);
}
