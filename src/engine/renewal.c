/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One thread that opens a session, one that closes another; the caller's thread meets them only at
 * their ends. */
#include "config.h"
#include "engine/renewal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/options.h"
#include "engine/session.h"

/* Drivers add the files of a CPU one after the other within milliseconds of its being online. */
#define SETTLE_MS 100
#define AGAIN_NS (10 * NS_PER_S) /* after a failure */
#define FIRST_SAMPLE_MS 10000	 /* a source that takes longer comes with the first interval */

struct renewal {
	const struct options *options;
	int event_fd; /* written by `opener` when it has ended; -1 not needed so far */
	uint64_t tried_ns; /* when the last one that failed was begun; 0 none */

	pthread_t opener, closer;
	bool opening, closing; /* the threads are to be joined */
	/* Of `opener` until it is joined: */
	const struct host *before;
	uint64_t interval_ns;
	struct session *fresh; /* NULL: could not be opened */
	/* Of `closer` until it is joined: */
	struct session *old;
};

/* The first sample only counts as one to count from. */
static int start(struct session *session, uint64_t interval_ns)
{
	struct pollfd fd = { .events = POLLIN };
	int r = session_start(session, interval_ns);

	if (r < 0)
		return r;
	fd.fd = session_fd(session);
	if (poll(&fd, 1, FIRST_SAMPLE_MS) == 1)
		session_skip(session);
	return 0;
}

static void *open_fresh(void *arg)
{
	struct renewal *renewal = arg;
	struct problem problem;

	usleep(SETTLE_MS * 1000);
	if (session_open(renewal->options, renewal->before, &renewal->fresh, &problem) < 0) {
		renewal->fresh = NULL;
	} else if (start(renewal->fresh, renewal->interval_ns) < 0) {
		session_close(renewal->fresh);
		renewal->fresh = NULL;
	}
	(void)eventfd_write(renewal->event_fd, 1);
	return NULL;
}

static void *close_old(void *arg)
{
	struct renewal *renewal = arg;

	session_close(renewal->old);
	return NULL;
}

int renewal_new(const struct options *options, struct renewal **ret)
{
	struct renewal *renewal = calloc(1, sizeof(*renewal));

	if (!renewal)
		return -ENOMEM;
	renewal->options = options;
	renewal->event_fd = -1;
	*ret = renewal;
	return 0;
}

static void join_closer(struct renewal *renewal)
{
	if (renewal->closing)
		pthread_join(renewal->closer, NULL);
	renewal->closing = false;
}

void renewal_free(struct renewal *renewal)
{
	if (!renewal)
		return;
	if (renewal->opening)
		pthread_join(renewal->opener, NULL);
	session_close(renewal->fresh);
	join_closer(renewal);
	if (renewal->event_fd >= 0)
		close(renewal->event_fd);
	free(renewal);
}

void renewal_begin(struct renewal *renewal, const struct session *old, uint64_t interval_ns)
{
	const uint64_t now = clock_mono_ns();

	if (renewal->opening || (renewal->tried_ns && now - renewal->tried_ns < AGAIN_NS))
		return;
	renewal->before = session_host(old);
	renewal->interval_ns = interval_ns;
	renewal->fresh = NULL;
	renewal->tried_ns = now;
	/* Only now: descriptors may be few, and most machines stay as they are. */
	if (renewal->event_fd < 0)
		renewal->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (renewal->event_fd < 0)
		return;
	renewal->opening = pthread_create(&renewal->opener, NULL, open_fresh, renewal) == 0;
}

int renewal_fd(const struct renewal *renewal)
{
	return renewal->event_fd;
}

struct session *renewal_take(struct renewal *renewal)
{
	struct session *fresh;
	eventfd_t count;

	if (eventfd_read(renewal->event_fd, &count) < 0)
		return NULL; /* not ended */
	pthread_join(renewal->opener, NULL);
	renewal->opening = false;
	fresh = renewal->fresh;
	renewal->fresh = NULL;
	if (fresh)
		renewal->tried_ns = 0;
	return fresh;
}

void renewal_close(struct renewal *renewal, struct session *old)
{
	join_closer(renewal);
	renewal->old = old;
	renewal->closing = pthread_create(&renewal->closer, NULL, close_old, renewal) == 0;
	if (!renewal->closing)
		session_close(old);
}
