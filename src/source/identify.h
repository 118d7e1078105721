/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds struct host: topology and limits through hostfs, CPUID by libcpuid raw data on this machine. */
#ifndef AVXTOP_SOURCE_IDENTIFY_H
#define AVXTOP_SOURCE_IDENTIFY_H

#include <stdbool.h>

#include "base/problem.h"

struct host;
struct hostfs;
struct list;

/* live: false for --sysroot: no CPUID, no affinity. cpus: what -c named, NULL = all online.
 * A CPU of -c that does not exist or is offline is an error with near facts (which exist).
 * before: how the machine was described earlier in this run, NULL not yet: CPUs that were shown then and
 * are offline now keep their rows and places, also those that -c names. */
int identify(struct hostfs *fs, bool live, const struct list *cpus, const struct host *before,
	     struct host **ret, struct problem *ret_problem);

#endif
