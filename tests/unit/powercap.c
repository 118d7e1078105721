/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Energy counters and power limits as a source, on made-up trees. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "fake.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "tree.h"

#define RANGE 262143328850ull /* uJ: what 32 bits of 2^-14 J hold */

/* Time goes on by as much as the test says: the linker's --wrap in tests/local.mk. */
static uint64_t now_ns = 5 * NS_PER_S, look_ns; /* goes on by the latter whenever it is looked at */
uint64_t __wrap_clock_mono_ns(void);

uint64_t __wrap_clock_mono_ns(void)
{
	now_ns += look_ns;
	return now_ns;
}

struct bench {
	char *root;
	struct source_env env;
	struct host *host;
	struct sample *sample, *before;
	struct snapshot *snapshot;
	struct source *source;
	struct offer offer;
};

static void bench_open(struct bench *bench, struct host *host)
{
	*bench = (struct bench){ .root = tree_new(), .host = host };
	bench->env.host = host;
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->sample = sample_new(host);
	bench->before = sample_new(host);
	bench->snapshot = snapshot_new(host);
	assert_true(bench->sample && bench->before && bench->snapshot);
}

static void bench_close(struct bench *bench)
{
	powercap_ops.close(bench->source);
	sample_free(bench->sample);
	sample_free(bench->before);
	snapshot_free(bench->snapshot);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

static void plant(struct bench *bench, const char *zone, const char *file, const char *text)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "sys/class/powercap/%s/%s", zone, file);
	tree_write(bench->root, path, "%s\n", text);
}

static void plant_energy(struct bench *bench, const char *zone, uint64_t uj)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)uj);
	plant(bench, zone, "energy_uj", text);
}

/* Behind a link, as in the kernel. */
static void plant_zone(struct bench *bench, const char *zone, const char *name, uint64_t uj)
{
	char path[96], target[96], range[32];

	(void)snprintf(path, sizeof(path), "sys/devices/virtual/powercap/%s", zone);
	tree_mkdir(bench->root, path);
	(void)snprintf(path, sizeof(path), "sys/class/powercap/%s", zone);
	(void)snprintf(target, sizeof(target), "../../devices/virtual/powercap/%s", zone);
	tree_link(bench->root, path, target);
	plant(bench, zone, "name", name);
	(void)snprintf(range, sizeof(range), "%llu", RANGE);
	plant(bench, zone, "max_energy_range_uj", range);
	plant(bench, zone, "enabled", "1");
	plant_energy(bench, zone, uj);
}

static void probe(struct bench *bench)
{
	bench->offer = (struct offer){ 0 };
	assert_int_equal(powercap_ops.probe(&bench->env, &bench->offer), 0);
}

static void start(struct bench *bench)
{
	struct problem problem;

	powercap_ops.close(bench->source);
	bench->source = NULL;
	assert_int_equal(powercap_ops.open(&bench->env, &bench->source, &problem), 0);
}

/* One sample, `seconds` after the last. */
static void take(struct bench *bench, unsigned seconds)
{
	struct sample *swap = bench->before;

	now_ns += seconds * NS_PER_S;
	bench->before = bench->sample;
	bench->sample = swap;
	sample_clear(bench->sample);
	bench->sample->mono_ns = now_ns;
	assert_int_equal(powercap_ops.read(bench->source, bench->sample), 0);
	derive(bench->host, bench->before, bench->sample, bench->snapshot);
}

static void assert_absent(struct bench *bench, enum metric metric, unsigned package, enum state state)
{
	const struct value *value = snapshot_get(bench->snapshot, metric, SCOPE_PACKAGE, package, 0);

	assert_string_equal(state_row((enum state)value->state)->name, state_row(state)->name);
}

static void assert_watts(struct bench *bench, enum metric metric, unsigned package, double v)
{
	assert_absent(bench, metric, package, STATE_OK);
	assert_near(snapshot_get(bench->snapshot, metric, SCOPE_PACKAGE, package, 0)->v, v, 1e-9);
}

