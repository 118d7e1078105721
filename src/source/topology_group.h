/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Groups CPUs into cores and packages. */
#ifndef AVXTOP_SOURCE_TOPOLOGY_GROUP_H
#define AVXTOP_SOURCE_TOPOLOGY_GROUP_H

struct host;
struct hostfs;

/* Fills cores and packages, and core and package of each CPU, from cpuN/topology/; of offline CPUs as
 * `before` has it (NULL: unknown). 0 or -ENOMEM. */
int topology_group(struct hostfs *fs, const struct host *before, struct host *host);

#endif
