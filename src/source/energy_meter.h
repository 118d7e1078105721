/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The energy that one zone, or one register, has counted from one read to the next. */
#ifndef AVXTOP_SOURCE_ENERGY_METER_H
#define AVXTOP_SOURCE_ENERGY_METER_H

#include <stdint.h>

#include "model/state.h"
#include "source/kept.h"

struct hostfs;

/* A counter that comes round, in a unit of its own. */
struct energy_count {
	uint64_t range, last; /* it wraps at the former, 0: not known */
	uint64_t read_ns;     /* of `last`; 0: never read, or not the last time */
};

/* It was read anew: `now`, at now_ns (CLOCK_MONOTONIC). *ret_more: what it counted since the last
 * time, 0 where the state is not STATE_OK: a step back that no wrap explains, or the first read, is
 * STATE_RESET; one that had the time to come round more than once, at most_per_s, is STATE_WRAPPED.
 * Pure. */
enum state energy_count(struct energy_count *count, uint64_t now, uint64_t now_ns,
			double most_per_s, uint64_t *ret_more);

struct energy_meter {
	struct kept file;
	struct energy_count count; /* uJ */
};

/* Reads the zone (its folder's name) anew. *ret_more: microjoules since the last read, 0 where the
 * state is not STATE_OK; *ret_err: 0 or the -errno of the read. most_watts: what it draws at the
 * very most. */
enum state energy_meter_read(struct energy_meter *meter, struct hostfs *fs, const char *zone,
			     double most_watts, uint64_t *ret_more, int *ret_err);

#endif
