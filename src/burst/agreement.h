/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the figures of one load fit each other: a clock that others contradict is not printed. Pure. */
#ifndef AVXTOP_BURST_AGREEMENT_H
#define AVXTOP_BURST_AGREEMENT_H

#include <stdbool.h>

/* What one driven CPU tells; NAN: not known. */
struct agreement_cpu {
	unsigned id;
	const char *kind; /* of core */
	double hertz;	  /* by the ruler */
	double peak_ratio; /* what it did a cycle of that clock, by what the core can do at most */
	double reach;	  /* of which the kernel reaches so much by itself */
	double time_ratio; /* share of its time that other programs left it */
	double steal_ratio; /* what the hypervisor says it took */
	double sibling_ratio; /* how busy the busiest SMT sibling is; 0: it has none */
	bool verified;
	const char *why; /* why there is no clock, where that is known; "" and NULL: not known */
};

/* Beyond theory: core_rate() tells half from full units by the same 3 %. Below 0.8 of what it reaches no
 * kernel falls on its own; a busy sibling may then hold up the ruler, too, by up to 14 % (measured on
 * Golden Cove, whose port of imul does half of 256-bit FMA code). */
#define AGREEMENT_ABOVE 1.03
#define AGREEMENT_BELOW 0.8
#define AGREEMENT_STEAL 0.05	/* a hypervisor that takes less does not halve a rate */
#define AGREEMENT_SIBLING 0.1	/* nor does a sibling that is less busy */
#define AGREEMENT_TIME 0.9	/* other programs took a tenth: the rate is what they left */
/* CPUs of one load: they may differ by nature, as favored cores do, and by where their base clock was;
 * said beyond the first, no one clock beyond the second. */
#define AGREEMENT_NEAR 0.02
#define AGREEMENT_APART 0.05

enum agreement_finding {
	AGREEMENT_FINE,
	AGREEMENT_WRONG,    /* results that are not right, or none */
	AGREEMENT_CLOCKLESS, /* the ruler has none */
	AGREEMENT_KINDS,    /* cores of several kinds */
	AGREEMENT_TOO_FAST, /* the count or the clock is wrong */
	AGREEMENT_SIBLING_BUSY,
	AGREEMENT_STOLEN,
	AGREEMENT_THROTTLED,
	AGREEMENT_DIFFER,   /* the clocks of the CPUs */
	AGREEMENT_N
};

struct agreement {
	enum agreement_finding finding; /* all but FINE: no clock may be printed */
	char why[256];	/* one sentence without the final period; "" where all is fine */
	char note[256]; /* by how much clocks differ that are all right; "" nothing to say */
	char time_note[256]; /* who took the CPU's time, which lowers the rate over time alone; "" nobody */
};

/* A key for machines: "too-fast". */
const char *agreement_name(enum agreement_finding finding);
/* virtual_machine: siblings may be there that nobody here can see. n: at least 1. */
void agreement_find(const struct agreement_cpu *cpus, unsigned n, bool virtual_machine,
		    struct agreement *ret);

#endif
