/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep: which kernels run on how many cores, in which order. Pure. */
#ifndef AVXTOP_BURST_SWEEP_H
#define AVXTOP_BURST_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/copier.h"
#include "burst/kernel.h"

struct host;
struct list;

struct sweep_align {
	unsigned from, to; /* bytes, below 4096 */
};

/* What was asked for; what is NULL (and n 0) is chosen. */
struct sweep_ask {
	const enum kernel *kernels;
	unsigned n_kernels;
	const struct list *counts; /* of active cores */
	const struct list *cpus;   /* only these */
	bool copy;		   /* kernels that copy, by size */
	const uint64_t *sizes;
	unsigned n_sizes;
	const struct sweep_align *aligns;
	unsigned n_aligns;
	bool cold;
};

/* A DRIFT is the scalar kernel at the begin and at the end of the sweep: has the machine changed
 * meanwhile? A CONTROL is the heaviest FMA kernel before and after the copies on as many cores: would
 * this harness have seen a drop? */
enum sweep_role { SWEEP_POINT, SWEEP_CONTROL, SWEEP_DRIFT };

struct sweep_point {
	enum sweep_role role;
	enum kernel kernel;
	unsigned cores;
	struct copy_shape copy; /* of a copy; else .bytes 0 */
};

struct sweep {
	unsigned *cpus; /* numbers, one a core, in the order in which cores become active */
	unsigned n_cpus;
	enum kernel kernels[KERNEL_N]; /* of the points, in the order to show */
	unsigned n_kernels;
	unsigned *counts; /* ascending */
	unsigned n_counts;
	struct copy_shape *shapes; /* of copies, in the order to show; else one with .bytes 0 */
	unsigned n_shapes;
	struct sweep_point *points; /* in the order to measure */
	unsigned n_points;
	struct problem *refused; /* what of it cannot be had here */
	unsigned n_refused;
	bool named_refused; /* one of them was asked for by name */
};

/* One CPU a core, of one kind of core unless ask->cpus names others; a package is filled before the next
 * one begins, and the core of CPU 0, where interrupts go, comes last in its package. Kernels in turn run
 * forth on one count of cores and back on the next, so that none always follows the same one.
 * 0; -EINVAL: asked wrongly; -ENOTSUP: nothing of it can be had on this machine; -ENOMEM. */
int sweep_new(const struct sweep_ask *ask, const struct host *host, struct sweep **ret,
	      struct problem *ret_problem);
void sweep_free(struct sweep *sweep); /* NULL and half-built are fine */
/* Those that `cores` active cores are; caller frees; NULL: no memory. */
struct list *sweep_cpus(const struct sweep *sweep, unsigned cores);
/* Is the machine as it was before: the scalar clock within JUDGE_STILL of what it was, or above, and the
 * temperature no more than SWEEP_WARMER above? What is NAN is no reason to wait. */
#define SWEEP_WARMER 10.0
bool sweep_settled(double before_hertz, double hertz, double before_celsius, double celsius);

#endif
