/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of raw counters, and the arithmetic of counters that wrap. */
#ifndef AVXTOP_MODEL_COUNTER_H
#define AVXTOP_MODEL_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/scope.h"

struct host;

enum label { LABEL_NONE, LABEL_IDLE_STATE, LABEL_LICENSE, LABEL_POWER_LIMIT, LABEL_N };
/* How many labels of this kind the host has (LABEL_NONE: 1), and their names. */
unsigned label_count(const struct host *host, enum label label);
const char *label_name(const struct host *host, enum label label, unsigned index);

enum counter {
#define COUNTER(id, ...) COUNTER_##id,
#include "model/counter_rows.h"
#undef COUNTER
	COUNTER_N
};

struct counter_row {
	const char *name, *unit, *help;
	enum scope scope;
	enum label label;
	unsigned bits; /* width of the hardware counter: where it wraps */
	bool rises;    /* monotonic: only differences mean something; else a reading of the moment */
	bool by_name;  /* takes one of the few general counters of a CPU: only where a metric of it was
			  named */
	bool internal; /* only tells about another counter: nobody is to be told that it is or is
			  not there */
};

const struct counter_row *counter_row(enum counter counter);
/* How many items the counter has on this host (CPUs, cores, packages or 1), times its labels. */
unsigned counter_items(const struct host *host, enum counter counter);

/* cur - prev modulo 2^bits; bits 1 to 64. */
uint64_t counter_delta(uint64_t prev, uint64_t cur, unsigned bits);

#endif
