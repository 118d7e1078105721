/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same short burst hundreds of times, with a time stamp every quarter of a microsecond: what the
 * clock does at its first and after its last instruction. */
#ifndef AVXTOP_BURST_MICROSCOPE_H
#define AVXTOP_BURST_MICROSCOPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/copier.h"
#include "burst/kernel.h"
#include "burst/pattern.h"
#include "burst/price.h"
#include "burst/timeline.h"
#include "model/host.h"

struct board;

#define MICROSCOPE_EPOCHS 500u
#define MICROSCOPE_EPOCHS_MOST 10000u
#define MICROSCOPE_BURST_NS 200000u
#define MICROSCOPE_BURST_LEAST_NS 1000u
#define MICROSCOPE_BURST_MOST_NS 10000000u
#define MICROSCOPE_DUTIES_MOST 16u

struct microscope_plan {
	enum kernel kernel;
	unsigned cpu;	   /* index in host: driven */
	int victim;	   /* index in host of the CPU that is looked at meanwhile; -1: none */
	unsigned epochs;   /* 1 to MICROSCOPE_EPOCHS_MOST */
	uint64_t burst_ns; /* MICROSCOPE_BURST_LEAST_NS to MICROSCOPE_BURST_MOST_NS */
	struct copy_shape copy; /* as in struct burst_plan */
	/* After the epochs: trains of bursts by these patterns. */
	struct pattern duties[MICROSCOPE_DUTIES_MOST];
	unsigned n_duties;
};

/* The clock of the scalar code in the gaps of a train of bursts. */
struct microscope_duty {
	struct pattern pattern;
	unsigned bursts;	     /* in a row */
	double base_hertz;	     /* before the train; NAN unknown */
	double first_ratio;	     /* clock of the first gaps against it */
	double last_ratio;	     /* and of the last ones, after many */
	double low, high;	     /* 95 % interval of last_ratio */
	double after_s;		     /* from the end of the train until the clock was back, 0 where it
				      * never fell by 2 %; at least this where not_back */
	bool not_back;
};

struct microscope_result {
	enum kernel kernel;
	unsigned cpu;
	int victim; /* index in host; -1 none */
	unsigned epochs_planned, epochs_done;
	double left_s; /* estimated time to the end; 0 when over */
	struct timeline own, other; /* other: of the victim, empty without one */
	double ops_per_second, ops_per_cycle; /* of the load, late in the burst, per time of its own
					       * steps; NAN */
	double hold_s; /* how long the low clock outlasts a burst, by a few of them with a long tail;
			* INFINITY: longer than that; NAN unknown. The epochs' scalar code is longer */
	int narrower;			      /* enum kernel that `price` compares with; -1 none */
	double narrower_ops_per_second;
	struct price price;
	struct microscope_duty duties[MICROSCOPE_DUTIES_MOST];
	unsigned n_duties;
	const char *core_name; /* recognized; NULL unknown; lives as long as the scope */
	bool verified;	       /* every piece that was checked ended in the right state */
	bool stopped_early;
	struct problem problem; /* text "" when none */
	char verdict[512];	/* a sentence or three, without the final period */
};

struct microscope;

/* The rules for bursts (burst_check()) are the caller's to ask. 0 or -errno with a problem. */
int microscope_start(const struct microscope_plan *plan, const struct host *host, struct board *board,
		struct microscope **ret, struct problem *ret_problem);
bool microscope_running(const struct microscope *scope);
void microscope_stop(struct microscope *scope); /* async-signal-safe request; load is gone within 100 ms */
void microscope_join(struct microscope *scope);
void microscope_free(struct microscope *scope); /* stops and joins; NULL is fine */
/* Also while it runs: of the epochs so far; takes some milliseconds. Caller frees with
 * microscope_result_free(). */
int microscope_result(struct microscope *scope, struct microscope_result **ret);
void microscope_result_free(struct microscope_result *result);

#endif
