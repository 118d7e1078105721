/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the cpuidle states of a machine. */
#ifndef AVXTOP_SOURCE_IDLE_STATES_H
#define AVXTOP_SOURCE_IDLE_STATES_H

#include <stddef.h>

struct host;
struct hostfs;

/* Fills host->idle_states from cpuN/cpuidle/stateM/name of one online CPU a kind and package: the
 * driver is the same for all of them. No folder: no states. 0 or -ENOMEM. */
int idle_states_read(struct hostfs *fs, struct host *host);

/* Name of the first state of the CPU from *state on, which is then its number. A state whose name cannot be read is
 * passed over, two in a row end the search. 0, -ENOENT behind the last, -ENOMEM. */
int idle_state_next(struct hostfs *fs, unsigned id, unsigned *state, char *buf, size_t size);

#endif