/* Packages are called 0 and 3, and so are their zones, in any order. */
static void watts_of_two_packages(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 2, 1));
	plant_zone(&bench, "intel-rapl:0", "package-3", 1000);
	plant_zone(&bench, "intel-rapl:0:0", "dram", 2000);
	plant_zone(&bench, "intel-rapl:1", "package-0", 3000);
	plant_zone(&bench, "intel-rapl:1:0", "core", 4000);
	plant_zone(&bench, "intel-rapl:1:1", "uncore", 5000);
	plant_zone(&bench, "intel-rapl:1:2", "dram", 6000);
	plant_zone(&bench, "intel-rapl:2", "psys", 7000); /* the whole board: no package's */
	plant_zone(&bench, "intel-rapl:3", "package-1", 7000); /* no such package */
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_PACKAGE_ENERGY] && bench.offer.here[COUNTER_DRAM_ENERGY] &&
		    bench.offer.here[COUNTER_CORE_ENERGY]);
	start(&bench);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_FIRST);
	plant_energy(&bench, "intel-rapl:0", 1000 + 225000000);
	plant_energy(&bench, "intel-rapl:0:0", 2000 + 20000000);
	plant_energy(&bench, "intel-rapl:1", 3000 + 100000000);
	plant_energy(&bench, "intel-rapl:1:0", 4000 + 80000000);
	plant_energy(&bench, "intel-rapl:1:1", 5000 + 60000000);
	plant_energy(&bench, "intel-rapl:1:2", 6000 + 10000000);
	plant_energy(&bench, "intel-rapl:2", 900000000);
	take(&bench, 2);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 50);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 1, 112.5);
	assert_watts(&bench, METRIC_DRAM_WATTS, 0, 5);
	assert_watts(&bench, METRIC_DRAM_WATTS, 1, 10);
	assert_watts(&bench, METRIC_CORE_WATTS, 0, 40);
	assert_absent(&bench, METRIC_CORE_WATTS, 1, STATE_UNSUPPORTED);
	/* A counter that stands still is not 0 W. */
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_NO_TICKS);
	bench_close(&bench);
}

static void dies_are_summed(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	plant_zone(&bench, "intel-rapl:0", "package-0-die-0", 0);
	plant_zone(&bench, "intel-rapl:0:0", "dram", 0);
	plant_zone(&bench, "intel-rapl:1", "package-0-die-1", 0);
	plant_zone(&bench, "intel-rapl:1:0", "dram", 0);
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl:0", 30000000);
	plant_energy(&bench, "intel-rapl:1", 40000000);
	plant_energy(&bench, "intel-rapl:0:0", 3000000);
	plant_energy(&bench, "intel-rapl:1:0", 4000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 70);
	assert_watts(&bench, METRIC_DRAM_WATTS, 0, 7);
	/* Without one of them there is no sum, and the next one begins anew. */
	plant(&bench, "intel-rapl:1", "energy_uj", "");
	plant_energy(&bench, "intel-rapl:0", 60000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_FAILED);
	plant_energy(&bench, "intel-rapl:1", 99000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_RESET);
	plant_energy(&bench, "intel-rapl:0", 70000000);
	plant_energy(&bench, "intel-rapl:1", 101000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 12);
	bench_close(&bench);
}

/* A file that takes long is read some time in it: no number is made of that, neither up to it nor from it. */
static void a_late_file_tells_no_watts(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_zone(&bench, "intel-rapl:0", "package-0", 0);
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl:0", 50000000);
	look_ns = NS_PER_S / 4;
	take(&bench, 1);
	look_ns = 0;
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_LATE);
	plant_energy(&bench, "intel-rapl:0", 100000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_LATE);
	plant_energy(&bench, "intel-rapl:0", 150000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 50);
	bench_close(&bench);
}

/* The same energy by two drivers is one. */
static void a_second_driver_counts_for_nothing(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_zone(&bench, "intel-rapl", "ignored", 0); /* the control type itself */
	plant_zone(&bench, "intel-rapl-mmio:0", "package-0", 0);
	plant_zone(&bench, "intel-rapl-mmio:0:0", "dram", 0);
	plant_zone(&bench, "intel-rapl:0", "package-0", 0);
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl-mmio:0", 50000000);
	plant_energy(&bench, "intel-rapl-mmio:0:0", 5000000);
	plant_energy(&bench, "intel-rapl:0", 50000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 50);
	assert_watts(&bench, METRIC_DRAM_WATTS, 0, 5); /* what the other has not */
	bench_close(&bench);
}

static void wraps(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_zone(&bench, "intel-rapl:0", "package-0", RANGE - 20000000);
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl:0", 100000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 120);
	/* No wrap makes 1 kW of it: the counter began anew, and is counted on from there. */
	plant_energy(&bench, "intel-rapl:0", 5000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_RESET);
	plant_energy(&bench, "intel-rapl:0", 95000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 90);
	/* In so long a time it may have come round, once or more. */
	plant_energy(&bench, "intel-rapl:0", 200000000);
	take(&bench, 300);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_WRAPPED);
	plant_energy(&bench, "intel-rapl:0", 300000000);
	take(&bench, 1);
	assert_watts(&bench, METRIC_PACKAGE_WATTS, 0, 100);
	/* Without a range a step back is only that. */
	plant(&bench, "intel-rapl:0", "max_energy_range_uj", "none");
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl:0", 200000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_RESET);
	bench_close(&bench);
}

