/* SPDX-License-Identifier: GPL-2.0-or-later */
/* License shares, whatever the two threads of a core count of it. */
#include "config.h"

#include "model/derive.h"
#include "planted.h"

/* Stands for the source of all these counters. */
#define COUNTED SOURCE_CPUFREQ

struct thread {
	uint64_t level[3], cycles;
};

static void plant_thread(struct bench *bench, unsigned cpu, const struct thread *thread)
{
	for (unsigned i = 0; i < 3; i++)
		plant(bench, (enum counter)(COUNTER_LICENSE0 + i), cpu, 7, 7 + thread->level[i], COUNTED);
	plant(bench, COUNTER_CLOCK_TSC, cpu, 0, 4000000000, COUNTED);
	plant(bench, COUNTER_MPERF, cpu, 0, thread->cycles ? 2000000000 : 0, COUNTED);
	plant(bench, COUNTER_APERF, cpu, 0, thread->cycles, COUNTED);
	plant_os(bench, cpu, thread->cycles ? 100 : 0, 100, 0);
}

/* Core 0 of two threads. The first is busy 60 % of the time with a fifth of its cycles at license 0, three
 * at 1 and one at 2, the second 20 %, at license 0 alone. The core is as busy as the busier, and at its
 * license. */
static void every_way_of_counting(void **unused)
{
	static const struct {
		struct thread threads[2];
		double shares[4];
	} ways[] = {
		/* each event counts the core's cycles, whichever thread runs */
		{ { { { 120, 360, 120 }, 600 }, { { 120, 360, 120 }, 200 } }, { 0.2, 0.6, 0.2, 0 } },
		/* only while its own thread runs */
		{ { { { 120, 360, 120 }, 600 }, { { 40, 120, 40 }, 200 } }, { 0.2, 0.6, 0.2, 0 } },
		/* the other is halted all the time, and counts on, or does not */
		{ { { { 120, 360, 120 }, 600 }, { { 120, 360, 120 }, 0 } }, { 0.2, 0.6, 0.2, 0 } },
		{ { { { 120, 360, 120 }, 600 }, { { 0, 0, 0 }, 0 } }, { 0.2, 0.6, 0.2, 0 } },
		/* each thread its own: what the core's cycles were at is not told, but that of all of theirs */
		{ { { { 120, 360, 120 }, 600 }, { { 200, 0, 0 }, 200 } }, { 0.4, 0.45, 0.15, 0 } },
		/* a quarter was not accounted for */
		{ { { { 90, 270, 90 }, 600 }, { { 30, 90, 30 }, 200 } }, { 0.15, 0.45, 0.15, 0.25 } },
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 2));
	for (unsigned i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		const double *shares = ways[i].shares;

		plant_thread(&bench, 0, &ways[i].threads[0]);
		plant_thread(&bench, 1, &ways[i].threads[1]);
		bench_run(&bench);
		assert_license(&bench, 0, shares[0], shares[1], shares[2], shares[3]);
	}
	bench_close(&bench);
}

/* The published rule for Skylake-SP: both threads see the core's event, so half of their sum is the core's. */
static void known_answers(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 2));
	plant_thread(&bench, 0, &(struct thread){ { 3000000000, 0, 0 }, 3000000000 });
	plant_thread(&bench, 1, &(struct thread){ { 3000000000, 0, 0 }, 0 });
	plant_thread(&bench, 2, &(struct thread){ { 1000, 3000, 1000 }, 5000 });
	plant_thread(&bench, 3, &(struct thread){ { 1000, 3000, 1000 }, 5000 });
	bench_run(&bench);
	assert_license(&bench, 0, 1, 0, 0, 0);
	assert_license(&bench, 1, 0.2, 0.6, 0.2, 0);
	/* By unhalted cycles: the second core has next to none. */
	assert_value(&bench, METRIC_LICENSE0_RATIO, SCOPE_PACKAGE, 0, (3e9 + 0.2 * 1e4) / (3e9 + 1e4), 1e-9);
	assert_value(&bench, METRIC_LICENSE1_RATIO, SCOPE_HOST, 0, 0.6 * 1e4 / (3e9 + 1e4), 1e-9);
	/* Without APERF by the cycles of the PMU. */
	for (unsigned i = 0; i < 4; i++) {
		sample_fail(bench.cur, COUNTER_APERF, i, 0, STATE_UNSUPPORTED, 0);
		plant(&bench, COUNTER_CYCLES, i, 0, i < 2 ? 6000000000 : 10000, COUNTED);
	}
	bench_run(&bench);
	assert_license(&bench, 0, 0.5, 0, 0, 0.5);
	assert_license(&bench, 1, 0.1, 0.3, 0.1, 0.5);
	bench_close(&bench);
}

