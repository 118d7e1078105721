/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader thread: an absolute schedule, and two buffers of which one is always whole. */
#include "config.h"

#include "engine/reader.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "model/sample.h"
#include "source/source.h"

/* Sources keep their buffers on the heap: what is needed here is a few paths and frames. */
#define STACK_SIZE (256 * 1024)

struct reader {
	pthread_t thread;
	bool running;
	int event_fd;
	uint64_t random; /* thread only */

	pthread_mutex_t mutex;
	pthread_cond_t wake;
	/* Under the mutex: */
	uint64_t interval_ns;
	bool kicked, changed, stopping;
	bool waits; /* `front` was not taken yet */

	/* `front` is whole and changes only when the thread swaps the two under the mutex; so the
	 * thread itself may read it without. `back` belongs to the thread. */
	struct sample *front, *back;

	unsigned n_sources;
	struct reader_source sources[];
};

enum wake { WAKE_TIME, WAKE_KICK, WAKE_CHANGE, WAKE_STOP };

/* Sleeps until then, or until somebody calls; calls that came before count. */
static enum wake wait_until(struct reader *reader, uint64_t mono_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(mono_ns / NS_PER_S),
		.tv_nsec = (long)(mono_ns % NS_PER_S),
	};
	enum wake wake = WAKE_TIME;
	int err = 0;

	pthread_mutex_lock(&reader->mutex);
	while (!reader->stopping && !reader->kicked && !reader->changed && err == 0)
		err = pthread_cond_timedwait(&reader->wake, &reader->mutex, &until);
	if (reader->stopping) {
		wake = WAKE_STOP;
	} else if (reader->kicked) {
		reader->kicked = false;
		wake = WAKE_KICK;
	} else if (reader->changed) {
		reader->changed = false;
		wake = WAKE_CHANGE;
	}
	pthread_mutex_unlock(&reader->mutex);
	return wake;
}

static bool is_stopping(struct reader *reader)
{
	pthread_mutex_lock(&reader->mutex);
	bool stopping = reader->stopping;
	pthread_mutex_unlock(&reader->mutex);
	return stopping;
}

static void prepare(struct reader *reader, const struct sample *prev)
{
	for (unsigned i = 0; i < reader->n_sources && !is_stopping(reader); i++)
		if (reader->sources[i].ops->early)
			reader->sources[i].ops->early(reader->sources[i].source, prev);
}

static void read_all(struct reader *reader)
{
	struct sample *sample = reader->back;

	sample_clear(sample);
	sample->mono_ns = clock_mono_ns();
	sample->real_ns = clock_real_ns();
	sample->suspended_ns = clock_suspended_ns();
	for (unsigned i = 0; i < reader->n_sources; i++) {
		if (is_stopping(reader))
			return;
		/* A source that fails says so in the states of its readings. */
		(void)reader->sources[i].ops->read(reader->sources[i].source, sample);
	}

	pthread_mutex_lock(&reader->mutex);
	reader->back = reader->front;
	reader->front = sample;
	reader->waits = true;
	(void)eventfd_write(reader->event_fd, 1);
	pthread_mutex_unlock(&reader->mutex);
}

/* Uniform in 10 to 90 % of the interval, by splitmix64 (Steele, Lea, Flood 2014): a program that
 * works in step with our ticks must not always be met in the same place. */
static uint64_t random_phase(struct reader *reader, uint64_t interval_ns)
{
	uint64_t z = reader->random += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	z ^= z >> 31;
	return interval_ns / 10 + (uint64_t)((double)(z >> 11) * 0x1p-53 * 0.8 * (double)interval_ns);
}

/* Moves *tick to the last one that has passed; returns the next that counts. Ticks that were missed
 * are skipped, and so is one less than half an interval after the last sample, for a difference over
 * a short time is a bad one. */
static uint64_t next_tick(uint64_t *tick, uint64_t interval_ns, uint64_t sample_ns)
{
	uint64_t now = clock_mono_ns();
	uint64_t after = sample_ns + interval_ns / 2;

	*tick += (now - *tick) / interval_ns * interval_ns;
	if (after < now)
		after = now;
	return *tick + ((after - *tick) / interval_ns + 1) * interval_ns;
}

