/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From paired clocks to a statement: pure statistics, tested on planted series. */
#ifndef AVXTOP_BURST_JUDGE_H
#define AVXTOP_BURST_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One pair, its two looks at most 5 ms apart, both undisturbed. */
struct pair {
	double before_hertz, during_hertz;
	double after_hertz; /* NAN: none */
};

/* Pairs whose base clock lies in one cell of a fixed logarithmic grid of JUDGE_GRID: the base clock
 * moves by itself, and two runs can be compared where they met the same base. Cells with few pairs
 * are merged with a neighbor that is near, or left out where they are rare and far from all others. */
struct base_group {
	double base_hertz;   /* the middle of the cell (of merged cells: of that with most pairs) */
	double during_hertz; /* what the pairs of this cell make of that clock */
	unsigned n;
};

#define JUDGE_MAX_GROUPS 16
#define JUDGE_GRID 0.005
/* Systematic floor: two looks at one clock, one of them between chunks, agree within this. It is
 * what the ruler promises (B in A-B-A within 0.3 %), and the scalar kernel, which cannot drop, must
 * stay below it. */
#define JUDGE_FLOOR 0.003
/* Fewer pairs give an estimate but no interval and no claim. */
#define JUDGE_MIN_PAIRS 6

struct judgment {
	double before_hertz; /* median; NAN without pairs */
	/* What the pairs make of before_hertz; so that a base clock that moved between the pairs
	 * cannot pose as a drop, as it could in a median of all clocks during the burst. */
	double during_hertz, after_hertz; /* after NAN without looks after */
	double drop_hertz, drop_ratio;	  /* positive: the clock fell */
	double low, high; /* 95 % interval of drop_ratio; NAN below JUDGE_MIN_PAIRS pairs */
	double noise;	  /* smallest drop that these pairs could have shown; NAN as low and high */
	unsigned pairs;
	bool seen; /* a drop beyond noise: low > 0 and drop_ratio > JUDGE_FLOOR */
	struct base_group groups[JUDGE_MAX_GROUPS]; /* ascending base */
	unsigned n_groups;
};

/* 0 or -ENOMEM. */
int judge(const struct pair *pairs, size_t n, struct judgment *ret);

/* Release of the low clock after a burst: looks after the last wide instruction, t in seconds. */
struct release_look {
	double t_s, hertz;
};
/* Seconds until the clock is back half way from `low` to `base` (at most the resolution where the
 * first looks are back already); INFINITY when no look is; NAN when no drop is there to be released
 * or the looks are too few. The shortest time that could have been seen goes to *ret_resolution_s
 * (NAN when that is unknown). */
double judge_release(const struct release_look *looks, size_t n, double base_hertz,
		     double low_hertz, double *ret_resolution_s);

/* The ends of a burst, one look each: right before the first wide instruction; in the first on
 * time, at most 5 ms later; and at the end of the lead-out, when no wide instruction has run for
 * SCHEDULE_LEAD_NS. NAN: disturbed, or not looked at. */
struct ends {
	double before_hertz, during_hertz, after_hertz;
};

/* Single looks that differ by less tell of no fall: a clock moves that much by itself (1 % on a
 * virtual machine whose neighbors come and go), and the smallest step of a license is one of 100
 * MHz. */
#define JUDGE_STILL 0.02

enum recovery { RECOVERY_UNKNOWN, RECOVERY_BACK, RECOVERY_STILL_LOW };
/* Is the clock that fell with the first wide instructions back after the last one, half way at
 * least? Such a clock may stay low for the whole of the burst: then no pair but the first shows a
 * drop, as there is no high "before" any more. That the fall came with the load is what tells it
 * from a base clock that moved by itself. noise: of the judgment; NAN unknown. */
enum recovery judge_recovery(const struct ends *ends, double noise);

/* Statistics that the workers need too; all sort `values` in place. NAN when n is 0. */
double judge_median(double *values, size_t n);
/* Median of the values within `ratio` above the lower quartile: times can be disturbed only upward. */
double judge_clean_median(double *values, size_t n, double ratio);

#endif
