/* The ruler: the clock of the core that runs this code, by timing a chain of known latency.
 * Method and figures: README of tests/bench; chains measured on 30 cores (data/cores). */
#ifndef AVXTOP_BURST_GAUGE_H
#define AVXTOP_BURST_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/core.h"

/* Once a process, on any CPU: rate of the TSC against CLOCK_MONOTONIC_RAW (two brackets, narrowest
 * of 9, ≥ 5 ms apart). -ENOTSUP with a problem where the TSC is trapped, not invariant or absurd
 * (< 100 MHz, > 10 GHz). */
int gauge_tsc_calibrate(double *ret_hertz, struct problem *ret_problem);
/* rdtscp; lfence. */
uint64_t gauge_tsc(void);

enum gauge_flag {
	GAUGE_FEW_KEPT = 1,   /* < 75 % of the sub-samples near their median */
	GAUGE_MOVED = 2,      /* halves differ by > 0.5 %: the P-state moved inside */
	GAUGE_WITNESS = 4,    /* imul : add is off by > 0.5 % */
	GAUGE_IMPOSSIBLE = 8, /* < 100 MHz or > 10 GHz */
};

/* One look at the clock. hertz = cycles / ticks × tsc_hertz; usable when flags == 0. */
struct gauge_look {
	double cycles, ticks;	/* of the long chains less the short ones */
	double spread;		/* MAD of the sub-samples over their median */
	unsigned kept, taken;	/* sub-samples near their median / all */
	uint64_t gap_ticks, span_ticks; /* lost to jumps (beyond 2 × median) / whole probe */
	uint64_t tsc;		/* at the end */
	unsigned flags;		/* enum gauge_flag */
};

/* What was found out about the core that the calling thread is pinned to. */
struct gauge_core {
	double imul_cycles;		    /* latency of the ruler's chain; 0: not calibrated */
	struct core_fingerprint fingerprint;
	const struct core_row *row; /* recognized; NULL unknown */
	bool ambiguous;
};
/* Takes about 3 ms. -ENOTSUP when the ratio imul : add fits no core ("not calibrated"). */
int gauge_core_calibrate(const struct core_table *table, const char *uarch,
			 struct gauge_core *ret, struct problem *ret_problem);

/* A whole probe, ≤ 60 us of pinned CPU: 16 pairs of 0.5 and 1.5 us plus a few witness pairs. */
void gauge_probe(double imul_cycles, struct gauge_look *ret);
/* A short segment for use between the chunks of a burst: `pairs` (≤ 8) pairs of ≤ 0.5 + 1 us. */
void gauge_segment(double imul_cycles, unsigned pairs, struct gauge_look *ret);

double gauge_hertz(const struct gauge_look *look, double tsc_hertz);

#endif
