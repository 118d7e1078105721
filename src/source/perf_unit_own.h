/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to perf_unit*.c. */
#ifndef AVXTOP_SOURCE_PERF_UNIT_OWN_H
#define AVXTOP_SOURCE_PERF_UNIT_OWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/counter.h"
#include "source/instant.h"
#include "source/perf_group.h"
#include "source/perf_unit.h"
#include "source/perf_why.h"

struct unit_row {
	enum counter counter;
	const char *event;
	enum counter age; /* of an energy: when it was read; else COUNTER_N */
};

/* A PMU: where a package has several dies, each has its own, which may have another name. */
struct unit_kind {
	const char *pmus[2];
	const struct unit_row *rows;
	size_t n_rows;
	enum scope scope;
	enum perf_part part;
};

/* One PMU of one core or die. */
struct unit {
	const struct unit_kind *kind;
	unsigned cpu;	/* index of the one that is asked */
	unsigned place; /* index of the core or package */
	unsigned dies;	/* how many units make up the place */
	struct perf_group group;
	struct perf_event events[PERF_GROUP_MAX];
	const struct unit_row *rows[PERF_GROUP_MAX]; /* of the events */
	double uj[PERF_GROUP_MAX];		     /* microjoules of one count; 0 none */
	struct instant at;			     /* of the last read */
	bool stood;				     /* its time stood still at the last read */
};

struct perf_units {
	const struct host *host;
	struct unit *items; /* by the CPU that is asked */
	size_t n, next;
	unsigned budget;
	uint64_t begin_ns;
	bool read_before;
};

/* An isolated CPU that nobody named. */
bool perf_unit_is_alone(const struct host *host, unsigned cpu);

#endif
