/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the microscope_*.c files share with each other and with nobody else. */
#ifndef AVXTOP_BURST_MICROSCOPE_OWN_H
#define AVXTOP_BURST_MICROSCOPE_OWN_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "burst/board.h"
#include "burst/copier.h"
#include "burst/gauge.h"
#include "burst/microscope.h"
#include "burst/steps.h"
#include "burst/timeline.h"

struct core_table;

/* --- microscope_layout.c: which steps an epoch has. Pure. --- */

/* How long a piece of the load takes: fixed_s + loops × loop_s, its time stamp not counted. */
struct microscope_piece {
	double fixed_s, loop_s;
	double loop_work; /* counted instructions of one loop, or bytes of one copy */
};
/* Work of a piece. What it costs beside its rounds counts as what could be done meanwhile: so
 * pieces of all lengths have one rate. */
double microscope_work(const struct microscope_piece *piece, uint32_t loops);

struct microscope_wish {
	double hertz;	    /* about the clock of the core */
	double imul_cycles; /* latency of the ruler's chain */
	double stamp_s;	    /* about what a time stamp takes */
	double burst_s, tail_s;
	struct microscope_piece piece; /* of no use to a victim */
	bool victim; /* no load, and twice as long fine steps: it does not know when exactly */
	size_t steps_most;
};

#define MICROSCOPE_GROUPS 8u
/* Fine steps before the entry, after it, before the exit, and after that. Ice Lake throttles for 24
 * us, Skylake-SP throttles for 9 and halts for 11 us. */
#define MICROSCOPE_EDGE_S 60e-6
/* Until when the tail lasts at least: Skylake-SP's hold of 650 to 700 us and its second halt. */
#define MICROSCOPE_TAIL_S 1e-3

struct microscope_layout {
	struct steps_group groups[MICROSCOPE_GROUPS];
	unsigned n_groups;
	struct timeline_step *steps;
	size_t n_steps;
	size_t first_wide, last_wide;	   /* of a driver */
	uint32_t fine_loops, coarse_loops; /* of a piece; coarse 0: the burst has none */
	double burst_s, all_s;		   /* about how long it will take */
};

/* 0 or -ENOMEM. Caller clears it. */
int microscope_layout_make(const struct microscope_wish *wish, struct microscope_layout *ret);
void microscope_layout_clear(struct microscope_layout *layout);

/* --- microscope_hold.c: how long the low clock outlasts the burst. Pure. --- */

/* In seconds after the last wide step: the end of the last stretch of time in which the clock was
 * low against what it is before and at the end; 0 never, INFINITY still at the end, NAN not known.
 */
double microscope_hold(const struct timeline_input *input);

/* --- The epochs of one CPU. One thread adds, anybody reads the first `done` ones. --- */

struct microscope_series {
	struct microscope_layout layout;
	uint32_t *ticks;	       /* layout.n_steps of each epoch */
	uint32_t *scratch;	       /* of the one that runs */
	struct timeline_epoch *epochs; /* begin_tsc 0: of a victim that was held up */
	unsigned most;
	atomic_bool ready; /* all of the above is made */
	atomic_uint done;
};

/* Takes the layout; also of an error, -ENOMEM. */
int microscope_series_init(struct microscope_series *series, const struct microscope_layout *layout,
			   unsigned epochs);
void microscope_series_clear(struct microscope_series *series);

/* Under the mutex of the scope. */
struct microscope_facts {
	struct gauge_core core;
	struct microscope_piece piece;
	uint64_t checked, wrong; /* pieces */
	double epoch_s;		 /* from one to the next */
	double hold_s;		 /* as microscope_hold() */
	double narrower_rate;	 /* operations a second; NAN */
	struct microscope_duty duties[MICROSCOPE_DUTIES_MOST];
	unsigned n_duties;
	struct problem problem, victim_problem;
};

struct microscope {
	struct microscope_plan plan;
	const struct host *host;
	struct board *board;
	struct core_table *table;
	int narrower; /* enum kernel; -1 none */
	pthread_t driver, victim;
	bool driver_made, victim_made;
	atomic_bool stop;
	atomic_uint running; /* threads */
	atomic_bool over;    /* the driver has ended */
	bool whole;	     /* it did all of the plan */

	struct microscope_series own, other;
	/* Of the driver; constant once own.ready is set. */
	double imul_cycles, hertz, stamp_s, tail_s;
	/* The driver tells the victim of the next epoch. */
	atomic_bool victim_ready;
	_Atomic uint64_t next_tsc; /* when it begins; may be put off */
	_Atomic uint64_t here_tsc; /* when the victim was last seen to wait for it */
	atomic_uint next_epoch;	   /* one more than its number; 0: none that counts */

