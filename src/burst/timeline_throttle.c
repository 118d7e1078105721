/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The throttle at the beginning of a burst: levels that are slower than what follows. */
#include "config.h"

#include <math.h>

#include "burst/timeline_own.h"

#define SAMPLES_LEAST 1.7
#define RATIO_MOST 0.9 /* what takes less than a tenth is not told */
/* Other work makes the first pieces of a load slow, too (x0.7 for some us has been seen where a
 * quarter of the epochs was left out): the more it disturbs, the more like a quarter a throttle
 * has to be. */
#define DISTURBED 2.0
#define SURE 0.35
#define SIGMAS_95 1.96

/* The highest level behind a segment; NAN none. */
static double level_behind(const struct timeline_view *view, enum timeline_kind kind,
			   size_t segment)
{
	double most = NAN;

	for (size_t i = segment + 1; i < view->n_segments[kind]; i++)
		most = fmax(view->segments[kind][i].level, most);
	return most;
}

struct slow {
	double begin, end, time, end_error; /* ticks */
	double level, level_error;
};

/* A halt ends it: the sub-sample that was halted does not tell how long it was slow before. */
static void add_slow(const struct timeline_view *view, enum timeline_kind kind,
		     const struct timeline_segment *at, const struct timeline_halts *halts,
		     struct slow *slow)
{
	const double sample = timeline_sample(view, kind, at->begin, at->end);
	const double begin = fmax(at->begin, 0);
	double end = at->end;

	slow->end_error = at->end_error;
	for (size_t i = 0; i < halts->n; i++) {
		const struct timeline_halt *halt = &halts->halts[i];

		if (halt->begin > begin && halt->begin < end + sample && halt->end > end - sample) {
			end = halt->begin;
			slow->end_error = halt->begin_error;
		}
	}
	if (slow->time <= 0)
		slow->begin = begin;
	slow->end = end;
	slow->time += end - begin;
	slow->level += at->level * (end - begin);
	slow->level_error = fmax(slow->level_error, at->error);
}

double timeline_throttle_ratio(const struct timeline_view *view, enum timeline_kind kind)
{
	const double sure = RATIO_MOST - DISTURBED * timeline_left_out(view->into);

	return fmin(fmax(sure, SURE), kind == TIMELINE_WIDE ? 1 : TIMELINE_THROTTLE_SCALAR);
}

/* Levels from the first wide instruction on that are lower than what follows, as steps of one kind
 * show them. Its level is the mean of them. */
static bool find_slow(const struct timeline_view *view, enum timeline_kind kind,
		      const struct timeline_halts *halts, struct slow *ret)
{
	const double soon = TIMELINE_THROTTLE_SOON_S * view->work->input->tsc_hertz;
	struct slow slow = { 0 };
	double samples = 0;

	for (size_t i = 0; i + 1 < view->n_segments[kind]; i++) {
		const struct timeline_segment *at = &view->segments[kind][i];
		const double behind = kind == TIMELINE_WIDE ? level_behind(view, kind, i) : 1;
		const double most = timeline_throttle_ratio(view, kind) * behind;

		if ((at->begin + at->end) / 2 <= 0 || timeline_is_halt(view, kind, i))
			continue;
		if (slow.time <= 0 && at->begin > soon)
			break;
		if (at->level < most) {
			add_slow(view, kind, at, halts, &slow);
			samples += at->samples;
		}
	}
	slow.level /= slow.time;
	*ret = slow;
	return samples > SAMPLES_LEAST;
}

/* The time stamp of a wide step is taken at the speed of the scalar ones. */
static double without_stamp(const struct timeline_view *view, const struct slow *slow)
{
	const double scalar = timeline_level(view, TIMELINE_SCALAR, slow->begin, slow->end);
	const double sample = timeline_sample(view, TIMELINE_WIDE, slow->begin, slow->end);
	const double cost = view->work->cost * view->work->input->tsc_hertz /
			    view->into->before_hertz; /* ticks at the base clock */
	const double ratio = (sample * slow->level - cost) / (sample - cost / scalar);

	return isnan(ratio) ? slow->level : ratio;
}

double timeline_throttle(struct timeline_view *view, const struct timeline_halts *halts)
{
	struct timeline_phase *phase = &view->into->phases[TIMELINE_THROTTLE];
	const double hertz = view->work->input->tsc_hertz;
	struct slow slow, scalar;
	bool found = find_slow(view, TIMELINE_WIDE, halts, &slow);

	if (found)
		slow.level = without_stamp(view, &slow);
	/* outside of the burst only scalar steps can show it */
	if (find_slow(view, TIMELINE_SCALAR, halts, &scalar) &&
	    (!found || scalar.end > view->work->burst)) {
		if (found)
			scalar.level = slow.level;
		slow = scalar;
		found = true;
	}
	if (!found || slow.time < TIMELINE_THROTTLE_LEAST_S * hertz)
		return 0;
	timeline_set_duration(phase, slow.begin, slow.time, slow.end_error, hertz);
	phase->ratio = slow.level;
	phase->low = slow.level - SIGMAS_95 * slow.level_error;
	phase->high = slow.level + SIGMAS_95 * slow.level_error;
	return slow.end;
}
