/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the cpuidle states of a machine. */
#ifndef AVXTOP_SOURCE_IDLE_STATES_H
#define AVXTOP_SOURCE_IDLE_STATES_H

struct host;
struct hostfs;

/* Fills host->idle_states from cpuN/cpuidle/stateM/name of one online CPU a kind and package: the
 * driver is the same for all of them. No folder: no states. 0 or -ENOMEM. */
int idle_states_read(struct hostfs *fs, struct host *host);

#endif
