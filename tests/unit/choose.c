/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which source serves what, and what is said of metrics that nobody serves. */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/choose.h"
#include "model/host.h"

struct fixture {
	struct offer offers[SOURCE_N];
	struct wish wish;
	struct choice choice;
};

/* The accounting by one source, the clock by the ruler, idle times by nobody. */
static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	for (unsigned c = COUNTER_OS_BUSY; c <= COUNTER_OS_STEAL; c++)
		f->offers[SOURCE_PROCFS].here[c] = true;
	for (unsigned c = COUNTER_TSC; c <= COUNTER_RULER_SEES; c++)
		f->offers[SOURCE_RULER].here[c] = true;
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static void origins_name_the_source(void **state)
{
	struct fixture *f = *state;
	const struct origin *origin;

	choose(f->offers, &f->wish, &f->choice);
	origin = &f->choice.origins[METRIC_BUSY_HERTZ];
	assert_int_equal(origin->source, SOURCE_RULER);
	assert_string_equal(origin->name, "ruler");
	assert_null(origin->why);
	assert_int_equal(f->choice.origins[METRIC_OS_BUSY_RATIO].source, SOURCE_PROCFS);
}

static void only_what_is_needed_is_opened(void **state)
{
	struct fixture *f = *state;

	choose(f->offers, &f->wish, &f->choice);
	/* Who is idle is asked whatever is shown. */
	assert_true(f->choice.open[SOURCE_PROCFS]);
	assert_false(f->choice.open[SOURCE_RULER]);
	/* Not opened, yet known: `metrics` tells the origin of each. */
	assert_int_equal(f->choice.origins[METRIC_BUSY_HERTZ].source, SOURCE_RULER);
	f->wish.needed[METRIC_BUSY_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_true(f->choice.open[SOURCE_RULER]);
	assert_false(f->choice.open[SOURCE_NONE]);
}

/* A package is measured by itself where no core is; and each counter may be refused for its own reason. */
static void packages_and_reasons(void **state)
{
	static const struct reason cold = { ENOENT, "no core has one", "" };
	struct fixture *f = *state;
	struct offer *offer = &f->offers[SOURCE_THERMAL];
	const struct origin *origin = &f->choice.origins[METRIC_TEMPERATURE_CELSIUS];

	offer_counter(offer, COUNTER_CORE_TEMPERATURE, &cold);
	offer_counter(offer, COUNTER_CORE_THROTTLE, &(const struct reason){ EIO, "another reason", "" });
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(origin->source, SOURCE_NONE);
	assert_string_equal(origin->why, "no core has one");
	assert_int_equal(origin->err, ENOENT);
	assert_string_equal(f->choice.origins[METRIC_THROTTLE_EVENTS].why, "another reason");
	offer_counter(offer, COUNTER_PACKAGE_TEMPERATURE, NULL);
	offer->note[COUNTER_PACKAGE_TEMPERATURE] = "Tctl";
	f->wish.needed[METRIC_TEMPERATURE_CELSIUS] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(origin->source, SOURCE_THERMAL);
	assert_string_equal(origin->note, "Tctl");
	assert_true(f->choice.open[SOURCE_THERMAL]);
	/* Leaving the source out is the reason then, for all of it. */
	choose_refuse(offer, &(const struct problem){ .text = "left out" });
	choose(f->offers, &f->wish, &f->choice);
	assert_string_equal(origin->why, "left out");
}

static void notes_are_passed_on(void **state)
{
	struct fixture *f = *state;

	f->offers[SOURCE_CPUFREQ].here[COUNTER_OS_HERTZ] = true;
	f->offers[SOURCE_CPUFREQ].note[COUNTER_OS_HERTZ] = "one of two";
	f->offers[SOURCE_CPUFREQ].here[COUNTER_CAP_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_string_equal(f->choice.origins[METRIC_OS_HERTZ].note, "one of two");
	assert_null(f->choice.origins[METRIC_CAP_HERTZ].note);
	assert_null(f->choice.origins[METRIC_BUSY_HERTZ].note);
	/* What may not be used has none. */
	choose_refuse(&f->offers[SOURCE_CPUFREQ], &(struct problem){ .text = "left out" });
	choose(f->offers, &f->wish, &f->choice);
	assert_null(f->choice.origins[METRIC_OS_HERTZ].note);
	assert_string_equal(f->choice.origins[METRIC_OS_HERTZ].why, "left out");
}

/* Only where each kind of core is known to have no license event is that said. */
static void license_events_by_cpu(void **state)
{
	struct fixture *f = *state;
	struct host_kind kinds[] = { { .license_events = LICENSE_EVENTS_NONE },
				     { .license_events = LICENSE_EVENTS_UNKNOWN } };
	struct host host = { .kinds = kinds, .n_kinds = 2 };
	const struct origin *origin = &f->choice.origins[METRIC_LICENSE2_RATIO];

	choose(f->offers, &f->wish, &f->choice);
	choose_explain(&host, &f->choice);
	assert_string_equal(origin->why, metric_row(METRIC_LICENSE2_RATIO)->needs);
	host.n_kinds = 1;
	choose_explain(&host, &f->choice);
	assert_string_equal(origin->why, "this CPU has no license event");
	assert_string_equal(f->choice.origins[METRIC_IPC].why, metric_row(METRIC_IPC)->needs);
	host.n_kinds = 0;
	assert_false(host_lacks_license_events(&host));
}

static void the_first_of_the_list_serves(void **state)
{
	struct fixture *f = *state;

	f->offers[SOURCE_CPUIDLE].here[COUNTER_TSC] = true;
	f->wish.needed[METRIC_TSC_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.server[COUNTER_TSC], SOURCE_CPUIDLE);
	assert_int_equal(f->choice.server[COUNTER_TSC_TIME], SOURCE_RULER);
	assert_true(f->choice.open[SOURCE_CPUIDLE]);
	assert_true(f->choice.open[SOURCE_RULER]);
}

static void absent_metrics_have_a_reason(void **state)
{
	struct fixture *f = *state;
	const struct origin *origin;

	choose(f->offers, &f->wish, &f->choice);
	for (unsigned m = 0; m < METRIC_N; m++) {
		origin = &f->choice.origins[m];
		/* One or the other, never both, never neither. */
		assert_int_equal(origin->source == SOURCE_NONE, origin->name == NULL);
		assert_int_equal(origin->source == SOURCE_NONE, origin->why != NULL);
		if (origin->why)
			assert_true(strlen(origin->why) > 0);
	}
	/* Nobody even knows the counter: the row tells what it would take. */
	origin = &f->choice.origins[METRIC_IDLE_RATIO];
	assert_string_equal(origin->why, metric_row(METRIC_IDLE_RATIO)->needs);
	assert_int_equal(origin->err, 0);
}

static void the_reason_is_that_of_the_source_that_refused(void **state)
{
	struct fixture *f = *state;
	const struct origin *origin = &f->choice.origins[METRIC_BUSY_HERTZ];
	struct problem why = { .err = ENOTSUP, .text = "the time-stamp counter is trapped" };

	choose_refuse(&f->offers[SOURCE_RULER], &why);
	f->wish.needed[METRIC_BUSY_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_string_equal(origin->why, "the time-stamp counter is trapped");
	assert_int_equal(origin->err, ENOTSUP);
	assert_false(f->choice.open[SOURCE_RULER]);
	/* It never served these: not its reason. */
	assert_string_equal(f->choice.origins[METRIC_IDLE_RATIO].why,
			    metric_row(METRIC_IDLE_RATIO)->needs);
}

static void one_missing_input_makes_a_metric_absent(void **state)
{
	struct fixture *f = *state;

	f->offers[SOURCE_RULER].here[COUNTER_RULER_TICKS] = false;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.origins[METRIC_BUSY_HERTZ].source, SOURCE_NONE);
	assert_null(f->choice.origins[METRIC_BUSY_HERTZ].name);
	assert_int_equal(f->choice.origins[METRIC_TSC_HERTZ].source, SOURCE_RULER);
}

static void a_refused_source_makes_way_for_the_next(void **state)
{
	struct fixture *f = *state;
	struct problem why = { .err = EMFILE, .text = "no descriptors left" };

	f->offers[SOURCE_CPUIDLE].here[COUNTER_TSC] = true;
	choose_refuse(&f->offers[SOURCE_CPUIDLE], &why);
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.server[COUNTER_TSC], SOURCE_RULER);
	assert_int_equal(f->choice.origins[METRIC_TSC_HERTZ].source, SOURCE_RULER);
}

static void offer_clocks(struct fixture *f)
{
	f->offers[SOURCE_PERF].here[COUNTER_APERF] = true;
	f->offers[SOURCE_PERF].here[COUNTER_MPERF] = true;
	f->offers[SOURCE_PERF].here[COUNTER_CLOCK_TSC] = true;
}

/* Where counters tell the clock no CPU is probed, unless somebody names the ruler or what only it tells. */
static void counters_come_before_the_ruler(void **state)
{
	struct fixture *f = *state;

	offer_clocks(f);
	f->wish.needed[METRIC_BUSY_HERTZ] = f->wish.needed[METRIC_GAP_RATIO] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.origins[METRIC_BUSY_HERTZ].source, SOURCE_PERF);
	assert_true(f->choice.open[SOURCE_PERF]);
	assert_false(f->choice.open[SOURCE_RULER]);
	assert_non_null(strstr(f->choice.origins[METRIC_GAP_RATIO].why, "--metrics"));

	f->wish.asked[METRIC_GAP_RATIO] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.origins[METRIC_GAP_RATIO].source, SOURCE_RULER);
	assert_true(f->choice.open[SOURCE_RULER]);

	f->wish.asked[METRIC_GAP_RATIO] = false;
	f->wish.ruler = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_true(f->choice.open[SOURCE_RULER]);
	assert_int_equal(f->choice.origins[METRIC_BUSY_HERTZ].source, SOURCE_PERF);
}

