/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The AMX kernels: 2 x 2 tiles of sums from two tiles of A and two of B, four products a round.
 * Sums of bytes are modulo 2^32 and forget nothing. bfloat16: whole numbers of -127 to 127, which it
 * holds exactly, with sums below 2^24, exact in float. So that they do without being zeroed (which
 * would forget a fault), A1 is -A0 but for one element a row: in four rounds each sum takes every
 * product A_i·B_j once, and they all but cancel. */
#include "config.h"

#include <string.h>

#include "burst/kernel_seed.h"

#define ROWS 16
#define PAIRS 16 /* 32-bit columns of a tile: sums, pairs of bfloat16, or fours of bytes */

/* Operand of LDTILECFG, palette 1 (Intel SDM vol. 2, LDTILECFG). */
struct tile_config {
	uint8_t palette, start_row, reserved[14];
	uint16_t colsb[16];
	uint8_t rows[16];
};
_Static_assert(sizeof(struct tile_config) == 64, "64 bytes");

struct bf16_seeds {
	float sums[4][ROWS][PAIRS];
	uint16_t a[2][ROWS][PAIRS * 2]; /* row m, depth k */
	uint16_t b[2][PAIRS][ROWS * 2]; /* depth k = 2 row + (column & 1), column n */
	struct tile_config config;
};

