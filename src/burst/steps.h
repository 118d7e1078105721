/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps with a time stamp behind each: chains and pieces of a load by turns. In libkernels so that
 * no sanitizer, profiler or vector instruction of a compiler enters them. */
#ifndef AVXTOP_BURST_STEPS_H
#define AVXTOP_BURST_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "burst/kernel.h"

/* Dependent imul r32,r32 in the unit that scalar steps are made of: 9 ns at 3 cycles each and 3.3
 * GHz. Its branch runs ahead of the chain by far more than a wrong guess costs. */
#define STEPS_LINKS 10

/* Units that the chains of the i-th repeat of a group are longer by: where the TSC steps by 10 ns,
 * as on AMD, a series of equal steps falls in step with it, and is then off by the same part of 10
 * ns each time. */
#define STEPS_SWAY 5u
static inline uint32_t steps_sway(uint32_t i)
{
	return i * 2 % STEPS_SWAY;
}

/* What a wide step runs: a kernel, or a copy. */
struct steps_load {
	kernel_fn *run; /* NULL: copies */
	const void *seeds;
	copy_fn *copy;
	void *to;
	const void *from;
	size_t bytes;
};

/* `repeats` times: a piece of the load, a chain of `first` units, the piece again, a chain of
 * `second` units. A part with 0 is left out, and a piece whose chain is left out with it, but for
 * the piece of a group without any chain. */
struct steps_group {
	uint32_t repeats;
	uint32_t loops; /* rounds of the kernel, or copies, in one piece */
	uint32_t first, second;
};

/* How many steps the group has. */
unsigned steps_count(const struct steps_group *group);

struct steps_run {
	const struct steps_load *load;
	uint32_t *first_state, *state; /* of the first piece, of the last one */
	uint64_t limit_tsc;	       /* no repeat begins after this */
	uint64_t begin_tsc, end_tsc;   /* returned: before the first step, after the last one */
};

/* All of it, with the ticks of each step, saturated, in `ticks`. False where it took too long: the
 * process was stopped, or another program ran. */
bool steps_run(const struct steps_group *groups, unsigned n_groups, struct steps_run *run,
	       uint32_t *ticks);
/* One piece. Returns counted instructions, or bytes. */
uint64_t steps_piece(const struct steps_load *load, uint32_t loops, uint32_t *state);
/* Scalar code until then. */
void steps_spin(uint64_t until_tsc);
/* A chain of so many units alone. */
void steps_chain(uint32_t units);
/* Copies words, not by a vector. */
void steps_keep(uint32_t *to, const uint32_t *from, size_t n);

#endif
