/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thermal sensors and throttle counts as a source, on made-up trees. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/hostfs.h"
#include "fake.h"
#include "model/derive.h"
#include "model/host.h"
#include "model/sample.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "tree.h"

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
	thermal_ops.close(bench->source);
	sample_free(bench->sample);
	sample_free(bench->before);
	snapshot_free(bench->snapshot);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

/* The class holds links, as in the kernel. */
static void plant_device(struct bench *bench, unsigned hwmon, const char *device, const char *driver)
{
	char path[128], target[128];

	(void)snprintf(path, sizeof(path), "sys/devices/platform/%s/hwmon/hwmon%u/name", device, hwmon);
	tree_write(bench->root, path, "%s\n", driver);
	(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u", hwmon);
	(void)snprintf(target, sizeof(target), "../../devices/platform/%s/hwmon/hwmon%u", device, hwmon);
	tree_link(bench->root, path, target);
}

static void plant_file(struct bench *bench, unsigned hwmon, unsigned number, const char *what,
		       const char *text)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "sys/class/hwmon/hwmon%u/temp%u_%s", hwmon, number, what);
	tree_write(bench->root, path, "%s\n", text);
}

/* crit NULL: the sensor tells no limit. */
static void plant_sensor(struct bench *bench, unsigned hwmon, unsigned number, const char *label,
			 const char *input, const char *crit)
{
	plant_file(bench, hwmon, number, "label", label);
	plant_file(bench, hwmon, number, "input", input);
	if (crit)
		plant_file(bench, hwmon, number, "crit", crit);
}

static void plant_throttle(struct bench *bench, unsigned cpu, const char *core, const char *package)
{
	char path[96];

	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/thermal_throttle/core_throttle_count", cpu);
	tree_write(bench->root, path, "%s\n", core);
	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/thermal_throttle/package_throttle_count", cpu);
	tree_write(bench->root, path, "%s\n", package);
}

static void probe(struct bench *bench)
{
	bench->offer = (struct offer){ 0 };
	assert_int_equal(thermal_ops.probe(&bench->env, &bench->offer), 0);
}

static void start(struct bench *bench)
{
	struct problem problem;

	thermal_ops.close(bench->source);
	bench->source = NULL;
	assert_int_equal(thermal_ops.open(&bench->env, &bench->source, &problem), 0);
}

/* One sample a second after the last. */
static void take(struct bench *bench)
{
	struct sample *swap = bench->before;

	bench->before = bench->sample;
	bench->sample = swap;
	sample_clear(bench->sample);
	bench->sample->mono_ns = bench->before->mono_ns + 1000000000;
	assert_int_equal(thermal_ops.read(bench->source, bench->sample), 0);
	derive(bench->host, bench->before, bench->sample, bench->snapshot);
}

static void assert_absent(struct bench *bench, enum metric metric, enum scope scope, unsigned index,
			  enum state state)
{
	const struct value *value = snapshot_get(bench->snapshot, metric, scope, index, 0);

	assert_string_equal(state_row((enum state)value->state)->name, state_row(state)->name);
}

static void assert_number(struct bench *bench, enum metric metric, enum scope scope, unsigned index, double v)
{
	assert_absent(bench, metric, scope, index, STATE_OK);
	assert_near(snapshot_get(bench->snapshot, metric, scope, index, 0)->v, v, 1e-9);
}

