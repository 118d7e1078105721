/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two planted samples and what is derived of them. */
#include "config.h"

#include "planted.h"

#include "model/derive.h"

void bench_open(struct bench *bench, struct host *host)
{
	bench->host = host;
	bench->prev = sample_new(host);
	bench->cur = sample_new(host);
	bench->snapshot = snapshot_new(host);
	assert_true(bench->prev && bench->cur && bench->snapshot);
	bench->prev->mono_ns = 1000000000;
	bench->cur->mono_ns = 3000000000;
	bench->cur->real_ns = 77;
}

void bench_close(struct bench *bench)
{
	sample_free(bench->prev);
	sample_free(bench->cur);
	snapshot_free(bench->snapshot);
	host_free(bench->host);
}

void bench_run(struct bench *bench)
{
	derive(bench->host, bench->prev, bench->cur, bench->snapshot);
}

const struct value *bench_get(struct bench *bench, enum metric metric, enum scope scope,
			       unsigned index)
{
	return snapshot_get(bench->snapshot, metric, scope, index, 0);
}

void assert_state(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
			 enum state state)
{
	assert_string_equal(state_row((enum state)bench_get(bench, metric, scope, index)->state)->name,
			    state_row(state)->name);
}

void assert_value(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
			 double v, double epsilon)
{
	assert_state(bench, metric, scope, index, STATE_OK);
	assert_near(bench_get(bench, metric, scope, index)->v, v, epsilon);
}

void plant(struct bench *bench, enum counter counter, unsigned index, uint64_t prev,
		  uint64_t cur, enum source_id source)
{
	sample_set(bench->prev, counter, index, 0, prev, source);
	sample_set(bench->cur, counter, index, 0, cur, source);
}

void plant_os(struct bench *bench, unsigned cpu, unsigned busy, unsigned idle, unsigned steal)
{
	plant(bench, COUNTER_OS_BUSY, cpu, 1000, 1000 + busy, SOURCE_PROCFS);
	plant(bench, COUNTER_OS_IDLE, cpu, 2000, 2000 + idle, SOURCE_PROCFS);
	plant(bench, COUNTER_OS_STEAL, cpu, 3000, 3000 + steal, SOURCE_PROCFS);
}

void assert_license(struct bench *bench, unsigned core, double license0, double license1, double license2,
		    double unknown)
{
	assert_value(bench, METRIC_LICENSE0_RATIO, SCOPE_CORE, core, license0, 1e-9);
	assert_value(bench, METRIC_LICENSE1_RATIO, SCOPE_CORE, core, license1, 1e-9);
	assert_value(bench, METRIC_LICENSE2_RATIO, SCOPE_CORE, core, license2, 1e-9);
	assert_value(bench, METRIC_LICENSE_UNKNOWN_RATIO, SCOPE_CORE, core, unknown, 1e-9);
}
