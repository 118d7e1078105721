/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that tells who else pays: it probes a CPU that is not driven, in pairs, in the gap and
 * in the on time of those that are. Both probes are woken by the same timer, so that what waking does
 * to a clock is in both. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sys/prctl.h>
#include <time.h>

#include "base/clock.h"
#include "burst/burst_own.h"
#include "burst/span.h"

/* Two probes of up to 60 us each: under 1 % of the watched CPU. */
#define WATCH_EVERY_NS 20000000
/* A timer may be 80 to 335 us late, a probe takes 60: begin early enough to end inside the gap. */
#define WATCH_EARLY_NS 500000
#define SLICE_NS 20000000 /* how often a sleeper looks for the end */

struct watcher {
	struct member *member;
	double imul_cycles;
	uint64_t start_mono_ns;
};

static bool ended(const struct watcher *w)
{
	return atomic_load(&w->member->burst->stop) || atomic_load(&w->member->burst->driving) == 0;
}

static bool sleep_until(const struct watcher *w, int64_t t_ns)
{
	int64_t now_ns;

	while (!ended(w) && (now_ns = member_time(w->start_mono_ns)) < t_ns) {
		const int64_t next = now_ns + SLICE_NS < t_ns ? now_ns + SLICE_NS : t_ns;
		const uint64_t at = w->start_mono_ns + (uint64_t)next;
		const struct timespec time = { .tv_sec = (time_t)(at / NS_PER_S),
					       .tv_nsec = (long)(at % NS_PER_S) };

		(void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
	}
	return !ended(w);
}

/* Is the burst where the schedule says it should be? A driver may have been held up. */
static bool phase_is(const struct watcher *w, bool on)
{
	const struct burst *const burst = w->member->burst;
	struct board_entry entry;

	return schedule_at(&burst->schedule, member_time(w->start_mono_ns)).on == on &&
	       board_read(burst->board, burst->members[0].cpu, &entry) &&
	       entry.phase == (on ? PHASE_ON : PHASE_GAP);
}

/* The clock of this CPU at t_ns; NAN when it was disturbed or the phase was not as expected. */
static double probe_at(const struct watcher *w, int64_t t_ns, bool on)
{
	struct gauge_look look;

	if (!sleep_until(w, t_ns) || !phase_is(w, on))
		return NAN;
	gauge_probe(w->imul_cycles, &look);
	if (!phase_is(w, on))
		return NAN;
	/* a busy sibling holds up the witness, an add a cycle, but not the ruler */
	look.flags &= ~(unsigned)GAUGE_WITNESS;
	return gauge_hertz(&look, w->member->burst->host->tsc_hertz);
}

static void add(const struct watcher *w, double before, double during)
{
	const struct pair pair = { before, during, NAN };
	struct record *const record = &w->member->record;

	if (isnan(before) || isnan(during))
		return;
	(void)pthread_mutex_lock(&record->mutex);
	record_add(record, &pair, true);
	(void)pthread_mutex_unlock(&record->mutex);
}

/* The first pair, at the start of the load, and a look when the load has been over for a while. */
static void note_start(const struct watcher *w, double before, double during)
{
	struct record *const record = &w->member->record;

	(void)pthread_mutex_lock(&record->mutex);
	record->ends.before_hertz = before;
	record->ends.during_hertz = during;
	(void)pthread_mutex_unlock(&record->mutex);
}

static void watch_end(const struct watcher *w)
{
	const int64_t until_ns = w->member->burst->schedule.duration_ns + SCHEDULE_LEAD_NS;
	const double after = probe_at(w, until_ns - WATCH_EARLY_NS, false);
	struct record *const record = &w->member->record;

	(void)pthread_mutex_lock(&record->mutex);
	record->ends.after_hertz = after;
	(void)pthread_mutex_unlock(&record->mutex);
}

static void watch_pattern(const struct watcher *w)
{
	const struct schedule *const schedule = &w->member->burst->schedule;
	int64_t next_ns = -SCHEDULE_LEAD_NS;

	while (!ended(w)) {
		const int64_t now_ns = member_time(w->start_mono_ns);
		struct stretch gap = schedule_at(schedule, now_ns > next_ns ? now_ns : next_ns), on;
		int64_t early, settle;
		double before, during;

		if (gap.on)
			gap = schedule_at(schedule, gap.until_ns);
		on = schedule_at(schedule, gap.until_ns);
		if (!on.on || on.over)
			return;
		early = (gap.until_ns - gap.from_ns) * 6 / 10;
		settle = (on.until_ns - on.from_ns) / 2;
		if (early > WATCH_EARLY_NS)
			early = WATCH_EARLY_NS;
		if (settle > SPAN_SETTLE_NS)
			settle = SPAN_SETTLE_NS;
		before = probe_at(w, gap.until_ns - early, false);
		during = isnan(before) ? NAN : probe_at(w, on.from_ns + settle, true);
		add(w, before, during);
		if (gap.from_ns < 0)
			note_start(w, before, during);
		next_ns = gap.until_ns + WATCH_EVERY_NS;
	}
}

/* Without gaps there are only the two edges, as for the driver. */
static void watch_edge(const struct watcher *w, int64_t edge_ns, bool first)
{
	const int64_t step = SPAN_APART_NS / (SPAN_EDGE_PAIRS + 1);
	double early[SPAN_EDGE_PAIRS];

	for (int i = 0; i < SPAN_EDGE_PAIRS; i++)
		early[i] = probe_at(w, edge_ns - SPAN_APART_NS + (i + 1) * step, !first);
	for (int i = 0; i < SPAN_EDGE_PAIRS; i++) {
		const double late = probe_at(w, edge_ns + (i + 1) * step, first);

		add(w, first ? early[i] : late, first ? late : early[i]);
		if (first && i + 1 == SPAN_EDGE_PAIRS)
			note_start(w, early[i], late);
	}
}

void *watcher_main(void *argument)
{
	struct member *const member = argument;
	struct watcher watcher = { .member = member };

	if (!member_pin(member))
		return NULL;
	member_calibrate(member);
	if (!member_wait(member, &watcher.start_mono_ns))
		return NULL;
	watcher.imul_cycles = member_core(member).imul_cycles;
	if (watcher.imul_cycles == 0)
		return NULL;
	(void)prctl(PR_SET_TIMERSLACK, 1000ul); /* of this thread; the default is 50 us */
	if (!schedule_solid(&member->burst->schedule)) {
		watch_pattern(&watcher);
	} else {
		watch_edge(&watcher, 0, true);
		watch_edge(&watcher, member->burst->schedule.duration_ns, false);
	}
	watch_end(&watcher);
	return NULL;
}