static void power_limits(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_zone(&bench, "intel-rapl:0", "package-0", 0);
	probe(&bench);
	assert_true(bench.offer.refused[COUNTER_POWER_LIMIT]);
	plant(&bench, "intel-rapl:0", "constraint_0_name", "peak_power");
	plant(&bench, "intel-rapl:0", "constraint_0_power_limit_uw", "300000000");
	plant(&bench, "intel-rapl:0", "constraint_1_name", "long_term");
	plant(&bench, "intel-rapl:0", "constraint_1_power_limit_uw", "125000000");
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_POWER_LIMIT]);
	start(&bench);
	take(&bench, 1);
	assert_near(snapshot_get(bench.snapshot, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, 0, 0)->v, 125, 1e-9);
	assert_int_equal(snapshot_get(bench.snapshot, METRIC_POWER_LIMIT_WATTS, SCOPE_PACKAGE, 0, 1)->state,
			 STATE_UNSUPPORTED);
	plant(&bench, "intel-rapl:0", "constraint_1_power_limit_uw", "65000000");
	take(&bench, 1);
	assert_watts(&bench, METRIC_POWER_LIMIT_WATTS, 0, 65);
	plant(&bench, "intel-rapl:0", "enabled", "0"); /* not in force */
	take(&bench, 1);
	assert_absent(&bench, METRIC_POWER_LIMIT_WATTS, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

static void root_only(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	probe(&bench);
	assert_int_equal(bench.offer.why.err, ENOENT);
	assert_non_null(strstr(bench.offer.why.text, "no energy counters"));
	assert_true(bench.offer.why.remedy[0]);
	plant_zone(&bench, "intel-rapl:0", "package-0", 0);
	plant(&bench, "intel-rapl:0", "constraint_0_name", "long_term");
	plant(&bench, "intel-rapl:0", "constraint_0_power_limit_uw", "125000000");
	hostfs_fail_after(bench.env.fs, 3, EACCES); /* the list, the name, the energy */
	probe(&bench);
	assert_true(bench.offer.refused[COUNTER_PACKAGE_ENERGY]);
	assert_int_equal(bench.offer.because[COUNTER_PACKAGE_ENERGY]->err, EACCES);
	assert_non_null(strstr(bench.offer.because[COUNTER_PACKAGE_ENERGY]->text, "root only"));
	assert_non_null(strstr(bench.offer.because[COUNTER_PACKAGE_ENERGY]->remedy, "energy_uj"));
	assert_non_null(strstr(bench.offer.because[COUNTER_DRAM_ENERGY]->text, "does not count"));
	assert_true(bench.offer.here[COUNTER_POWER_LIMIT]); /* everybody may read these */
	hostfs_fail_after(bench.env.fs, 3, EACCES);
	start(&bench);
	hostfs_fail_after(bench.env.fs, 1, EACCES);
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_DENIED);
	assert_watts(&bench, METRIC_POWER_LIMIT_WATTS, 0, 125);
	bench_close(&bench);
}

/* There the kernel reads the register of one core. */
static void one_core_of_amd(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	strcpy(bench.host->vendor, "AuthenticAMD");
	plant_zone(&bench, "intel-rapl:0", "package-0", 0);
	plant_zone(&bench, "intel-rapl:0:0", "core", 0);
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_PACKAGE_ENERGY] && bench.offer.refused[COUNTER_CORE_ENERGY]);
	assert_non_null(strstr(bench.offer.because[COUNTER_CORE_ENERGY]->text, "one core only"));
	start(&bench);
	take(&bench, 1);
	plant_energy(&bench, "intel-rapl:0:0", 9000000);
	take(&bench, 1);
	assert_absent(&bench, METRIC_CORE_WATTS, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

static void files_fail(void **unused)
{
	static const int errs[] = { EBUSY, ENODATA, EIO };
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_zone(&bench, "intel-rapl:0", "package-0", 1000);
	for (size_t i = 0; i < COUNT_OF(errs); i++) {
		hostfs_fail_after(bench.env.fs, 3, errs[i]); /* the list, the name, the energy */
		start(&bench);
		hostfs_fail_after(bench.env.fs, 1, errs[i]);
		take(&bench, 1);
		assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_FAILED);
		take(&bench, 1);
		assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_FIRST);
	}
	plant(&bench, "intel-rapl:0", "energy_uj", "-1");
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_FAILED);
	/* The first CPU of a package reads its registers. */
	bench.host->cpus[0].isolated = true;
	take(&bench, 1);
	assert_absent(&bench, METRIC_PACKAGE_WATTS, 0, STATE_ISOLATED);
	assert_absent(&bench, METRIC_POWER_LIMIT_WATTS, 0, STATE_ISOLATED);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{ "case 38: watts of two packages whose core ids repeat", watts_of_two_packages, NULL, NULL, NULL },
		cmocka_unit_test(dies_are_summed),
		cmocka_unit_test(a_late_file_tells_no_watts),
		cmocka_unit_test(a_second_driver_counts_for_nothing),
		cmocka_unit_test(wraps),
		cmocka_unit_test(power_limits),
		cmocka_unit_test(root_only),
		cmocka_unit_test(one_core_of_amd),
		cmocka_unit_test(files_fail),
	};

	return cmocka_run_group_tests_name("powercap", tests, NULL, NULL);
}
