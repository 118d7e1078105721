/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kind of core is, recognized by its latencies (table: data/cores). CPUID may lie. */
#ifndef AVXTOP_BURST_CORE_H
#define AVXTOP_BURST_CORE_H

#include <stdbool.h>

#include "base/problem.h"

/* Latencies in core cycles, throughputs in instructions a cycle; NAN not known. Sources are named
 * in each section of data/cores. */
struct core_row {
	char name[48];	      /* "Golden Cove" */
	double imul, addsd, mulsd, fma, load, popcnt, bswap; /* latencies that tell cores apart */
	double fma128, fma256, fma512; /* FMA instructions a cycle */
	double int256, int512;	       /* vpaddd/vpxor instructions a cycle */
	double vnni512;		       /* vpdpbusd instructions a cycle */
	double scalar;		       /* add/xor instructions a cycle */
	double sse;		       /* mulps+addps instructions a cycle */
	double amx_bf16, amx_int8;     /* tdp* instructions a cycle */
	/* What products with fewer or narrower units of the same core reach; NAN: there are none.
	 * The latencies cannot tell them apart: see core_rate(). */
	double fma512_alt, int512_alt, vnni512_alt;
};

struct core_table;
/* Built-in copy, or $AVXTOP_DATADIR/cores when set. */
int core_table_load(struct core_table **ret, struct problem *ret_problem);
/* The same from the text of one or more files of data/cores; -EINVAL names the bad line. Pure. */
int core_table_parse(const char *const *texts, unsigned n_texts, struct core_table **ret,
		     struct problem *ret_problem);
void core_table_free(struct core_table *table);
unsigned core_table_count(const struct core_table *table);
const struct core_row *core_table_get(const struct core_table *table, unsigned index);

/* Measured on the calling thread's CPU, in units of the 1-cycle chain; needs pinning. */
struct core_fingerprint {
	double imul, addsd, mulsd, fma, load, popcnt, bswap; /* NAN: not measurable here */
};
/* The row whose latencies all lie within 0.12 of the measured ones, nearest first; candidates that
 * also fit CPUID's name (host_kind.uarch) win ties. NULL: unknown core. `ambiguous`: several fit
 * and the name decides between none of them. */
const struct core_row *core_recognize(const struct core_table *table,
				      const struct core_fingerprint *measured, const char *uarch,
				      bool *ret_ambiguous);

/* The theoretical rate of a class whose units differ between products of one core: the smallest of
 * `rate` and `alt` that the measured instructions a cycle do not exceed by more than 3 % (a core
 * cannot do more than its units; half of the units cannot be exceeded by accident). NAN measured,
 * rate or no alt: `rate`. */
double core_rate(double rate, double alt, double measured);

#endif
