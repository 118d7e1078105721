/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each kind of core of a host is: for identify() alone. */
#ifndef AVXTOP_SOURCE_IDENTIFY_KINDS_H
#define AVXTOP_SOURCE_IDENTIFY_KINDS_H

#include "base/problem.h"

struct host;
struct hostfs;

/* Fills the kinds of a host whose CPUs are known, and its vendor, brand and hypervisor. What cannot
 * be told stays as it was. 0 or -errno with ret_problem. */
int identify_kinds(struct hostfs *fs, struct host *host, struct problem *ret_problem);

#endif
