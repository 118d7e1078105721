/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one thread that reads sources: only it may block; hands whole samples over by double buffer. */
#ifndef AVXTOP_ENGINE_READER_H
#define AVXTOP_ENGINE_READER_H

#include <stdbool.h>
#include <stdint.h>

struct host;
struct sample;
struct source;
struct source_ops;

struct reader_source {
	const struct source_ops *ops;
	struct source *source;
	unsigned id; /* enum source_id */
};

struct reader;

/* The first sample is taken at once, the next ones at start + k × interval on CLOCK_MONOTONIC; ticks
 * missed by a slow source, a stop or a suspend are skipped, not caught up with, and so is one less than
 * half an interval after a sample that came late or out of turn. Before each read()
 * the sources' early() runs once, at a random 10 to 90 % of the interval (at once where no time is
 * left: the first sample, a kick). A source that is slow is read less often (engine/pace.h); a sample
 * without it has the readings of the sample before, moments of then marked as stale. The list of sources
 * is copied, the sources themselves borrowed, and so is `servers`, as struct sample has it. 0 or -errno. */
int reader_start(const struct host *host, const struct reader_source *sources, unsigned n_sources,
		 const uint8_t *servers, uint64_t interval_ns, struct reader **ret);
/* Returns at once, though a source may be in the middle of a read that takes its time: the thread then
 * ends by itself after it. release(arg) is called as soon as the thread uses nothing any more of what it
 * was given, by reader_stop() or later by the thread. NULL is fine for both; without a reader nothing is
 * released. */
void reader_stop(struct reader *reader, void (*release)(void *), void *arg);
/* From the last tick on; no sample is taken out of turn. */
void reader_set_interval(struct reader *reader, uint64_t interval_ns);
/* One sample now, out of turn. */
void reader_kick(struct reader *reader);
/* Which source's read() it is in; SOURCE_NONE: in none. */
unsigned reader_reading(struct reader *reader); /* enum source_id */
/* eventfd: readable while a sample waits. */
int reader_fd(const struct reader *reader);
/* Copies the waiting sample into *into (same host); false when none waits. Never waits for a
 * source. Only the newest sample waits: one that nobody took is replaced, and leaves to it which
 * counters began anew in between. */
bool reader_take(struct reader *reader, struct sample *into);

#endif
