/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of the clock, what the registers say of them, and the ledger of lost clock. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/ledger.h"
#include "model/wide.h"
#include "planted.h"

/* Stands for the source of all these counters. */
#define COUNTED SOURCE_CPUFREQ

/* Xeon Platinum 8160: 3700 MHz of 1-2 cores, 3500 of 3-4, 3400 of 5-12, 3200, 3000, 2800. */
#define RATIOS 0x1c1c1e2022222325
#define COUNTS 0x1c1814100c080402

/* A package of four cores; each CPU ran half of the time, at 3 GHz by a base of 2.1. */
static void open_skylake(struct bench *bench)
{
	struct registers *registers;

	bench_open(bench, fake_host(1, 4, 1));
	registers = &bench->host->kinds[0].registers;
	bench->host->tsc_hertz = bench->host->kinds[0].base_hertz = 2.1e9;
	registers->bclk_hertz = 100e6;
	registers->turbo = TURBO_FORM_GROUPS;
	registers->limit_reasons = 0x690;
	registers->limit_reasons_doubtful = true;
	sample_set(bench->cur, COUNTER_TURBO_RATIOS, 0, 0, RATIOS, COUNTED);
	sample_set(bench->cur, COUNTER_TURBO_RATIOS_1, 0, 0, COUNTS, COUNTED);
	for (unsigned i = 0; i < 4; i++) {
		plant(bench, COUNTER_CLOCK_TSC, i, 0, 2100000000, COUNTED);
		plant(bench, COUNTER_MPERF, i, 0, 1050000000, COUNTED);
		plant(bench, COUNTER_APERF, i, 0, 1500000000, COUNTED);
	}
}

static void plant_c6(struct bench *bench, double share0, double share1, double share2, double share3)
{
	const double shares[] = { share0, share1, share2, share3 };

	for (unsigned i = 0; i < 4; i++)
		plant(bench, COUNTER_CORE_C6, i, 0, (uint64_t)(shares[i] * 2100000000), COUNTED);
}

static void assert_limit(struct bench *bench, double low, double high)
{
	assert_value(bench, METRIC_LIMIT_HERTZ, SCOPE_CORE, 0, low, 1);
	assert_near(bench_get(bench, METRIC_LIMIT_HERTZ, SCOPE_CORE, 0)->more, high - low, 256);
}

static void limits_by_active_cores(void **unused)
{
	struct bench bench;

	(void)unused;
	open_skylake(&bench);
	plant_c6(&bench, 0, 0, 1, 1);
	bench_run(&bench);
	assert_limit(&bench, 3.7e9, 3.7e9);
	/* Registers tell of level 0 only. */
	assert_int_equal(snapshot_get(bench.snapshot, METRIC_LIMIT_HERTZ, SCOPE_CORE, 0, 1)->state,
			 STATE_UNSUPPORTED);
	plant_c6(&bench, 0, 0, 0, 0);
	bench_run(&bench);
	assert_limit(&bench, 3.5e9, 3.5e9);
	/* Two and a half: two at times, three at others. */
	plant_c6(&bench, 0, 0, 0.5, 1);
	bench_run(&bench);
	assert_limit(&bench, 3.5e9, 3.7e9);
	/* Without residencies: those that ran for half of the time may have run by turns, or all at once. */
	for (unsigned i = 0; i < 4; i++)
		sample_fail(bench.cur, COUNTER_CORE_C6, i, 0, STATE_UNSUPPORTED, 0);
	bench_run(&bench);
	assert_limit(&bench, 3.5e9, 3.7e9);
	bench.host->kinds[0].registers.turbo = TURBO_FORM_NONE;
	bench_run(&bench);
	assert_state(&bench, METRIC_LIMIT_HERTZ, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

static void assert_reasons(struct bench *bench, const char *words)
{
	char text[128];

	assert_state(bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, STATE_OK);
	assert_string_equal(metric_format(METRIC_LIMIT_REASONS,
					  bench_get(bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0)->v, text,
					  sizeof(text)),
			    words);
}

static void reasons(void **unused)
{
	struct bench bench;

	(void)unused;
	open_skylake(&bench);
	bench_run(&bench);
	assert_state(&bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, STATE_UNSUPPORTED);
	/* A register that may not report and has only read 0 is no "nothing limits". */
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 0, COUNTED);
	sample_set(bench.cur, COUNTER_PACKAGE_THERMAL_STATUS, 0, 0, 0x88320002, COUNTED); /* a log bit */
	bench_run(&bench);
	assert_state(&bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, STATE_NOT_REPORTED);
	/* With a log bit it is one that reports. */
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 0x4000000, COUNTED);
	bench_run(&bench);
	assert_reasons(&bench, "none");
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 0x4001900, COUNTED);
	bench_run(&bench);
	assert_reasons(&bench, "power_pl2+current+turbo_limit");
	bench_close(&bench);
}

