/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judge on planted series: what it must see, what it must not, how often it may be wrong. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/judge.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define MOST 4096

/* xorshift64*: the same series each time. */
static double uniform(uint64_t *random)
{
	*random ^= *random >> 12;
	*random ^= *random << 25;
	*random ^= *random >> 27;
	return (double)(*random * 2685821657736338717ull >> 11) / 9007199254740992.0;
}

static double normal(uint64_t *random)
{
	const double u = 1 - uniform(random), v = uniform(random);

	return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

struct series {
	double drop;	 /* planted */
	double noise;	 /* of one look, relative */
	double outliers; /* share of pairs with one look off by up to 30 % */
	double wander;	 /* of the base clock, relative, slowly */
	bool jump;	 /* the base moves by 8 % in the middle */
	size_t n;
};

static void plant(const struct series *series, uint64_t *random, struct pair *ret)
{
	for (size_t i = 0; i < series->n; i++) {
		double base = 3.0e9 * (1 + series->wander * sin((double)i / 40));

		if (series->jump && i >= series->n / 2)
			base *= 0.92;
		ret[i].before_hertz = base * (1 + series->noise * normal(random));
		ret[i].during_hertz = base * (1 - series->drop) * (1 + series->noise * normal(random));
		ret[i].after_hertz = base * (1 + series->noise * normal(random));
		if (uniform(random) < series->outliers)
			*(uniform(random) < 0.5 ? &ret[i].before_hertz : &ret[i].during_hertz) *=
				0.7 + 0.3 * uniform(random);
	}
}

static struct judgment judged(const struct series *series, uint64_t seed)
{
	static struct pair pairs[MOST];
	struct judgment judgment;
	uint64_t random = seed * 0x9e3779b97f4a7c15ull + 1;

	plant(series, &random, pairs);
	assert_int_equal(judge(pairs, series->n, &judgment), 0);
	return judgment;
}

static void test_planted_drops(void **state)
{
	static const double drops[] = { 0.004, 0.08, 0.40 };

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(drops); i++) {
		for (unsigned jump = 0; jump < 2; jump++) {
			const struct series series = { .drop = drops[i], .noise = 0.002, .n = 600,
						       .outliers = 0.1, .wander = 0.005,
						       .jump = jump };
			const struct judgment j = judged(&series, i);

			assert_true(j.seen);
			assert_near(j.drop_ratio, drops[i], 0.0005);
			assert_true(j.low < j.drop_ratio && j.drop_ratio < j.high);
			assert_true(j.high - j.low < 0.001);
			assert_near(j.during_hertz / j.before_hertz, 1 - drops[i], 0.0005);
			assert_near(j.drop_hertz, j.before_hertz - j.during_hertz, 1);
			assert_near(j.after_hertz / j.before_hertz, 1, 0.001);
			assert_int_equal(j.pairs, 600);
		}
	}
}

/* A base that moves by 8 % is no drop, not even where it moves between two halves. */
static void test_moving_base_is_no_drop(void **state)
{
	const struct series series = { .noise = 0.001, .n = 800, .jump = true, .wander = 0.01,
				       .outliers = 0.05 };
	const struct judgment j = judged(&series, 3);

	(void)state;
	assert_false(j.seen);
	assert_true(j.noise >= JUDGE_FLOOR && j.noise < 0.005);
	assert_true(j.n_groups >= 4);
	for (unsigned i = 0; i < j.n_groups; i++) {
		assert_true(i == 0 || j.groups[i].base_hertz > j.groups[i - 1].base_hertz);
		/* at the ends of its range noise decides in which cell a look falls */
		assert_near(j.groups[i].during_hertz / j.groups[i].base_hertz, 1, 0.004);
	}
}

/* Two P-states, a drop in each: two runs with other shares of the two agree for each base. */
static void test_groups_agree(void **state)
{
	struct judgment runs[2];

	(void)state;
	for (unsigned run = 0; run < 2; run++) {
		struct pair pairs[400];
		uint64_t random = 77 + run;

		for (unsigned i = 0; i < 400; i++) {
			const bool high = uniform(&random) < (run ? 0.8 : 0.3);
			const double base = high ? 3.4e9 : 3.1e9, during = high ? 2.0e9 : 1.9e9;

			pairs[i].before_hertz = base * (1 + 0.0008 * normal(&random));
			pairs[i].during_hertz = during * (1 + 0.0015 * normal(&random));
			pairs[i].after_hertz = NAN;
		}
		assert_int_equal(judge(pairs, 400, &runs[run]), 0);
		assert_true(isnan(runs[run].after_hertz));
	}
	for (unsigned i = 0; i < runs[0].n_groups; i++)
		for (unsigned k = 0; k < runs[1].n_groups; k++)
			if (fabs(runs[0].groups[i].base_hertz / runs[1].groups[k].base_hertz - 1) < 0.001)
				assert_near(runs[0].groups[i].during_hertz /
						   runs[1].groups[k].during_hertz, 1, 0.003);
	assert_true(runs[0].n_groups >= 2 && runs[0].n_groups <= 4);
}

