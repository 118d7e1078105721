/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ruler as a source: what it refuses, whom it leaves alone, and that it gives the thread its
 * affinity back. Parts that need a CPU to time are skipped where the TSC cannot be. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "burst/board.h"
#include "burst/gauge.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/pin.h"
#include "source/ruler_rule.h"
#include "source/source.h"

#include "unit.h"

#define MS 1000000ull

/* A live host of `n` CPUs of one kind, all of them with the number of one that this process may run
 * on: so it looks as large as a test wants. */
struct fake {
	struct host host;
	struct host_cpu cpus[100];
	struct host_core core;
	struct host_package package;
	struct host_kind kind;
	struct board *board;
	struct source *source;
	struct sample *sample;
	struct source_env env;
	unsigned gone; /* index of a CPU that is offline now; 0: none */
	uint64_t suspended_ns; /* so far */
};

static unsigned allowed_cpu(void)
{
	int cpu = sched_getcpu();

	assert_true(cpu >= 0);
	return (unsigned)cpu;
}

static void fake_init(struct fake *fake, unsigned n)
{
	memset(fake, 0, sizeof(*fake));
	fake->host = (struct host){ .live = true, .tsc_hertz = 2e9,
				    .cpus = fake->cpus, .n_cpus = n,
				    .cores = &fake->core, .n_cores = 1,
				    .packages = &fake->package, .n_packages = 1,
				    .kinds = &fake->kind, .n_kinds = 1 };
	for (unsigned i = 0; i < n; i++)
		fake->cpus[i] = (struct host_cpu){ .id = allowed_cpu(), .online = true,
						   .allowed = true, .wanted = true };
	fake->env = (struct source_env){ .host = &fake->host, .probe_idle = true,
					 .interval_ns = 1000 * MS };
}

static void fake_open(struct fake *fake)
{
	struct problem problem = { 0 };
	double hertz;

	if (gauge_tsc_calibrate(&hertz, NULL) < 0)
		skip();
	fake->host.tsc_hertz = hertz;
	if (ruler_ops.open(&fake->env, &fake->source, &problem) < 0) {
		print_message("skipped: %s\n", problem.text);
		skip();
	}
	fake->sample = sample_new(&fake->host);
	assert_non_null(fake->sample);
}

static void fake_close(struct fake *fake)
{
	ruler_ops.close(fake->source);
	sample_free(fake->sample);
	board_free(fake->board);
}

/* One interval: sample k of the kernel's accounting, in which each CPU was `busy` of 100 ticks. */
static void fake_tick(struct fake *fake, unsigned k, unsigned busy, uint64_t interval_ns)
{
	sample_clear(fake->sample);
	fake->sample->mono_ns = 1 + k * interval_ns;
	fake->sample->suspended_ns = fake->suspended_ns;
	for (unsigned i = 0; i < fake->host.n_cpus; i++) {
		sample_set(fake->sample, COUNTER_OS_BUSY, i, 0, 1000 + k * busy, SOURCE_PROCFS);
		sample_set(fake->sample, COUNTER_OS_IDLE, i, 0, 1000 + k * (100 - busy),
			   SOURCE_PROCFS);
	}
	if (fake->gone) {
		sample_fail(fake->sample, COUNTER_OS_BUSY, fake->gone, 0, STATE_OFFLINE, SOURCE_PROCFS);
		sample_fail(fake->sample, COUNTER_OS_IDLE, fake->gone, 0, STATE_OFFLINE, SOURCE_PROCFS);
	}
	assert_int_equal(ruler_ops.read(fake->source, fake->sample), 0);
}

static const struct reading *reading(const struct fake *fake, enum counter counter, unsigned index)
{
	return sample_get(fake->sample, counter, index, 0);
}

static unsigned count(const struct fake *fake, enum state state)
{
	unsigned n = 0;

	for (unsigned i = 0; i < fake->host.n_cpus; i++)
		n += reading(fake, COUNTER_RULER_CYCLES, i)->state == state;
	return n;
}