static void reasons_of_other_registers(void **unused)
{
	struct bench bench;

	(void)unused;
	open_skylake(&bench);
	/* No such register: what is told by another is told, but not that there is nothing. */
	sample_set(bench.cur, COUNTER_PACKAGE_THERMAL_STATUS, 0, 0, 0, COUNTED);
	bench_run(&bench);
	assert_state(&bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, STATE_NOT_REPORTED);
	sample_set(bench.cur, COUNTER_PACKAGE_THERMAL_STATUS, 0, 0, 1 << 2, COUNTED);
	sample_set(bench.cur, COUNTER_CORE_THERMAL_STATUS, 3, 0, 1, COUNTED);
	bench_run(&bench);
	assert_reasons(&bench, "thermal+prochot");
	/* Throttled, and at 97 % of the limit. */
	sample_set(bench.cur, COUNTER_PACKAGE_THERMAL_STATUS, 0, 0, 0, COUNTED);
	sample_set(bench.cur, COUNTER_CORE_THERMAL_STATUS, 3, 0, 0, COUNTED);
	plant(&bench, COUNTER_POWER_THROTTLE, 0, 0, 1000, COUNTED);
	plant(&bench, COUNTER_PACKAGE_ENERGY, 0, 0, 146000000, COUNTED);
	sample_set(bench.cur, COUNTER_POWER_LIMIT, 0, 0, 150000000, COUNTED);
	bench_run(&bench);
	assert_reasons(&bench, "power_pl1");
	plant(&bench, COUNTER_PACKAGE_ENERGY, 0, 0, 145000000, COUNTED);
	bench_run(&bench);
	assert_state(&bench, METRIC_LIMIT_REASONS, SCOPE_PACKAGE, 0, STATE_NOT_REPORTED);
	bench_close(&bench);
}

static void assert_lost(struct bench *bench, double cap, double power, double thermal, double other)
{
	assert_value(bench, METRIC_LOST_CAP_HERTZ, SCOPE_CORE, 0, cap, 256);
	assert_value(bench, METRIC_LOST_POWER_HERTZ, SCOPE_CORE, 0, power, 256);
	assert_value(bench, METRIC_LOST_THERMAL_HERTZ, SCOPE_CORE, 0, thermal, 256);
	assert_value(bench, METRIC_LOST_OTHER_HERTZ, SCOPE_CORE, 0, other, 256);
	assert_near(cap + power + thermal + other, 3.5e9 - 3e9, 1);
}

/* Of 3500 MHz, 3000 are left. */
static void ledger_of_a_core(void **unused)
{
	struct bench bench;

	(void)unused;
	open_skylake(&bench);
	plant_c6(&bench, 0, 0, 0, 0);
	bench_run(&bench);
	/* Who cannot be asked is not cleared; without cpufreq no cap is known. */
	assert_state(&bench, METRIC_LOST_POWER_HERTZ, SCOPE_CORE, 0, STATE_NOT_REPORTED);
	assert_state(&bench, METRIC_LOST_THERMAL_HERTZ, SCOPE_CORE, 0, STATE_NOT_REPORTED);
	assert_state(&bench, METRIC_LOST_CAP_HERTZ, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	assert_state(&bench, METRIC_LOST_LICENSE_HERTZ, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	assert_value(&bench, METRIC_LOST_OTHER_HERTZ, SCOPE_CORE, 0, 0.5e9, 256);
	sample_set(bench.cur, COUNTER_CAP_HERTZ, 0, 0, 3300000000, COUNTED);
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 1 << 26, COUNTED);
	bench_run(&bench);
	assert_lost(&bench, 0.2e9, 0, 0, 0.3e9);
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 1 << 10, COUNTED);
	bench_run(&bench);
	assert_lost(&bench, 0.2e9, 0.3e9, 0, 0);
	sample_set(bench.cur, COUNTER_LIMIT_REASONS, 0, 0, 1 << 1, COUNTED);
	bench_run(&bench);
	assert_lost(&bench, 0.2e9, 0, 0.3e9, 0);
	/* Turbo is off: no more than the base clock was to be had, and more was measured. */
	sample_set(bench.cur, COUNTER_TURBO_OFF, 0, 0, 1, COUNTED);
	bench_run(&bench);
	assert_lost(&bench, 1.4e9, 0, 0, -0.9e9);
	/* As many cores active as two or three. */
	sample_set(bench.cur, COUNTER_TURBO_OFF, 0, 0, 0, COUNTED);
	sample_set(bench.cur, COUNTER_CAP_HERTZ, 0, 0, 3900000000, COUNTED);
	plant_c6(&bench, 0, 0, 0.5, 1);
	bench_run(&bench);
	assert_lost(&bench, 0, 0, 0.5e9, 0);
	assert_near(bench_get(&bench, METRIC_LOST_THERMAL_HERTZ, SCOPE_CORE, 0)->more, 0.2e9, 256);
	bench_close(&bench);
}

