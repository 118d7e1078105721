/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the levels of a time line mean. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/timeline_own.h"

/* With fewer epochs half of them are interrupted at one place too often: 6 % of sub-samples are (at
 * 20,000 interrupts of 2 us a second), and 8 of 16 at one of 2,000 places once in 300 lines. */
#define LEAST_EPOCHS 20
/* Of the drop: a clock that rises by that much has begun to recover, and lacks that much at most.
 */
#define RISE 0.25
#define LACK 0.1
#define SIGMAS_95 1.96
/* A halt that belongs to the entry begins within this; all known ones begin within 25 us. */
#define ENTRY_S 60e-6
#define LIMIT_S 20e-6 /* where noise is taken from */

void timeline_set_duration(struct timeline_phase *phase, double begin, double duration, double error,
			 double hertz)
{
	phase->seen = true;
	phase->begin_s = begin / hertz;
	phase->duration_s = duration / hertz;
	phase->low_s = fmax(duration - SIGMAS_95 * error, 0) / hertz;
	phase->high_s = (duration + SIGMAS_95 * error) / hertz;
}

static void set_at_least(struct timeline_phase *phase, double begin, double duration, double hertz)
{
	timeline_set_duration(phase, begin, duration, 0, hertz);
	phase->high_s = INFINITY;
}

static void set_halt(struct timeline_phase *phase, const struct timeline_halt *halt, double hertz)
{
	const double begin_s = phase->begin_s, duration_s = phase->duration_s;
	const double low_s = phase->low_s, high_s = phase->high_s;
	const bool more = phase->seen;

	timeline_set_duration(phase, halt->begin, halt->end - halt->begin, halt->length_error, hertz);
	if (more) {
		phase->begin_s = begin_s;
		phase->duration_s += duration_s;
		phase->low_s += low_s;
		phase->high_s += high_s;
	}
}

/* Level of the clock right before or behind a time; 1 where nothing is known. */
static double clock_at(const struct timeline_view *view, double at, bool behind)
{
	const struct timeline_segment *segments = view->segments[TIMELINE_SCALAR];
	double level = 1;

	for (size_t i = 0; i < view->n_segments[TIMELINE_SCALAR]; i++) {
		const double middle = (segments[i].begin + segments[i].end) / 2;

		if (timeline_is_halt(view, TIMELINE_SCALAR, i))
			continue;
		if (middle < at)
			level = segments[i].level;
		else if (behind)
			return segments[i].level;
	}
	return level;
}

/* A halt in the burst belongs to its entry. Behind it, one after which the clock is higher is the
 * second, and so is any where the burst was long enough for its entry to be over. */
static bool belongs_to_entry(const struct timeline_view *view, const struct timeline_halt *halt,
			     double entry)
{
	const double before = clock_at(view, halt->begin, false),
		     after = clock_at(view, halt->end, true);
	const double soon = ENTRY_S * view->work->input->tsc_hertz;

	if (halt->end <= view->work->burst)
		return true;
	if (halt->begin > fmax(entry + TIMELINE_THROTTLE_SOON_S * view->work->input->tsc_hertz, soon))
		return false;
	return before < TIMELINE_THROTTLE_SCALAR || after < before + JUDGE_FLOOR;
}

/* Returns when throttle and halts of the entry are over. */
static double find_entry(struct timeline_view *view, const struct timeline_halts *halts)
{
	const double hertz = view->work->input->tsc_hertz;
	double entry = timeline_throttle(view, halts);

	for (size_t i = 0; i < halts->n; i++) {
		const bool first = belongs_to_entry(view, &halts->halts[i], entry);

		set_halt(&view->into->phases[first ? TIMELINE_HALT_DOWN : TIMELINE_HALT_UP],
			 &halts->halts[i], hertz);
		if (first)
			entry = fmax(entry, halts->halts[i].end);
	}
	return entry;
}

/* First segment of the clock behind `from` that is at least at `level`; with all: from which on all
 * are. n_segments: none. Halts do not count. */
static size_t rises(const struct timeline_view *view, double from, double level, bool all)
{
	const size_t n = view->n_segments[TIMELINE_SCALAR];
	size_t found = n;

	for (size_t i = 0; i < n; i++) {
		const struct timeline_segment *at = &view->segments[TIMELINE_SCALAR][i];

		if (at->end <= from || timeline_is_halt(view, TIMELINE_SCALAR, i))
			continue;
		if (at->level < level)
			found = n;
		else if (found == n)
			found = i;
		if (found < n && !all)
			break;
	}
	return found;
}

/* The halt that the edge before a segment lies in or next to. */
static const struct timeline_halt *halt_before(const struct timeline_view *view,
					       const struct timeline_halts *halts, double edge)
{
	const double sample =
		timeline_sample(view, TIMELINE_SCALAR, view->work->burst, view->work->to);

	for (size_t i = 0; i < halts->n; i++)
		if (halts->halts[i].begin < edge + sample &&
		    halts->halts[i].end > edge - 2 * sample)
			return &halts->halts[i];
	return NULL;
}

static void find_hold(struct timeline_view *view, const struct timeline_halts *halts, double from,
		      double drop)
{
	struct timeline_phase *phase = &view->into->phases[TIMELINE_HOLD];
	const double hertz = view->work->input->tsc_hertz, burst = view->work->burst;
	const size_t rise = rises(view, from, 1 - drop * (1 - RISE), false);
	const struct timeline_segment *at = &view->segments[TIMELINE_SCALAR][rise];
	const struct timeline_halt *halt;
	double end, error;

	if (rise == view->n_segments[TIMELINE_SCALAR]) {
		set_at_least(phase, burst, view->work->to - burst, hertz);
		return;
	}
	halt = halt_before(view, halts, at->begin);
	end = halt ? halt->begin : at->begin;
	error = halt ? halt->begin_error : at->begin_error;
	if (end - burst > phase->limit_s * hertz)
		timeline_set_duration(phase, burst, end - burst, error, hertz);
}

