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

struct base_group { /* pairs whose base clock lies in one group */
	double base_hertz, during_hertz;
	unsigned n;
};

#define JUDGE_MAX_GROUPS 16

struct judgment {
	double before_hertz, during_hertz, after_hertz; /* medians; NAN without pairs */
	double drop_hertz, drop_ratio; /* positive: the clock fell */
	double low, high;	       /* 95 % interval of drop_ratio */
	double noise;		       /* smallest drop that these pairs could have shown */
	unsigned pairs;
	bool seen; /* a drop beyond noise */
	struct base_group groups[JUDGE_MAX_GROUPS];
	unsigned n_groups;
};

void judge(const struct pair *pairs, size_t n, struct judgment *ret);

/* Release of the low clock after a burst: looks after the last wide instruction, t in seconds. */
struct release_look {
	double t_s, hertz;
};
/* Seconds until the clock is back half way from `low` to `base`; NAN when no drop is there to be
 * released; the shortest time that could have been seen goes to *ret_resolution_s. */
double judge_release(const struct release_look *looks, size_t n, double base_hertz,
		     double low_hertz, double *ret_resolution_s);

#endif