	pthread_mutex_t mutex;
	struct microscope_facts facts;
};

/* --- microscope_load.c: what a piece is made of. --- */

struct microscope_load {
	const struct kernel_row *row;
	struct steps_load steps;
	struct copier *copier; /* of a copy */
	void *seeds;
	uint32_t *reference; /* the state after a piece of `loops` */
	uint32_t loops;
	uint32_t *states[2]; /* after the first piece of an epoch, after the last one */
};

int microscope_load_init(struct microscope_load *load, enum kernel kernel,
			 const struct copy_shape *shape, const atomic_bool *stop);
void microscope_load_clear(struct microscope_load *load);
/* Runs it for some milliseconds. */
void microscope_load_tune(struct microscope_load *load, double tsc_hertz, double stamp_s,
			  struct microscope_piece *ret);
/* About what the clock is, and what a time stamp takes, of the calling thread's CPU. */
void microscope_stamps_tune(double imul_cycles, double tsc_hertz, double *ret_hertz,
			    double *ret_stamp_s);
/* From now on pieces of so many rounds are to be checked. */
void microscope_load_expect(struct microscope_load *load, uint32_t loops);
void microscope_load_poison(struct microscope_load *load);
/* How many of the first and the last piece are wrong; `single`: the first one is the last one. */
unsigned microscope_load_wrong(struct microscope_load *load, bool single);

/* --- microscope_epoch.c: what the driver does again and again. --- */

struct microscope_driver {
	struct microscope *scope;
	struct microscope_load load;
	struct gauge_core core;
	struct microscope_piece piece;
	double tsc_hertz;
	double hertz, stamp_s; /* about what the clock is, and what a time stamp takes */
	uint64_t gap_ns;       /* scalar code before each epoch */
	uint64_t end_tsc;      /* of the last wide code */
	unsigned n_starts;     /* of epochs, those done again too */
	uint64_t deadline_ns;
	struct board_entry entry;
	uint64_t cpu_time_before_ns;
};

void microscope_complain(struct microscope_driver *d, const struct problem *problem);
uint64_t microscope_ticks(const struct microscope_driver *d, double s);
/* Shall no more be done? */
bool microscope_ended(const struct microscope_driver *d);
/* Scalar code until then; false where the end has come. */
bool microscope_rest(struct microscope_driver *d, uint64_t until_tsc);
/* Tells others that the CPU is driven, and for how long it has been. */
void microscope_publish(struct microscope_driver *d, enum phase phase);
/* And the clock of scalar code late in the burst. */
void microscope_publish_epoch(struct microscope_driver *d, const struct microscope_layout *layout,
			      const uint32_t *ticks);
#define MICROSCOPE_NO_NUMBER UINT_MAX /* of an epoch that a victim does not join */
/* The first moment from `from` on at the place in a tick that start `number` has: numbers in a row
 * are spread evenly over it. By the counter itself, since what other work holds up comes with the
 * tick. Pure. */
uint64_t microscope_place(unsigned number, uint64_t tick, uint64_t from);
/* False: the end has come. */
bool microscope_epoch(struct microscope_driver *d, const struct microscope_layout *layout,
		      unsigned number, uint32_t *ticks, struct timeline_epoch *ret);
/* Did it come out right? */
void microscope_check(struct microscope_driver *d, const struct microscope_layout *layout);

/* Thread functions; the argument is the scope. */
void *microscope_driver_main(void *argument);
void *microscope_victim_main(void *argument);

/* microscope_duty.c: the trains of bursts of the plan. */
void microscope_duties(struct microscope_driver *d);

/* microscope_rate.c. Counted instructions a second late in the burst, of the load's own time
 * without what a piece costs beside its rounds; NAN unknown. */
double microscope_rate(const struct microscope_series *series, double tsc_hertz, double stamp_s,
		       const struct microscope_piece *piece);
/* Of the chains among the steps from … until: what the long ones take beyond the short ones, in
 * cycles and in ticks; false where they were disturbed. */
bool microscope_clock(const struct microscope_layout *layout, const uint32_t *ticks, size_t from,
		      size_t until, double *ret_cycles, double *ret_ticks);

/* microscope_verdict.c: fills .verdict. Pure. */
void microscope_verdict(struct microscope_result *result);

#endif
