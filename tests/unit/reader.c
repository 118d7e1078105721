/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reader against sources that are slow, counted and timed. Bounds are wide where a busy machine
 * may be late, and tight where only a fault of the schedule could be. */
#include "config.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "engine/reader.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/source.h"

#define MAX_EVENTS 4096

struct event {
	uint64_t mono_ns;
	bool early;
	uint64_t prev_raw; /* of the sample given to early(); UINT64_MAX: none */
};

/* What the thread did, in order. */
struct source {
	pthread_mutex_t mutex;
	_Atomic unsigned n, reads;
	_Atomic unsigned reset_at; /* the read that finds its counter begun anew; 0 none */
	_Atomic uint64_t read_takes_ns;
	struct event events[MAX_EVENTS];
	sigset_t mask;
	char thread_name[16];
};

static struct host_cpu cpus[2] = { { .id = 0 }, { .id = 1 } };
static const struct host host = { .cpus = cpus, .n_cpus = 2 };

static void sleep_ns(uint64_t ns)
{
	const struct timespec t = { (time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S) };

	nanosleep(&t, NULL);
}

static void note(struct source *source, bool early, uint64_t prev_raw)
{
	pthread_mutex_lock(&source->mutex);
	if (source->n < MAX_EVENTS)
		source->events[source->n++] =
			(struct event){ clock_mono_ns(), early, prev_raw };
	pthread_mutex_unlock(&source->mutex);
}

static void fake_early(struct source *source, const struct sample *prev)
{
	const struct reading *reading = prev ? sample_get(prev, COUNTER_OS_BUSY, 1, 0) : NULL;

	note(source, true, reading ? reading->raw : UINT64_MAX);
}

static int fake_read(struct source *source, struct sample *into)
{
	note(source, false, 0);
	if (source->read_takes_ns)
		sleep_ns(source->read_takes_ns);
	sample_set(into, COUNTER_OS_BUSY, 1, 0, ++source->reads, SOURCE_PROCFS);
	pthread_sigmask(SIG_SETMASK, NULL, &source->mask);
	pthread_getname_np(pthread_self(), source->thread_name, sizeof(source->thread_name));
	return 0;
}

/* Of its own counters: one that rises, and one of the moment. */
static int late_read(struct source *source, struct sample *into)
{
	note(source, false, 0);
	if (source->read_takes_ns)
		sleep_ns(source->read_takes_ns);
	sample_set(into, COUNTER_OS_IDLE, 0, 0, ++source->reads, SOURCE_CPUIDLE);
	if (source->reads == source->reset_at)
		sample_at(into, COUNTER_OS_IDLE, 0, 0)->state = STATE_RESET;
	sample_fail(into, COUNTER_OS_IDLE, 1, 0, STATE_DENIED, SOURCE_CPUIDLE);
	return 0;
}

static const struct source_ops fake_ops = { .early = fake_early, .read = fake_read };
static const struct source_ops late_ops = { .read = late_read };

struct fixture {
	struct source source, second;
	struct reader *reader;
	struct sample *sample;
};

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	pthread_mutex_init(&f->source.mutex, NULL);
	pthread_mutex_init(&f->second.mutex, NULL);
	f->sample = sample_new(&host);
	assert_non_null(f->sample);
	*state = f;
	return 0;
}

static void note_release(void *arg)
{
	++*(_Atomic unsigned *)arg;
}

/* The thread may be in a read: what it uses is ours until it says so. */
static void stop(struct fixture *f)
{
	_Atomic unsigned released = 0;

	reader_stop(f->reader, note_release, &released);
	while (f->reader && !released)
		sleep_ns(NS_PER_MS);
	f->reader = NULL;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	stop(f);
	sample_free(f->sample);
	pthread_mutex_destroy(&f->source.mutex);
	pthread_mutex_destroy(&f->second.mutex);
	free(f);
	return 0;
}

static void start(struct fixture *f, uint64_t interval_ns)
{
	const struct reader_source sources[] = {
		{ &fake_ops, &f->source, SOURCE_PROCFS },
		{ &late_ops, &f->second, SOURCE_CPUIDLE },
	};

	assert_int_equal(reader_start(&host, sources, 2, NULL, interval_ns, &f->reader), 0);
}

static bool wait_sample(struct fixture *f, int timeout_ms)
{
	struct pollfd fd = { .fd = reader_fd(f->reader), .events = POLLIN };

	return poll(&fd, 1, timeout_ms) == 1;
}

