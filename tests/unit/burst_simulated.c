/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whole bursts on machines made up: a clock is planted, the looks are made from it, and the result must
 * tell what was planted. No CPU is loaded and no time passes. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "burst/board.h"
#include "burst/driver.h"
#include "burst/kernel.h"
#include "model/host.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define MS 1000000
#define TSC 2e9

struct planted {
	double base_hertz;
	double low_ratio;   /* clock while wide code runs, of the base */
	int64_t hold_ns;    /* how long it stays low afterwards */
	double second_base; /* base clock of the second half of the burst; 0: the same */
	double outliers;    /* share of looks that are disturbed */
	struct pattern pattern;
	int64_t duration_ns;
	int64_t stopped_from_ns, stopped_until_ns; /* SIGSTOP and SIGCONT */
};

struct machine {
	const struct planted *planted;
	struct burst burst;
	struct driver *driver;
	uint64_t random;
	int64_t wide_end_ns;
};

static double uniform(struct machine *m)
{
	m->random = m->random * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(m->random >> 11) / 9007199254740992.0;
}

static double clock_at(struct machine *m, int64_t t_ns, bool on)
{
	const struct planted *const p = m->planted;
	double hertz = p->base_hertz;

	if (p->second_base > 0 && t_ns > p->duration_ns / 2)
		hertz = p->second_base;
	if (on || (m->wide_end_ns != INT64_MIN && t_ns - m->wide_end_ns < p->hold_ns))
		hertz *= p->low_ratio;
	return hertz;
}

/* 2 % of scatter, as where the TSC steps coarsely. */
static double scattered(struct machine *m, int64_t t_ns, bool on)
{
	double hertz = clock_at(m, t_ns, on) * (1 + 0.02 * (uniform(m) - 0.5));

	if (uniform(m) < m->planted->outliers)
		hertz *= 0.5 + 0.3 * uniform(m);
	return hertz;
}

static void gap_look(struct machine *m, int64_t t_ns)
{
	struct gauge_look look = { .ticks = 8000, .span_ticks = 10000, .cost_ticks = 20 };

	look.cycles = look.ticks * scattered(m, t_ns, false) / TSC;
	look.tsc = m->driver->wide_tsc + (uint64_t)((double)(t_ns - m->wide_end_ns) * TSC / 1e9);
	span_look(m->driver->cur, t_ns, &look);
	driver_release_look(m->driver, &look);
}

/* A chunk of 40,000 cycles for 100,000 instructions, and its sub-sample, which costs 50 ticks beside
 * its cycles. */
static void chunk(struct machine *m, int64_t t_ns)
{
	struct driver *const d = m->driver;
	const double ticks = 40000 / clock_at(m, t_ns, true) * TSC;
	const double cycles = d->chunks % 2 ? 3600 : 900;

	span_chunk(d->cur, t_ns, (uint64_t)(ticks * (uniform(m) < 0.1 ? 1.3 : 1)));
	span_sample(d->cur, t_ns, cycles,
		    (uint64_t)llround(50 + cycles / scattered(m, t_ns, true) * TSC));
	d->chunks++;
	d->ops += 100000;
	d->chunk_ops = 100000;
	m->wide_end_ns = t_ns;
	d->wide_tsc = 1000000;
}

/* One stretch as burst_driver.c would run it. */
static void run(struct machine *m, const struct stretch *s)
{
	struct driver *const d = m->driver;
	const int64_t step = s->on ? 22000 : 17000;

	driver_open(d, s);
	for (int64_t t = s->from_ns + step; t < s->until_ns; t += step) {
		if (t > m->planted->stopped_from_ns && t < m->planted->stopped_until_ns)
			continue;
		if (s->on)
			chunk(m, t);
		else
			gap_look(m, t);
		d->last_ns = t;
	}
	driver_close(d);
}

/* Only what burst_start() would make, without threads. */
static struct burst_result *simulate(const struct planted *planted)
{
	struct member member = { .role = RELATION_SELF };
	struct machine m = { .planted = planted, .random = 42, .wide_end_ns = INT64_MIN };
	struct burst_result *result;
	struct host *const host = fake_host(1, 1, 1);
	struct stretch s;