struct int8_seeds {
	uint32_t sums[4][ROWS][PAIRS];
	int8_t a[2][ROWS][PAIRS * 4]; /* row m, depth k */
	int8_t b[2][PAIRS][ROWS * 4]; /* depth k = 4 row + (column & 3), column n */
	struct tile_config config;
};
_Static_assert(sizeof(struct bf16_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");
_Static_assert(sizeof(struct int8_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");
_Static_assert(4 * ROWS * PAIRS <= KERNEL_STATE_WORDS, "state must fit");

static uint16_t to_bf16(int value)
{
	const float f = (float)value;
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return (uint16_t)(bits >> 16); /* 8 bits of mantissa hold |value| <= 256 */
}

static int from_bf16(uint16_t half)
{
	const uint32_t bits = (uint32_t)half << 16;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return (int)f;
}

static int random_int(uint32_t *random, unsigned limit)
{
	return (int)(kernel_random(random) >> 8) % (int)(2 * limit + 1) - (int)limit;
}

static void configure(struct tile_config *config)
{
	memset(config, 0, sizeof(*config));
	config->palette = 1;
	for (unsigned tile = 0; tile < 8; tile++) {
		config->colsb[tile] = PAIRS * 4;
		config->rows[tile] = ROWS;
	}
}

void kernel_amx_bf16_seed(void *seeds)
{
	struct bf16_seeds *s = seeds;
	uint32_t random = 0x5eed0004;

	for (unsigned row = 0; row < ROWS; row++) {
		for (unsigned k = 0; k < PAIRS * 2; k++) {
			/* ±126: one element of A1 is moved by 1 below */
			const int a = random_int(&random, 126);

			s->a[0][row][k] = to_bf16(a);
			s->a[1][row][k] = to_bf16(k == row * 2 ? 1 - a : -a);
			s->b[0][row][k] = to_bf16(random_int(&random, 127));
			s->b[1][row][k] = to_bf16(random_int(&random, 127));
		}
		for (unsigned tile = 0; tile < 4; tile++)
			for (unsigned n = 0; n < PAIRS; n++)
				s->sums[tile][row][n] = (float)random_int(&random, 1u << 20);
	}
	configure(&s->config);
}

void kernel_amx_int8_seed(void *seeds)
{
	struct int8_seeds *s = seeds;
	uint32_t *const words = seeds;
	uint32_t random = 0x5eed0006;

	for (unsigned i = 0; i < offsetof(struct int8_seeds, config) / sizeof(*words); i++)
		words[i] = kernel_random(&random);
	configure(&s->config);
}

/* tmm0-3: sums; tmm4, 5: A0, A1; tmm6, 7: B0, B1. One round adds one product to each sum. */
#define DP(op, sum, a, b) op " %%tmm" #b ", %%tmm" #a ", %%tmm" #sum "\n\t"
#define ROUND(op, a0, b0, a1, b1, a2, b2, a3, b3)                                                  \
	DP(op, 0, a0, b0) DP(op, 1, a1, b1) DP(op, 2, a2, b2) DP(op, 3, a3, b3)
#define LOAD(tile, from) "tileloadd (%[" #from "], %[stride], 1), %%tmm" #tile "\n\t"
#define STORE(tile) "tilestored %%tmm" #tile ", " #tile "*1024(%[state], %[stride], 1)\n\t"
#define LOAD_SUM(tile) "tileloadd " #tile "*1024(%[sums], %[stride], 1), %%tmm" #tile "\n\t"
/* The whole kernel: 16 products a loop. s: its seeds, whose members have the same names and sizes. */
#define RUN(op, s, loops_left, to)                                                                 \
	__asm__ volatile("ldtilecfg (%[config])\n\t"                                               \
			 LOAD_SUM(0) LOAD_SUM(1) LOAD_SUM(2) LOAD_SUM(3)                           \
			 LOAD(4, a0) LOAD(5, a1) LOAD(6, b0) LOAD(7, b1)                           \
			 ".p2align 6\n"                                                            \
			 "1:\n\t"                                                                  \
			 ROUND(op, 4, 6, 4, 7, 5, 6, 5, 7)                                         \
			 ROUND(op, 4, 7, 5, 6, 5, 7, 4, 6)                                         \
			 ROUND(op, 5, 6, 5, 7, 4, 6, 4, 7)                                         \
			 ROUND(op, 5, 7, 4, 6, 4, 7, 5, 6)                                         \
			 "dec %[left]\n\t"                                                         \
			 "jnz 1b\n\t"                                                              \
			 STORE(0) STORE(1) STORE(2) STORE(3)                                       \
			 "tilerelease"                                                             \
			 : [left] "+r"(loops_left)                                                 \
			 : [config] "r"(&(s)->config), [sums] "r"((s)->sums),                      \
			   [a0] "r"((s)->a[0]), [a1] "r"((s)->a[1]), [b0] "r"((s)->b[0]),          \
			   [b1] "r"((s)->b[1]), [state] "r"(to), [stride] "r"((uint64_t)64)        \
			 : "cc", "memory")

uint64_t kernel_amx_bf16(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct bf16_seeds *s = seeds;
	uint64_t left = loops;

	RUN("tdpbf16ps", s, left, state);
	return (uint64_t)loops * 16;
}

uint64_t kernel_amx_int8(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct int8_seeds *s = seeds;
	uint64_t left = loops;

	RUN("tdpbssd", s, left, state);
	return (uint64_t)loops * 16;
}

void kernel_amx_bf16_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct bf16_seeds *s = seeds;

	for (unsigned m = 0; m < ROWS; m++) {
		for (unsigned n = 0; n < PAIRS; n++) {
			int64_t cycle = 0; /* what each sum gains in one loop: all four products */

			for (unsigned k = 0; k < PAIRS * 2; k++) {
				const unsigned column = n * 2 + (k & 1);

				cycle += (int64_t)(from_bf16(s->a[0][m][k]) + from_bf16(s->a[1][m][k])) *
					 (from_bf16(s->b[0][k / 2][column]) +
					  from_bf16(s->b[1][k / 2][column]));
			}
			for (unsigned tile = 0; tile < 4; tile++) {
				const float sum = (float)((int64_t)s->sums[tile][m][n] + cycle * loops);

				memcpy(&state[(tile * ROWS + m) * PAIRS + n], &sum, sizeof(sum));
			}
		}
	}
}

void kernel_amx_int8_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct int8_seeds *s = seeds;

	for (unsigned m = 0; m < ROWS; m++) {
		for (unsigned n = 0; n < PAIRS; n++) {
			int32_t gain = 0; /* of each sum in one loop: all four products */

			for (unsigned k = 0; k < PAIRS * 4; k++) {
				const unsigned column = n * 4 + (k & 3);

				gain += (s->a[0][m][k] + s->a[1][m][k]) *
					(s->b[0][k / 4][column] + s->b[1][k / 4][column]);
			}
			for (unsigned tile = 0; tile < 4; tile++)
				state[(tile * ROWS + m) * PAIRS + n] =
					s->sums[tile][m][n] + (uint32_t)gain * loops;
		}
	}
}