static void test_many_bases(void **state)
{
	struct pair pairs[2000];
	struct judgment j;
	unsigned sum = 0;

	(void)state;
	for (unsigned i = 0; i < 2000; i++)
		pairs[i] = (struct pair){ 1e9 + 1e6 * i, 0.9e9 + 0.9e6 * i, NAN };
	assert_int_equal(judge(pairs, 2000, &j), 0);
	assert_int_equal(j.n_groups, JUDGE_MAX_GROUPS);
	for (unsigned i = 0; i < j.n_groups; i++) {
		sum += j.groups[i].n;
		assert_near(j.groups[i].during_hertz / j.groups[i].base_hertz, 0.9, 1e-6);
		/* on the grid, merged or not */
		assert_near(remainder(log(j.groups[i].base_hertz), JUDGE_GRID), 0, 1e-6);
	}
	assert_int_equal(sum, 2000);
}

static void test_few_pairs(void **state)
{
	struct series series = { .drop = 0.4, .noise = 0.002 };
	struct judgment j;

	(void)state;
	for (series.n = 0; series.n < JUDGE_MIN_PAIRS; series.n++) {
		j = judged(&series, 9);
		assert_false(j.seen);
		assert_true(isnan(j.low) && isnan(j.high) && isnan(j.noise));
		assert_int_equal(j.pairs, series.n);
		if (series.n == 0)
			assert_true(isnan(j.before_hertz) && isnan(j.drop_ratio) && j.n_groups == 0);
		else
			assert_near(j.drop_ratio, 0.4, 0.01);
	}
	series.n = JUDGE_MIN_PAIRS;
	j = judged(&series, 9);
	assert_true(j.seen);
}

/* 1,000 seeded series without a drop, of few and many pairs, quiet and disturbed: false alarms. And
 * with a drop: how often the interval holds the truth. */
static void test_error_rates(void **state)
{
	static const size_t sizes[] = { 6, 10, 30, 150, 600 };
	unsigned alarms = 0, covered = 0, tight = 0;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		struct series series = { .noise = i % 2 ? 0.01 : 0.002, .n = sizes[i % 5],
					 .wander = 0.01, .jump = i % 3 == 0,
					 .outliers = i % 4 ? 0.05 : 0 };
		struct judgment j = judged(&series, 1000 + i);

		alarms += j.seen;
		series.drop = 0.08;
		j = judged(&series, 5000 + i);
		covered += j.low <= 0.08 && 0.08 <= j.high;
		tight += j.seen;
	}
	print_message("# false alarms %u, coverage %u, seen %u of 1000\n", alarms, covered, tight);
	assert_true(alarms <= 30);
	assert_true(covered >= 930 && covered <= 985);
	assert_true(tight >= 995);
}

/* A systematic difference below the floor is none, however many pairs show it. */
static void test_floor(void **state)
{
	const struct series below = { .drop = 0.002, .noise = 0.001, .n = 2000 };
	const struct series rise = { .drop = -0.01, .noise = 0.001, .n = 2000 };

	(void)state;
	assert_false(judged(&below, 4).seen);
	assert_true(judged(&below, 4).low > 0);
	assert_false(judged(&rise, 4).seen);
	assert_true(judged(&rise, 4).drop_ratio < 0);
}

static size_t plant_release(double hold_s, double low, struct release_look *ret)
{
	uint64_t random = 5;
	size_t n = 0;

	for (unsigned gap = 0; gap < 40; gap++) {
		for (unsigned i = 0; i < 100; i++) {
			/* half a microsecond each at first, then every 17 us */
			const double t = i < 40 ? 0.3e-6 + i * 0.5e-6 : 21e-6 + (i - 40) * 17e-6;

			ret[n].t_s = t + 0.05e-6 * uniform(&random);
			ret[n].hertz = (t < hold_s ? low : 3e9) * (1 + 0.01 * normal(&random));
			if (uniform(&random) < 0.03)
				ret[n].hertz *= 0.6;
			n++;
		}
	}
	return n;
}

