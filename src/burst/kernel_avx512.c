/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 512-bit kernels in hand-written assembly. Only zmm0 to zmm15 are used: vzeroupper cleans those,
 * while a dirty zmm16 and up would keep the wide power class. */
#include "config.h"

#include "burst/kernel_seed.h"

_Static_assert(sizeof(struct vnni_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");

void kernel_vnni_seed(void *seeds)
{
	uint32_t *const words = seeds;
	uint32_t random = 0x5eed0005;

	for (unsigned i = 0; i < sizeof(struct vnni_seeds) / sizeof(*words); i++)
		words[i] = kernel_random(&random);
}

/* In one round each accumulator takes all four products, which add up to (u0 + u1)·(s0 + s1). */
void kernel_avx512_vnni_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct vnni_seeds *s = seeds;

	for (unsigned lane = 0; lane < KERNEL_LANES; lane++) {
		int32_t gain = 0;

		for (unsigned byte = lane * 4; byte < lane * 4 + 4; byte++)
			gain += (s->u[0][byte] + s->u[1][byte]) * (s->s[0][byte] + s->s[1][byte]);
		for (unsigned i = 0; i < KERNEL_ACCUMULATORS; i++)
			state[i * KERNEL_LANES + lane] = s->acc[i][lane] + (uint32_t)gain * loops;
	}
}

void kernel_avx512_int_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	kernel_int_reference(loops, KERNEL_LANES, seeds, state);
}

void kernel_avx512_fma_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	kernel_fma_reference(loops, KERNEL_LANES, seeds, state);
}

#define ALL(x)                                                                                     \
	x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)
#define LOAD(acc) "vmovups " #acc "*64(%[acc]), %%zmm" #acc "\n\t"
#define STORE(acc) "vmovups %%zmm" #acc ", " #acc "*64(%[state])\n\t"
#define ADD(acc) "vpaddd %%zmm12, %%zmm" #acc ", %%zmm" #acc "\n\t"
#define XOR(acc) "vpxord %%zmm13, %%zmm" #acc ", %%zmm" #acc "\n\t"
#define FMA0(acc) "vfmadd213ps %%zmm14, %%zmm12, %%zmm" #acc "\n\t"
#define FMA1(acc) "vfmadd213ps %%zmm14, %%zmm13, %%zmm" #acc "\n\t"
/* the unsigned bytes are the second operand of the manual's three, here the middle one too */
#define DOT00(acc) "vpdpbusd %%zmm14, %%zmm12, %%zmm" #acc "\n\t"
#define DOT01(acc) "vpdpbusd %%zmm15, %%zmm12, %%zmm" #acc "\n\t"
#define DOT10(acc) "vpdpbusd %%zmm14, %%zmm13, %%zmm" #acc "\n\t"
#define DOT11(acc) "vpdpbusd %%zmm15, %%zmm13, %%zmm" #acc "\n\t"
#define CLOBBERS                                                                                   \
	"cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",    \
		"xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/* Two passes a round: 24 vpaddd and 24 vpxord. */
uint64_t kernel_avx512_int(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct int_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "vmovups (%[add]), %%zmm12\n\t"
			 "vmovups (%[xor]), %%zmm13\n\t"
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
uint64_t kernel_avx512_fma(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct fma_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "vmovups (%[a0]), %%zmm12\n\t"
			 "vmovups (%[a1]), %%zmm13\n\t"
			 "vmovups (%[b]), %%zmm14\n\t"
			 ".p2align 6\n"
			 "1:\n\t" ALL(FMA0) ALL(FMA1) ALL(FMA0) ALL(FMA1) "dec %[left]\n\t"
			 "jnz 1b\n\t" ALL(STORE) "vzeroupper"
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [a0] "r"(s->a0), [a1] "r"(s->a1), [b] "r"(s->b),
			   [state] "r"(state)
			 : CLOBBERS);
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}

/* Each pair of operands once a round: 48 vpdpbusd. */
uint64_t kernel_avx512_vnni(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct vnni_seeds *s = seeds;
	uint64_t left = loops;

	__asm__ volatile(ALL(LOAD) "vmovups (%[u]), %%zmm12\n\t"
			 "vmovups 64(%[u]), %%zmm13\n\t"
			 "vmovups (%[s]), %%zmm14\n\t"
			 "vmovups 64(%[s]), %%zmm15\n\t"
			 ".p2align 6\n"
			 "1:\n\t" ALL(DOT00) ALL(DOT11) ALL(DOT01) ALL(DOT10) "dec %[left]\n\t"
			 "jnz 1b\n\t" ALL(STORE) "vzeroupper"
			 : [left] "+r"(left)
			 : [acc] "r"(s->acc), [u] "r"(s->u), [s] "r"(s->s), [state] "r"(state)
			 : CLOBBERS);
	return (uint64_t)loops * KERNEL_ACCUMULATORS * 4;
}
