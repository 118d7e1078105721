/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks and C-states by counters, on planted samples with the answers that turbostat 6.12 gives. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/derive.h"
#include "planted.h"

/* Stands for the source of all these counters. */
#define COUNTED SOURCE_CPUFREQ

static void plant_ticks(struct bench *bench, unsigned cpu, uint64_t tsc, uint64_t mperf, uint64_t aperf)
{
	plant(bench, COUNTER_CLOCK_TSC, cpu, 1000, 1000 + tsc, COUNTED);
	plant(bench, COUNTER_MPERF, cpu, 2000, 2000 + mperf, COUNTED);
	plant(bench, COUNTER_APERF, cpu, 3000, 3000 + aperf, COUNTED);
}

static void open_at(struct bench *bench, unsigned cores, unsigned threads, double tsc_hertz, double base_hertz)
{
	bench_open(bench, fake_host(1, cores, threads));
	bench->host->tsc_hertz = tsc_hertz;
	bench->host->kinds[0].base_hertz = base_hertz;
}

static void assert_clock(struct bench *bench, unsigned cpu, double busy_hertz, double average_hertz,
			 double busy_ratio)
{
	assert_value(bench, METRIC_BUSY_HERTZ, SCOPE_CPU, cpu, busy_hertz, 1e3);
	assert_value(bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, cpu, average_hertz, 1e3);
	assert_value(bench, METRIC_BUSY_RATIO, SCOPE_CPU, cpu, busy_ratio, 1e-6);
}

/* Time is that of the counters: the two samples are 2 s apart, the ticks 1 s. */
static void known_answers(void **unused)
{
	struct bench bench;

	(void)unused;
	/* A server at turbo, half busy. */
	open_at(&bench, 1, 1, 2.1e9, 2.1e9);
	plant_ticks(&bench, 0, 2100000000, 1050000000, 1700000000);
	bench_run(&bench);
	assert_clock(&bench, 0, 3400e6, 1700e6, 0.5);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->source, COUNTED);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0)->sees, SEES_ALL);
	/* The same from MSR_PLATFORM_INFO, from the rate of the TSC alone, and, where the TSC could not be
	 * calibrated, from the base clock or the reader's. */
	bench.host->kinds[0].base_hertz = 0;
	bench.host->kinds[0].registers.bclk_hertz = 100e6;
	sample_set(bench.cur, COUNTER_PLATFORM_INFO, 0, 0, 0x90080838f3011500, COUNTED);
	bench.host->tsc_hertz = 0;
	bench_run(&bench);
	assert_clock(&bench, 0, 3400e6, 1700e6, 0.5);
	sample_fail(bench.cur, COUNTER_PLATFORM_INFO, 0, 0, STATE_FAILED, COUNTED);
	bench.host->tsc_hertz = 2.1e9;
	bench_run(&bench);
	assert_clock(&bench, 0, 3400e6, 1700e6, 0.5);
	bench.host->tsc_hertz = 0;
	bench_run(&bench);
	assert_clock(&bench, 0, 1700e6, 850e6, 0.5); /* in 2 s */
	bench_close(&bench);
	/* i9-12900K: MPERF counts at 3200 MHz, the TSC at 3187.2. */
	open_at(&bench, 1, 1, 3187200000, 3200000000);
	bench.host->kinds[0].registers.tweak = true;
	plant_ticks(&bench, 0, 3187200000, 1600000000, 2600000000);
	bench_run(&bench);
	assert_clock(&bench, 0, 5200e6, 2600e6, 0.5);
	bench_close(&bench);
	/* Knights Landing, its counters times 1024. */
	open_at(&bench, 1, 1, 1.3e9, 1.3e9);
	plant_ticks(&bench, 0, 1300000000, 634765ull * 1024, 683593ull * 1024);
	bench_run(&bench);
	assert_clock(&bench, 0, 1400e6, 699.999e6, 0.5);
	bench_close(&bench);
}

