/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks how hot the machine is in a thread of its own, since a sensor may take seconds to answer. */
#ifndef AVXTOP_BURST_THERMAL_LOOK_H
#define AVXTOP_BURST_THERMAL_LOOK_H

#include <stdbool.h>

#include "burst/thermal.h"

struct thermal_look;

/* Begins to ask about these CPUs (copied) of the live machine. 0 or -errno. */
int thermal_look_begin(const struct list *cpus, struct thermal_look **ret);
/* True once it is answered. Does not wait. */
bool thermal_look_answer(struct thermal_look *look, struct thermal_state *ret);
/* Does not wait either: a thread that still reads cleans up when it has read. NULL is fine. */
void thermal_look_free(struct thermal_look *look);

#endif