static void assert_refused(const struct fake *fake, const char *word)
{
	struct offer offer = { 0 };
	struct source *source = NULL;
	struct problem problem = { 0 };

	assert_int_equal(ruler_ops.probe(&fake->env, &offer), 0);
	assert_false(offer.here[COUNTER_RULER_CYCLES] || offer.here[COUNTER_TSC]);
	assert_true(offer.refused[COUNTER_RULER_CYCLES] && offer.refused[COUNTER_TSC]);
	assert_non_null(strstr(offer.why.text, word));
	assert_true(ruler_ops.open(&fake->env, &source, &problem) < 0);
	assert_non_null(strstr(problem.text, word));
	assert_null(source);
}

static void refuses_with_a_reason(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, 2);
	fake.host.live = false;
	assert_refused(&fake, "recorded or foreign");
	fake.host.live = true;
	fake.host.tsc_hertz = 0;
	assert_refused(&fake, "not calibrated");
	fake.host.tsc_hertz = 2e9;
	fake.cpus[0].allowed = false;
	fake.cpus[1].isolated = true;
	assert_refused(&fake, "may be disturbed");
}

static void idle_rule(void **state)
{
	const struct ruler_look_at busy = { STATE_OK, 0.5, true, false, true };
	struct ruler_look_at cpu = busy;

	(void)state;
	assert_int_equal(ruler_rule(&cpu), STATE_OK);
	cpu.os_busy = 0.049;
	assert_int_equal(ruler_rule(&cpu), STATE_IDLE);
	cpu.os_busy = 0.05;
	assert_int_equal(ruler_rule(&cpu), STATE_OK);
	cpu.os_busy = 0;
	cpu.probe_idle = true;
	assert_int_equal(ruler_rule(&cpu), STATE_OK);
	cpu.os_busy = NAN;
	assert_int_equal(ruler_rule(&cpu), STATE_OK);
	cpu.probe_idle = false;
	assert_int_equal(ruler_rule(&cpu), STATE_FIRST);
	cpu.accounted = false;
	assert_int_equal(ruler_rule(&cpu), STATE_OK);
	cpu = busy;
	cpu.calibrated = false;
	assert_int_equal(ruler_rule(&cpu), STATE_UNCALIBRATED);
	cpu.may = STATE_ISOLATED;
	cpu.probe_idle = true;
	assert_int_equal(ruler_rule(&cpu), STATE_ISOLATED);
}

static void busy_share(void **state)
{
	(void)state;
	assert_true(ruler_busy(100, 110, 500, 590, NAN) == 0.1);
	assert_true(ruler_busy(100, 100, 500, 600, NAN) == 0);
	assert_true(ruler_busy(100, 100, 500, 500, 0.7) == 0.7);
	assert_true(isnan(ruler_busy(100, 100, 500, 500, NAN)));
	assert_true(ruler_busy(100, 110, 500, 499, NAN) == 1);
	assert_true(ruler_budget_ns(1000 * MS) == 50 * MS);
	assert_true(ruler_budget_ns(1 * MS) == 1 * MS);
}

static void pin_gives_the_affinity_back(void **state)
{
	cpu_set_t before, after;
	struct pin *pin = pin_new(70000);

	(void)state;
	assert_non_null(pin);
	CPU_ZERO(&before);
	CPU_ZERO(&after);
	assert_true(sched_getaffinity(0, sizeof(before), &before) == 0);
	assert_int_equal(pin_to(pin, allowed_cpu()), -EPERM); /* not begun */
	pin_begin(pin);
	assert_int_equal(pin_to(pin, allowed_cpu()), 0);
	assert_int_equal(pin_to(pin, 60000), -EINVAL);
	assert_int_equal(pin_to(pin, 4000000), -EINVAL);
	pin_end(pin);
	assert_true(sched_getaffinity(0, sizeof(after), &after) == 0);
	assert_true(CPU_EQUAL(&before, &after));
	pin_free(pin);
	pin_free(NULL);
}

