/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Paired log ratios, trimmed, with a t interval: robust against disturbed looks, blind to a base
 * clock that moves between pairs. */
#include "config.h"
#include "burst/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define GROUP_PAIRS 10 /* fewer say nothing of their own */
#define GROUP_SHARE 0.02
#define TRIM 0.2 /* of each end: Yuen 1974, usual choice; 20 % outliers do not reach the mean */

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return compare_doubles(&x->before_hertz, &y->before_hertz);
}

static int compare_looks(const void *a, const void *b)
{
	const struct release_look *x = a, *y = b;

	return compare_doubles(&x->t_s, &y->t_s);
}

double judge_median(double *values, size_t n)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare_doubles);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double judge_clean_median(double *values, size_t n, double ratio)
{
	size_t kept = 0;

	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare_doubles);
	while (kept < n && values[kept] <= values[n / 4] * (1 + ratio))
		kept++;
	return (values[(kept - 1) / 2] + values[kept / 2]) / 2;
}

/* 97.5 % quantile of Student's t: Cornish-Fisher expansion around the normal quantile (Abramowitz
 * and Stegun 26.7.5), within 1 % from 3 degrees of freedom on. */
static double t_quantile(double df)
{
	const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;

	return z + (z3 + z) / (4 * df) + (5 * z5 + 16 * z3 + 3 * z) / (96 * df * df) +
	       (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * df * df * df);
}

/* Trimmed mean and half its 95 % interval (Yuen's winsorized variance); sorts. */
static void trimmed_mean(double *values, size_t n, double *ret_mean, double *ret_half)
{
	const size_t cut = (size_t)((double)n * TRIM);
	const size_t kept = n - 2 * cut;
	double sum = 0, standard_error, squares = 0, winsorized;

	qsort(values, n, sizeof(*values), compare_doubles);
	for (size_t i = cut; i < n - cut; i++)
		sum += values[i];
	*ret_mean = sum / (double)kept;
	*ret_half = NAN;
	if (n < JUDGE_MIN_PAIRS)
		return;
	winsorized = (sum + (double)cut * (values[cut] + values[n - cut - 1])) / (double)n;
	for (size_t i = 0; i < n; i++) {
		const size_t j = i < cut ? cut : i >= n - cut ? n - cut - 1 : i;

		squares += (values[j] - winsorized) * (values[j] - winsorized);
	}
	standard_error = sqrt(squares / (double)(kept * (kept - 1)));
	*ret_half = t_quantile((double)(kept - 1)) * standard_error;
}

static double grid_middle(double hertz)
{
	return exp(round(log(hertz) / JUDGE_GRID) * JUDGE_GRID);
}

/* n > 1 */
static unsigned nearer_neighbor(const struct base_group *groups, unsigned n, unsigned i)
{
	if (i == 0)
		return 1;
	if (i + 1 == n)
		return i - 1;
	return groups[i].base_hertz / groups[i - 1].base_hertz <
		       groups[i + 1].base_hertz / groups[i].base_hertz ? i - 1 : i + 1;
}

/* The middle of the cell with more pairs stays: bases never leave the grid, so that those of two runs,
 * or of two CPUs, are equal or a cell apart. */
static void merge(struct base_group *groups, unsigned *n, unsigned i, unsigned into)
{
	const struct base_group *const more = &groups[groups[i].n > groups[into].n ? i : into];
	const double weight = (double)groups[i].n / (groups[i].n + groups[into].n);
	const double left = groups[into].during_hertz / groups[into].base_hertz;
	const double ratio = left + weight * (groups[i].during_hertz / groups[i].base_hertz - left);

	groups[into].base_hertz = more->base_hertz;
	groups[into].during_hertz = groups[into].base_hertz * ratio;
	groups[into].n += groups[i].n;
	(*n)--;
	for (; i < *n; i++)
		groups[i] = groups[i + 1];
}

/* The smallest group, or with near: the smallest of those with too few pairs to say something of
 * their own and a neighbor no more than two cells away. False: none. */
static bool merge_one(struct base_group *groups, unsigned *n, bool near)
{
	unsigned small = 0, into = 0;
	bool found = false;

	for (unsigned i = 0; *n > 1 && i < *n; i++) {
		const unsigned other = nearer_neighbor(groups, *n, i);
		const double apart = fabs(log(groups[i].base_hertz / groups[other].base_hertz));

		if (near && (groups[i].n >= GROUP_PAIRS || apart > 2.5 * JUDGE_GRID))
			continue;
		if (found && groups[i].n >= groups[small].n)
			continue;
		found = true;
		small = i;
		into = other;
	}
	if (found)
		merge(groups, n, small, into);
	return found;
}

/* pairs: sorted by base. scratch: room for n. */
static void group_by_base(const struct pair *pairs, size_t n, double *scratch,
			  struct judgment *ret)
{
	struct base_group groups[JUDGE_MAX_GROUPS + 1];
	unsigned n_groups = 0;

	for (size_t from = 0, to; from < n; from = to) {
		const double middle = grid_middle(pairs[from].before_hertz);

		for (to = from; to < n && grid_middle(pairs[to].before_hertz) == middle; to++)
			scratch[to - from] = log(pairs[to].during_hertz / pairs[to].before_hertz);
		groups[n_groups].base_hertz = middle;
		groups[n_groups].during_hertz = middle * exp(judge_median(scratch, to - from));
		groups[n_groups++].n = (unsigned)(to - from);
		if (n_groups > JUDGE_MAX_GROUPS)
			(void)merge_one(groups, &n_groups, false);
	}
	while (merge_one(groups, &n_groups, true))
		;
	/* far from all others and rare: a look that was disturbed, not a base clock */
	for (unsigned i = 0; i < n_groups; i++)
		if (groups[i].n >= GROUP_PAIRS || groups[i].n >= GROUP_SHARE * (double)n)
			ret->groups[ret->n_groups++] = groups[i];
}

