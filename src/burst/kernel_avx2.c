/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 256-bit kernels in hand-written assembly, and the FMA reference that 512-bit code shares.
 * No compiler flag allows wide vectors, so the only wide instructions are the ones written here. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "burst/kernel_seed.h"

_Static_assert(sizeof(struct fma_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");

/* A float in [1, 2) with a random mantissa. */
static float random_float(uint32_t *random)
{
	const uint32_t bits = 0x3f800000u | kernel_random(random) >> 9;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

void kernel_fma_seed(void *seeds)
{
	struct fma_seeds *s = seeds;
	uint32_t random = 0x5eed0002;

	for (unsigned lane = 0; lane < KERNEL_LANES; lane++) {
		for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++)
			s->acc[i][lane] = random_float(&random);
		s->a0[lane] = random_float(&random);
		s->a1[lane] = -1.0f / s->a0[lane];
		s->b[lane] = random_float(&random);
	}
}

void kernel_fma_reference(unsigned loops, unsigned lanes, const struct fma_seeds *seeds,
			  uint32_t *state)
{
	for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++) {
		for (unsigned lane = 0; lane < lanes; lane++) {
			float acc = seeds->acc[i][lane];

			for (uint64_t step = 0; step < (uint64_t)loops * 2; step++) {
				acc = fmaf(acc, seeds->a0[lane], seeds->b[lane]);
				acc = fmaf(acc, seeds->a1[lane], seeds->b[lane]);
			}
			memcpy(&state[i * lanes + lane], &acc, sizeof(acc));
		}
	}
}

void kernel_avx2_fma_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	kernel_fma_reference(loops, 8, seeds, state);
}

#define FMA(acc, a) "vfmadd213ps %%ymm14, %%ymm" #a ", %%ymm" #acc "\n\t"
#define FMA12(a)                                                                                   \
	FMA(0, a) FMA(1, a) FMA(2, a) FMA(3, a) FMA(4, a) FMA(5, a)                                \
	FMA(6, a) FMA(7, a) FMA(8, a) FMA(9, a) FMA(10, a) FMA(11, a)
#define LOAD(acc) "vmovups " #acc "*64(%[acc]), %%ymm" #acc "\n\t"
#define STORE(acc) "vmovups %%ymm" #acc ", " #acc "*32(%[state])\n\t"

/* Two passes over a0 and a1 a round: 48 FMA. */
uint64_t kernel_avx2_fma(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct fma_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(LOAD(0) LOAD(1) LOAD(2) LOAD(3) LOAD(4) LOAD(5)
			 LOAD(6) LOAD(7) LOAD(8) LOAD(9) LOAD(10) LOAD(11)
			 "vmovups (%[a0]), %%ymm12\n\t"
			 "vmovups (%[a1]), %%ymm13\n\t"
			 "vmovups (%[b]), %%ymm14\n\t"
			 ".p2align 6\n"
			 "1:\n\t" FMA12(12) FMA12(13) FMA12(12) FMA12(13) "dec %[left]\n\t"
			 "jnz 1b\n\t"
			 STORE(0) STORE(1) STORE(2) STORE(3) STORE(4) STORE(5)
			 STORE(6) STORE(7) STORE(8) STORE(9) STORE(10) STORE(11)
			 "vzeroupper"
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [a0] "r"(s->a0), [a1] "r"(s->a1), [b] "r"(s->b),
			   [state] "r"(state)
			 : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
			   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}