static void no_clock(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 4, 1, 2.1e9, 2.1e9);
	for (unsigned i = 0; i < 4; i++)
		plant_os(&bench, i, 0, 200, 0);
	/* Halted from end to end: nothing to divide by, and yet known to be 0 on average. */
	plant_ticks(&bench, 0, 2100000000, 0, 0);
	/* Began anew in the interval: both counters go. */
	plant_ticks(&bench, 1, 2100000000, 0, 1000);
	plant(&bench, COUNTER_MPERF, 1, 500, 100, COUNTED);
	/* Stands still while the kernel says that the CPU works. */
	plant_ticks(&bench, 2, 2100000000, 0, 0);
	plant_os(&bench, 2, 100, 100, 0);
	/* One of the two does. */
	plant_ticks(&bench, 3, 2100000000, 1000000, 0);
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_HALTED);
	assert_value(&bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, 0, 0, 0);
	assert_value(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 0, 0, 0);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, STATE_RESET);
	assert_state(&bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, 1, STATE_RESET);
	assert_state(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 1, STATE_RESET);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 2, STATE_NOT_COUNTING);
	assert_state(&bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, 2, STATE_NOT_COUNTING);
	assert_state(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 2, STATE_NOT_COUNTING);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 3, STATE_NOT_COUNTING);
	derive(bench.host, NULL, bench.cur, bench.snapshot);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_FIRST);
	bench_close(&bench);
}

/* The virtual CPU went on on another CPU, whose counters are its own. */
static void moved(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2.1e9, 2.1e9);
	plant_ticks(&bench, 0, 2100000000, 2141000000, 2100000000);
	plant_ticks(&bench, 1, 2100000000, 2143000000, 2100000000);
	bench_run(&bench);
	/* Registers are not read in the same instant: never more than all of the time. */
	assert_value(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 0, 1, 0);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, STATE_MOVED);
	assert_state(&bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, 1, STATE_MOVED);
	assert_state(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 1, STATE_MOVED);
	plant(&bench, COUNTER_APERF, 0, 5000000000, 4900000000, COUNTED);
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, STATE_RESET);
	assert_state(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 0, STATE_RESET);
	bench_close(&bench);
}

/* 512 CPUs of 50 us each: the last is read 25 ms later than the first, and in this interval 10 ms later than
 * in the last. All were busy all the time. */
static void each_by_its_own_time(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2e9, 2e9);
	plant_ticks(&bench, 0, 200000000, 200000000, 310000000);
	plant_ticks(&bench, 1, 220000000, 219900000, 340845000);
	bench_run(&bench);
	assert_true(bench_get(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 1)->v >= 0.995);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 3.1e9, 1);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 3.1e9, 1);
	assert_value(&bench, METRIC_AVERAGE_HERTZ, SCOPE_CPU, 0, 3.1e9, 1);
	bench_close(&bench);
}

/* Each kind of core by its own base clock, and none mean of both. */
static void kinds(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2e9, 2e9);
	bench.host->n_kinds = 2;
	bench.host->kinds[1].base_hertz = 1.5e9;
	bench.host->cpus[1].kind = 1;
	for (unsigned i = 0; i < 2; i++) {
		plant_ticks(&bench, i, 2000000000, 1000000000, 2000000000);
		plant_os(&bench, i, 100, 100, 0);
	}
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 0, 4e9, 1);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 3e9, 1);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_MIXED);
	bench_close(&bench);
}

/* MPERF weighs, not the kernel's accounting, which sees it otherwise here. */
static void weighted_by_the_hardware(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2e9, 2e9);
	plant_ticks(&bench, 0, 2000000000, 1500000000, 2250000000); /* 3 GHz in 75 % */
	plant_ticks(&bench, 1, 2000000000, 500000000, 500000000);   /* 2 GHz in 25 % */
	plant_os(&bench, 0, 20, 180, 0);
	plant_os(&bench, 1, 180, 20, 0);
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 2.75e9, 1);
	assert_value(&bench, METRIC_AVERAGE_HERTZ, SCOPE_HOST, 0, 1.375e9, 1);
	assert_value(&bench, METRIC_BUSY_RATIO, SCOPE_HOST, 0, 0.5, 1e-9);
	bench_close(&bench);
}