static uint64_t take(struct fixture *f)
{
	assert_true(wait_sample(f, 10000));
	assert_true(reader_take(f->reader, f->sample));
	return sample_get(f->sample, COUNTER_OS_BUSY, 1, 0)->raw;
}

static void first_sample_comes_at_once(void **state)
{
	struct fixture *f = *state;
	uint64_t before = clock_mono_ns();
	const struct reading *reading;

	start(f, 3600 * NS_PER_S);
	assert_int_equal(take(f), 1);
	assert_true(clock_mono_ns() - before < NS_PER_S);
	assert_true(f->sample->mono_ns >= before);
	reading = sample_get(f->sample, COUNTER_OS_BUSY, 1, 0);
	assert_int_equal(reading->state, STATE_OK);
	assert_int_equal(reading->source, SOURCE_PROCFS);
	/* What no source wrote is not a zero. */
	assert_int_equal(sample_get(f->sample, COUNTER_OS_BUSY, 0, 0)->state, STATE_UNSUPPORTED);
	/* Taken once, it is gone, and the descriptor is quiet. */
	assert_false(reader_take(f->reader, f->sample));
	assert_false(wait_sample(f, 0));
}

static void early_sees_the_previous_sample(void **state)
{
	struct fixture *f = *state;

	start(f, 20 * NS_PER_MS);
	while (take(f) < 6)
		;
	stop(f);
	/* Strictly in turn, each early() with the sample before, the first with none. */
	for (unsigned i = 0; i < f->source.n; i++) {
		const struct event *e = &f->source.events[i];

		assert_int_equal(e->early, i % 2 == 0);
		if (e->early)
			assert_true(e->prev_raw == (i == 0 ? UINT64_MAX : i / 2));
	}
}

static void a_slow_source_never_blocks_take(void **state)
{
	struct fixture *f = *state;
	uint64_t longest = 0, end, n = 0;

	start(f, 20 * NS_PER_MS);
	take(f);
	f->second.read_takes_ns = NS_PER_S;
	end = clock_mono_ns() + 700 * NS_PER_MS;
	while (clock_mono_ns() < end) {
		uint64_t before = clock_mono_ns(), took;

		reader_take(f->reader, f->sample);
		took = clock_mono_ns() - before;
		longest = took > longest ? took : longest;
		n++;
		sleep_ns(NS_PER_MS);
	}
	assert_true(n > 50);
	/* Half of what the source blocks for would be a fault; less is the scheduler. */
	assert_true(longest < 500 * NS_PER_MS);
}

static void stop_never_waits_for_a_read(void **state)
{
	struct fixture *f = *state;
	static _Atomic unsigned released;
	uint64_t before;

	/* Asleep for an hour: all is done at once. */
	released = 0;
	start(f, 3600 * NS_PER_S);
	take(f);
	before = clock_mono_ns();
	reader_stop(f->reader, note_release, &released);
	assert_true(clock_mono_ns() - before < 100 * NS_PER_MS);
	assert_int_equal(released, 1);

	/* In a read of 600 ms: it ends later by itself, no source after it is asked, and only then may what
	 * it uses be freed. */
	released = 0;
	f->source.read_takes_ns = 600 * NS_PER_MS;
	f->second.reads = 0;
	start(f, NS_PER_S);
	while (f->source.n < 4)
		sleep_ns(NS_PER_MS);
	before = clock_mono_ns();
	reader_stop(f->reader, note_release, &released);
	f->reader = NULL;
	assert_true(clock_mono_ns() - before < 300 * NS_PER_MS);
	assert_int_equal(released, 0);
	while (!released && clock_mono_ns() - before < 10 * NS_PER_S)
		sleep_ns(NS_PER_MS);
	assert_int_equal(released, 1);
	assert_int_equal(f->second.reads, 0);
}

