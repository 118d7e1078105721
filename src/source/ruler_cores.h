/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calibration of the ruler for each kind of core of the host. */
#ifndef AVXTOP_SOURCE_RULER_CORES_H
#define AVXTOP_SOURCE_RULER_CORES_H

struct core_table;
struct gauge_core;
struct host;
struct problem;

/* ret[host->n_kinds]: of each kind, on a CPU of it that may be disturbed, visited by another
 * thread. A kind that fails stays as it was. 0 when one kind could be calibrated, else -errno and
 * the reason of the last. */
int ruler_cores(const struct host *host, const struct core_table *table, struct gauge_core *ret,
		struct problem *ret_problem);

#endif
