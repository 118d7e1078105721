/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new session for a machine that is no longer the one its session describes (session_stranger()): opened
 * and closed by threads of its own, for both may have to wait for files. */
#ifndef AVXTOP_ENGINE_RENEWAL_H
#define AVXTOP_ENGINE_RENEWAL_H

#include <stdint.h>

struct options;
struct renewal;
struct session;

/* options are borrowed for good. 0 or -ENOMEM. */
int renewal_new(const struct options *options, struct renewal **ret);
/* Waits for its threads. Any session that renewal_begin() was called for must be closed only after it,
 * or by renewal_close(). NULL is fine. */
void renewal_free(struct renewal *renewal);

/* Begins to open and start a session that shows the CPUs of `old` and those that came. Does nothing while
 * one is being opened or waits, or within a few seconds after one that could not be. */
void renewal_begin(struct renewal *renewal, const struct session *old, uint64_t interval_ns);
/* Descriptor to poll: readable while a new session waits; -1 before the first renewal_begin(). */
int renewal_fd(const struct renewal *renewal);
/* The new session, which has its first sample taken already, so that the next is an interval; NULL none
 * waits. It is the caller's. */
struct session *renewal_take(struct renewal *renewal);
/* Closes the session that was replaced; the caller lets go of all that it borrowed from it. */
void renewal_close(struct renewal *renewal, struct session *old);

#endif
