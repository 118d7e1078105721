/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two samples in, one snapshot out. Pure: no file, clock, locale, static or allocation. */
#ifndef AVXTOP_MODEL_DERIVE_H
#define AVXTOP_MODEL_DERIVE_H

#include <stdbool.h>

#include "model/counter.h"
#include "model/metric.h"

struct host;
struct sample;
struct snapshot;

/* prev may be NULL (first sample): values that need a difference become STATE_FIRST. */
void derive(const struct host *host, const struct sample *prev, const struct sample *cur,
	    struct snapshot *ret);

/* Does the formula of `metric` read `counter`? So the session opens only the sources that a wanted
 * metric needs, and can say which source each metric comes from. */
bool derive_uses(enum metric metric, enum counter counter);

#endif
