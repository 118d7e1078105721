/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scalar kernel: what "no vector unit" costs and clocks. Chains of add and xor between
 * registers, which no core eliminates at rename (add with a small immediate is, on Golden Cove);
 * more of them than any core has scalar units, so that none waits for its own chain. */
#include "config.h"

#include <string.h>

#include "burst/kernel_seed.h"

#define CHAINS 8
#define STEPS 4 /* add and xor of each chain in one round of the loop */

struct scalar_seeds {
	uint64_t acc[CHAINS], add, xor;
};
_Static_assert(sizeof(struct scalar_seeds) <= KERNEL_SEED_BYTES, "seeds must fit");

void kernel_scalar_seed(void *seeds)
{
	struct scalar_seeds *s = seeds;
	uint32_t random = 0x5eed0001;
	uint64_t *const words = (uint64_t *)(void *)s;

	for (unsigned i = 0; i < sizeof(*s) / sizeof(*words); i++) {
		words[i] = (uint64_t)kernel_random(&random) << 32;
		words[i] |= kernel_random(&random);
	}
}

#define ALL(x) x(a) x(b) x(c) x(d) x(e) x(f) x(g) x(h)
#define ADD(acc) "add %[add], %[" #acc "]\n\t"
#define XOR(acc) "xor %[xor], %[" #acc "]\n\t"
#define STEP ALL(ADD) ALL(XOR)

uint64_t kernel_scalar(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct scalar_seeds *s = seeds;
	uint64_t a = s->acc[0], b = s->acc[1], c = s->acc[2], d = s->acc[3];
	uint64_t e = s->acc[4], f = s->acc[5], g = s->acc[6], h = s->acc[7];
	uint64_t left = loops;

	__asm__ volatile(".p2align 6\n"
			 "1:\n\t" STEP STEP STEP STEP "dec %[left]\n\t"
			 "jnz 1b"
			 : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d), [e] "+r"(e),
			   [f] "+r"(f), [g] "+r"(g), [h] "+r"(h), [left] "+r"(left)
			 : [add] "r"(s->add), [xor] "r"(s->xor)
			 : "cc");
	const uint64_t end[CHAINS] = { a, b, c, d, e, f, g, h };

	memcpy(state, end, sizeof(end));
	return (uint64_t)loops * STEPS * CHAINS * 2;
}

void kernel_scalar_reference(unsigned loops, const void *seeds, uint32_t *state)
{
	const struct scalar_seeds *s = seeds;
	uint64_t end[CHAINS];

	for (unsigned i = 0; i < CHAINS; i++) {
		uint64_t acc = s->acc[i];

		for (uint64_t step = 0; step < (uint64_t)loops * STEPS; step++)
			acc = (acc + s->add) ^ s->xor;
		end[i] = acc;
	}
	memcpy(state, end, sizeof(end));
}
