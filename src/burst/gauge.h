/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler: the clock of the core that runs this code, by timing a chain of known latency.
 * Method and figures: README of tests/bench; chains measured on 30 cores (data/cores). */
#ifndef AVXTOP_BURST_GAUGE_H
#define AVXTOP_BURST_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/chain.h"
#include "burst/core.h"

/* Once a process, on any CPU: rate of the TSC against CLOCK_MONOTONIC_RAW (two brackets, narrowest
 * of 9, ≥ 5 ms apart). -ENOTSUP with a problem where the TSC is trapped, not invariant or absurd
 * (< 100 MHz, > 10 GHz). */
int gauge_tsc_calibrate(double *ret_hertz, struct problem *ret_problem);
/* A TSC value and CLOCK_MONOTONIC_RAW at the same moment, to some 20 ns. */
struct gauge_moment {
	uint64_t tsc, raw_ns;
};
struct gauge_moment gauge_moment(void);
/* rdtscp; lfence. */
uint64_t gauge_tsc(void);

enum gauge_flag {
	GAUGE_FEW_KEPT = 1,   /* < 85 % of the long sub-samples near the shortest ones */
	GAUGE_MOVED = 2,      /* halves differ by > 0.5 %, or all by 0.3 %: the clock moved inside */
	GAUGE_WITNESS = 4,    /* by the witness the chain was > 0.5 % slow, or it itself > 10 % */
	GAUGE_IMPOSSIBLE = 8, /* the longer chains took no longer than the shorter ones */
};

/* One look at the clock: usable when flags == 0. cycles and ticks of several looks may be added up:
 * the noise of the sum falls with their number. */
struct gauge_look {
	double cycles, ticks;	/* of the chains alone, the cost of taking time stamps removed */
	double spread;		/* MAD of the sub-samples' residuals over their median */
	double cost_ticks;	/* of one time stamp, as found by the two lengths */
	double witness;		/* cycles a link that the chain has by the witness; NAN without one.
				 * Below the latency: a busy SMT sibling delays the witness, whose
				 * links must issue every cycle, while the ruler's hardly wait */
	unsigned kept, taken;	/* long sub-samples near the shortest / all of them */
	uint64_t gap_ticks, span_ticks; /* lost to jumps (> 10 % of a long sub-sample) / whole probe */
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
/* Takes about 2 ms, up to 15 beside a noisy neighbor. -ENOTSUP when the ratio imul : add fits no core ("not calibrated"). */
int gauge_core_calibrate(const struct core_table *table, const char *uarch,
			 struct gauge_core *ret, struct problem *ret_problem);

/* A whole probe, about 45 us of pinned CPU at 3.4 GHz: 16 chained sub-samples of 2 us between 2 × 16
 * of 40 ns, and four of 1 us of the witness. Flag GAUGE_WITNESS compares with imul_cycles. */
void gauge_probe(double imul_cycles, struct gauge_look *ret);
/* A short segment for use between the chunks of a burst: `longs` (1 to 8) sub-samples of 2 us between
 * 2 × 4 of 40 ns, no witness; 5 us for 2 of them. Good to about 0.2 % for 2 of them where the TSC steps
 * by 10 ns (AMD); add up cycles and ticks of several for more. */
void gauge_segment(double imul_cycles, unsigned longs, struct gauge_look *ret);
/* As gauge_probe(), with any chain of about `latency` cycles a link beside a reference chain whose
 * latency is known: look.witness is the latency that the first has by the second. */
void gauge_chain(chain_fn *chain, double latency, chain_fn *reference, double reference_latency,
		 struct gauge_look *ret);

/* cycles / ticks × tsc_hertz; NAN when flagged or outside 100 MHz … 10 GHz. */
double gauge_hertz(const struct gauge_look *look, double tsc_hertz);

/* --- The pure half, for tests with planted series (gauge_analyze.c). --- */

enum gauge_part { GAUGE_LONG, GAUGE_SHORT, GAUGE_REFERENCE, GAUGE_PARTS };
#define GAUGE_SERIES_MAX 64u

/* Sub-samples taken one right after the other: the end of one is the start of the next. */
struct gauge_series {
	unsigned n;
	uint8_t part[GAUGE_SERIES_MAX];	   /* enum gauge_part */
	uint32_t ticks[GAUGE_SERIES_MAX];  /* that each took, saturated */
	double cycles[GAUGE_PARTS];	   /* core cycles of each part's chain */
};

/* Fills all but span_ticks and tsc. latency: cycles a link of the chain of which series->cycles are
 * reckoned; scales `witness` only. */
void gauge_analyze(const struct gauge_series *series, double latency, struct gauge_look *ret);

/* What gauge_tsc_calibrate() found out about the TSC. */
struct gauge_tsc_facts {
	bool invariant;	       /* by CPUID */
	bool guest;	       /* under a hypervisor, which may mask that flag: then the rates decide */
	uint64_t pair_cost_ns; /* of two time stamps; over 800: reading it is trapped */
	double hertz, early_hertz, late_hertz; /* over all of the time, and its halves */
};
/* 0: usable; -ENOTSUP with the reason. */
int gauge_tsc_judge(const struct gauge_tsc_facts *facts, struct problem *ret_problem);

#endif
