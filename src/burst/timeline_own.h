/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files of the time line: epochs → buckets → segments → phases. */
#ifndef AVXTOP_BURST_TIMELINE_OWN_H
#define AVXTOP_BURST_TIMELINE_OWN_H

#include "burst/timeline.h"

/* The coarsest TSC known steps by 10 ns (AMD). What lies this near to the median of times is no
 * outlier, however equal most of them are. */
#define TIMELINE_STEP_S 25e-9

/* What an interrupt takes at least, and how much longer than expected a step is by its noise: more
 * than both is a gap. Guests are interrupted for 1 to 3 us. */
#define TIMELINE_GAP_S 0.3e-6
#define TIMELINE_GAP_RATIO 0.1

/* An epoch that counts. Times of it are ticks since its first wide instruction. */
struct timeline_base {
	const struct timeline_epoch *epoch;
	double begin;		/* of its first step */
	double burst;		/* length of the burst */
	double cycles_per_tick; /* before the burst */
};

struct timeline_work {
	const struct timeline_input *input;
	struct timeline_base *bases; /* those that count come first */
	size_t n_bases, n_all;
	size_t first_wide, last_wide; /* steps; n_steps: none */
	double cost, cost_error;      /* of a time stamp, in core cycles */
	double per_cycle;	      /* work of the load, late in the burst; NAN unknown */
	double burst;		      /* median length, in ticks */
	double half;	 /* up to here time is aligned at the first, then at the last */
	double from, to; /* of the time line, in ticks */
};

enum timeline_kind { TIMELINE_SCALAR, TIMELINE_WIDE, TIMELINE_KINDS };

/* Median over epochs in one bucket, of one kind of steps. */
struct timeline_point {
	double begin, end; /* ticks */
	double ratio;	   /* speed against the base clock */
	double error;	   /* standard error of it */
	double low, high;
	double samples; /* how many sub-samples lie in it, as a mean of the epochs */
	unsigned n;
};

/* A stretch of one level; points [from, to). Between two of them lie points of neither, that a
 * change inside of a bucket or of a sub-sample makes. */
struct timeline_segment {
	size_t from, to;
	double begin, end; /* ticks, inside of buckets */
	double begin_error, end_error;
	double level, error;
	double samples;
};

/* timeline_stat.c: share of the epochs that something disturbed. */
double timeline_left_out(const struct timeline *timeline);
/* Of n values, reordered; NAN without. */
float timeline_select(float *values, size_t n, size_t k);
double timeline_median(float *values, size_t n);
/* The median, sharpened: mean of what lies near it, since the median of times that are counted in
 * steps is one of the steps. near: what is no outlier at least, as a share of the median. */
struct timeline_center {
	double middle, low, high, error;
};
struct timeline_center timeline_center(float *values, size_t n, double near);

/* timeline_epochs.c: base clock of each, cost of a time stamp, which ones count. 0 or -ENOMEM. */
int timeline_epochs(struct timeline_work *work, struct timeline *into);

/* timeline_clock.c */
/* Cycles of a step by its work, with its time stamp; NAN for a wide one of unknown rate. */
double timeline_cycles(const struct timeline_work *work, size_t step);
/* Scalar steps that no gap stretched: cycles of their chains, ticks, number. */
struct timeline_sum {
	double work, time, n;
};
/* Time of steps, in cycles of the base clock, by their work. The line through them has the cost of
 * a time stamp where it crosses zero, at whatever clock they ran. */
struct timeline_class {
	double work, cycles, squares, n;
};
#define TIMELINE_CLASSES 8
struct timeline_classes {
	struct timeline_class at[TIMELINE_CLASSES];
	size_t n;
};
struct timeline_line {
	double slope, cost, error; /* error: of the cost */
};
void timeline_count(struct timeline_classes *classes, double work, double cycles);
/* False: not told by two lengths. */
bool timeline_fit(const struct timeline_classes *classes, struct timeline_line *ret);
/* The steps of an epoch that lie wholly between two times (of the time line), also added to
 * classes. False: too few. scratch: room for n_steps. */
bool timeline_look(const struct timeline_work *work, const struct timeline_base *base, double from,
		   double to, float *scratch, struct timeline_sum *ret,
		   struct timeline_classes *classes);

