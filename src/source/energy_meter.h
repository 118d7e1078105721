/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The energy that one zone has counted from one read to the next. */
#ifndef AVXTOP_SOURCE_ENERGY_METER_H
#define AVXTOP_SOURCE_ENERGY_METER_H

#include <stdint.h>

#include "model/state.h"
#include "source/kept.h"

struct hostfs;

struct energy_meter {
	struct kept file;
	uint64_t range, last; /* uJ; it wraps at the former, 0: not known */
	uint64_t read_ns;     /* of `last`; 0: never read, or not the last time */
};

/* Reads the zone (its folder's name) anew. *ret_more: microjoules since the last read, 0 where the
 * state is not STATE_OK; *ret_err: 0 or the -errno of the read. most_watts: what it draws at the
 * very most. */
enum state energy_meter_read(struct energy_meter *meter, struct hostfs *fs, const char *zone,
			     double most_watts, uint64_t *ret_more, int *ret_err);

#endif
