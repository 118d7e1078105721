/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From two samples to a snapshot: each metric by the formula that its row names (derive_*.c), or made of
 * the values of a smaller scope. */
#include "config.h"

#include "model/derive.h"

#include <string.h>

#include "model/aggregate.h"
#include "model/derive_limits.h"
#include "model/derive_own.h"
#include "model/host.h"
#include "model/sample.h"

static formula_fn *const formulas[METRIC_N] = {
#define METRIC(id, formula, ...) [METRIC_##id] = formula,
#include "model/metric_rows.h"
#undef METRIC
};

/* By what a member counts in a mean: the share of the time in which it ran, by the hardware where that
 * counts it; of shares of cycles, these. */
static struct value weight_of(const struct interval *at, const struct snapshot *snapshot, enum metric metric,
			      unsigned index)
{
	const struct metric_row *row = metric_row(metric);
	const struct value *busy;
	struct part cycles;

	if (row->aggregate == AGGREGATE_CYCLES) {
		cycles = derive_core_cycles(at, index);
		return (struct value){ .v = cycles.v, .state = (uint8_t)cycles.state };
	}
	busy = snapshot_get(snapshot, METRIC_BUSY_RATIO, row->scope, index, 0);
	if (!state_usable((enum state)busy->state))
		busy = snapshot_get(snapshot, METRIC_OS_BUSY_RATIO, row->scope, index, 0);
	return *busy;
}

/* One member of a group, at the metric's own scope; CPUs that nobody asked for don't count. */
static void add_member(const struct interval *at, const struct snapshot *snapshot, enum metric metric,
		       unsigned index, unsigned label, struct gathering *gathering)
{
	const struct host *host = snapshot->host;
	enum scope own = metric_row(metric)->scope;
	const unsigned *cpus = own == SCOPE_CORE ? host->cores[index].cpus : &index;
	unsigned n = own == SCOPE_CORE ? host->cores[index].n_cpus : 1;

	for (unsigned i = 0; i < n; i++)
		if (host->cpus[cpus[i]].wanted) {
			const struct value weight = weight_of(at, snapshot, metric, index);

			gather_add(gathering, snapshot_get(snapshot, metric, own, index, label), &weight,
				   host->cpus[cpus[i]].kind);
			return;
		}
}

static void add_core(const struct interval *at, const struct snapshot *snapshot, enum metric metric,
		     unsigned core, unsigned label, struct gathering *gathering)
{
	const struct host_core *row = &snapshot->host->cores[core];

	if (metric_row(metric)->scope == SCOPE_CORE) {
		add_member(at, snapshot, metric, core, label, gathering);
		return;
	}
	for (unsigned i = 0; i < row->n_cpus; i++)
		add_member(at, snapshot, metric, row->cpus[i], label, gathering);
}

/* A package is whole: what it measures is of all its CPUs, whoever was asked for. */
static void add_package(const struct snapshot *snapshot, enum metric metric, unsigned package, unsigned label,
			struct gathering *gathering)
{
	static const struct value one = { .v = 1, .state = STATE_OK };

	gather_add(gathering, snapshot_get(snapshot, metric, SCOPE_PACKAGE, package, label), &one, 0);
}

/* The value of item `index` of a scope larger than the metric's own. */
static struct value aggregate(const struct interval *at, const struct snapshot *snapshot, enum metric metric,
			      unsigned index, unsigned label)
{
	const struct host *host = snapshot->host;
	const bool of_package = metric_row(metric)->scope == SCOPE_PACKAGE;
	struct gathering gathering;

	gather_start(&gathering, metric_row(metric), at->scope);
	if (at->scope == SCOPE_CORE)
		add_core(at, snapshot, metric, index, label, &gathering);
	for (unsigned i = 0; at->scope == SCOPE_PACKAGE && i < host->packages[index].n_cores; i++)
		add_core(at, snapshot, metric, host->packages[index].cores[i], label, &gathering);
	for (unsigned i = 0; at->scope == SCOPE_HOST && !of_package && i < host->n_cores; i++)
		add_core(at, snapshot, metric, i, label, &gathering);
	for (unsigned i = 0; of_package && i < host->n_packages; i++)
		add_package(snapshot, metric, i, label, &gathering);
	return gather_end(&gathering);
}

/* Measured where it can be, else made of the smaller scope. */
static struct value value_of(const struct interval *at, enum metric metric, unsigned index, unsigned label,
			     const struct snapshot *smaller)
{
	const struct metric_row *row = metric_row(metric);
	struct value ret = { .state = STATE_UNSUPPORTED };

	if (at->scope == row->scope || (at->scope == SCOPE_PACKAGE && row->package_inputs))
		ret = formulas[metric](at, index, label);
	if (at->scope != row->scope && ret.state == STATE_UNSUPPORTED)
		ret = aggregate(at, smaller, metric, index, label);
	return ret;
}

static void fill(const struct interval *at, enum metric metric, struct snapshot *ret)
{
	unsigned labels = label_count(at->host, metric_row(metric)->label);
	unsigned n = scope_items(at->host, at->scope);

	if (!metric_has_scope(metric, at->scope))
		return;
	for (unsigned i = 0; i < n; i++)
		for (unsigned label = 0; label < labels; label++)
			*snapshot_at(ret, metric, at->scope, i, label) =
				value_of(at, metric, i, label, ret);
}

void derive(const struct host *host, const struct sample *prev, const struct sample *cur,
	    struct snapshot *ret)
{
	struct interval at = { .host = host, .prev = prev, .cur = cur };

	if (prev && cur->mono_ns > prev->mono_ns)
		at.elapsed_s = (double)(cur->mono_ns - prev->mono_ns) / 1e9;
	if (prev)
		ret->suspended_s = (double)sample_suspended_ns(prev, cur) / 1e9;
	else
		ret->suspended_s = 0;
	at.suspended = ret->suspended_s > 0;
	ret->mono_ns = cur->mono_ns;
	ret->real_ns = cur->real_ns;
	ret->elapsed_s = at.elapsed_s;
	memset(ret->values, 0, ret->n_values * sizeof(*ret->values));
	for (unsigned i = 0; i < host->n_packages; i++)
		ret->active[i] = derive_active(&at, i);
	at.active = ret->active;
	/* Smallest scope first: larger ones are made of it. */
	for (unsigned s = 0; s < SCOPE_N; s++) {
		at.scope = (enum scope)s;
		for (unsigned m = 0; m < METRIC_N; m++)
			fill(&at, (enum metric)m, ret);
	}
}
