/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel_*.c files share: their declarations, seeds and a small random generator. */
#ifndef AVXTOP_BURST_KERNEL_SEED_H
#define AVXTOP_BURST_KERNEL_SEED_H

#include <stdint.h>

#include "burst/kernel.h"

#define KERNEL_ACCUMULATORS 12 /* more than latency × units of any core: 4 or 5 cycles × 2 */
#define KERNEL_LANES 16	       /* 32-bit lanes of a zmm register; ymm code uses the first 8 */

/* acc = acc·a0 + b, acc = acc·a1 + b with a0·a1 = -1: every second round ends where it began but
 * for rounding, so that values stay bounded and normal, and a wrong bit is not forgotten. */
struct fma_seeds {
	float acc[KERNEL_ACCUMULATORS][KERNEL_LANES];
	float a0[KERNEL_LANES], a1[KERNEL_LANES], b[KERNEL_LANES];
};

/* acc = (acc + add) ^ xor: a bijection. */
struct int_seeds {
	uint32_t acc[KERNEL_ACCUMULATORS][KERNEL_LANES];
	uint32_t add[KERNEL_LANES], xor[KERNEL_LANES];
};

/* acc += u·s, for each pair of a u and an s: whole numbers modulo 2^32, where no fault is forgotten. */
struct vnni_seeds {
	uint32_t acc[KERNEL_ACCUMULATORS][KERNEL_LANES];
	uint8_t u[2][KERNEL_LANES * 4];
	int8_t s[2][KERNEL_LANES * 4];
};

/* xorshift32 (Marsaglia 2003, triple 13, 17, 5); state != 0. */
static inline uint32_t kernel_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

void kernel_scalar_seed(void *seeds);
void kernel_fma_seed(void *seeds);
void kernel_int_seed(void *seeds);
void kernel_vnni_seed(void *seeds);
void kernel_amx_bf16_seed(void *seeds);
void kernel_amx_int8_seed(void *seeds);

#define KERNEL(id, function, ...)                                                                  \
	kernel_fn function;                                                                        \
	void function##_reference(unsigned loops, const void *seeds, uint32_t *state);
#define COPY(id, function, ...) copy_fn function;
#include "burst/kernel_rows.h"
#undef COPY
#undef KERNEL

/* The wide FMA kernels differ only in their lanes, and so do the integer kernels. */
void kernel_fma_reference(unsigned loops, unsigned lanes, const struct fma_seeds *seeds,
			  uint32_t *state);
void kernel_int_reference(unsigned loops, unsigned lanes, const struct int_seeds *seeds,
			  uint32_t *state);

#endif
