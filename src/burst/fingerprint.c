/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chains that tell cores apart; see chain.c for how a chain is built. */
#include "config.h"

#include "burst/fingerprint.h"

#define FOUR(x) x x x x
#define LINKS(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
#define CHAIN(links) ".p2align 6\n1:\n" LINKS(links "\n") "dec %[passes]\njnz 1b"

/* Neutral operands keep the value at 1: no overflow, no denormals. */
void chain_addsd(unsigned passes)
{
	double link = 1, zero = 0;

	__asm__ volatile(CHAIN("addsd %[zero], %[link]")
			 : [link] "+x"(link), [passes] "+r"(passes)
			 : [zero] "x"(zero)
			 : "cc");
}

void chain_mulsd(unsigned passes)
{
	double link = 1, one = 1;

	__asm__ volatile(CHAIN("mulsd %[one], %[link]")
			 : [link] "+x"(link), [passes] "+r"(passes)
			 : [one] "x"(one)
			 : "cc");
}

void chain_load(unsigned passes)
{
	/* Never written, so that no load is fed by a store on its way. */
	static const void *const self = &self;
	const void *link = &self;

	__asm__ volatile(CHAIN("mov (%[link]), %[link]")
			 : [link] "+r"(link), [passes] "+r"(passes)
			 : "m"(self)
			 : "cc");
}

void chain_popcnt(unsigned passes)
{
	unsigned long link = 3;

	__asm__ volatile(CHAIN("popcnt %[link], %[link]")
			 : [link] "+r"(link), [passes] "+r"(passes)
			 :
			 : "cc");
}

void chain_bswap(unsigned passes)
{
	unsigned long link = 3;

	__asm__ volatile(CHAIN("bswap %[link]")
			 : [link] "+r"(link), [passes] "+r"(passes)
			 :
			 : "cc");
}

/* VEX.128 clears the upper halves of its destination, so nothing is left dirty. */
void chain_fma(unsigned passes)
{
	double link = 1, one = 1, zero = 0;

	__asm__ volatile(CHAIN("vfmadd213sd %[zero], %[one], %[link]")
			 : [link] "+x"(link), [passes] "+r"(passes)
			 : [one] "x"(one), [zero] "x"(zero)
			 : "cc");
}

bool chain_has_popcnt(void)
{
	return __builtin_cpu_supports("popcnt");
}

bool chain_has_fma(void)
{
	return __builtin_cpu_supports("fma");
}