/* Two packages, cores 0 and 8 in each: what counts is the label, not the number of the file. */
static void labels_tell_whose_sensor_it_is(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 2, 2));
	plant_device(&bench, 4, "nvme.0", "nvme");
	plant_sensor(&bench, 4, 1, "Package id 0", "99000", "100000");
	plant_device(&bench, 12, "coretemp.0", "coretemp");
	plant_sensor(&bench, 12, 1, "Package id 0", "71000", "98000");
	plant_sensor(&bench, 12, 7, "Core 0", "55000", "98000");
	plant_sensor(&bench, 12, 3, "Core 8", "70000", "98000");
	plant_sensor(&bench, 12, 9, "Core 9", "97000", "98000"); /* no such core */
	plant_device(&bench, 2, "coretemp.1", "coretemp");
	plant_sensor(&bench, 2, 2, "Core 0", "41000", "95000");
	plant_sensor(&bench, 2, 1, "Package id 3", "43000", "95000");
	plant_sensor(&bench, 2, 10, "Core 8", "42000", NULL);
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_CORE_TEMPERATURE] && bench.offer.here[COUNTER_PACKAGE_TEMPERATURE]);
	assert_true(bench.offer.here[COUNTER_CORE_TEMPERATURE_LIMIT]);
	assert_null(bench.offer.note[COUNTER_PACKAGE_TEMPERATURE]);
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 71);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 43);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, 55);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, 70);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 2, 41);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 3, 42);
	assert_number(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, 27);
	assert_number(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_CORE, 1, 28);
	assert_absent(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_CORE, 3, STATE_UNSUPPORTED);
	/* It gets hot: the file is read anew. */
	plant_file(&bench, 12, 3, "input", "98000");
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, 98);
	assert_number(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_CORE, 1, 0);
	bench_close(&bench);
}

/* Newer kernels count dies where older ones tell the id of the package (here 0 and 3). */
static void devices_are_counted(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 1, 1));
	plant_device(&bench, 0, "coretemp.0", "coretemp");
	plant_sensor(&bench, 0, 1, "Package id 0", "50000", NULL);
	plant_device(&bench, 1, "coretemp.1", "coretemp");
	plant_sensor(&bench, 1, 1, "Package id 1", "60000", NULL);
	plant_sensor(&bench, 1, 2, "Core 0", "59000", NULL);
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 50);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 60);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, 59);
	bench_close(&bench);
}

/* Two packages of two dies, each die with cores 0 and 8: the hottest die is the package's. */
static void dies_of_a_package(void **unused)
{
	static const char *const packages[] = { "50000", "61000", "45000", "44000" };
	static const char *const cores[] = { "49000", "60000", "43000", "42000" };
	struct host *host = fake_host(2, 4, 1);
	struct bench bench;

	(void)unused;
	for (unsigned i = 0; i < 8; i++) {
		host->cores[i].core_id = i % 2 ? 8 : 0;
		host->cores[i].die_id = i % 4 / 2;
	}
	bench_open(&bench, host);
	for (unsigned i = 0; i < 4; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "coretemp.%u", i);
		plant_device(&bench, i, name, "coretemp");
		(void)snprintf(name, sizeof(name), "Package id %u", i);
		plant_sensor(&bench, i, 1, name, packages[i], "90000");
		plant_sensor(&bench, i, 2, "Core 8", cores[i], "90000");
	}
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 61);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 45);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, 49);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 3, 60);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 5, 43);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

/* Before Sandy Bridge packages had no sensor: their hottest core tells. */
static void cores_stand_for_the_package(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	plant_device(&bench, 0, "coretemp.0", "coretemp");
	plant_sensor(&bench, 0, 2, "Core 0", "50000", "100000");
	plant_sensor(&bench, 0, 3, "Core 8", "60000", "100000");
	probe(&bench);
	assert_true(bench.offer.refused[COUNTER_PACKAGE_TEMPERATURE]);
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 60);
	assert_number(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, 40);
	bench_close(&bench);
}