	host->tsc_hertz = TSC;
	m.burst = (struct burst){ .kernel = KERNEL_SCALAR,
				  .schedule = { planted->pattern, planted->duration_ns },
				  .host = host, .board = board_new(1), .members = &member,
				  .n_members = 1, .n_drivers = 1 };
	member.burst = &m.burst;
	assert_int_equal(record_init(&member.record, true, true), 0);
	m.driver = aligned_alloc(64, sizeof(*m.driver));
	assert_non_null(m.driver);
	driver_init(m.driver, &member);
	for (s = schedule_at(&m.burst.schedule, -1); !s.over;
	     s = schedule_at(&m.burst.schedule, s.until_ns))
		run(&m, &s);
	driver_end(m.driver);
	assert_int_equal(burst_result(&m.burst, &result), 0);
	free(m.driver);
	record_free(&member.record);
	board_free(m.burst.board);
	host_free(host);
	return result;
}

#define USUAL .base_hertz = 3e9, .pattern = PATTERN_DEFAULT, .duration_ns = 3000ll * MS, .outliers = 0.05

/* Skylake-SP: 650 us of hold, over before the gap is. */
static void test_drop(void **state)
{
	const struct planted planted = { USUAL, .low_ratio = 0.6, .hold_ns = 650000 };
	struct burst_result *const result = simulate(&planted);
	const struct burst_cpu *const cpu = &result->cpus[0];
	const struct judgment *const j = &cpu->judgment;

	(void)state;
	assert_true(j->seen);
	assert_false(cpu->held);
	assert_true(j->pairs > 550);
	assert_near(j->drop_ratio, 0.4, 0.002);
	assert_true(j->low < 0.4 + 0.001 && j->high > 0.4 - 0.001 && j->high - j->low < 0.002);
	assert_near(j->before_hertz, 3e9, 3e6);
	assert_near(j->during_hertz, 1.8e9, 3e6);
	assert_near(j->after_hertz, 3e9, 3e6);
	assert_near(cpu->ops_per_cycle, 2.5, 0.01);
	/* buckets are a tenth of the time wide */
	assert_near(result->release_s, 650e-6, 90e-6);
	assert_string_equal(result->who_pays, "this thread");
	assert_non_null(strstr(result->verdict, "falls by 40.0 %"));
	assert_near(result->seconds, 3, 1e-3);
	assert_false(result->stopped_early);
	burst_result_free(result);
}

static void test_no_drop(void **state)
{
	const struct planted planted = { USUAL, .low_ratio = 1, .second_base = 2.7e9 };
	struct burst_result *const result = simulate(&planted);
	const struct judgment *const j = &result->cpus[0].judgment;

	(void)state;
	assert_false(j->seen);
	assert_near(j->drop_ratio, 0, 0.001);
	assert_true(isnan(result->release_s));
	assert_string_equal(result->verdict, "no drop seen beyond ±0.3 % noise");
	/* the base moved: kept apart */
	assert_int_equal(j->n_groups >= 2, 1);
	for (unsigned i = 0; i < j->n_groups; i++)
		assert_near(j->groups[i].during_hertz / j->groups[i].base_hertz, 1, 0.003);
	assert_true(j->groups[0].base_hertz < 2.73e9 && j->groups[j->n_groups - 1].base_hertz > 2.97e9);
	burst_result_free(result);
}

/* The low clock outlasts the gap of 1 ms: an ordinary "before" is low too. Rests tell. */
static void test_long_hold(void **state)
{
	const struct planted planted = { USUAL, .low_ratio = 0.8, .hold_ns = 3 * MS };
	struct burst_result *const result = simulate(&planted);
	const struct burst_cpu *const cpu = &result->cpus[0];

	(void)state;
	assert_true(cpu->held);
	assert_true(cpu->judgment.seen);
	assert_near(cpu->judgment.drop_ratio, 0.2, 0.003);
	assert_true(cpu->judgment.pairs >= 15 && cpu->judgment.pairs <= 20);
	assert_non_null(strstr(result->verdict, "stays low beyond the gaps"));
	assert_near(result->release_s, 3e-3, 0.4e-3);
	burst_result_free(result);
}

/* From the first wide instruction on the clock stays low, and after the last one, too: with no pair but
 * the first that shows it, that must not pass for a clock that never fell. */
static void test_never_back(void **state)
{
	struct planted planted = { USUAL, .low_ratio = 0.6, .hold_ns = INT64_MAX / 2 };

	(void)state;
	for (unsigned solid = 0; solid < 2; solid++) {
		if (solid)
			planted.pattern.on_ns = planted.pattern.period_ns;
		struct burst_result *const result = simulate(&planted);
		const struct burst_cpu *const cpu = &result->cpus[0];

		assert_int_equal(cpu->recovery, RECOVERY_STILL_LOW);
		assert_near(cpu->ends.before_hertz, 3e9, 3e7);
		assert_near(cpu->ends.during_hertz, 1.8e9, 2e7);
		assert_near(cpu->ends.after_hertz, 1.8e9, 2e7);
		assert_string_equal(result->who_pays, "this thread");
		assert_non_null(strstr(result->verdict, "with the load and is still low after it ended"));
		burst_result_free(result);
	}
}

