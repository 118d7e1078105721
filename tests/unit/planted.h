/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two planted samples and what is derived of them. */
#ifndef AVXTOP_TESTS_UNIT_PLANTED_H
#define AVXTOP_TESTS_UNIT_PLANTED_H

#include "fake.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/source.h"

struct bench {
	struct host *host;
	struct sample *prev, *cur;
	struct snapshot *snapshot;
};

/* The second sample is 2 s after the first. */
void bench_open(struct bench *bench, struct host *host);
void bench_close(struct bench *bench);
void bench_run(struct bench *bench);
const struct value *bench_get(struct bench *bench, enum metric metric, enum scope scope,
			       unsigned index);
void assert_state(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
			 enum state state);
void assert_value(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
			 double v, double epsilon);
void plant(struct bench *bench, enum counter counter, unsigned index, uint64_t prev,
		  uint64_t cur, enum source_id source);
void plant_os(struct bench *bench, unsigned cpu, unsigned busy, unsigned idle, unsigned steal);
void assert_license(struct bench *bench, unsigned core, double license0, double license1, double license2,
		    double unknown);

#endif