/* Tdie where it is there, else Tctl under its own name; parts of the package are not the package. */
static void amd(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 1, 1));
	for (unsigned i = 0; i < 4; i++) {
		char name[16];

		(void)snprintf(name, sizeof(name), "0000:00:%u.3", 18 + i);
		plant_device(&bench, i, name, "k10temp");
		plant_sensor(&bench, i, 1, "Tctl", i == 3 ? "90000" : "80000", NULL);
		plant_sensor(&bench, i, 3, "Tccd1", "99000", NULL);
	}
	probe(&bench);
	assert_non_null(strstr(bench.offer.note[COUNTER_PACKAGE_TEMPERATURE], "Tctl"));
	assert_true(bench.offer.refused[COUNTER_CORE_TEMPERATURE]);
	assert_non_null(strstr(bench.offer.because[COUNTER_CORE_TEMPERATURE]->text, "not of cores"));
	assert_non_null(strstr(bench.offer.because[COUNTER_PACKAGE_TEMPERATURE_LIMIT]->text, "do not tell"));
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 80);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 90);
	assert_absent(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, STATE_UNSUPPORTED);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	for (unsigned i = 0; i < 4; i++)
		plant_sensor(&bench, i, 2, "Tdie", "53000", NULL);
	probe(&bench);
	assert_null(bench.offer.note[COUNTER_PACKAGE_TEMPERATURE]);
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 1, 53);
	/* Three sensors of two packages: whose they are nobody tells. */
	tree_remove(bench.root, "sys/class/hwmon/hwmon3");
	probe(&bench);
	assert_true(bench.offer.refused[COUNTER_PACKAGE_TEMPERATURE]);
	bench_close(&bench);
}

static void nothing_here(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 1));
	for (int i = 0; i < 2; i++) {
		probe(&bench);
		assert_true(bench.offer.refused[COUNTER_CORE_TEMPERATURE]);
		assert_true(bench.offer.refused[COUNTER_PACKAGE_THROTTLE]);
		assert_int_equal(bench.offer.why.err, ENOENT);
		assert_non_null(strstr(bench.offer.because[COUNTER_CORE_TEMPERATURE]->text, "no thermal sensor"));
		assert_non_null(strstr(bench.offer.because[COUNTER_CORE_THROTTLE]->text, "no thermal throttling"));
		if (i == 0)
			plant_device(&bench, 3, "acpitz", "acpitz");
	}
	start(&bench);
	take(&bench);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, STATE_UNSUPPORTED);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, STATE_UNSUPPORTED);
	bench_close(&bench);
}

/* Nothing of this is a temperature. */
static void garbage(void **unused)
{
	static const char *const texts[] = {
		"", "<unknown>", "-5000", "0", "999", "150001", "4294967296000", "55.5", "55000 ",
		"18446744073709551616", "0x5000",
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_device(&bench, 0, "coretemp.0", "coretemp");
	plant_sensor(&bench, 0, 1, "Package id 0", "50000", "0");
	plant_sensor(&bench, 0, 2, "Core 0", "50000", "100000");
	start(&bench);
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		plant_file(&bench, 0, 2, "input", texts[i]);
		take(&bench);
		assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, STATE_FAILED);
		assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 50);
	}
	/* A limit of 0 is none: what is told of the core is told of its package. */
	plant_file(&bench, 0, 2, "input", "60000");
	take(&bench);
	assert_number(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, 40);
	bench_close(&bench);
}

static void files_fail_one_by_one(void **unused)
{
	static const struct {
		int err;
		enum state state;
	} cases[] = {
		{ EBUSY, STATE_FAILED }, { ENODATA, STATE_FAILED }, { EIO, STATE_FAILED },
		{ EACCES, STATE_DENIED }, { ENOENT, STATE_FAILED },
	};
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 1));
	plant_device(&bench, 0, "coretemp.0", "coretemp");
	plant_sensor(&bench, 0, 1, "Package id 0", "50000", "100000");
	plant_sensor(&bench, 0, 2, "Core 0", "51000", "100000");
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		start(&bench);
		hostfs_fail_after(bench.env.fs, 1, cases[i].err); /* the first sensor's file */
		take(&bench);
		assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, cases[i].state);
		assert_absent(&bench, METRIC_THERMAL_MARGIN_CELSIUS, SCOPE_PACKAGE, 0, cases[i].state);
		assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, 51);
		take(&bench);
		assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 50);
	}
	bench_close(&bench);
}

