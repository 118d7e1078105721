/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the threads wrote down to a result and its sentence. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/burst_own.h"
#include "burst/verdict.h"

/* A copy of what may change while it is judged. */
struct copy {
	struct pair *pairs, *holds;
	double *ops_per_cycle;
	struct release_look *releases;
	size_t n_pairs, n_holds, n_ops_per_cycle, n_releases, n_rested;
	bool *rested;
};

static void copy_free(struct copy *copy)
{
	free(copy->pairs);
	free(copy->holds);
	free(copy->ops_per_cycle);
	free(copy->releases);
	free(copy->rested);
}

static bool copy_array(void *ret, const void *from, size_t n, size_t size)
{
	void *const to = malloc(n * size + 1);

	if (to && n)
		memcpy(to, from, n * size);
	memcpy(ret, &to, sizeof(to));
	return to != NULL;
}

/* The caller holds the mutex. */
static int copy_record(const struct record *record, struct copy *ret)
{
	struct copy copy = { .n_pairs = record->n_pairs, .n_holds = record->n_holds,
			     .n_ops_per_cycle = record->n_ops_per_cycle,
			     .n_releases = record->n_releases };
	bool ok = copy_array(&copy.holds, record->holds, copy.n_holds, sizeof(*copy.holds));

	ok &= copy_array(&copy.ops_per_cycle, record->ops_per_cycle, copy.n_ops_per_cycle,
			 sizeof(*copy.ops_per_cycle));
	ok &= copy_array(&copy.releases, record->releases, copy.n_releases, sizeof(*copy.releases));
	copy.pairs = malloc((copy.n_pairs + 1) * sizeof(*copy.pairs));
	copy.rested = malloc(copy.n_pairs + 1);
	if (!ok || !copy.pairs || !copy.rested) {
		copy_free(&copy);
		return -ENOMEM;
	}
	for (size_t i = 0; i < copy.n_pairs; i++) {
		copy.pairs[i] = record->pairs[i].pair;
		copy.rested[i] = record->pairs[i].rested;
	}
	*ret = copy;
	return 0;
}

/* Where the low clock outlasts the gap, "before" is not before: only pairs whose gap was a rest
 * remain. */
static int drop_held_pairs(struct copy *copy, bool *ret_held)
{
	struct judgment hold;
	size_t kept = 0;
	int r;

	*ret_held = false;
	r = judge(copy->holds, copy->n_holds, &hold);
	if (r < 0 || !hold.seen)
		return r;
	for (size_t i = 0; i < copy->n_pairs; i++)
		if (copy->rested[i])
			copy->pairs[kept++] = copy->pairs[i];
	copy->n_pairs = kept;
	*ret_held = true;
	return 0;
}

static void judge_release_of(const struct burst *burst, const struct copy *copy,
			     const struct judgment *judgment, struct burst_result *result)
{
	const struct pattern *const pattern = &burst->schedule.pattern;

	if (!judgment->seen)
		return;
	result->release_s = judge_release(copy->releases, copy->n_releases, judgment->before_hertz,
					  judgment->during_hertz, &result->release_resolution_s);
	/* not within what was looked at: at least that */
	if (isinf(result->release_s))
		result->release_s = (double)(pattern->period_ns - pattern->on_ns) / (double)NS_PER_S;
}

/* Every on time was over before its CPU was free: without a chunk there is nothing to verify. */
static void explain_no_chunk(struct burst_cpu *cpu)
{
	if (cpu->chunks == 0 && !cpu->problem.text[0])
		(void)problem_set(&cpu->problem, 0, "",
				  _("no code of the kernel has run: other work kept the CPU busy, or "
				    "the on times are too short"));
}

static const char *why_no_peak(enum kernel kernel, const struct core_row *core)
{
	if (kernel_row(kernel)->copy)
		return N_("the peak of a copy is not known");
	return core ? N_("the peak of this core is not known") :
		      N_("unknown core, so its peak is unknown");
}

