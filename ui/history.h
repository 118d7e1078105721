/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the dashboard remembers of past snapshots: clocks of the last two minutes, what was seen
 * lowest and highest, which clocks have fallen and against what, and events. Pure. */
#ifndef AVXTOP_UI_HISTORY_H
#define AVXTOP_UI_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/ring.h"
#include "ui/canvas.h"

struct board;
struct host;
struct judgment;

#define HISTORY_SIZE 240 /* values kept of each CPU */
#define HISTORY_EVENTS 64

enum mark_kind {
	MARK_NONE,
	MARK_BURST,  /* avxtop drives this CPU; before_hertz is its scalar clock */
	MARK_AFTER,  /* it did, until a few seconds ago */
	MARK_FELL,   /* below what this CPU had most of the last minute */
	MARK_BEHIND, /* below the other CPUs of its kind */
};

/* What is to be said about the clock of a CPU. */
struct mark {
	enum mark_kind kind;
	bool dropped;	     /* a fall beyond what noise can be */
	double before_hertz; /* what it is compared with; NAN unknown */
	double drop_ratio;   /* positive: it fell; NAN unknown */
	bool still_low;	     /* of MARK_AFTER: it has not come back after the burst */
	bool judged;	     /* dropped and drop_ratio come from pairs of a burst */
	unsigned kernel;     /* of MARK_BURST, MARK_AFTER: enum kernel */
	uint64_t until_ns;   /* of MARK_AFTER: when it is no longer said */
};

struct event {
	uint64_t real_ns;
	enum role role;
	char text[192];
};

struct history {
	const struct host *host;
	struct ring clock;	     /* of the host */
	struct ring *cpus;	     /* clock by CPU index, pushed together with times */
	uint64_t times[HISTORY_SIZE]; /* CLOCK_MONOTONIC of each push, by count modulo size */
	uint64_t pushed;
	struct mark *marks; /* by CPU index */
	bool *offline;	    /* by CPU index */
	uint64_t *fell_ns;  /* by CPU index: when its clock was last seen fallen without a burst; 0 never */
	uint64_t *heat_ns;  /* by CPU index: when it was last seen throttled by heat; 0 never */
	double lowest, highest; /* clocks seen since the start; NAN none yet */
	struct event events[HISTORY_EVENTS];
	uint64_t n_events; /* ever */
};

int history_init(struct history *history, const struct host *host); /* 0 or -ENOMEM */
/* The machine has become another one: what is known of CPUs that both have stays; those that have come
 * or gone are events. 0 or -ENOMEM, and then nothing has changed. */
int history_rehost(struct history *history, const struct host *host, uint64_t real_ns);
void history_free(struct history *history); /* half-built is fine */
/* board: what burst workers publish; NULL none. */
void history_push(struct history *history, const struct snapshot *snapshot, const struct board *board);
/* The events of a snapshot that was pushed; part of history_push(). */
void history_note(struct history *history, const struct snapshot *snapshot);
/* A burst has come to a statement about a CPU (index). */
void history_judge(struct history *history, unsigned cpu, const struct judgment *judgment,
		   bool still_low);

/* age 0 is the newest; false beyond what is kept. */
bool history_time(const struct history *history, size_t age, uint64_t *ret_mono_ns);
/* The mark that matters most among the CPUs of a core or package (index); *ret_cpu its CPU. */
const struct mark *history_worst(const struct history *history, const unsigned *cpus, unsigned n,
				 unsigned *ret_cpu);

void history_event(struct history *history, uint64_t real_ns, enum role role, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
const struct event *history_event_get(const struct history *history, uint64_t age); /* NULL beyond */

/* Ends of a scale for clocks, in steps of 0.1 GHz: from what was seen, at least a quarter wide so
 * that noise looks like noise. False before the first clock. */
bool history_scale(const struct history *history, double *ret_low, double *ret_high);

#endif