/* What outlasts the lead-out of 5 ms is still low then; what does not is back. */
static void test_back_in_time(void **state)
{
	struct planted planted = { USUAL, .low_ratio = 0.6, .hold_ns = 4 * MS };
	struct burst_result *result = simulate(&planted);

	(void)state;
	assert_int_equal(result->cpus[0].recovery, RECOVERY_BACK);
	burst_result_free(result);
	planted.hold_ns = 7 * MS;
	result = simulate(&planted);
	assert_int_equal(result->cpus[0].recovery, RECOVERY_STILL_LOW);
	burst_result_free(result);
	/* a base clock that falls in between is no such case */
	planted = (struct planted){ USUAL, .low_ratio = 0.6, .hold_ns = 650000, .second_base = 2.6e9 };
	result = simulate(&planted);
	assert_int_equal(result->cpus[0].recovery, RECOVERY_BACK);
	assert_non_null(strstr(result->verdict, "falls by 40.0 %"));
	burst_result_free(result);
	planted.low_ratio = 1;
	result = simulate(&planted);
	assert_int_equal(result->cpus[0].recovery, RECOVERY_BACK);
	burst_result_free(result);
	/* held up at the start or the end: nobody knows */
	planted = (struct planted){ USUAL, .low_ratio = 0.6, .hold_ns = INT64_MAX / 2,
				    .stopped_from_ns = 2000ll * MS, .stopped_until_ns = 4000ll * MS };
	result = simulate(&planted);
	assert_int_equal(result->cpus[0].recovery, RECOVERY_UNKNOWN);
	burst_result_free(result);
}

static void test_solid(void **state)
{
	struct planted planted = { USUAL, .low_ratio = 0.6, .hold_ns = 650000 };
	struct burst_result *result;
	const struct judgment *j;

	(void)state;
	planted.pattern.on_ns = planted.pattern.period_ns;
	result = simulate(&planted);
	j = &result->cpus[0].judgment;
	assert_int_equal(j->pairs, 2 * SPAN_EDGE_PAIRS);
	assert_true(j->seen);
	assert_near(j->drop_ratio, 0.4, 0.01);
	assert_near(j->after_hertz, 3e9, 3e7);
	burst_result_free(result);
}

/* Stopped for a second and a half in the middle: those pairs are missing, the others are right. */
static void test_stopped_process(void **state)
{
	const struct planted planted = { USUAL, .low_ratio = 0.6, .hold_ns = 650000,
					 .stopped_from_ns = 1000ll * MS,
					 .stopped_until_ns = 2500ll * MS };
	struct burst_result *const result = simulate(&planted);
	const struct judgment *const j = &result->cpus[0].judgment;

	(void)state;
	assert_true(j->pairs > 250 && j->pairs < 310);
	assert_near(j->drop_ratio, 0.4, 0.002);
	burst_result_free(result);
}

/* A minute at 2 ms: memory stays bounded and the whole time stays covered. */
static void test_long_burst(void **state)
{
	const struct planted planted = { .base_hertz = 3e9, .low_ratio = 0.9, .second_base = 2.5e9,
					 .pattern = { 1 * MS, 2 * MS }, .duration_ns = 60000ll * MS };
	struct burst_result *const result = simulate(&planted);
	const struct judgment *const j = &result->cpus[0].judgment;

	(void)state;
	assert_true(j->pairs > RECORD_PAIRS / 2 && j->pairs <= RECORD_PAIRS);
	assert_near(j->drop_ratio, 0.1, 0.002);
	assert_true(j->groups[0].base_hertz < 2.53e9 && j->groups[j->n_groups - 1].base_hertz > 2.97e9);
	burst_result_free(result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drop),
		cmocka_unit_test(test_no_drop),
		cmocka_unit_test(test_long_hold),
		{ "case 51: the clock never returns", test_never_back, NULL, NULL, NULL },
		{ "case 51: or late, or fell by itself", test_back_in_time, NULL, NULL, NULL },
		cmocka_unit_test(test_solid),
		cmocka_unit_test(test_stopped_process),
		cmocka_unit_test(test_long_burst),
	};

	return cmocka_run_group_tests_name("burst_simulated", tests, NULL, NULL);
}
