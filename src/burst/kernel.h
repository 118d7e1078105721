/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of loads, and which of them may run here. */
#ifndef AVXTOP_BURST_KERNEL_H
#define AVXTOP_BURST_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

struct core_row;
struct host;

enum kernel {
#define KERNEL(id, ...) KERNEL_##id,
#define COPY(id, ...) KERNEL_##id,
#include "burst/kernel_rows.h"
#undef COPY
#undef KERNEL
	KERNEL_N
};

enum rate { RATE_FLOP, RATE_OP, RATE_BYTE };
const char *rate_unit(enum rate rate); /* "FLOP", "op", "B" */

/* Room for the seeds and for the final state of every kernel; both aligned to 64 bytes. */
#define KERNEL_SEED_BYTES 8448u
#define KERNEL_STATE_WORDS 1024u

/* One chunk: starts from `seeds`, runs `loops` rounds of the mix, leaves the final accumulators in
 * `state` (.state_words 32-bit words). Wide registers are clean again when it returns.
 * Returns the counted instructions of the class (vector or tile instructions, scalar adds). */
typedef uint64_t kernel_fn(unsigned loops, const void *seeds, uint32_t *state);

/* Copies, whatever the alignment; the two do not overlap. Wide registers are clean again. */
typedef void copy_fn(void *to, const void *from, size_t bytes);

/* A load computes, by .seed, .run and .reference, or it copies, by .copy: copier.h has the rest. */
struct kernel_row {
	const char *name, *help;
	const char *weight; /* license class of its code, a key: scalar, light, heavy, amx */
	uint32_t isa; /* bits of enum isa, all needed */
	uint32_t wants; /* and those without one of which it is slow */
	copy_fn *copy;
	void (*seed)(void *seeds); /* the same numbers each time */
	kernel_fn *run;
	/* The same state computed by plain C (fmaf, exact integers): the reference. */
	void (*reference)(unsigned loops, const void *seeds, uint32_t *state);
	unsigned state_words;
	enum rate rate;
	double ops;	 /* operations (an FMA counts 2) of one counted instruction, or bytes copied */
	size_t theory;	 /* offset in struct core_row of the instructions a cycle; 0: not known */
	double reach;	 /* share of that which it reaches by itself; 0: all but a few percent */
	size_t theory_alt; /* the same of products with fewer units, 0 where all have the same */
	const char *narrower; /* load of half the width that counts the same operations; NULL none */
	unsigned chunk_loops; /* rounds of one chunk: 20 to 40 us at 3 GHz */
};

const struct kernel_row *kernel_row(enum kernel kernel);
int kernel_by_name(const char *name);	    /* -1 unknown */
const char *kernel_name_at(unsigned index); /* NULL at the end */
/* Names of the instruction sets in `isa` (bits of enum isa), "AVX2, FMA"; "" for none. */
void kernel_isa_names(uint32_t isa, char *buf, size_t size);
/* Operations a cycle that `core` can reach at most, NAN when that is not known: always of a copy, since
 * it depends on where in the caches its bytes are. measured: operations
 * a cycle that it did reach: tells apart products of one core with full and half units. */
double kernel_peak(enum kernel kernel, const struct core_row *core, double measured);

/* Bit for bit, in scalar code: memcmp would itself be vector code. */
bool kernel_state_equal(const uint32_t *a, const uint32_t *b, unsigned words);

/* 0, or -ENOTSUP with the reason: CPUID, XCR0 or, for AMX, the kernel's permission (asked for here
 * by arch_prctl, so call it before worker threads are made). host->kinds[kind].isa decides; on a
 * machine that is not live the permission is not asked for. */
int kernel_usable(enum kernel kernel, const struct host *host, unsigned kind,
		  struct problem *ret_problem);

#endif
