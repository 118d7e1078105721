/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock across one burst, from the sub-samples of many: aligned, what disturbed them left out,
 * and what happened in words of phases. Pure, so that every shape and every disturbance can be
 * planted by a test. */
#ifndef AVXTOP_BURST_TIMELINE_H
#define AVXTOP_BURST_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "burst/judge.h"

/* A scalar step is a chain of known cycles: it tells the clock. A wide one is a piece of the load: it
 * tells the rate. All epochs of a series have the same steps, one right behind the other. */
struct timeline_step {
	bool wide;
	double work; /* core cycles of the chain, or counted instructions of the load */
};

/* One burst with what stands before and after it. ticks[i] is from the end of step i - 1 (begin_tsc)
 * to the end of step i, saturated. A victim's steps are all scalar, and run on another CPU. */
struct timeline_epoch {
	uint64_t begin_tsc;
	uint64_t first_tsc, last_tsc; /* of the burst: before its first, after its last wide instruction */
	const uint32_t *ticks;
};

struct timeline_input {
	const struct timeline_step *steps;
	size_t n_steps;
	const struct timeline_epoch *epochs;
	size_t n_epochs;
	double tsc_hertz;
};

/* Why an epoch was left out. */
enum timeline_drop {
	TIMELINE_GAP,	/* interrupted, or time stolen, for too long or right at an edge */
	TIMELINE_MOVED, /* its own base clock moved by itself meanwhile */
	TIMELINE_DROPS
};

struct timeline_bucket {
	double t_s, width_s;  /* middle; 0 at the first wide instruction */
	double clock_ratio;   /* median over epochs, against each epoch's own base clock; NAN none */
	double rate_ratio;    /* of the load, against its rate at the base clock; NAN outside the burst */
	double low, high; /* the middle half of the epochs, and the median: spread of clock_ratio
			   * (of rate_ratio where only that is known) */
	double error;	      /* standard error of that median */
	unsigned n;	      /* epochs in it */
};

enum timeline_phase_id {
#define TIMELINE_PHASE(id, ...) TIMELINE_##id,
#include "burst/timeline_rows.h"
#undef TIMELINE_PHASE
	TIMELINE_PHASES
};

/* What of it is a number depends on the phase (timeline_rows.h): NAN where it has none. */
struct timeline_phase {
	bool seen;
	double begin_s;	       /* on the time line */
	double duration_s;     /* hold: after the last wide instruction; recovered: is `after_s`; of
				* several throttles or halts at the entry, the sum */
	double low_s, high_s;  /* 95 % interval of duration_s; at least: high_s INFINITY */
	double ratio;	       /* throttle: rate_ratio; low_clock: drop_ratio */
	double low, high;      /* 95 % interval of ratio */
	double hertz;	       /* low_clock: that clock */
	double limit_s, limit; /* not seen: what could not have been seen, shorter or smaller than this */
};

struct timeline {
	double before_hertz;	  /* median of the epochs' base clocks; NAN none */
	double burst_s;		  /* median length of the burst */
	unsigned epochs;	  /* that count */
	unsigned dropped[TIMELINE_DROPS];
	double gap_ratio;	  /* share of the time that gaps took, of all epochs */
	struct timeline_bucket *buckets;
	size_t n_buckets;
	struct timeline_phase phases[TIMELINE_PHASES];
	/* Base clock by base clock, as a burst's: before, and in the later half of the burst,
	 * throttle and halt left out; behind a burst that is too short for that, where a low clock
	 * follows. */
	struct judgment judgment;
};

/* JSON key, words for people, and which of the numbers belong to the phase. */
struct timeline_phase_row {
	const char *name, *title;
	const char *duration_key, *ratio_key; /* NULL: has none */
	bool hertz;
};
const struct timeline_phase_row *timeline_phase_row(enum timeline_phase_id id);

/* Below 20 epochs nothing but the low clock is told: interrupts could pose as phases, so limits are
 * NAN. 0, -ENOMEM, or -ENODATA where no epoch is left; then *ret tells why by its counts. */
int timeline_analyze(const struct timeline_input *input, struct timeline *ret);
/* One of which nothing is known: numbers are NAN, nothing is seen. */
void timeline_none(struct timeline *timeline);
/* What it holds, not itself; all zeros is fine. */
void timeline_clear(struct timeline *timeline);

#endif