static void assert_all(struct bench *bench, enum state state)
{
	for (unsigned m = METRIC_LICENSE0_RATIO; m <= METRIC_LICENSE_UNKNOWN_RATIO; m++)
		assert_state(bench, (enum metric)m, SCOPE_CORE, 0, state);
}

static void all_or_none(void **unused)
{
	const struct thread busy = { { 120, 360, 120 }, 600 };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 2));
	plant_thread(&bench, 0, &busy);
	plant_thread(&bench, 1, &busy);
	/* One event of three is not open: the shares of the others would be wrong. */
	sample_fail(bench.cur, COUNTER_LICENSE1, 0, 0, STATE_DENIED, COUNTED);
	bench_run(&bench);
	assert_all(&bench, STATE_DENIED);
	/* A thread that is not there, or not to be looked at, leaves the core to the other. */
	for (unsigned c = 0; c < COUNTER_N; c++)
		if (counter_row((enum counter)c)->scope == SCOPE_CPU && counter_row((enum counter)c)->label == LABEL_NONE)
			sample_fail(bench.cur, (enum counter)c, 0, 0, STATE_OFFLINE, COUNTED);
	bench_run(&bench);
	assert_license(&bench, 0, 0.2, 0.6, 0.2, 0);
	plant_thread(&bench, 0, &(struct thread){ { 0 }, 0 });
	plant_thread(&bench, 1, &(struct thread){ { 0 }, 0 });
	bench_run(&bench);
	assert_all(&bench, STATE_HALTED);
	/* Events that stay at 0 while the core runs count nothing here: no share of them is known. */
	plant_thread(&bench, 0, &(struct thread){ { 0 }, 600 });
	bench_run(&bench);
	for (unsigned m = METRIC_LICENSE0_RATIO; m <= METRIC_LICENSE2_RATIO; m++)
		assert_state(&bench, (enum metric)m, SCOPE_CORE, 0, STATE_NOT_COUNTING);
	assert_value(&bench, METRIC_LICENSE_UNKNOWN_RATIO, SCOPE_CORE, 0, 1, 0);
	/* What shared its hardware counter says so. */
	plant_thread(&bench, 0, &busy);
	sample_at(bench.cur, COUNTER_LICENSE2, 0, 0)->state = STATE_SCALED;
	bench_run(&bench);
	assert_all(&bench, STATE_SCALED);
	assert_near(bench_get(&bench, METRIC_LICENSE1_RATIO, SCOPE_CORE, 0)->v, 0.6, 1e-9);
	bench_close(&bench);
}

/* The throttle's event counts as the others do: twice where they do. */
static void throttle(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 2));
	for (unsigned i = 0; i < 2; i++) {
		plant_thread(&bench, i, &(struct thread){ { 120, 360, 120 }, i ? 0 : 600 });
		plant(&bench, COUNTER_LICENSE_THROTTLE, i, 0, 60, COUNTED);
	}
	bench_run(&bench);
	assert_value(&bench, METRIC_LICENSE_THROTTLE_RATIO, SCOPE_CORE, 0, 0.1, 1e-9);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_way_of_counting),
		cmocka_unit_test(known_answers),
		cmocka_unit_test(all_or_none),
		cmocka_unit_test(throttle),
	};

	return cmocka_run_group_tests_name("derive_license", tests, NULL, NULL);
}
