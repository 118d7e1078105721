/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler's chain without a loop. In libkernels so that no sanitizer or profiler enters it. */
#include "config.h"

#include "burst/straight.h"

#define TEXT(x) TEXT_OF(x)
#define TEXT_OF(x) #x

unsigned straight(unsigned link)
{
	__asm__ volatile(".rept " TEXT(STRAIGHT_LINKS) "\n"
			 "imul %[factor], %[link]\n"
			 ".endr"
			 : [link] "+r"(link)
			 : [factor] "r"(5)
			 : "cc");
	return link;
}
