/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which parts of a time line are shown, and how it becomes columns. */
#include "config.h"
#include "cmd/scope_show.h"

#include <math.h>

#define EDGE_S 10e-6  /* shown before the first and the last wide instruction */
#define LEAST_S 60e-6 /* and at least that much behind them */
#define STEP 0.05     /* of the scale */
#define SCALE_MOST 2.0

static double first_s(const struct timeline *timeline)
{
	return timeline->n_buckets ? timeline->buckets[0].t_s - timeline->buckets[0].width_s / 2
				   : 0;
}

static double last_s(const struct timeline *timeline)
{
	const size_t n = timeline->n_buckets;

	return n ? timeline->buckets[n - 1].t_s + timeline->buckets[n - 1].width_s / 2 : 0;
}

static double burst_s(const struct timeline *timeline)
{
	return timeline->burst_s > 0 ? timeline->burst_s : 0;
}

bool scope_phase_told(const struct timeline *timeline, enum timeline_phase_id id)
{
	return timeline->phases[id].seen || timeline->phases[TIMELINE_LOW_CLOCK].seen ||
	       (id != TIMELINE_HOLD && id != TIMELINE_RECOVERED);
}

bool scope_phase_span(const struct timeline *timeline, enum timeline_phase_id id,
		      struct scope_window *ret)
{
	const struct timeline_phase *const phase = &timeline->phases[id];
	const struct timeline_phase *const hold = &timeline->phases[TIMELINE_HOLD];
	const double end_s = burst_s(timeline);

	if (!phase->seen)
		return false;
	switch (id) {
	case TIMELINE_LOW_CLOCK:
		ret->from_s = phase->begin_s;
		ret->to_s = hold->seen ? end_s + hold->duration_s : end_s;
		break;
	case TIMELINE_HOLD:
		ret->from_s = end_s;
		ret->to_s = end_s + phase->duration_s;
		break;
	case TIMELINE_RECOVERED:
		ret->from_s = end_s + phase->duration_s;
		ret->to_s = last_s(timeline);
		break;
	default:
		ret->from_s = phase->begin_s;
		ret->to_s = phase->begin_s + phase->duration_s;
	}
	return ret->from_s < ret->to_s;
}

/* The later one of `to_s` and the end of a phase that was seen. */
static double until(const struct timeline *timeline, enum timeline_phase_id id, double to_s)
{
	struct scope_window span;

	return scope_phase_span(timeline, id, &span) ? fmax(to_s, span.to_s + EDGE_S) : to_s;
}

struct scope_window scope_entry(const struct timeline *timeline)
{
	double to_s = until(timeline, TIMELINE_THROTTLE, LEAST_S);

	to_s = until(timeline, TIMELINE_HALT_DOWN, to_s);
	return (struct scope_window) { fmax(-EDGE_S, first_s(timeline)),
				       fmin(to_s, last_s(timeline)) };
}

struct scope_window scope_exit(const struct timeline *timeline)
{
	const double end_s = burst_s(timeline);
	const struct timeline_phase *const recovered = &timeline->phases[TIMELINE_RECOVERED];
	double to_s = until(timeline, TIMELINE_HOLD, end_s + LEAST_S);

	to_s = until(timeline, TIMELINE_HALT_UP, to_s);
	if (recovered->seen)
		to_s = fmax(to_s, end_s + recovered->duration_s + EDGE_S);
	return (struct scope_window) { fmax(end_s - EDGE_S, first_s(timeline)),
				       fmin(to_s, last_s(timeline)) };
}

struct scope_window scope_whole(const struct timeline *timeline)
{
	return (struct scope_window) { first_s(timeline), last_s(timeline) };
}

void scope_range(const struct timeline *timeline, double *ret_low, double *ret_high)
{
	double low = 1, high = 1;

	for (size_t i = 0; i < timeline->n_buckets; i++) {
		const struct timeline_bucket *const b = &timeline->buckets[i];

		low = fmin(low, fmin(b->clock_ratio, b->rate_ratio));
		high = fmax(high, fmax(b->clock_ratio, b->rate_ratio));
	}
	*ret_low = fmax(fmin(floor(low / STEP - 0.2) * STEP, 1 - STEP), 0);
	*ret_high = fmin(fmax(ceil(high / STEP + 0.2) * STEP, 1 + STEP), SCALE_MOST);
}

static int column_of(const struct scope_window *window, double t_s, int n)
{
	const double at = floor((t_s - window->from_s) / (window->to_s - window->from_s) * n);

	return at < 0 ? 0 : at > n - 1 ? n - 1 : (int)at;
}

/* Columns between two that have values: the steps of the other kind stand between them. */
static void bridge(double *values, int n, int most)
{
	int last = -1;

	for (int i = 0; i < n; i++) {
		if (isnan(values[i]))
			continue;
		for (int j = last + 1; last >= 0 && i - last <= most && j < i; j++)
			values[j] = values[last];
		last = i;
	}
}

void scope_columns(const struct timeline *timeline, const struct scope_window *window, bool rate,
		   double *ret, int n)
{
	double widest_s = 0;

	for (int i = 0; i < n; i++)
		ret[i] = NAN;
	if (!(window->from_s < window->to_s))
		return;
	for (size_t i = 0; i < timeline->n_buckets; i++) {
		const struct timeline_bucket *const b = &timeline->buckets[i];
		const double from_s = b->t_s - b->width_s / 2, to_s = b->t_s + b->width_s / 2;
		const double value = rate ? b->rate_ratio : b->clock_ratio;

		if (isnan(value) || to_s <= window->from_s || from_s >= window->to_s)
			continue;
		widest_s = fmax(widest_s, b->width_s);
		/* A bucket ends before the column in which the next one begins. */
		const int last = column_of(window, to_s - b->width_s * 1e-6, n);

		for (int c = column_of(window, from_s, n); c <= last; c++)
			ret[c] = fmin(ret[c], value); /* of NAN and a value: the value */
	}
	bridge(ret, n, 1 + (int)ceil(3 * widest_s / (window->to_s - window->from_s) * n));
}