/* Where the limits by license are known, half of the cycles at license 1 cost half of its step. */
static void ledger_with_licenses(void **unused)
{
	struct ledger_in in = { .reference = 3.7e9, .cap = NAN, .limit = { 3.7e9, 3.3e9, 2.7e9 },
				.share = { 0.25, 0.5, 0.25 }, .busy = 3.1e9, .power = true };
	struct ledger ledger;

	(void)unused;
	ledger_split(&in, &ledger);
	assert_near(ledger.license, 0.5 * 0.4e9 + 0.25 * 1e9, 1);
	assert_near(ledger.power, 3.7e9 - 0.45e9 - 3.1e9, 1);
	assert_near(ledger.cap + ledger.license + ledger.power + ledger.thermal + ledger.other, 0.6e9, 1);
	/* A cap below those limits has taken all that the license would. */
	in.cap = 3.2e9;
	ledger_split(&in, &ledger);
	assert_near(ledger.cap, 0.5e9, 1);
	assert_near(ledger.license, 0, 1);
	assert_near(ledger.power, 0.1e9, 1);
	/* A license by itself is no loss. */
	in.limit[1] = in.limit[2] = 3.7e9;
	in.cap = NAN;
	ledger_split(&in, &ledger);
	assert_near(ledger.license, 0, 1);
	in.share[1] = NAN;
	ledger_split(&in, &ledger);
	assert_true(isnan(ledger.license));
	assert_near(ledger.power, 0.6e9, 1);
}

static void wide_code(void **unused)
{
	const double limit[3] = { 3.8e9, 3.5e9, 3.0e9 }, same[3] = { 3.8e9, 3.8e9, NAN };
	struct bench bench;

	(void)unused;
	assert_int_equal(wide_class(true, 3.53e9, limit), WIDE_INFERRED);
	assert_int_equal(wide_class(true, 3.3e9, limit), WIDE_NONE);
	assert_int_equal(wide_class(false, 3.5e9, limit), WIDE_NONE);
	assert_int_equal(wide_class(true, 3.8e9, same), WIDE_NONE);
	assert_int_equal(wide_class(true, NAN, limit), WIDE_NONE);
	open_skylake(&bench);
	bench_run(&bench);
	assert_state(&bench, METRIC_WIDE_CLASS, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	plant(&bench, COUNTER_FP512_OPS, 0, 0, 1000, COUNTED);
	bench_run(&bench);
	/* The limits of wide licenses are not known here. */
	assert_value(&bench, METRIC_WIDE_CLASS, SCOPE_CORE, 0, WIDE_NONE, 0);
	for (unsigned c = COUNTER_LICENSE0; c <= COUNTER_LICENSE2; c++)
		plant(&bench, (enum counter)c, 0, 0, 500000000, COUNTED);
	bench_run(&bench);
	assert_value(&bench, METRIC_WIDE_CLASS, SCOPE_CORE, 0, WIDE_MEASURED, 0);
	bench_close(&bench);
}

/* Each word of a row is the one that the formula means. */
static void words(void **unused)
{
	char text[32];

	(void)unused;
	assert_string_equal(metric_format(METRIC_WIDE_CLASS, WIDE_INFERRED, text, sizeof(text)), "inferred");
	assert_string_equal(metric_format(METRIC_LIMIT_REASONS, 1 << 6 | 1, text, sizeof(text)), "thermal+ring");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_by_active_cores),
		cmocka_unit_test(reasons),
		cmocka_unit_test(reasons_of_other_registers),
		cmocka_unit_test(ledger_of_a_core),
		cmocka_unit_test(ledger_with_licenses),
		cmocka_unit_test(wide_code),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests_name("derive_limits", tests, NULL, NULL);
}