static void reads_a_clock(void **state)
{
	struct fake fake;
	cpu_set_t before, after;
	unsigned seen = 0;

	(void)state;
	fake_init(&fake, 1);
	fake_open(&fake);
	CPU_ZERO(&before);
	CPU_ZERO(&after);
	assert_true(sched_getaffinity(0, sizeof(before), &before) == 0);
	for (unsigned k = 0; k < 40 && !seen; k++) {
		fake_tick(&fake, k, 50, 100 * MS);
		seen = count(&fake, STATE_OK);
	}
	assert_true(sched_getaffinity(0, sizeof(after), &after) == 0);
	assert_true(CPU_EQUAL(&before, &after));
	if (seen) {
		double hertz = (double)reading(&fake, COUNTER_RULER_CYCLES, 0)->raw /
			       (double)reading(&fake, COUNTER_RULER_TICKS, 0)->raw *
			       fake.host.tsc_hertz;

		assert_true(hertz > 100e6 && hertz < 10e9);
		assert_int_equal(reading(&fake, COUNTER_RULER_SEES, 0)->raw, 0);
		assert_true(reading(&fake, COUNTER_TSC, 0)->raw > 0);
		assert_true(reading(&fake, COUNTER_RULER_SPAN, 0)->raw > 0);
	}
	fake_close(&fake);
}

/* Sample 0 cannot know who is idle; sample 1 does, when it probes by itself. */
static void idle_cpus_are_left_alone(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, 2);
	fake.env.probe_idle = false;
	fake_open(&fake);
	ruler_ops.early(fake.source, NULL);
	fake_tick(&fake, 0, 2, 100 * MS);
	assert_int_equal(count(&fake, STATE_FIRST), 2);
	assert_int_equal(reading(&fake, COUNTER_RULER_SPAN, 0)->state, STATE_FIRST);
	fake_tick(&fake, 1, 2, 100 * MS);
	assert_int_equal(count(&fake, STATE_IDLE), 2);
	assert_int_equal(reading(&fake, COUNTER_TSC, 0)->state, STATE_IDLE);
	/* early() goes by the interval before */
	ruler_ops.early(fake.source, fake.sample);
	fake_tick(&fake, 20, 90, 100 * MS);
	assert_int_equal(count(&fake, STATE_IDLE), 2);
	ruler_ops.early(fake.source, fake.sample);
	fake_tick(&fake, 21, 90, 100 * MS);
	assert_int_equal(count(&fake, STATE_OK) + count(&fake, STATE_DISTURBED), 2);
	fake_close(&fake);
}

/* One CPU that the kernel refuses is a row, not a failure. */
static void not_allowed_is_a_row(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, 3);
	fake.cpus[2].id = 60000;
	fake.cpus[1].isolated = true;
	fake_open(&fake);
	fake_tick(&fake, 0, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 2)->state, STATE_NOT_ALLOWED);
	assert_int_equal(reading(&fake, COUNTER_TSC, 2)->state, STATE_NOT_ALLOWED);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_ISOLATED);
	assert_int_equal(count(&fake, STATE_OK) + count(&fake, STATE_DISTURBED), 1);
	fake_close(&fake);
}

/* A CPU that leaves is offline and not a sample to come; back again it has a clock. */
static void a_cpu_leaves_and_returns(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, 2);
	fake.cpus[1].id = fake.cpus[0].id; /* so that it can be run on */
	fake_open(&fake);
	fake_tick(&fake, 0, 50, 100 * MS);
	fake_tick(&fake, 1, 50, 100 * MS);
	assert_true(reading(&fake, COUNTER_TSC, 1)->raw > 0);
	fake.gone = 1;
	ruler_ops.early(fake.source, fake.sample); /* before anybody knows */
	fake_tick(&fake, 2, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_OFFLINE);
	assert_int_equal(reading(&fake, COUNTER_TSC, 1)->state, STATE_OFFLINE);
	fake_tick(&fake, 3, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_OFFLINE);
	fake.gone = 0;
	fake_tick(&fake, 4, 50, 100 * MS);
	fake_tick(&fake, 5, 50, 100 * MS);
	assert_true(reading(&fake, COUNTER_RULER_CYCLES, 1)->state == STATE_OK ||
		    reading(&fake, COUNTER_RULER_CYCLES, 1)->state == STATE_DISTURBED);
	fake_close(&fake);
}

