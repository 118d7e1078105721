/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From raw epochs to a time line and its phases: which epochs count, buckets, levels, meaning. */
#include "config.h"

#include "burst/timeline.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/nls.h"
#include "burst/timeline_own.h"

static const struct timeline_phase_row rows[TIMELINE_PHASES] = {
#define TIMELINE_PHASE(id, ...) [TIMELINE_##id] = { __VA_ARGS__ },
#include "burst/timeline_rows.h"
#undef TIMELINE_PHASE
};

const struct timeline_phase_row *timeline_phase_row(enum timeline_phase_id id)
{
	return &rows[id];
}

void timeline_none(struct timeline *timeline)
{
	*timeline = (struct timeline) { .before_hertz = NAN, .burst_s = NAN, .gap_ratio = NAN };
	for (unsigned i = 0; i < TIMELINE_PHASES; i++)
		timeline->phases[i] = (struct timeline_phase) {
			.begin_s = NAN,
			.duration_s = NAN,
			.low_s = NAN,
			.high_s = NAN,
			.ratio = NAN,
			.low = NAN,
			.high = NAN,
			.hertz = NAN,
			.limit_s = NAN,
			.limit = NAN,
		};
	(void)judge(NULL, 0, &timeline->judgment);
}

static int give_buckets(const struct timeline_point *points, size_t n, double tsc_hertz,
			struct timeline *into)
{
	into->buckets = calloc(n + 1, sizeof(*into->buckets));
	if (!into->buckets)
		return -ENOMEM;
	into->n_buckets = n;
	for (size_t i = 0; i < n; i++) {
		const struct timeline_point *scalar = &points[i], *wide = &points[n + i];
		const struct timeline_point *one = isnan(scalar->ratio) ? wide : scalar;

		into->buckets[i] = (struct timeline_bucket) {
			.t_s = (one->begin + one->end) / 2 / tsc_hertz,
			.width_s = (one->end - one->begin) / tsc_hertz,
			.clock_ratio = scalar->ratio,
			.rate_ratio = wide->ratio,
			.low = one->low,
			.high = one->high,
			.error = one->error,
			.n = one->n,
		};
	}
	return 0;
}

static int analyze(struct timeline_work *work, struct timeline *into)
{
	struct timeline_point *points = NULL;
	size_t n = 0;
	int r;

	work->bases = calloc(work->input->n_epochs + 1, sizeof(*work->bases));
	if (!work->bases)
		return -ENOMEM;
	r = timeline_epochs(work, into);
	if (r == 0 && work->n_bases == 0)
		return -ENODATA;
	if (r == 0)
		r = timeline_buckets(work, &points, &n);
	if (r == 0)
		into->gap_ratio = timeline_gaps(work, points, n);
	if (r == 0)
		r = timeline_find_phases(work, points, n, into);
	if (r == 0)
		r = give_buckets(points, n, work->input->tsc_hertz, into);
	free(points);
	return r;
}

int timeline_analyze(const struct timeline_input *input, struct timeline *ret)
{
	struct timeline_work work = { .input = input };
	struct timeline result;
	int r;

	timeline_none(&result);
	r = analyze(&work, &result);
	free(work.bases);
	if (r == -ENOMEM)
		timeline_clear(&result);
	else
		*ret = result;
	return r;
}

void timeline_clear(struct timeline *timeline)
{
	free(timeline->buckets);
	timeline->buckets = NULL;
	timeline->n_buckets = 0;
}
