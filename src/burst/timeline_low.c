/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lower clock: epoch by epoch against its own base clock, judged as the pairs of a burst are.
 */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "burst/timeline_own.h"

/* A clock that falls later than this after the load is not fallen by it: throttle and halt, when
 * the fall comes, are over within 35 us on all known parts. */
#define SOON_S 100e-6
#define MARGIN_S 1e-6
#define WINDOW_LEAST_S 2e-6
#define OWN_COST_MOST 0.001
#define SIGMAS 2.6 /* 1 % of normal errors are beyond */
/* Other work on the core makes scalar steps between pieces slower than those before them, by cold code and a
 * busy sibling, in all epochs alike; the more of them it disturbs, the more: with a quarter left out, the
 * scalar load itself has read 0.6 to 0.8 % low (seen on Zen 5). As the error of all epochs together. */
#define DISTURBED 0.012

/* What all epochs share no number of them averages out: the cost of a time stamp, which weighs more
 * on the shorter steps of a burst than on those before it; nor whether it slows down with the core,
 * where that could not be measured. */
static void widen(struct judgment *judgment, double error)
{
	error *= SIGMAS;
	judgment->low -= error;
	judgment->high += error;
	judgment->noise += error;
	judgment->seen = judgment->low > 0 && judgment->drop_ratio > JUDGE_FLOOR + error;
}

/* A time stamp's cost at the clock of the window itself, in cycles of the base clock, where that is
 * known well: of some cores it goes by another clock than the core's. */
static bool own_cost(const struct timeline_classes *classes, double density,
		     struct timeline_line *ret)
{
	return timeline_fit(classes, ret) && ret->error * density < OWN_COST_MOST;
}

static int judge_sums(const struct timeline_work *work, const struct timeline_sum *sums,
		      double from, double to, const struct timeline_classes *classes,
		      struct judgment *ret)
{
	const double before = timeline_density(work, work->from, 0);
	const double density = timeline_density(work, from, to);
	struct pair *pairs = malloc((work->n_bases + 1) * sizeof(*pairs));
	struct timeline_line line;
	const bool own = own_cost(classes, density, &line);
	size_t n = 0;
	int r;

	if (!pairs)
		return -ENOMEM;
	for (size_t e = 0; e < work->n_bases; e++) {
		const double hertz = work->bases[e].cycles_per_tick * work->input->tsc_hertz;
		const double cycles = sums[e].time * work->bases[e].cycles_per_tick;

		if (!(sums[e].n > 0))
			continue;
		pairs[n].before_hertz = hertz;
		pairs[n].after_hertz = NAN;
		pairs[n++].during_hertz =
			hertz * (own ? sums[e].work / (cycles - sums[e].n * line.cost)
				     : (sums[e].work + sums[e].n * work->cost) / cycles);
	}
	r = judge(pairs, n, ret);
	free(pairs);
	if (r == 0 && n > 0)
		widen(ret, own ? hypot(line.error * density, work->cost_error * before)
			       : hypot(work->cost_error * fabs(density - before),
				       work->cost * density * fmax(ret->drop_ratio, 0) / SIGMAS));
	return r;
}

static int judge_window(struct timeline_view *view, double from, double to, struct judgment *ret)
{
	const struct timeline_work *work = view->work;
	float *scratch = malloc((work->input->n_steps + 1) * sizeof(*scratch));
	struct timeline_sum *sums = calloc(work->n_bases + 1, sizeof(*sums));
	struct timeline_classes classes = { 0 };
	int r = -ENOMEM;

	if (scratch && sums) {
		for (size_t e = 0; e < work->n_bases; e++)
			if (!timeline_look(work, &work->bases[e], from, to, scratch, &sums[e],
					   &classes))
				sums[e].n = 0;
		r = judge_sums(work, sums, from, to, &classes, ret);
	}
	free(scratch);
	free(sums);
	return r;
}

/* The clock behind the entry of a burst that is shorter than its phases: lowest stretch before the
 * clock rises. False: none. */
static bool find_behind(const struct timeline_view *view, double entry, double *ret_from,
			double *ret_to)
{
	const struct timeline_segment *segments = view->segments[TIMELINE_SCALAR];
	const double soon = fmax(entry, view->work->burst) + SOON_S * view->work->input->tsc_hertz;
	const double margin = MARGIN_S * view->work->input->tsc_hertz;
	double level = 1 - JUDGE_FLOOR;
	bool found = false;

	for (size_t i = 0; i < view->n_segments[TIMELINE_SCALAR]; i++) {
		const struct timeline_segment *at = &segments[i];

		if ((at->begin + at->end) / 2 <= entry ||
		    timeline_is_halt(view, TIMELINE_SCALAR, i))
			continue;
		if ((!found && at->begin > soon) || (found && at->level > level))
			break;
		if (at->level > level || at->end - at->begin < 4 * margin)
			continue;
		found = true;
		level = at->level;
		*ret_from = fmax(at->begin, entry) + margin;
		*ret_to = at->end - margin;
	}
	return found;
}

/* When the clock had fallen half way; NAN unknown. */
static double find_begin(const struct timeline_view *view, double entry, double drop)
{
	for (size_t i = 0; i < view->n_segments[TIMELINE_SCALAR]; i++) {
		const struct timeline_segment *at = &view->segments[TIMELINE_SCALAR][i];

		if (at->end > entry && at->end > 0 && at->level < 1 - drop / 2 &&
		    !timeline_is_halt(view, TIMELINE_SCALAR, i))
			return fmax(fmax(at->begin, entry), 0) / view->work->input->tsc_hertz;
	}
	return NAN;
}

int timeline_low(struct timeline_view *view, double entry)
{
	const struct timeline_work *work = view->work;
	struct timeline_phase *low = &view->into->phases[TIMELINE_LOW_CLOCK];
	struct judgment *judgment = &view->into->judgment;
	const double hertz = work->input->tsc_hertz;
	const double late = fmax(work->half, entry > 0 ? entry + MARGIN_S * hertz : 0);
	double from, to;
	int r = judge(NULL, 0, judgment);

	if (r == 0 && work->burst - late >= WINDOW_LEAST_S * hertz)
		r = judge_window(view, late, work->burst, judgment);
	if (r == 0 && !judgment->seen && find_behind(view, entry, &from, &to)) {
		struct judgment behind;

		r = judge_window(view, from, to, &behind);
		if (r == 0 && (behind.seen || judgment->pairs == 0))
			*judgment = behind;
	}
	if (r < 0)
		return r;
	widen(judgment, DISTURBED * timeline_left_out(view->into));
	low->limit = judgment->noise;
	if (!judgment->seen)
		return 0;
	low->seen = true;
	low->ratio = judgment->drop_ratio;
	low->low = judgment->low;
	low->high = judgment->high;
	low->hertz = judgment->during_hertz;
	low->begin_s = find_begin(view, entry, low->ratio);
	return 0;
}