/* One counter of the clock alone is none. */
static void the_ruler_stands_in(void **state)
{
	struct fixture *f = *state;

	offer_clocks(f);
	f->offers[SOURCE_PERF].here[COUNTER_APERF] = false;
	f->wish.needed[METRIC_BUSY_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	assert_int_equal(f->choice.origins[METRIC_BUSY_HERTZ].source, SOURCE_RULER);
	assert_true(f->choice.open[SOURCE_RULER]);
}

/* What takes a hardware counter of its own is counted only for who names it. */
static void costly_counters_are_asked_for(void **state)
{
	struct fixture *f = *state;
	bool duties[COUNTER_N], asked[COUNTER_N];

	offer_clocks(f);
	f->offers[SOURCE_PERF].here[COUNTER_FP512_OPS] = true;
	f->wish.needed[METRIC_FP512_OPS_RATE] = f->wish.needed[METRIC_BUSY_HERTZ] = true;
	choose(f->offers, &f->wish, &f->choice);
	choose_duties(&f->choice, SOURCE_PERF, duties);
	choose_asked(&f->wish, asked);
	assert_false(duties[COUNTER_FP512_OPS]);
	assert_false(asked[COUNTER_FP512_OPS]);
	assert_true(duties[COUNTER_APERF]);
	assert_non_null(f->choice.origins[METRIC_FP512_OPS_RATE].why);

	f->wish.asked[METRIC_FP512_OPS_RATE] = true;
	choose(f->offers, &f->wish, &f->choice);
	choose_duties(&f->choice, SOURCE_PERF, duties);
	choose_asked(&f->wish, asked);
	assert_true(duties[COUNTER_FP512_OPS]);
	assert_true(asked[COUNTER_FP512_OPS]);
	assert_int_equal(f->choice.origins[METRIC_FP512_OPS_RATE].source, SOURCE_PERF);
	choose_duties(&f->choice, SOURCE_MSR, duties);
	assert_false(duties[COUNTER_APERF]); /* another serves it */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(origins_name_the_source),
		TEST(only_what_is_needed_is_opened),
		TEST(notes_are_passed_on),
		TEST(packages_and_reasons),
		TEST(license_events_by_cpu),
		TEST(the_first_of_the_list_serves),
		TEST(absent_metrics_have_a_reason),
		TEST(the_reason_is_that_of_the_source_that_refused),
		TEST(one_missing_input_makes_a_metric_absent),
		TEST(a_refused_source_makes_way_for_the_next),
		TEST(counters_come_before_the_ruler),
		TEST(the_ruler_stands_in),
		TEST(costly_counters_are_asked_for),
	};

	return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