static void find_recovery(struct timeline_view *view, const struct timeline_halts *halts,
			  double from, double drop)
{
	struct timeline_phase *phase = &view->into->phases[TIMELINE_RECOVERED];
	const struct timeline_phase *hold = &view->into->phases[TIMELINE_HOLD];
	const struct timeline_phase *second = &view->into->phases[TIMELINE_HALT_UP];
	const double hertz = view->work->input->tsc_hertz, burst = view->work->burst;
	const size_t rise = rises(view, from, 1 - fmax(LACK * drop, 2 * JUDGE_FLOOR), true);
	const struct timeline_segment *at = &view->segments[TIMELINE_SCALAR][rise];
	const struct timeline_halt *halt;
	double end, error;

	if (!hold->seen && !second->seen)
		return;
	if (rise == view->n_segments[TIMELINE_SCALAR]) {
		set_at_least(phase, burst, view->work->to - burst, hertz);
		return;
	}
	halt = halt_before(view, halts, at->begin);
	end = halt ? halt->end : at->begin;
	error = halt ? hypot(halt->begin_error, halt->length_error) : at->begin_error;
	if (second->seen && !hold->seen)
		end = fmax(end, burst + (second->begin_s + second->duration_s) * hertz - burst);
	timeline_set_duration(phase, burst, end - burst, error, hertz);
}

/* Behind the burst: how long the clock stays low, and when all is as before. */
static void find_release(struct timeline_view *view, const struct timeline_halts *halts)
{
	const struct timeline_phase *low = &view->into->phases[TIMELINE_LOW_CLOCK];
	const double hertz = view->work->input->tsc_hertz;
	const double from = fmax(view->work->burst, isnan(low->begin_s) ? 0 : low->begin_s * hertz);
	/* a drop that the floor cannot tell from none has no release either */
	const bool clear = low->seen && low->ratio > 2 * JUDGE_FLOOR;

	if (low->seen && !clear) {
		view->into->phases[TIMELINE_HOLD].limit_s = NAN;
		view->into->phases[TIMELINE_RECOVERED].limit_s = NAN;
		return;
	}
	if (clear)
		find_hold(view, halts, from, low->ratio);
	find_recovery(view, halts, from, clear ? low->ratio : 0);
}

static void set_limits(struct timeline_view *view)
{
	struct timeline_phase *phases = view->into->phases;
	const double hertz = view->work->input->tsc_hertz, burst = view->work->burst;
	const double entry = LIMIT_S * hertz, after = fmin(burst + entry, view->work->to);
	const enum timeline_kind kind =
		view->n_segments[TIMELINE_WIDE] > 0 ? TIMELINE_WIDE : TIMELINE_SCALAR;
	const double sample = timeline_sample(view, kind, 0, entry);
	const double sample_after = timeline_sample(view, TIMELINE_SCALAR, burst, after);
	double shortest;

	phases[TIMELINE_HALT_DOWN].limit_s = timeline_halt_limit(view, 0, entry);
	phases[TIMELINE_HALT_UP].limit_s = timeline_halt_limit(view, burst, view->work->to);
	shortest = fmax(TIMELINE_THROTTLE_LEAST_S * hertz, 2 * sample);
	phases[TIMELINE_THROTTLE].limit_s = shortest / hertz;
	phases[TIMELINE_THROTTLE].limit =
		fmax(1 - timeline_throttle_ratio(view, kind), timeline_level_limit(view, kind, 0, entry, shortest));
	shortest = 2 * sample_after;
	for (unsigned id = TIMELINE_HOLD; id < TIMELINE_PHASES; id++) {
		if (id == TIMELINE_HALT_UP)
			continue;
		phases[id].limit_s = shortest / hertz;
		phases[id].limit = fmax(JUDGE_FLOOR, timeline_level_limit(view, TIMELINE_SCALAR,
									  burst, after, shortest));
	}
}

static int find_all(struct timeline_view *view)
{
	struct timeline_halts halts = { 0 };
	double entry;
	int r;

	/* too few: the clock may be judged, but not its course */
	if (view->work->n_bases < LEAST_EPOCHS)
		return timeline_low(view, 0);
	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++) {
		r = timeline_split(view->points[kind], view->n, view->work->input->tsc_hertz,
				   kind == TIMELINE_WIDE, &view->segments[kind],
				   &view->n_segments[kind], &view->scale[kind]);
		if (r < 0)
			return r;
	}
	r = timeline_find_halts(view, &halts);
	if (r < 0)
		return r;
	set_limits(view);
	entry = find_entry(view, &halts);
	r = timeline_low(view, entry);
	if (r == 0)
		find_release(view, &halts);
	free(halts.halts);
	return r;
}

int timeline_find_phases(const struct timeline_work *work, const struct timeline_point *points,
			 size_t n, struct timeline *into)
{
	struct timeline_view view = {
		.work = work, .into = into, .n = n, .points = { points, points + n }
	};
	const int r = find_all(&view);

	for (unsigned kind = 0; kind < TIMELINE_KINDS; kind++)
		free(view.segments[kind]);
	return r;
}