/* Clock of scalar steps [from, to), in cycles a tick; NAN when too few are undisturbed. */
double timeline_clock(const struct timeline_work *work, const uint32_t *ticks, size_t from,
		      size_t to, float *scratch);
/* Scalar steps in a cycle of theirs between two times, as the first epoch has them; NAN none. */
double timeline_density(const struct timeline_work *work, double from, double to);

/* timeline_buckets.c: points[TIMELINE_KINDS][*n], to be freed; 0 or -ENOMEM. */
int timeline_buckets(struct timeline_work *work, struct timeline_point **ret_points, size_t *ret_n);

/* timeline_gaps.c: share of the time of all epochs, also of those left out, that steps took longer
 * than the points tell. NAN without any time. */
double timeline_gaps(const struct timeline_work *work, const struct timeline_point *points,
		     size_t n);

/* timeline_split.c: points without a ratio are passed over; segments to be freed. 0 or -ENOMEM.
 * rough: a rate. *ret_scale: by how much more than its errors tell the series scatters. */
int timeline_split(const struct timeline_point *points, size_t n, double tsc_hertz, bool rough,
		   struct timeline_segment **ret, size_t *ret_n, double *ret_scale);
/* Standard errors that a change must reach among n points. */
double timeline_threshold(size_t n);

/* What is known before phases are told. */
struct timeline_view {
	const struct timeline_work *work;
	struct timeline *into;
	const struct timeline_point *points[TIMELINE_KINDS];
	size_t n;
	struct timeline_segment *segments[TIMELINE_KINDS];
	size_t n_segments[TIMELINE_KINDS];
	double scale[TIMELINE_KINDS];
};

/* timeline_halts.c */
struct timeline_halt {
	double begin, end;		  /* ticks on the time line */
	double begin_error, length_error; /* standard errors */
};
struct timeline_halts {
	struct timeline_halt *halts;
	size_t n;
};
/* Is the segment one sub-sample that took far longer than its neighbors? */
bool timeline_is_halt(const struct timeline_view *view, enum timeline_kind kind, size_t segment);
/* Halts of both kinds of steps by time, ->halts to be freed. 0 or -ENOMEM. */
int timeline_find_halts(const struct timeline_view *view, struct timeline_halts *ret);
/* Shortest halt that would have been seen around a time; NAN unknown. */
double timeline_halt_limit(const struct timeline_view *view, double from, double to);
/* Smallest change of level that would have been seen there by steps of one kind, if it lasts for
 * `length`; and how long one of their sub-samples is. */
double timeline_level_limit(const struct timeline_view *view, enum timeline_kind kind, double from,
			    double to, double length);
double timeline_sample(const struct timeline_view *view, enum timeline_kind kind, double from,
		       double to);
double timeline_level(const struct timeline_view *view, enum timeline_kind kind, double from,
		      double to);

/* timeline_low.c: low_clock, and the judgment. `entry`: when throttle and halt are over. */
int timeline_low(struct timeline_view *view, double entry);

/* Shorter throttles are not told: any load takes a microsecond and a half until its code is where
 * the front end wants it (the scalar one, which nothing throttles, begins at half its rate on
 * Zen 5). All known ones begin at once, are over by 25 us and run at a quarter: what is slower
 * than TIMELINE_THROTTLE_SCALAR for scalar code as well is no lower clock. */
#define TIMELINE_THROTTLE_LEAST_S 2.5e-6
#define TIMELINE_THROTTLE_SCALAR 0.6
#define TIMELINE_THROTTLE_SOON_S 3e-6
/* timeline_throttle.c: finds it, and returns when it is over; 0 without one. */
double timeline_throttle(struct timeline_view *view, const struct timeline_halts *halts);
/* What is slower than this part of the level behind it is throttled. */
double timeline_throttle_ratio(const struct timeline_view *view, enum timeline_kind kind);

/* timeline_phases.c: times in ticks, with the standard error of the duration. */
void timeline_set_duration(struct timeline_phase *phase, double begin, double duration, double error,
			   double hertz);
/* Fills phases and judgment. 0 or -ENOMEM. */
int timeline_find_phases(const struct timeline_work *work, const struct timeline_point *points,
			 size_t n, struct timeline *into);

#endif