/* The ruler's look at a moment is not averaged with what was counted over an interval. */
static void ruler_and_counters(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2e9, 2e9);
	for (unsigned i = 0; i < 2; i++) {
		plant_ticks(&bench, i, 2000000000, 1000000000, 1500000000);
		plant_os(&bench, i, 100, 100, 0);
		sample_set(bench.cur, COUNTER_RULER_CYCLES, i, 0, 2000000, SOURCE_RULER);
		sample_set(bench.cur, COUNTER_RULER_TICKS, i, 0, 1000000, SOURCE_RULER);
		sample_set(bench.cur, COUNTER_RULER_SEES, i, 0, 0, SOURCE_RULER);
	}
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 3e9, 1);
	/* Not for one interval, but where there is no counter. */
	plant(&bench, COUNTER_APERF, 1, 5000, 4000, COUNTED);
	bench_run(&bench);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, STATE_RESET);
	sample_fail(bench.cur, COUNTER_APERF, 1, 0, STATE_FAILED, COUNTED);
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1, 4e9, 1);
	assert_int_equal(bench_get(&bench, METRIC_BUSY_HERTZ, SCOPE_CPU, 1)->source, SOURCE_RULER);
	assert_state(&bench, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, STATE_MIXED);
	bench_close(&bench);
}

static void residencies(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 2, 2.1e9, 2.1e9);
	plant_ticks(&bench, 0, 2100000000, 210000000, 210000000);
	plant(&bench, COUNTER_CORE_C6, 0, 5, 1680000005, COUNTED);
	plant(&bench, COUNTER_CORE_C1, 0, 5, 105000005, COUNTED);
	plant(&bench, COUNTER_PACKAGE_C6, 0, 7, 1050000007, COUNTED);
	/* 60 bits, come round. */
	plant(&bench, COUNTER_PACKAGE_C8, 0, (1ull << 60) - 100000000, 110000000, COUNTED);
	/* The first of these siblings is offline: by the other's time. */
	sample_fail(bench.cur, COUNTER_CLOCK_TSC, 2, 0, STATE_OFFLINE, COUNTED);
	plant_ticks(&bench, 3, 2100000000, 2100000000, 2100000000);
	plant(&bench, COUNTER_CORE_C6, 1, 0, 2200000000, COUNTED); /* read a little later */
	bench_run(&bench);
	assert_value(&bench, METRIC_BUSY_RATIO, SCOPE_CPU, 0, 0.1, 1e-9);
	assert_value(&bench, METRIC_CORE_C6_RATIO, SCOPE_CORE, 0, 0.8, 1e-9);
	assert_value(&bench, METRIC_THREAD_C1_RATIO, SCOPE_CPU, 0, 0.1, 1e-9);
	assert_value(&bench, METRIC_CORE_C1_RATIO, SCOPE_CORE, 0, 0.05, 1e-9);
	assert_state(&bench, METRIC_CORE_C3_RATIO, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	assert_value(&bench, METRIC_CORE_C6_RATIO, SCOPE_CORE, 1, 1, 0);
	assert_value(&bench, METRIC_THREAD_C1_RATIO, SCOPE_CPU, 3, 0, 0);
	assert_value(&bench, METRIC_PACKAGE_C6_RATIO, SCOPE_PACKAGE, 0, 0.5, 1e-9);
	assert_value(&bench, METRIC_PACKAGE_C8_RATIO, SCOPE_PACKAGE, 0, 0.1, 1e-9);
	/* Another source did not read the TSC beside it: by the clock of the reader, 2 s. */
	plant(&bench, COUNTER_CORE_C6, 0, 5, 1680000005, SOURCE_THERMAL);
	bench_run(&bench);
	assert_value(&bench, METRIC_CORE_C6_RATIO, SCOPE_CORE, 0, 0.4, 1e-9);
	bench_close(&bench);
}

