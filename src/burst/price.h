/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a burst costs beyond its own time, and when wide code pays. Pure arithmetic. */
#ifndef AVXTOP_BURST_PRICE_H
#define AVXTOP_BURST_PRICE_H

#include <stdbool.h>

struct timeline;

struct price {
	double entry_s;	  /* time lost at the beginning: throttle and halt; 0 none seen; NAN unknown */
	double after_s;	  /* and behind the end: scalar code at the lower clock, the second halt */
	double limit_s;	  /* smaller losses than this could not have been seen */
	double speedup;	  /* rate of the wide code at its lower clock over that of the narrower load at the
			   * base clock; NAN: no narrower load */
	double break_even_s;	 /* bursts shorter than this lose; INFINITY: all do; NAN unknown */
	double break_even_ratio; /* where the low clock lasts: wide code pays above this share of the time
				  * (reckoned in the narrower load's time); INFINITY: never; NAN unknown */
	/* The low clock outlasts the burst for long enough that code behind it runs slower, and that a
	 * probe of the ruler would see it. */
	bool outlasts, ruler_sees;
};

/* wide_rate, narrow_rate: operations a second of the load late in the burst, and of the narrower one;
 * NAN unknown. probe_s: how long after the load a probe of the ruler begins, and takes. */
void price(const struct timeline *timeline, double wide_rate, double narrow_rate, double probe_s,
	   struct price *ret);

#endif
