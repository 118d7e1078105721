/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topologies of real and made-up machines as trees of /sys, built by rule. */
#ifndef AVXTOP_TESTS_UNIT_MACHINE_H
#define AVXTOP_TESTS_UNIT_MACHINE_H

#include <stdbool.h>

enum shape_files {
	SHAPE_SIBLINGS = 1, /* topology/thread_siblings_list */
	SHAPE_CORE_CPUS = 2, /* topology/core_cpus_list */
	SHAPE_CORE_ID = 4,
	SHAPE_PACKAGE = 8,
	SHAPE_DIE = 16,
	SHAPE_ALL = 31,
};

/* CPU numbers run over cores, then packages, then threads (as most firmware does it), or over
 * threads first (`threads_first`, as hybrid parts do). */
struct shape {
	const char *name;
	unsigned packages, threads;
	const char *core_ids; /* of each package, as a list; holes are real */
	bool threads_first;
};

extern const struct shape machine_shapes[]; /* ended by a NULL name */
unsigned machine_cpus(const struct shape *shape);
/* Where CPU number `cpu` is: package, place of the core among the core ids of its package, thread. */
void machine_place(const struct shape *shape, unsigned cpu, unsigned *package, unsigned *core,
		   unsigned *thread);
/* files: bits of enum shape_files. */
void machine_write(const char *root, const struct shape *shape, unsigned files);
/* i9-12900K: 8 P-cores of two threads, 8 E-cores, with their PMU folders. */
void machine_write_hybrid(const char *root);

#endif