static void work(void **unused)
{
	struct bench bench;

	(void)unused;
	open_at(&bench, 2, 1, 2e9, 2e9);
	plant_ticks(&bench, 0, 2000000000, 1960000000, 2940000000);
	plant_os(&bench, 0, 100, 0, 0);
	plant(&bench, COUNTER_INSTRUCTIONS, 0, 0, 3000000000, COUNTED);
	plant(&bench, COUNTER_CYCLES, 0, 0, 1500000000, COUNTED);
	plant(&bench, COUNTER_FP512_OPS, 0, 0, 5000000, COUNTED);
	plant(&bench, COUNTER_AMX_BUSY, 0, 0, 735000000, COUNTED);
	plant(&bench, COUNTER_SMI, 0, UINT32_MAX, 2, COUNTED); /* 32 bits */
	plant(&bench, COUNTER_SMI, 1, 5, 7, COUNTED);
	plant(&bench, COUNTER_CYCLES, 1, 0, 0, COUNTED);
	plant(&bench, COUNTER_INSTRUCTIONS, 1, 0, 0, COUNTED);
	bench_run(&bench);
	assert_value(&bench, METRIC_IPC, SCOPE_CPU, 0, 2, 1e-9);
	assert_state(&bench, METRIC_IPC, SCOPE_CPU, 1, STATE_HALTED);
	assert_value(&bench, METRIC_FP512_OPS_RATE, SCOPE_CPU, 0, 5e6, 1e-3);
	assert_state(&bench, METRIC_FP256_OPS_RATE, SCOPE_CPU, 0, STATE_UNSUPPORTED);
	assert_value(&bench, METRIC_AMX_BUSY_RATIO, SCOPE_CPU, 0, 0.25, 1e-9);
	assert_value(&bench, METRIC_TSC_HERTZ, SCOPE_CPU, 0, 1e9, 1); /* in 2 s */
	assert_value(&bench, METRIC_SMI_EVENTS, SCOPE_HOST, 0, 3, 0);
	assert_value(&bench, METRIC_HALT_RATIO, SCOPE_CPU, 0, 0.02, 1e-9);
	plant_os(&bench, 0, 100, 1, 0);
	bench_run(&bench);
	assert_state(&bench, METRIC_HALT_RATIO, SCOPE_CPU, 0, STATE_HAD_IDLE);
	plant_os(&bench, 0, 100, 0, 1);
	bench_run(&bench);
	assert_state(&bench, METRIC_HALT_RATIO, SCOPE_CPU, 0, STATE_HAD_IDLE);
	bench_close(&bench);
}

/* Watts by the time of the source that read the energy, where it tells that; of all packages the sum. */
static void power(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 1, 1));
	for (unsigned i = 0; i < 2; i++) {
		plant_ticks(&bench, i, 2000000000, 1000000000, 1000000000);
		plant(&bench, COUNTER_PACKAGE_ENERGY, i, 5, 100000005 + i * 20000000, COUNTED);
	}
	plant(&bench, COUNTER_DRAM_ENERGY, 0, 0, 20000000, SOURCE_POWERCAP);
	plant(&bench, COUNTER_POWER_THROTTLE, 0, 0, 250000000, COUNTED);
	sample_set(bench.cur, COUNTER_CORE_VOLTAGE, 0, 0, 0x25fb, COUNTED);
	sample_set(bench.cur, COUNTER_CORE_VOLTAGE, 1, 0, 0, COUNTED);
	sample_set(bench.cur, COUNTER_UNCORE_RATIO, 0, 0, 24, COUNTED);
	bench_run(&bench);
	assert_value(&bench, METRIC_PACKAGE_WATTS, SCOPE_PACKAGE, 0, 100, 1e-6);
	assert_value(&bench, METRIC_PACKAGE_WATTS, SCOPE_HOST, 0, 220, 1e-6);
	assert_value(&bench, METRIC_DRAM_WATTS, SCOPE_PACKAGE, 0, 10, 1e-6);
	assert_state(&bench, METRIC_DRAM_WATTS, SCOPE_HOST, 0, STATE_UNSUPPORTED);
	assert_value(&bench, METRIC_POWER_THROTTLE_RATIO, SCOPE_PACKAGE, 0, 0.25, 1e-9);
	assert_value(&bench, METRIC_CORE_VOLTS, SCOPE_CORE, 0, 1.1869, 1e-4);
	assert_state(&bench, METRIC_CORE_VOLTS, SCOPE_CORE, 1, STATE_NOT_REPORTED);
	assert_value(&bench, METRIC_UNCORE_HERTZ, SCOPE_PACKAGE, 0, 2.4e9, 1);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_answers),
		cmocka_unit_test(no_clock),
		cmocka_unit_test(moved),
		cmocka_unit_test(each_by_its_own_time),
		cmocka_unit_test(kinds),
		cmocka_unit_test(weighted_by_the_hardware),
		cmocka_unit_test(ruler_and_counters),
		cmocka_unit_test(residencies),
		cmocka_unit_test(work),
		cmocka_unit_test(power),
	};

	return cmocka_run_group_tests_name("derive_clock", tests, NULL, NULL);
}
