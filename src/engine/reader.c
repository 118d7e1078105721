/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader thread: an absolute schedule, and two buffers of which one is always whole. */
#include "config.h"

#include "engine/reader.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/pace.h"
#include "model/sample.h"
#include "source/source.h"

/* Sources keep their buffers on the heap: what is needed here is a few paths and frames. */
#define STACK_SIZE ((size_t)256 * 1024)
/* How long a stop waits for the thread; a file may hold that up for much longer. */
#define PATIENCE_NS (20 * NS_PER_MS)

struct reader {
	pthread_t thread;
	int event_fd;
	uint64_t random; /* thread only */
	atomic_uint reading; /* the source whose read() the thread is in, or SOURCE_NONE */

	pthread_mutex_t mutex;
	pthread_cond_t wake;
	/* Under the mutex: */
	uint64_t interval_ns;
	bool kicked, changed, stopping;
	bool waits; /* `front` was not taken yet */
	/* Who comes last cleans up: the thread, where it was not waited for. */
	bool ended, left;
	void (*release)(void *);
	void *release_arg;

	/* `front` is whole and changes only when the thread swaps the two under the mutex; so the
	 * thread itself may read it without. `back` belongs to the thread. */
	struct sample *front, *back;

	unsigned n_sources;
	struct {
		struct reader_source row;
		struct pace pace; /* thread only */
	} sources[];
};

static_assert(SOURCE_N <= SAMPLE_SOURCES, "a sample has a time for each source");

static void clean_up(struct reader *reader)
{
	void (*release)(void *) = reader->release;
	void *arg = reader->release_arg;

	sample_free(reader->front);
	sample_free(reader->back);
	if (reader->event_fd >= 0)
		close(reader->event_fd);
	pthread_mutex_destroy(&reader->mutex);
	pthread_cond_destroy(&reader->wake);
	free(reader);
	if (release)
		release(arg);
}

enum wake { WAKE_TIME, WAKE_KICK, WAKE_CHANGE, WAKE_STOP };

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };
}

/* Sleeps until then, or until somebody calls; calls that came before count. */
static enum wake wait_until(struct reader *reader, uint64_t mono_ns)
{
	const struct timespec until = to_timespec(mono_ns);
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
		if (reader->sources[i].row.ops->early)
			reader->sources[i].row.ops->early(reader->sources[i].row.source, prev);
}

static void read_one(struct reader *reader, unsigned i, uint64_t interval_ns)
{
	const struct reader_source *row = &reader->sources[i].row;
	struct pace *pace = &reader->sources[i].pace;
	uint64_t now = clock_mono_ns();

	if (!row->ops->keeps_share && !pace_due(pace, now, interval_ns)) {
		sample_carry_over(reader->back, reader->front, row->id);
		return;
	}
	reader->back->read_ns[row->id] = now;
	atomic_store(&reader->reading, row->id);
	/* A source that fails says so in the states of its readings. */
	(void)row->ops->read(row->source, reader->back);
	atomic_store(&reader->reading, SOURCE_NONE);
	pace_note(pace, now, clock_mono_ns());
}

static void read_all(struct reader *reader, uint64_t interval_ns)
{
	struct sample *sample = reader->back;

	sample_clear(sample);
	sample->mono_ns = clock_mono_ns();
	sample->real_ns = clock_real_ns();
	sample->suspended_ns = clock_suspended_ns();
	for (unsigned i = 0; i < reader->n_sources; i++) {
		if (is_stopping(reader))
			return;
		read_one(reader, i, interval_ns);
	}

	pthread_mutex_lock(&reader->mutex);
	if (reader->waits)
		sample_keep_breaks(sample, reader->front);
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

static uint64_t get_interval(struct reader *reader)
{
	pthread_mutex_lock(&reader->mutex);
	uint64_t interval_ns = reader->interval_ns;
	pthread_mutex_unlock(&reader->mutex);
	return interval_ns;
}

static void sample_until_stopped(struct reader *reader)
{
	uint64_t tick = clock_mono_ns();
	enum wake wake = WAKE_TIME;
	bool prepared = false;

	prepare(reader, NULL);
	read_all(reader, get_interval(reader));
	while (wake != WAKE_STOP) {
		uint64_t interval_ns = get_interval(reader);
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
			read_all(reader, interval_ns);
			prepared = false;
		}
	}
}

static void *run(void *arg)
{
	struct reader *reader = arg;
	bool left;

	sample_until_stopped(reader);
	pthread_mutex_lock(&reader->mutex);
	reader->ended = true;
	left = reader->left;
	pthread_mutex_unlock(&reader->mutex);
	if (left)
		clean_up(reader);
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
		 const uint8_t *servers, uint64_t interval_ns, struct reader **ret)
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
	for (unsigned i = 0; i < n_sources; i++)
		reader->sources[i].row = sources[i];
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
	if (!reader->front || !reader->back) {
		r = -ENOMEM;
		goto fail;
	}
	reader->front->servers = reader->back->servers = servers;
	r = start_thread(reader);
	if (r < 0)
		goto fail;
	*ret = reader;
	return 0;
fail:
	clean_up(reader);
	return r;
}

/* True when the thread has ended, within a time that nobody notices; else it is left to itself. */
static bool wait_for_thread(struct reader *reader)
{
	const pthread_t thread = reader->thread;
	const struct timespec until = to_timespec(clock_real_ns() + PATIENCE_NS);
	bool ended;

	if (pthread_timedjoin_np(thread, NULL, &until) == 0)
		return true;
	pthread_mutex_lock(&reader->mutex);
	ended = reader->ended;
	reader->left = !ended;
	pthread_mutex_unlock(&reader->mutex);
	if (ended)
		pthread_join(thread, NULL);
	else
		pthread_detach(thread);
	return ended;
}

void reader_stop(struct reader *reader, void (*release)(void *), void *arg)
{
	if (!reader)
		return;
	pthread_mutex_lock(&reader->mutex);
	reader->stopping = true;
	reader->release = release;
	reader->release_arg = arg;
	pthread_cond_signal(&reader->wake);
	pthread_mutex_unlock(&reader->mutex);
	if (wait_for_thread(reader))
		clean_up(reader);
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

unsigned reader_reading(struct reader *reader)
{
	return atomic_load(&reader->reading);
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
