/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chain CPU: keeps one CPU busy until SIGTERM, then prints the clock it saw, in hertz. The second,
 * independent look that tests compare avxtop with: plain chunks, wall time, no TSC, no code of
 * the program. A dependent 64-bit imul takes 3 cycles on every x86-64 core since 2008 but the small
 * ones of the Atom line (Agner Fog, instruction tables). */
#include "config.h"

#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Some 18 us: long beside the two readings of the clock (0.2 %), short beside the time between two
 * interruptions on a machine with other work, so that the median chunk has none. */
#define IMULS 20000u
#define KEEP (1u << 18)

static volatile sig_atomic_t stop;

static void on_term(int signal_number)
{
	(void)signal_number;
	stop = 1;
}

static double chunk_hertz(void)
{
	struct timespec a, b;
	uint64_t x = 3, n = IMULS / 10;

	clock_gettime(CLOCK_MONOTONIC_RAW, &a);
	__asm__ volatile("1:\n\t"
			 ".rept 10\n\t"
			 "imul %0, %0\n\t"
			 ".endr\n\t"
			 "dec %1\n\t"
			 "jnz 1b"
			 : "+r"(x), "+r"(n)
			 :
			 : "cc");
	clock_gettime(CLOCK_MONOTONIC_RAW, &b);
	return 3.0 * IMULS /
	       ((double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec));
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static double seen[KEEP];
	unsigned n = 0;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(argc > 1 ? strtoul(argv[1], NULL, 10) : 0, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return 1;
	signal(SIGTERM, on_term);
	while (!stop)
		seen[n++ % KEEP] = chunk_hertz();
	n = n < KEEP ? n : KEEP;
	qsort(seen, n, sizeof(seen[0]), compare);
	printf("%.0f\n", seen[n / 2]);
	return 0;
}
