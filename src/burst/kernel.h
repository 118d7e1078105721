/* The table of loads, and which of them may run here. */
#ifndef AVXTOP_BURST_KERNEL_H
#define AVXTOP_BURST_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"

struct core_row;
struct host;

enum kernel {
#define KERNEL(id, ...) KERNEL_##id,
#include "burst/kernel_rows.h"
#undef KERNEL
	KERNEL_N
};

enum rate { RATE_FLOP, RATE_OP, RATE_BYTE };
const char *rate_unit(enum rate rate); /* "FLOP", "op", "B" */

/* One chunk: starts from the same seeds, runs `loops` rounds of the mix, leaves the final state in
 * `state` (kernel_state_words() 32-bit words), compared by the caller in scalar code.
 * Returns the counted instructions of the class (vector or tile instructions, scalar adds). */
typedef uint64_t kernel_fn(unsigned loops, uint32_t *state, void *scratch);

struct kernel_row {
	const char *name, *help;
	uint32_t isa; /* bits of enum isa, all needed */
	kernel_fn *run;
	/* The same state computed by plain C (fmaf, exact integers): the reference. */
	void (*reference)(unsigned loops, uint32_t *state);
	unsigned state_words;
	enum rate rate;
	double ops;	 /* operations (an FMA counts 2) of one counted instruction */
	unsigned theory; /* offset in struct core_row of the instructions a cycle */
	unsigned chunk_loops; /* rounds that take 20 to 40 us at 3 GHz */
};

const struct kernel_row *kernel_row(enum kernel kernel);
int kernel_by_name(const char *name);	      /* -1 unknown */
const char *kernel_name_at(unsigned index); /* NULL at the end */

/* 0, or -ENOTSUP with the reason: CPUID, XCR0 or, for AMX, the kernel's permission (asked for here
 * by arch_prctl, once, before worker threads are made). host->kinds[kind].isa decides. */
int kernel_usable(enum kernel kernel, const struct host *host, unsigned kind,
		  struct problem *ret_problem);

#endif