/* Both threads count the events of their core, and all CPUs those of the package. */
static void one_thread_speaks_for_all(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(2, 1, 2)); /* CPUs 0 2 | 4 6 */
	plant_throttle(&bench, 0, "10", "100");
	plant_throttle(&bench, 2, "10", "100");
	plant_throttle(&bench, 4, "0", "7");
	plant_throttle(&bench, 6, "0", "7");
	probe(&bench);
	assert_true(bench.offer.here[COUNTER_CORE_THROTTLE] && bench.offer.here[COUNTER_PACKAGE_THROTTLE]);
	start(&bench);
	take(&bench);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, STATE_FIRST);
	plant_throttle(&bench, 0, "13", "105");
	plant_throttle(&bench, 2, "13", "105");
	take(&bench);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, 3);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, 5);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 0);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 1, 0);
	/* A step back is no event. */
	plant_throttle(&bench, 0, "1", "105");
	take(&bench);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, STATE_RESET);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, 0);
	bench_close(&bench);
}

/* The CPU that was asked goes, and with it its count. */
static void counts_of_two_cpus_are_not_compared(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 1, 2));
	plant_throttle(&bench, 0, "10", "20");
	plant_throttle(&bench, 2, "15", "30"); /* the other was away for five */
	start(&bench);
	take(&bench);
	bench.host->cpus[0].online = false;
	take(&bench);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, STATE_RESET);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, STATE_RESET);
	plant_throttle(&bench, 2, "16", "30");
	take(&bench);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, 1);
	bench.host->cpus[1].online = false;
	take(&bench);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 0, STATE_OFFLINE);
	assert_absent(&bench, METRIC_THROTTLE_EVENTS, SCOPE_PACKAGE, 0, STATE_OFFLINE);
	bench_close(&bench);
}

/* Reading a sensor of coretemp interrupts a CPU of the core; a count disturbs nobody. */
static void isolated_cpus_are_left_alone(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, fake_host(1, 2, 2));
	plant_device(&bench, 0, "coretemp.0", "coretemp");
	plant_sensor(&bench, 0, 1, "Package id 0", "50000", "100000");
	plant_sensor(&bench, 0, 2, "Core 0", "51000", "100000");
	plant_sensor(&bench, 0, 10, "Core 8", "52000", "100000");
	for (unsigned id = 0; id < 8; id += 2)
		plant_throttle(&bench, id, "1", "1");
	bench.host->cpus[3].isolated = true;
	start(&bench);
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, 50);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, 51);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, STATE_ISOLATED);
	take(&bench);
	assert_number(&bench, METRIC_THROTTLE_EVENTS, SCOPE_CORE, 1, 0);
	bench.host->cpus[3].named = true;
	bench.host->cpus[0].wanted = bench.host->cpus[1].wanted = false;
	take(&bench);
	assert_number(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 1, 52);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_CORE, 0, STATE_NOT_ASKED);
	bench.host->cpus[0].isolated = true;
	take(&bench);
	assert_absent(&bench, METRIC_TEMPERATURE_CELSIUS, SCOPE_PACKAGE, 0, STATE_ISOLATED);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_tell_whose_sensor_it_is),
		cmocka_unit_test(devices_are_counted),
		cmocka_unit_test(dies_of_a_package),
		cmocka_unit_test(cores_stand_for_the_package),
		cmocka_unit_test(amd),
		cmocka_unit_test(nothing_here),
		cmocka_unit_test(garbage),
		cmocka_unit_test(files_fail_one_by_one),
		cmocka_unit_test(one_thread_speaks_for_all),
		cmocka_unit_test(counts_of_two_cpus_are_not_compared),
		cmocka_unit_test(isolated_cpus_are_left_alone),
	};

	return cmocka_run_group_tests_name("thermal", tests, NULL, NULL);
}
