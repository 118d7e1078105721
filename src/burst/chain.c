/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two chains of the ruler. In libkernels so that no sanitizer or profiler enters the loop. */
#include "config.h"

#include "burst/chain.h"

#define FOUR(x) x x x x
#define LINKS(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)

/* `dec` and `jnz` form a chain of their own, 1 cycle a pass, that runs ahead of the long one. */
void chain_imul(unsigned passes)
{
	unsigned link = 3, factor = 5;

	__asm__ volatile(".p2align 6\n"
			 "1:\n" LINKS("imul %[factor], %[link]\n")
			 "dec %[passes]\n"
			 "jnz 1b"
			 : [link] "+r"(link), [passes] "+r"(passes)
			 : [factor] "r"(factor)
			 : "cc");
}

/* Two registers: with an immediate, Golden Cove and later do the addition at rename, in no time. */
void chain_add(unsigned passes)
{
	unsigned long link = 3, step = 5;

	__asm__ volatile(".p2align 6\n"
			 "1:\n" LINKS("add %[step], %[link]\n")
			 "dec %[passes]\n"
			 "jnz 1b"
			 : [link] "+r"(link), [passes] "+r"(passes)
			 : [step] "r"(step)
			 : "cc");
}
