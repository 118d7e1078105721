/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, cores, packages and kinds of core, read from sysfs. */
#ifndef AVXTOP_SOURCE_TOPOLOGY_H
#define AVXTOP_SOURCE_TOPOLOGY_H

#include "base/problem.h"

struct host;
struct hostfs;

/* before: how the same machine was described earlier, NULL not yet. Where an offline CPU sits the kernel
 * does not tell: then it stays where it was. A new host with cpus (online, isolated), cores, packages, kinds (their names) and possible filled in.
 * Missing files are normal; -ENOENT: no CPU is found at all. */
int topology_read(struct hostfs *fs, const struct host *before, struct host **ret,
		  struct problem *ret_problem);
/* Only .isolated of each CPU: sets what is, takes nothing back. 0 or -ENOMEM. */
int topology_isolated(struct hostfs *fs, struct host *host);

#endif
