/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Robust middle and spread of many values, without sorting them. */
#include "config.h"

#include <math.h>

#include "burst/timeline_own.h"

/* Spread of a normal distribution from its quartiles. */
#define SIGMA_OF_QUARTILES (1 / 1.349)
#define OUTLIER_SIGMAS 3.5

double timeline_left_out(const struct timeline *timeline)
{
	const unsigned dropped = timeline->dropped[TIMELINE_GAP] + timeline->dropped[TIMELINE_MOVED];
	const unsigned all = dropped + timeline->epochs;

	return all ? (double)dropped / all : 0;
}

/* Hoare's quickselect; middle of three, so that ordered values are no bad case. */
float timeline_select(float *values, size_t n, size_t k)
{
	const ptrdiff_t want = (ptrdiff_t)k;
	ptrdiff_t from = 0, to = (ptrdiff_t)n - 1;

	while (from < to) {
		const float a = values[from], b = values[from + (to - from) / 2], c = values[to];
		const float pivot = a < b ? (b < c   ? b
					     : a < c ? c
						     : a)
					  : (a < c   ? a
					     : b < c ? c
						     : b);
		ptrdiff_t i = from, j = to;

		while (i <= j) {
			float swap;

			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i > j)
				break;
			swap = values[i];
			values[i++] = values[j];
			values[j--] = swap;
		}
		if (want <= j)
			to = j;
		else if (want >= i)
			from = i;
		else
			break;
	}
	return values[k];
}

double timeline_median(float *values, size_t n)
{
	return n > 0 ? (double)timeline_select(values, n, n / 2) : (double)NAN;
}

struct timeline_center timeline_center(float *values, size_t n, double near)
{
	struct timeline_center center = { .middle = NAN, .low = NAN, .high = NAN, .error = NAN };
	double median, reach, sum = 0, squares = 0, kept = 0;

	if (n == 0)
		return center;
	median = timeline_median(values, n);
	center.low = (double)timeline_select(values, n / 2 + 1, n / 4);
	center.high = (double)timeline_select(values + n / 2, n - n / 2, (3 * n) / 4 - n / 2);
	reach = fmax(near * fabs(median),
		     OUTLIER_SIGMAS * SIGMA_OF_QUARTILES * (center.high - center.low));
	for (size_t i = 0; i < n; i++) {
		const double off = (double)values[i] - median;

		if (fabs(off) > reach)
			continue;
		sum += off;
		squares += off * off;
		kept++;
	}
	center.middle = median + sum / kept;
	center.low = fmin(center.low, center.middle); /* quartiles of steps are steps */
	center.high = fmax(center.high, center.middle);
	if (kept > 1)
		center.error = sqrt(fmax(squares - sum * sum / kept, 0) / (kept - 1) / kept);
	return center;
}