static void *run(void *arg)
{
	struct reader *reader = arg;
	uint64_t tick = clock_mono_ns();
	enum wake wake = WAKE_TIME;
	bool prepared = false;

	prepare(reader, NULL);
	read_all(reader);
	while (wake != WAKE_STOP) {
		pthread_mutex_lock(&reader->mutex);
		uint64_t interval_ns = reader->interval_ns;
		pthread_mutex_unlock(&reader->mutex);

		uint64_t next = next_tick(&tick, interval_ns, reader->front->mono_ns);

		wake = WAKE_TIME;
		if (!prepared) {
			wake = wait_until(reader, next - interval_ns +
							  random_phase(reader, interval_ns));
			if (wake == WAKE_TIME || wake == WAKE_KICK) {
				prepare(reader, reader->front);
				prepared = true;
			}
		}
		if (wake == WAKE_TIME)
			wake = wait_until(reader, next);
		if (wake == WAKE_TIME || wake == WAKE_KICK) {
			read_all(reader);
			prepared = false;
		}
	}
	return NULL;
}

/* No signal is the reader's: the main thread takes them all. */
static int start_thread(struct reader *reader)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int err;

	err = pthread_attr_init(&attr);
	if (err)
		return -err;
	(void)pthread_attr_setstacksize(&attr, STACK_SIZE);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&reader->thread, &attr, run, reader);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	if (err)
		return -err;
	reader->running = true;
	(void)pthread_setname_np(reader->thread, "avxtop-reader");
	return 0;
}

static int init_locks(struct reader *reader)
{
	pthread_condattr_t attr;
	int err = pthread_condattr_init(&attr);

	if (err)
		return -err;
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	err = pthread_cond_init(&reader->wake, &attr);
	pthread_condattr_destroy(&attr);
	if (err)
		return -err;
	err = pthread_mutex_init(&reader->mutex, NULL);
	if (err)
		pthread_cond_destroy(&reader->wake);
	return -err;
}

int reader_start(const struct host *host, const struct reader_source *sources, unsigned n_sources,
		 uint64_t interval_ns, struct reader **ret)
{
	struct reader *reader;
	int r;

	if (interval_ns == 0)
		return -EINVAL;
	reader = calloc(1, sizeof(*reader) + n_sources * sizeof(reader->sources[0]));
	if (!reader)
		return -ENOMEM;
	r = init_locks(reader);
	if (r < 0) {
		free(reader);
		return r;
	}
	if (n_sources > 0)
		memcpy(reader->sources, sources, n_sources * sizeof(sources[0]));
	reader->n_sources = n_sources;
	reader->interval_ns = interval_ns;
	reader->random = clock_real_ns() ^ ((uint64_t)getpid() << 32);
	reader->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (reader->event_fd < 0) {
		r = -errno;
		goto fail;
	}
	reader->front = sample_new(host);
	reader->back = sample_new(host);
	r = reader->front && reader->back ? start_thread(reader) : -ENOMEM;
	if (r < 0)
		goto fail;
	*ret = reader;
	return 0;
fail:
	reader_stop(reader);
	return r;
}

void reader_stop(struct reader *reader)
{
	if (!reader)
		return;
	if (reader->running) {
		pthread_mutex_lock(&reader->mutex);
		reader->stopping = true;
		pthread_cond_signal(&reader->wake);
		pthread_mutex_unlock(&reader->mutex);
		pthread_join(reader->thread, NULL);
	}
	sample_free(reader->front);
	sample_free(reader->back);
	if (reader->event_fd >= 0)
		close(reader->event_fd);
	pthread_mutex_destroy(&reader->mutex);
	pthread_cond_destroy(&reader->wake);
	free(reader);
}

void reader_set_interval(struct reader *reader, uint64_t interval_ns)
{
	if (interval_ns == 0)
		return;
	pthread_mutex_lock(&reader->mutex);
	reader->interval_ns = interval_ns;
	reader->changed = true;
	pthread_cond_signal(&reader->wake);
	pthread_mutex_unlock(&reader->mutex);
}

void reader_kick(struct reader *reader)
{
	pthread_mutex_lock(&reader->mutex);
	reader->kicked = true;
	pthread_cond_signal(&reader->wake);
	pthread_mutex_unlock(&reader->mutex);
}

int reader_fd(const struct reader *reader)
{
	return reader->event_fd;
}

bool reader_take(struct reader *reader, struct sample *into)
{
	eventfd_t count;
	bool waits;

	pthread_mutex_lock(&reader->mutex);
	waits = reader->waits;
	if (waits) {
		sample_copy(into, reader->front);
		reader->waits = false;
		(void)eventfd_read(reader->event_fd, &count);
	}
	pthread_mutex_unlock(&reader->mutex);
	return waits;
}