static int judge_member(const struct burst *burst, struct member *member,
			struct burst_result *result, struct burst_cpu *ret)
{
	struct record *const record = &member->record;
	const bool driver = member->role == RELATION_SELF;
	const struct core_row *core;
	struct copy copy;
	uint64_t ops;
	double time_ratio;
	int64_t last_ns;
	int r;

	(void)pthread_mutex_lock(&record->mutex);
	r = copy_record(record, &copy);
	ret->chunks = record->chunks;
	ret->chunks_wrong = record->chunks_wrong;
	core = record->core.row;
	ret->problem = record->problem;
	ret->ends = record->ends;
	ops = record->ops;
	last_ns = record->last_ns;
	time_ratio = record->time_ratio;
	(void)pthread_mutex_unlock(&record->mutex);
	if (r < 0)
		return r;
	ret->core_name = core ? core->name : NULL;
	ret->cpu = member->cpu;
	ret->role = member->role;
	ret->ops_per_second = ret->ops_per_cycle = ret->peak_ratio = NAN;
	ret->time_ratio = time_ratio;
	r = drop_held_pairs(&copy, &ret->held);
	if (r == 0)
		r = judge(copy.pairs, copy.n_pairs, &ret->judgment);
	if (r == 0)
		ret->recovery = judge_recovery(&ret->ends, ret->judgment.noise);
	if (r == 0 && driver) {
		const struct kernel_row *const row = kernel_row(burst->kernel);
		const double seconds = (double)last_ns / (double)NS_PER_S;

		if (member == burst->members)
			judge_release_of(burst, &copy, &ret->judgment, result);
		ret->verified = ret->chunks > 0 && ret->chunks_wrong == 0;
		if (ret->chunks > 0 && seconds > 0)
			ret->ops_per_second = (double)ops * row->ops / fmin(seconds, result->seconds);
		ret->ops_per_cycle = row->ops * judge_median(copy.ops_per_cycle, copy.n_ops_per_cycle);
		ret->peak_ratio = ret->ops_per_cycle /
				  kernel_peak(burst->kernel, core, ret->ops_per_cycle);
		if (isnan(ret->peak_ratio) && !isnan(ret->ops_per_cycle))
			ret->peak_why = why_no_peak(burst->kernel, core);
		if (!burst_running(burst) && !result->stopped_early)
			explain_no_chunk(ret);
	}
	copy_free(&copy);
	return r;
}

/* How long it ran: to the end, or as far as its drivers came. */
static double seconds_of(struct burst *burst)
{
	int64_t longest_ns = 0;

	for (unsigned i = 0; i < burst->n_drivers; i++) {
		struct record *const record = &burst->members[i].record;

		(void)pthread_mutex_lock(&record->mutex);
		if (record->last_ns > longest_ns)
			longest_ns = record->last_ns;
		(void)pthread_mutex_unlock(&record->mutex);
	}
	if (longest_ns > burst->schedule.duration_ns)
		longest_ns = burst->schedule.duration_ns;
	return (double)longest_ns / (double)NS_PER_S;
}

int burst_result(struct burst *burst, struct burst_result **ret)
{
	struct burst_result *const result = calloc(1, sizeof(*result));
	const double asked_s = (double)burst->schedule.duration_ns / (double)NS_PER_S;

	if (!result)
		return -ENOMEM;
	result->cpus = calloc(burst->n_members, sizeof(*result->cpus));
	if (!result->cpus) {
		free(result);
		return -ENOMEM;
	}
	result->kernel = burst->kernel;
	result->release_s = result->release_resolution_s = NAN;
	result->n_cpus = burst->n_members;
	result->n_driven = burst->n_drivers;
	result->seconds = seconds_of(burst);
	result->stopped_early = !burst_running(burst) && result->seconds + 1e-3 < asked_s;
	for (unsigned i = 0; i < burst->n_members; i++) {
		const int r = judge_member(burst, &burst->members[i], result, &result->cpus[i]);

		if (r < 0) {
			burst_result_free(result);
			return r;
		}
	}
	verdict(result);
	*ret = result;
	return 0;
}

void burst_result_free(struct burst_result *result)
{
	if (!result)
		return;
	free(result->cpus);
	free(result);
}
