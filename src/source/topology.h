/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs, cores, packages and kinds of core, read from sysfs. */
#ifndef AVXTOP_SOURCE_TOPOLOGY_H
#define AVXTOP_SOURCE_TOPOLOGY_H

#include "base/problem.h"

struct host;
struct hostfs;

/* A new host with cpus (online, isolated), cores, packages, kinds (their names) and possible filled in.
 * Missing files are normal; -ENOENT: no CPU is found at all. */
int topology_read(struct hostfs *fs, struct host **ret, struct problem *ret_problem);

#endif
