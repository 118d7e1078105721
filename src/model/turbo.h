/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turbo limits: the clock that so many active cores of a package may reach, as its registers tell
 * it. These are the limits of license 0, of scalar and light code. Pure. */
#ifndef AVXTOP_MODEL_TURBO_H
#define AVXTOP_MODEL_TURBO_H

#include <stdint.h>

#include "model/registers.h"

/* Eight of 0x1AD, eight of 0x1AE, two of 0x1AF. */
#define TURBO_BUCKETS 18

struct turbo_bucket {
	unsigned max_active_cores; /* 0: not told; then so are those of all others */
	double hertz;
};

struct turbo {
	struct turbo_bucket buckets[TURBO_BUCKETS]; /* fewest cores first */
	unsigned n;
};

/* raw: 0x1AD, 0x1AE, 0x1AF; 0 for what the kind of core does not have. Without a form or the clock
 * of a ratio there are no buckets. */
void turbo_decode(enum turbo_form form, double bclk_hertz, const uint64_t raw[3],
		  struct turbo *ret);

/* The limit in hertz while so many cores of the package are active; 0 unknown. */
double turbo_limit(const struct turbo *turbo, unsigned active_cores);

#endif