static void test_release(void **state)
{
	static struct release_look looks[MOST];
	static const double holds[] = { 9e-6, 60e-6, 650e-6 };
	double resolution;
	size_t n;

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(holds); i++) {
		n = plant_release(holds[i], 1.9e9, looks);
		assert_near(judge_release(looks, n, 3e9, 1.9e9, &resolution) / holds[i], 1, 0.25);
		assert_true(resolution < 2e-6);
	}
	/* at once: no later than could be told */
	n = plant_release(0, 1.9e9, looks);
	assert_near(judge_release(looks, n, 3e9, 1.9e9, &resolution), resolution, 1e-9);
	/* never within the looks */
	n = plant_release(1, 1.9e9, looks);
	assert_true(isinf(judge_release(looks, n, 3e9, 1.9e9, &resolution)));
	/* nothing to release */
	n = plant_release(0, 3e9, looks);
	assert_true(isnan(judge_release(looks, n, 3e9, 2.99e9, &resolution)));
	assert_true(isnan(judge_release(looks, 5, 3e9, 1.9e9, &resolution)));
	assert_true(isnan(resolution));
}

static enum recovery recovery(double before, double during, double after, double noise)
{
	const struct ends ends = { before, during, after };

	return judge_recovery(&ends, noise);
}

/* linux-pm 9ebe346: after AVX load on a fixed frequency the clock of one core never returned. */
static void test_recovery(void **state)
{
	(void)state;
	assert_int_equal(recovery(3e9, 1.8e9, 3e9, 0.003), RECOVERY_BACK);
	assert_int_equal(recovery(3e9, 1.8e9, 1.8e9, 0.003), RECOVERY_STILL_LOW);
	/* half way; between, the base clock may have moved by itself */
	assert_int_equal(recovery(3e9, 1.8e9, 2.41e9, 0.003), RECOVERY_BACK);
	assert_int_equal(recovery(3e9, 1.8e9, 2.39e9, 0.003), RECOVERY_STILL_LOW);
	assert_int_equal(recovery(3e9, 1.8e9, 1.5e9, 0.003), RECOVERY_STILL_LOW);
	/* it did not fall with the load: what came later has another cause */
	assert_int_equal(recovery(3e9, 3e9, 2.7e9, 0.003), RECOVERY_BACK);
	assert_int_equal(recovery(3e9, 2.95e9, 2.7e9, 0.003), RECOVERY_BACK);
	assert_int_equal(recovery(3e9, 3.3e9, 2.7e9, 0.003), RECOVERY_BACK);
	/* one step of a license; the same where the pairs say that looks differ by more */
	assert_int_equal(recovery(3.3e9, 3.2e9, 3.2e9, 0.003), RECOVERY_STILL_LOW);
	assert_int_equal(recovery(3.3e9, 3.2e9, 3.2e9, 0.05), RECOVERY_BACK);
	assert_int_equal(recovery(3.3e9, 3.2e9, 3.2e9, NAN), RECOVERY_STILL_LOW);
	/* not looked at, disturbed */
	assert_int_equal(recovery(NAN, 1.8e9, 1.8e9, 0.003), RECOVERY_UNKNOWN);
	assert_int_equal(recovery(3e9, NAN, 1.8e9, 0.003), RECOVERY_UNKNOWN);
	assert_int_equal(recovery(3e9, 1.8e9, NAN, 0.003), RECOVERY_UNKNOWN);
}

static void test_medians(void **state)
{
	double odd[] = { 3, 1, 2 }, even[] = { 4, 1, 3, 2 };
	double ticks[] = { 100, 101, 100, 130, 101, 180, 100, 102, 101, 100 };

	(void)state;
	assert_near(judge_median(odd, 3), 2, 0);
	assert_near(judge_median(even, 4), 2.5, 0);
	assert_true(isnan(judge_median(NULL, 0)));
	assert_near(judge_clean_median(ticks, 10, 0.02), 100.5, 0);
	assert_true(isnan(judge_clean_median(NULL, 0, 0.02)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planted_drops),
		cmocka_unit_test(test_moving_base_is_no_drop),
		cmocka_unit_test(test_groups_agree),
		cmocka_unit_test(test_many_bases),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_error_rates),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_release),
		{ "case 51: the clock never returns, or does", test_recovery, NULL, NULL, NULL },
		cmocka_unit_test(test_medians),
	};

	return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