static void a_slow_source_is_read_less_often(void **state)
{
	const uint64_t interval = 20 * NS_PER_MS;
	struct fixture *f = *state;
	uint64_t raw = 0, read_ns = 0, fresh = 0, stale = 0;

	f->second.read_takes_ns = 5 * NS_PER_MS; /* a quarter of the time */
	start(f, interval);
	for (unsigned i = 0; i < 40; i++) {
		const struct reading *reading;

		take(f);
		reading = sample_get(f->sample, COUNTER_OS_IDLE, 0, 0);
		assert_int_equal(reading->source, SOURCE_CPUIDLE);
		/* Skipped: the same reading of the same time, and it says so. */
		if (reading->raw == raw) {
			assert_int_equal(reading->state, STATE_STALE);
			assert_true(sample_read_ns(f->sample, SOURCE_CPUIDLE) == read_ns);
			stale++;
		} else {
			assert_int_equal(reading->state, STATE_OK);
			assert_true(sample_read_ns(f->sample, SOURCE_CPUIDLE) > read_ns);
			fresh++;
		}
		raw = reading->raw;
		read_ns = sample_read_ns(f->sample, SOURCE_CPUIDLE);
		assert_int_equal(sample_get(f->sample, COUNTER_OS_IDLE, 1, 0)->state, STATE_DENIED);
		/* The other one has its turn each time. */
		assert_int_equal(sample_get(f->sample, COUNTER_OS_BUSY, 1, 0)->state, STATE_OK);
	}
	/* Reads 1 and 2 come in a row, then each fifth at most. */
	assert_true(fresh >= 2 && fresh <= 2 + 40 / 5 + 1);
	assert_true(stale >= 20);
}

static void schedule_neither_drifts_nor_piles_up(void **state)
{
	enum { TICKS = 40 };
	const uint64_t interval = 20 * NS_PER_MS;
	struct fixture *f = *state;
	uint64_t first = 0, last = 0;
	unsigned on_time = 0;

	f->source.read_takes_ns = 3 * NS_PER_MS; /* a relative sleep would lose this each time */
	start(f, interval);
	for (unsigned i = 0; i < TICKS; i++) {
		take(f);
		if (i == 0)
			first = f->sample->mono_ns;
		else
			assert_true(f->sample->mono_ns - last >= interval / 2);
		last = f->sample->mono_ns;
		on_time += (last - first + interval / 4) % interval < interval / 2;
	}
	assert_true(on_time >= TICKS / 2);
}

static void missed_ticks_are_skipped(void **state)
{
	const uint64_t interval = 40 * NS_PER_MS;
	struct fixture *f = *state;
	uint64_t times[8] = { 0 };
	unsigned n = 0;

	start(f, interval);
	take(f);
	f->source.read_takes_ns = 5 * interval / 2; /* ticks 2 and 3 pass in the read of tick 1 */
	while (f->source.reads < 2)
		sleep_ns(NS_PER_MS);
	f->source.read_takes_ns = 0;
	while (take(f) < 5)
		;
	stop(f);
	for (unsigned i = 0; i < f->source.n && n < 8; i++)
		if (!f->source.events[i].early)
			times[n++] = f->source.events[i].mono_ns;
	assert_true(n >= 5);
	/* The read of tick 1, then tick 4 or a later one, and no two in a burst. */
	assert_true(times[2] - times[1] >= 5 * interval / 2);
	for (unsigned i = 2; i + 1 < n; i++)
		assert_true(times[i + 1] - times[i] > interval / 4);
}

static void early_comes_at_a_random_phase(void **state)
{
	const uint64_t interval = 20 * NS_PER_MS;
	struct fixture *f = *state;
	unsigned n = 0, first_half = 0, outside = 0;
	uint64_t start_ns = 0;

	start(f, interval);
	while (take(f) < 80)
		;
	stop(f);
	for (unsigned i = 0; i < f->source.n; i++) {
		const struct event *e = &f->source.events[i];
		double phase;

		if (i < 2) {
			start_ns = e->mono_ns;
			continue;
		}
		if (!e->early)
			continue;
		phase = (double)((e->mono_ns - start_ns) % interval) / (double)interval;
		n++;
		first_half += phase < 0.5;
		outside += phase < 0.09 || phase > 0.95;
	}
	/* Of 79 fair ones fewer than 20 in one half happens once in 10^5 runs. */
	assert_in_range(first_half, 20, n - 20);
	assert_true(outside * 4 < n);
}

static void kick_reads_now_and_keeps_the_schedule(void **state)
{
	const uint64_t interval = 400 * NS_PER_MS;
	struct fixture *f = *state;
	uint64_t first, kicked, next;

	start(f, interval);
	assert_int_equal(take(f), 1);
	first = f->sample->mono_ns;
	sleep_ns(100 * NS_PER_MS);
	reader_kick(f->reader);
	assert_int_equal(take(f), 2);
	kicked = f->sample->mono_ns - first;
	assert_true(kicked < interval);
	assert_int_equal(take(f), 3);
	next = f->sample->mono_ns - first;
	assert_true(next >= interval - NS_PER_MS);
	assert_true(next < interval + interval / 2);
	/* A read has an early() of its own, kicked ones too. */
	for (unsigned i = 0; i < f->source.n; i++)
		assert_int_equal(f->source.events[i].early, i % 2 == 0);
}

