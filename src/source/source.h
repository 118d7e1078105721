/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A way to get raw counters: the interface, and the explicit list of those there are. */
#ifndef AVXTOP_SOURCE_SOURCE_H
#define AVXTOP_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "model/counter.h"

struct board;
struct host;
struct hostfs;
struct sample;

enum source_id {
	SOURCE_NONE, /* 0: nobody */
#define SOURCE(id, ...) SOURCE_##id,
#include "source/source_rows.h"
#undef SOURCE
	SOURCE_N
};

/* What a source may look at; all borrowed, all outlive the source. */
struct source_env {
	const struct host *host;
	struct hostfs *fs;
	struct board *board;  /* what burst workers publish; may be NULL */
	bool probe_idle;      /* the ruler may wake idle CPUs */
	bool left_out; /* the user wants no such source: probe() touches nothing and refuses all */
	bool no_pmu;	      /* no general hardware counter is to be taken */
	const bool *asked;    /* [COUNTER_N]: of a metric that the user named or the screen shows; what takes a
				 hardware counter and is not is left alone. NULL: nothing was named */
	const bool *wanted;   /* [COUNTER_N]: in open(), what this source is to serve; what disturbs a CPU and is
				 not is left alone. NULL: all that it offered */
	uint64_t interval_ns; /* as asked for; the reader may change it later */
};

/* Why one counter is refused, where that is another reason than for the rest. All untranslated. */
struct reason {
	int err; /* positive errno; ENOTSUP: our own judgment about the CPU */
	const char *text, *remedy;
};

/* The answer of a source for each counter: here it is, or this is why not. */
struct offer {
	bool here[COUNTER_N];
	bool refused[COUNTER_N]; /* it serves these on other machines, here not: `why` */
	struct problem why;	 /* one sentence for all that is refused */
	bool left_out;		 /* by --source */
	const struct reason *because[COUNTER_N]; /* static; NULL: `why` */
	const char *note[COUNTER_N]; /* what of several things it is here, untranslated; NULL nothing to tell */
};

struct source; /* each source has its own */

struct source_ops {
	int (*probe)(const struct source_env *env, struct offer *ret);
	int (*open)(const struct source_env *env, struct source **ret, struct problem *ret_problem);
	/* Optional; reader thread, at a random phase of the interval, on the *previous* sample (may
	 * be NULL): do what disturbs a CPU now and keep the result for read(). */
	void (*early)(struct source *source, const struct sample *prev);
	/* Reader thread: may block; never allocates or prints; sets readings of `into`, in which the
	 * sources before it in the list have already set theirs. */
	int (*read)(struct source *source, struct sample *into);
	void (*close)(struct source *source); /* NULL is fine */
	bool keeps_share; /* read() itself sees to it that it takes no more than its share of the time */
};

struct source_row {
	const char *name, *help;
	const struct source_ops *ops;
	/* Some of its files are for root alone: under sudo, probe() and open() have root's rights. They must
	 * open no file that the user names, and keep open what read() shall have. */
	bool of_root;
};

#define SOURCE(id, ops, ...) extern const struct source_ops ops;
#include "source/source_rows.h"
#undef SOURCE

/* What probe() refuses all with where env->left_out. */
extern const struct reason reason_left_out;
/* Serves the counter where `reason` is NULL, else refuses it for that reason. */
void offer_counter(struct offer *offer, enum counter counter, const struct reason *reason);
/* Why a counter is refused. */
void offer_why(const struct offer *offer, enum counter counter, struct problem *ret);

const struct source_row *source_row(enum source_id id); /* SOURCE_NONE: name "none" */
const char *source_name_at(unsigned index);		/* NULL at the end */
int source_by_name(const char *name);			/* enum source_id or -1 */

#endif
