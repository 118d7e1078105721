/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sources + derive + the reader thread: what every sampling command and the dashboard stand on. */
#ifndef AVXTOP_ENGINE_SESSION_H
#define AVXTOP_ENGINE_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/board.h"
#include "burst/burst.h"
#include "burst/microscope.h"
#include "format/sink.h"
#include "source/source.h"

struct host;
struct options;
struct sample;
struct snapshot;
struct thermal_state;

struct session;

/* Identifies the machine, probes the sources, opens those that a metric of options->metrics needs
 * (all metrics where none was named). A source that cannot be opened only leaves its counters to the
 * next one, or absent with its reason. Raises RLIMIT_NOFILE where that is allowed. before: as for
 * identify(), needed only during the call. 0 or -errno. Either way the rights that privilege_lower() has
 * kept are gone after the first call: files that only root may open are those that were opened by it. */
int session_open(const struct options *options, const struct host *before, struct session **ret,
		 struct problem *ret_problem);
/* Ends the burst, then the reader. Does not wait for a file that is slow: its thread frees what it still
 * uses when the kernel lets it go. NULL is fine. */
void session_close(struct session *session);

const struct host *session_host(const struct session *session);
struct hostfs *session_fs(struct session *session);
struct board *session_board(struct session *session);
/* For each metric: which source serves it or why none does. [METRIC_N], lives with the session. */
const struct origin *session_origins(const struct session *session);
/* For each source: what it offers here, and why not the rest. [SOURCE_N], lives with the session. */
const struct offer *session_offers(const struct session *session);
/* Were the files that only root may open opened with the rights of sudo? */
bool session_as_root(const struct session *session);
/* Starts the reader; the first sample comes at once, the next ones every interval, aligned. */
int session_start(struct session *session, uint64_t interval_ns);
/* The next three need a started session. */
void session_set_interval(struct session *session, uint64_t interval_ns);
/* The source whose files are being read at this moment; SOURCE_NONE: none. */
enum source_id session_reading(struct session *session);
void session_kick(struct session *session); /* one sample now, out of turn */
/* Descriptor to poll: readable when a sample waits. */
int session_fd(const struct session *session);
/* Derives the waiting sample; a caller that is late gets one long interval. 1: *ret is a new snapshot
 * (valid until the next call), that of the first sample with elapsed_s 0; 0: none waits; -errno. */
int session_take(struct session *session, const struct snapshot **ret);

/* The waiting sample becomes the one that the next snapshot counts from, without a snapshot of its own:
 * after a time that no value shall be a mean over. */
void session_skip(struct session *session);

/* The raw readings that the last snapshot was made of; NULL before the first. Until the next call of
 * session_take() or session_skip(). */
const struct sample *session_sample(const struct session *session);

/* Whether the last snapshot told that the machine is no longer the one described by session_host(): a
 * CPU has come, or may be run on that might not, or the other way round. All that it says of the CPUs
 * that it has stays right; a new session has all of them (engine/renewal.h). */
bool session_stranger(const struct session *session);

/* The burst of this session (at most one at a time). The plan is copied; thermal as in
 * burst_check(). */
int session_burst_start(struct session *session, const struct burst_plan *plan,
			const struct thermal_state *thermal, struct problem *ret_problem,
			struct problem *ret_note);
bool session_burst_running(const struct session *session);
void session_burst_stop(struct session *session);
/* Result so far, or of the burst that last ended; NULL before the first. Owned by the session,
 * valid until the next call. */
const struct burst_result *session_burst_result(struct session *session);

/* The scope of this session: as the burst, and at most one of the two at a time; under the same rules,
 * of which `force` lifts that of the load. */
int session_microscope_start(struct session *session, const struct microscope_plan *plan, bool force,
			const struct thermal_state *thermal, struct problem *ret_problem,
			struct problem *ret_note);
bool session_microscope_running(const struct session *session);
void session_microscope_stop(struct session *session);
/* As session_burst_result(); while it runs it is made anew now and then. */
const struct microscope_result *session_microscope_result(struct session *session);

#endif
