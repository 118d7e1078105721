/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 256-bit kernels in hand-written assembly, and the references that 512-bit code shares.
 * No compiler flag allows wide vectors, so the only wide instructions are the ones written here. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "burst/kernel_seed.h"

_Static_assert(sizeof(struct fma_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");
_Static_assert(sizeof(struct int_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");

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

void kernel_int_seed(void *seeds)
{
	struct int_seeds *s = seeds;
	uint32_t *const words = (uint32_t *)(void *)s;
	uint32_t random = 0x5eed0003;

	for (unsigned i = 0; i < sizeof(*s) / sizeof(*words); i++)
		words[i] = kernel_random(&random);
}

void kernel_int_reference(unsigned loops, unsigned lanes, const struct int_seeds *seeds,
			  uint32_t *state)
{
	for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++) {
		for (unsigned lane = 0; lane < lanes; lane++) {
			uint32_t acc = seeds->acc[i][lane];

			for (uint64_t step = 0; step < (uint64_t)loops * 2; step++)
				acc = (acc + seeds->add[lane]) ^ seeds->xor[lane];
			state[i * lanes + lane] = acc;
		}
	}
}

void kernel_avx2_int_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	kernel_int_reference(loops, 8, seeds, state);
}

void kernel_avx2_fma_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	kernel_fma_reference(loops, 8, seeds, state);
}

#define ALL(x)                                                                                     \
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)
#define LOAD(acc) "vmovups " #acc "*64(%[acc]), %%ymm" #acc "\n\t"
#define STORE(acc) "vmovups %%ymm" #acc ", " #acc "*32(%[state])\n\t"
#define ADD(acc) "vpaddd %%ymm12, %%ymm" #acc ", %%ymm" #acc "\n\t"
#define XOR(acc) "vpxor %%ymm13, %%ymm" #acc ", %%ymm" #acc "\n\t"
#define FMA0(acc) "vfmadd213ps %%ymm14, %%ymm12, %%ymm" #acc "\n\t"
#define FMA1(acc) "vfmadd213ps %%ymm14, %%ymm13, %%ymm" #acc "\n\t"
#define CLOBBERS                                                                                   \
	"cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",    \
		"xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/* Two passes a round: 24 vpaddd and 24 vpxor. */
uint64_t kernel_avx2_int(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct int_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "vmovups (%[add]), %%ymm12\n\t"
			 "vmovups (%[xor]), %%ymm13\n\t"
			 ".p2align 6\n"
			 "1:\n\t" ALL(ADD) ALL(XOR) ALL(ADD) ALL(XOR) "dec %[left]\n\t"
			 "jnz 1b\n\t" ALL(STORE) "vzeroupper"
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [add] "r"(s->add), [xor] "r"(s->xor),
			   [state] "r"(state)
			 : CLOBBERS);
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}

/* Two passes over a0 and a1 a round: 48 FMA. */
uint64_t kernel_avx2_fma(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct fma_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "vmovups (%[a0]), %%ymm12\n\t"
			 "vmovups (%[a1]), %%ymm13\n\t"
			 "vmovups (%[b]), %%ymm14\n\t"
			 ".p2align 6\n"
			 "1:\n\t" ALL(FMA0) ALL(FMA1) ALL(FMA0) ALL(FMA1) "dec %[left]\n\t"
			 "jnz 1b\n\t" ALL(STORE) "vzeroupper"
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [a0] "r"(s->a0), [a1] "r"(s->a1), [b] "r"(s->b),
			   [state] "r"(state)
			 : CLOBBERS);
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}
