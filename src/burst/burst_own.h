/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the burst_*.c files share with each other and with nobody else. */
#ifndef AVXTOP_BURST_BURST_OWN_H
#define AVXTOP_BURST_BURST_OWN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "burst/board.h"
#include "burst/burst.h"
#include "burst/copier.h"
#include "burst/gauge.h"
#include "burst/schedule.h"

struct core_table;

struct record_pair {
	struct pair pair;
	bool rested; /* its gap was a rest */
};

/* What one thread has found out so far. That thread adds to it, anybody may copy from it, both
 * under the mutex. Room is made beforehand: nothing is allocated while a burst runs. */
struct record {
	pthread_mutex_t mutex;
	struct record_pair *pairs;
	uint64_t pairs_seen, pairs_every; /* of so many pairs one is kept */
	struct pair *holds; /* before: end of a rest; during: where an ordinary gap would have ended */
	double *ops_per_cycle; /* one an on time */
	struct release_look *releases;
	size_t n_pairs, n_holds, n_ops_per_cycle, n_releases;
	struct ends ends;
	uint64_t chunks, chunks_wrong, ops;
	int64_t last_ns; /* how far it has come, since the first vector instruction */
	double time_ratio; /* CPU time by wall time since the lead-in; NAN not known yet */
	struct gauge_core core;
	struct problem problem;
};

#define RECORD_PAIRS 8192
#define RECORD_HOLDS 1024
#define RECORD_RELEASES 32768

/* A pinned thread: drives its CPU, or watches one while others drive theirs. */
struct member {
	struct burst *burst;
	unsigned cpu; /* index in host */
	enum relation role;
	bool made; /* the thread exists and must be joined */
	pthread_t thread;
	struct record record;
};

struct burst {
	enum kernel kernel;
	struct schedule schedule;
	const struct host *host;
	struct board *board;
	struct core_table *table;
	struct member *members; /* drivers first */
	unsigned n_members, n_drivers;
	void *seeds; /* NULL of a load that copies, as the next one */
	uint32_t *reference; /* the state after a chunk */
	struct copy_shape copy;
	/* The last driver that is ready sets the time of the first vector instruction. */
	pthread_mutex_t gate_mutex;
	pthread_cond_t gate_cond;
	unsigned arrived;
	uint64_t start_mono_ns; /* under gate_mutex until set, then constant */
	atomic_bool stop;
	atomic_uint driving; /* drivers that have not ended */
};

/* What a copying load of this plan copies. */
struct copy_shape burst_copy_shape(const struct burst_plan *plan);

/* burst_record.c */
int record_init(struct record *record, bool driver, bool releases);
void record_free(struct record *record);
/* The caller holds the mutex. */
void record_add(struct record *record, const struct pair *pair, bool rested);

/* burst_member.c: what drivers and watchers have in common. */
/* Why this CPU has no result. */
void member_complain(struct member *member, const struct problem *problem);
bool member_pin(struct member *member);
/* Calibrates the ruler on this CPU. */
void member_calibrate(struct member *member);
/* What that gave; where it gave nothing, what it gave on another CPU of the same kind: a busy SMT
 * sibling slows the witness down, and two cores of one kind have the same latencies. imul_cycles 0
 * where the clock cannot be measured. After member_wait(). */
struct gauge_core member_core(struct member *member);
/* A driver is ready (or never will be: it still has to come here, or the others wait forever). */
void member_arrive(struct member *member);
/* Waits for the start; false when the burst was stopped before. */
bool member_wait(struct member *member, uint64_t *ret_start_mono_ns);
/* Since the first vector instruction; negative in the lead-in. */
int64_t member_time(uint64_t start_mono_ns);

/* Thread functions; the argument is a struct member. */
void *driver_main(void *argument);
void *watcher_main(void *argument);

#endif
