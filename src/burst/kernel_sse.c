/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 128-bit kernel, as code for any x86-64 has it: legacy SSE, a multiply and an add where wider
 * code has one FMA. The callers' upper halves are clean: legacy code would keep dirty ones alive. */
#include "config.h"

#include <string.h>

#include "burst/kernel_seed.h"

#define LANES 4

/* Two roundings a step; the build forbids the compiler to contract them into one (local.mk). */
void kernel_sse_fma_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct fma_seeds *s = seeds;

	for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			float acc = s->acc[i][lane];

			for (uint64_t step = 0; step < loops; step++) {
				acc = acc * s->a0[lane] + s->b[lane];
				acc = acc * s->a1[lane] + s->b[lane];
			}
			memcpy(&state[i * LANES + lane], &acc, sizeof(acc));
		}
	}
}

#define ALL(x)                                                                                     \
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)
#define LOAD(acc) "movups " #acc "*64(%[acc]), %%xmm" #acc "\n\t"
#define STORE(acc) "movups %%xmm" #acc ", " #acc "*16(%[state])\n\t"
#define MUL0(acc) "mulps %%xmm12, %%xmm" #acc "\n\t"
#define MUL1(acc) "mulps %%xmm13, %%xmm" #acc "\n\t"
#define ADD(acc) "addps %%xmm14, %%xmm" #acc "\n\t"

/* One pass over a0 and a1 a round: 24 mulps and 24 addps. */
uint64_t kernel_sse_fma(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct fma_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "movups (%[a0]), %%xmm12\n\t"
			 "movups (%[a1]), %%xmm13\n\t"
			 "movups (%[b]), %%xmm14\n\t"
			 ".p2align 6\n"
			 "1:\n\t" ALL(MUL0) ALL(ADD) ALL(MUL1) ALL(ADD) "dec %[left]\n\t"
			 "jnz 1b\n\t" ALL(STORE)
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [a0] "r"(s->a0), [a1] "r"(s->a1), [b] "r"(s->b),
			   [state] "r"(state)
			 : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
			   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14");
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}