/* The TSC may have been set anew, and what early() saw was before the machine slept. */
static void a_suspend_ends_what_was_known(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, 1);
	fake_open(&fake);
	fake_tick(&fake, 0, 50, 100 * MS);
	fake_tick(&fake, 1, 50, 100 * MS);
	assert_true(reading(&fake, COUNTER_TSC, 0)->raw > 0);
	ruler_ops.early(fake.source, fake.sample);
	fake.suspended_ns = 10000 * MS;
	fake_tick(&fake, 2, 50, 100 * MS);
	assert_true(reading(&fake, COUNTER_RULER_CYCLES, 0)->state == STATE_OK ||
		    reading(&fake, COUNTER_RULER_CYCLES, 0)->state == STATE_DISTURBED);
	fake.suspended_ns = 20000 * MS;
	fake.cpus[0].allowed = false; /* no new probe in place of the old one */
	fake_tick(&fake, 3, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_TSC, 0)->state, STATE_NOT_ALLOWED);
	assert_int_equal(reading(&fake, COUNTER_TSC, 0)->raw, 0);
	assert_int_equal(reading(&fake, COUNTER_RULER_SPAN, 0)->raw, 0);
	fake_close(&fake);
}

static void driven_cpus_are_read_from_the_board(void **state)
{
	struct board_entry entry = { .mono_ns = 1, .cycles = 6000, .ticks = 4000, .driven = true };
	struct fake fake;

	(void)state;
	fake_init(&fake, 2);
	fake.board = fake.env.board = board_new(2);
	assert_non_null(fake.board);
	fake_open(&fake);
	board_publish(fake.board, 1, &entry);
	fake_tick(&fake, 0, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_OK);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->raw, 6000000);
	assert_int_equal(reading(&fake, COUNTER_RULER_TICKS, 1)->raw, 4000000);
	assert_int_equal(reading(&fake, COUNTER_RULER_SEES, 1)->raw, 1);
	assert_int_equal(reading(&fake, COUNTER_RULER_SPAN, 1)->raw, 0); /* never probed */
	/* A worker that has not gauged yet. */
	entry.mono_ns = 0;
	board_publish(fake.board, 1, &entry);
	fake_tick(&fake, 1, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_FIRST);
	/* The burst ends between early() and read(): nothing new, and nothing old sold as new. */
	ruler_ops.early(fake.source, fake.sample);
	entry.driven = false;
	board_publish(fake.board, 1, &entry);
	fake_tick(&fake, 2, 50, 100 * MS);
	assert_int_equal(reading(&fake, COUNTER_RULER_CYCLES, 1)->state, STATE_FIRST);
	fake_close(&fake);
}

/* 100 CPUs in 1 ms: some get their turn, the others have an old value or none; all get theirs. */
static void big_machines_take_turns(void **state)
{
	struct fake fake;
	unsigned probed[100] = { 0 }, in_turn = 0;

	(void)state;
	fake_init(&fake, 100);
	fake_open(&fake);
	for (unsigned k = 0; k < 400; k++) {
		uint64_t tsc[100];
		unsigned now = 0;

		for (unsigned i = 0; i < 100; i++)
			tsc[i] = k ? reading(&fake, COUNTER_TSC, i)->raw : 0;
		fake_tick(&fake, k, 50, 1 * MS);
		for (unsigned i = 0; i < 100; i++)
			if (reading(&fake, COUNTER_TSC, i)->raw != tsc[i])
				probed[i]++, now++;
		assert_true(now >= 1);
		in_turn += now < 100;
		assert_int_equal(count(&fake, STATE_OK) + count(&fake, STATE_DISTURBED) +
				 count(&fake, STATE_STALE) + count(&fake, STATE_FIRST), 100);
	}
	assert_true(in_turn > 350);
	for (unsigned i = 0; i < 100; i++)
		assert_true(probed[i] >= 1);
	fake_close(&fake);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_with_a_reason),
		cmocka_unit_test(idle_rule),
		cmocka_unit_test(busy_share),
		{ "case 43: the affinity is given back", pin_gives_the_affinity_back, NULL, NULL, NULL },
		cmocka_unit_test(reads_a_clock),
		cmocka_unit_test(idle_cpus_are_left_alone),
		{ "case 44: a CPU that refuses is a row", not_allowed_is_a_row, NULL, NULL, NULL },
		cmocka_unit_test(a_cpu_leaves_and_returns),
		cmocka_unit_test(a_suspend_ends_what_was_known),
		cmocka_unit_test(driven_cpus_are_read_from_the_board),
		cmocka_unit_test(big_machines_take_turns),
	};

	return cmocka_run_group_tests_name("ruler", tests, NULL, NULL);
}