static void judge_sorted(const struct pair *pairs, size_t n, double *scratch,
			 struct judgment *ret)
{
	double mean, half;
	size_t n_after = 0;

	ret->pairs = (unsigned)n;
	ret->before_hertz = (pairs[(n - 1) / 2].before_hertz + pairs[n / 2].before_hertz) / 2;
	for (size_t i = 0; i < n; i++)
		if (!isnan(pairs[i].after_hertz))
			scratch[n_after++] = log(pairs[i].after_hertz / pairs[i].before_hertz);
	ret->after_hertz = ret->before_hertz * exp(judge_median(scratch, n_after));
	for (size_t i = 0; i < n; i++)
		scratch[i] = log(pairs[i].before_hertz / pairs[i].during_hertz);
	trimmed_mean(scratch, n, &mean, &half);
	ret->drop_ratio = -expm1(-mean);
	ret->during_hertz = ret->before_hertz * exp(-mean);
	ret->drop_hertz = ret->before_hertz - ret->during_hertz;
	ret->low = -expm1(-(mean - half));
	ret->high = -expm1(-(mean + half));
	ret->noise = isnan(half) ? NAN : fmax(JUDGE_FLOOR, half);
	ret->seen = ret->low > 0 && ret->drop_ratio > JUDGE_FLOOR;
	group_by_base(pairs, n, scratch, ret);
}

int judge(const struct pair *pairs, size_t n, struct judgment *ret)
{
	struct judgment result = { .before_hertz = NAN, .during_hertz = NAN, .after_hertz = NAN,
				   .drop_hertz = NAN, .drop_ratio = NAN, .low = NAN, .high = NAN,
				   .noise = NAN };
	struct pair *sorted;
	double *scratch;

	if (n > 0) {
		sorted = malloc(n * sizeof(*sorted));
		scratch = malloc(n * sizeof(*scratch));
		if (!sorted || !scratch) {
			free(sorted);
			free(scratch);
			return -ENOMEM;
		}
		for (size_t i = 0; i < n; i++)
			sorted[i] = pairs[i];
		qsort(sorted, n, sizeof(*sorted), compare_pairs);
		judge_sorted(sorted, n, scratch, &result);
		free(sorted);
		free(scratch);
	}
	*ret = result;
	return 0;
}

#define BUCKET_MIN_S 1e-6
#define BUCKET_MIN_LOOKS 15

/* Buckets grow from 1 us with t, so that the first microseconds stay sharp and a hold of
 * milliseconds still has looks enough in each. */
static size_t bucket_end(const struct release_look *looks, size_t n, size_t from)
{
	const double width = fmax(BUCKET_MIN_S, looks[from].t_s / 10);
	size_t to = from;

	while (to < n && (to - from < BUCKET_MIN_LOOKS || looks[to].t_s - looks[from].t_s < width))
		to++;
	return to;
}

static double release_sorted(const struct release_look *looks, size_t n, double half_way,
			     double *scratch, double *ret_resolution_s)
{
	double back_since = INFINITY;

	*ret_resolution_s = NAN;
	for (size_t from = 0, to; from < n; from = to) {
		double t;

		to = bucket_end(looks, n, from);
		if (to - from < BUCKET_MIN_LOOKS)
			break;
		t = looks[(from + to - 1) / 2].t_s;
		if (from == 0)
			*ret_resolution_s = t;
		for (size_t i = from; i < to; i++)
			scratch[i - from] = looks[i].hertz;
		/* the last rise counts: a bucket back by chance does not */
		if (judge_median(scratch, to - from) < half_way)
			back_since = INFINITY;
		else if (isinf(back_since))
			back_since = t;
	}
	return isnan(*ret_resolution_s) ? NAN : back_since;
}

double judge_release(const struct release_look *looks, size_t n, double base_hertz,
		     double low_hertz, double *ret_resolution_s)
{
	double result = NAN, resolution = NAN;
	struct release_look *sorted;
	double *scratch;

	*ret_resolution_s = NAN;
	/* a drop that the floor cannot tell from none has no release either */
	if (n < BUCKET_MIN_LOOKS || !(low_hertz < base_hertz * (1 - 2 * JUDGE_FLOOR)))
		return NAN;
	sorted = malloc(n * sizeof(*sorted));
	scratch = malloc(n * sizeof(*scratch));
	if (sorted && scratch) {
		for (size_t i = 0; i < n; i++)
			sorted[i] = looks[i];
		qsort(sorted, n, sizeof(*sorted), compare_looks);
		result = release_sorted(sorted, n, (base_hertz + low_hertz) / 2, scratch, &resolution);
	}
	free(sorted);
	free(scratch);
	*ret_resolution_s = resolution;
	return result;
}

enum recovery judge_recovery(const struct ends *ends, double noise)
{
	const double least = fmax(JUDGE_STILL, noise); /* of a NAN and a number: the number */
	const double half_way = (ends->before_hertz + ends->during_hertz) / 2;

	if (isnan(half_way) || isnan(ends->after_hertz))
		return RECOVERY_UNKNOWN;
	if (ends->during_hertz > ends->before_hertz * (1 - least) || ends->after_hertz >= half_way)
		return RECOVERY_BACK;
	return RECOVERY_STILL_LOW;
}