static void a_kick_shortly_before_a_tick_replaces_it(void **state)
{
	const uint64_t interval = 400 * NS_PER_MS;
	struct fixture *f = *state;
	uint64_t first, kicked;

	start(f, interval);
	take(f);
	first = f->sample->mono_ns;
	sleep_ns(300 * NS_PER_MS);
	reader_kick(f->reader);
	take(f);
	kicked = f->sample->mono_ns - first;
	take(f);
	if (kicked > interval)
		return; /* a machine this late tells nothing */
	assert_true(f->sample->mono_ns - first >= 2 * interval - NS_PER_MS);
}

static void interval_changes_count_from_the_last_tick(void **state)
{
	struct fixture *f = *state;
	uint64_t first;

	start(f, 3600 * NS_PER_S);
	take(f);
	first = f->sample->mono_ns;
	reader_set_interval(f->reader, 300 * NS_PER_MS);
	assert_false(wait_sample(f, 100)); /* the change itself takes no sample */
	assert_int_equal(take(f), 2);
	assert_true(f->sample->mono_ns - first >= 299 * NS_PER_MS);
	assert_true(f->sample->mono_ns - first < 2 * NS_PER_S);
	reader_set_interval(f->reader, 3600 * NS_PER_S);
	assert_false(wait_sample(f, 500));
}

static void signals_are_not_the_readers(void **state)
{
	struct fixture *f = *state;
	sigset_t mine;

	start(f, 3600 * NS_PER_S);
	take(f);
	assert_int_equal(sigismember(&f->source.mask, SIGINT), 1);
	assert_int_equal(sigismember(&f->source.mask, SIGTERM), 1);
	assert_int_equal(sigismember(&f->source.mask, SIGWINCH), 1);
	pthread_sigmask(SIG_SETMASK, NULL, &mine);
	assert_int_equal(sigismember(&mine, SIGTERM), 0);
}

static void only_the_newest_waits(void **state)
{
	struct fixture *f = *state;

	start(f, 10 * NS_PER_MS);
	while (f->second.reads < 6)
		sleep_ns(NS_PER_MS);
	assert_true(take(f) >= 5);
	assert_true(f->sample->mono_ns > 0);
}

/* What nobody took still parts what was before it from what comes after. */
static void a_break_outlives_its_sample(void **state)
{
	struct fixture *f = *state;
	const struct reading *idle = sample_get(f->sample, COUNTER_OS_IDLE, 0, 0);

	f->second.reset_at = 3;
	start(f, 10 * NS_PER_MS);
	while (f->second.reads < 6)
		sleep_ns(NS_PER_MS);
	assert_true(take(f) >= 5);
	assert_int_equal(idle->state, STATE_RESET);
	assert_true(idle->raw >= 5);
	take(f);
	while (idle->state == STATE_STALE) /* it was too slow by chance */
		take(f);
	assert_int_equal(idle->state, STATE_OK);
}

static void works_without_sources(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(reader_start(&host, NULL, 0, NULL, 0, &f->reader), -22);
	assert_int_equal(reader_start(&host, NULL, 0, NULL, 10 * NS_PER_MS, &f->reader), 0);
	take(f);
	take(f);
	reader_stop(NULL, NULL, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(first_sample_comes_at_once),
		TEST(early_sees_the_previous_sample),
		TEST(a_slow_source_never_blocks_take),
		TEST(stop_never_waits_for_a_read),
		TEST(a_slow_source_is_read_less_often),
		TEST(schedule_neither_drifts_nor_piles_up),
		TEST(missed_ticks_are_skipped),
		TEST(early_comes_at_a_random_phase),
		TEST(kick_reads_now_and_keeps_the_schedule),
		TEST(a_kick_shortly_before_a_tick_replaces_it),
		TEST(interval_changes_count_from_the_last_tick),
		TEST(signals_are_not_the_readers),
		TEST(only_the_newest_waits),
		TEST(a_break_outlives_its_sample),
		TEST(works_without_sources),
	};

	return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
