/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sensors by their labels: numbers of files and devices mean nothing (Documentation/hwmon/coretemp.rst,
 * k10temp.rst). */
#include "config.h"

#include "source/hwmon.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/place.h"
#include "source/source.h"

#define DEVICE "sys/class/hwmon/hwmon%u"
/* Beyond these a sensor is broken: it tells no temperature. In millicelsius. */
#define LEAST 1000u
#define MOST 150000u

/* What the labels of one device say. */
struct device {
	unsigned number;
	bool amd;
	unsigned rank;		  /* among the devices of AMD */
	int package;		  /* index in the host; -1 none of it */
	int die;		  /* die_id; -1 any */
	unsigned tdie, tctl;	  /* numbers of the files; 0 not there */
};

static bool plausible(uint64_t millicelsius)
{
	return millicelsius >= LEAST && millicelsius <= MOST;
}

static int add(struct hwmon *hwmon, const struct hwmon_sensor *sensor)
{
	if (hwmon->n == hwmon->size) {
		size_t size = hwmon->size ? 2 * hwmon->size : 64;
		struct hwmon_sensor *sensors = reallocarray(hwmon->sensors, size, sizeof(*sensors));

		if (!sensors)
			return -ENOMEM;
		hwmon->sensors = sensors;
		hwmon->size = size;
	}
	hwmon->sensors[hwmon->n++] = *sensor;
	return 0;
}

static int package_by_id(const struct host *host, int id)
{
	for (unsigned i = 0; i < host->n_packages; i++)
		if (host->packages[i].package_id == id)
			return (int)i;
	return -1;
}

static const struct host_core *core_of(const struct host *host, unsigned cpu)
{
	return &host->cores[host->cpus[cpu].core];
}

static bool same_die(const struct host *host, unsigned a, unsigned b)
{
	return host->cpus[a].package == host->cpus[b].package &&
	       core_of(host, a)->die_id == core_of(host, b)->die_id;
}

/* A CPU of the n-th die, as the kernel counts them: as their first CPUs come. -1: there are fewer. */
static int cpu_of_die(const struct host *host, int n)
{
	for (unsigned cpu = 0; cpu < host->n_cpus; cpu++) {
		unsigned first = 0;

		/* Neighbors mostly are of one die: so only a few of thousands are searched for. */
		if (cpu > 0 && same_die(host, cpu - 1, cpu))
			continue;
		while (!same_die(host, first, cpu))
			first++;
		if (first == cpu && n-- == 0)
			return (int)cpu;
	}
	return -1;
}

static bool is_multi_die(const struct host *host)
{
	return cpu_of_die(host, (int)host->n_packages) >= 0;
}

/* "Package id 1": the id of a package in older kernels, the count of a die in newer ones (Linux 5.3:
 * coretemp_device_add() in drivers/hwmon/coretemp.c); the same where packages have one die and are
 * numbered in order. */
static void place_device(const struct host *host, int id, struct device *device)
{
	int cpu = cpu_of_die(host, id);

	device->package = package_by_id(host, id);
	if (cpu < 0 || (device->package >= 0 && !is_multi_die(host)))
		return;
	device->package = (int)host->cpus[cpu].package;
	device->die = core_of(host, (unsigned)cpu)->die_id;
}

static int find_core(const struct host *host, const struct device *device, int core_id)
{
	if (device->package < 0)
		return -1;
	const struct host_package *package = &host->packages[device->package];

	for (unsigned i = 0; i < package->n_cores; i++) {
		const struct host_core *core = &host->cores[package->cores[i]];

		if (core->core_id == core_id && (device->die < 0 || core->die_id == device->die))
			return (int)package->cores[i];
	}
	return -1;
}

static int add_sensor(struct hwmon *hwmon, const struct device *device, unsigned number, bool package,
		      int index)
{
	struct hwmon_sensor sensor = { .file.fd = -1, .device = device->number, .number = number,
				       .package = package, .index = (unsigned)index };

	if (index < 0)
		return 0; /* of nothing that this host is known to have */
	return add(hwmon, &sensor);
}

/* "temp12_label" is 12; 0 for all else. */
static unsigned label_number(const char *name)
{
	unsigned number = 0;
	int length = 0;

	return sscanf(name, "temp%4u_label%n", &number, &length) == 1 && length > 0 && !name[length] ?
		number : 0;
}

struct sensor_label {
	unsigned number;
	char text[32];
};

/* Those of a device that can be read. -ENOMEM, else their count. */
static int read_labels(struct hostfs *fs, const struct device *device, char *const *names,
		       struct sensor_label **ret)
{
	struct sensor_label *labels;
	size_t n = 0;

	while (names[n])
		n++;
	labels = calloc(n + 1, sizeof(*labels));
	if (!labels)
		return -ENOMEM;
	for (n = 0; *names; names++) {
		labels[n].number = label_number(*names);
		if (labels[n].number &&
		    hostfs_read_line(fs, labels[n].text, sizeof(labels[n].text), DEVICE "/temp%u_label",
				     device->number, labels[n].number) == 0)
			n++;
	}
	*ret = labels;
	return (int)n;
}

/* Which package the device is of has to be known before its cores are. */
static void look_for_package(const struct host *host, const struct sensor_label *labels, int n,
			     struct device *device)
{
	int id;

	for (const struct sensor_label *label = labels; label < labels + n; label++) {
		if (sscanf(label->text, "Package id %d", &id) == 1 ||
		    sscanf(label->text, "Physical id %d", &id) == 1)
			place_device(host, id, device);
		else if (strcmp(label->text, "Tdie") == 0)
			device->tdie = label->number;
		else if (strcmp(label->text, "Tctl") == 0)
			device->tctl = label->number;
	}
}

static int add_intel(struct hwmon *hwmon, const struct host *host, const struct sensor_label *labels,
		     int n, const struct device *device)
{
	int id, r = 0;

	for (const struct sensor_label *label = labels; label < labels + n && r == 0; label++) {
		if (sscanf(label->text, "Core %d", &id) == 1)
			r = add_sensor(hwmon, device, label->number, false,
				       find_core(host, device, id));
		else if (sscanf(label->text, "P%*s id %d", &id) == 1)
			r = add_sensor(hwmon, device, label->number, true, device->package);
	}
	return r;
}

/* Tdie is the temperature of the die. Where there is only Tctl the driver knows of no offset between the
 * two, which may be as none is there or as it is not known. Tccd1 and on are of parts of the package. */
static int add_amd(struct hwmon *hwmon, const struct device *device)
{
	unsigned number = device->tdie ? device->tdie : device->tctl;

	if (!number)
		return 0;
	hwmon->tctl = hwmon->tctl || !device->tdie;
	return add_sensor(hwmon, device, number, true, (int)device->rank);
}

static int look_at_device(struct hwmon *hwmon, struct hostfs *fs, const struct host *host,
			  struct device *device)
{
	struct sensor_label *labels = NULL;
	char path[64], **names;
	int r, n;

	(void)snprintf(path, sizeof(path), DEVICE, device->number);
	r = hostfs_names(fs, path, &names);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	n = read_labels(fs, device, names, &labels);
	hostfs_names_free(names);
	if (n < 0)
		return n;
	look_for_package(host, labels, n, device);
	r = device->amd ? add_amd(hwmon, device) : add_intel(hwmon, host, labels, n, device);
	free(labels);
	return r;
}

static bool recognize(struct hostfs *fs, const char *name, struct device *ret)
{
	char driver[24];

	*ret = (struct device){ .package = -1, .die = -1 };
	if (sscanf(name, "hwmon%9u", &ret->number) != 1 ||
	    hostfs_read_line(fs, driver, sizeof(driver), DEVICE "/name", ret->number) < 0)
		return false;
	ret->amd = strcmp(driver, "k10temp") == 0 || strcmp(driver, "zenpower") == 0;
	return ret->amd || strcmp(driver, "coretemp") == 0;
}

/* AMD has a sensor for each node, in order of the nodes, and each package the same number of nodes. Where
 * that does not come out even, whose they are is not known. */
static void place_amd(struct hwmon *hwmon, const struct host *host, unsigned n_devices)
{
	size_t n = 0;

	for (size_t i = 0; i < hwmon->n; i++) {
		struct hwmon_sensor *sensor = &hwmon->sensors[i];

		if (n_devices % host->n_packages != 0)
			continue;
		sensor->index = sensor->index / (n_devices / host->n_packages);
		hwmon->sensors[n++] = *sensor;
	}
	hwmon->n = n;
}

int hwmon_find(struct hostfs *fs, const struct host *host, struct hwmon *ret)
{
	unsigned n_amd = 0;
	struct device device;
	char **names;
	int r;

	*ret = (struct hwmon){ 0 };
	r = hostfs_names(fs, "sys/class/hwmon", &names);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (char **name = names; *name && r == 0; name++) {
		if (!recognize(fs, *name, &device))
			continue;
		device.rank = n_amd;
		n_amd += device.amd;
		/* One package, and no label that says so (Intel before Sandy Bridge). */
		if (!device.amd && host->n_packages == 1)
			device.package = 0;
		r = look_at_device(ret, fs, host, &device);
	}
	hostfs_names_free(names);
	if (n_amd > 0)
		place_amd(ret, host, n_amd);
	return r;
}

void hwmon_free(struct hwmon *hwmon)
{
	for (size_t i = 0; i < hwmon->n; i++)
		kept_close(&hwmon->sensors[i].file);
	free(hwmon->sensors);
	*hwmon = (struct hwmon){ 0 };
}

uint64_t hwmon_limit(struct hostfs *fs, const struct hwmon_sensor *sensor)
{
	uint64_t limit;
	int r = hostfs_read_u64(fs, &limit, DEVICE "/temp%u_crit", sensor->device, sensor->number);

	return r == 0 && plausible(limit) ? limit : 0;
}

void hwmon_keep(struct hwmon *hwmon, struct hostfs *fs, unsigned *budget)
{
	for (size_t i = 0; i < hwmon->n; i++) {
		kept_init(&hwmon->sensors[i].file, budget);
		hwmon->sensors[i].limit = hwmon_limit(fs, &hwmon->sensors[i]);
	}
}

static struct reading read_sensor(struct hwmon_sensor *sensor, struct hostfs *fs)
{
	uint64_t millicelsius = 0;
	int r = kept_read(&sensor->file, fs, &millicelsius, DEVICE "/temp%u_input", sensor->device,
			  sensor->number);

	if (r == 0 && plausible(millicelsius))
		return (struct reading) { millicelsius, STATE_OK, SOURCE_THERMAL };
	/* It was there: a package must not be told by its cores now and then. */
	return reading_failed(place_failed(r) == STATE_DENIED ? STATE_DENIED : STATE_FAILED, r,
			      SOURCE_THERMAL);
}

/* Of several sensors of one package the hottest counts; one that fails leaves the others. */
static void set_hottest(struct sample *into, const struct hwmon_sensor *sensor,
			const struct reading *reading)
{
	enum counter counter = sensor->package ? COUNTER_PACKAGE_TEMPERATURE : COUNTER_CORE_TEMPERATURE;
	enum counter limit = sensor->package ? COUNTER_PACKAGE_TEMPERATURE_LIMIT :
					       COUNTER_CORE_TEMPERATURE_LIMIT;
	const struct reading *before = sample_get(into, counter, sensor->index, 0);

	if (before->state == STATE_OK &&
	    (reading->state != STATE_OK || before->raw >= reading->raw))
		return;
	*sample_at(into, counter, sensor->index, 0) = *reading;
	if (reading->state != STATE_OK)
		*sample_at(into, limit, sensor->index, 0) = *reading;
	else if (sensor->limit)
		sample_set(into, limit, sensor->index, 0, sensor->limit, SOURCE_THERMAL);
	else
		sample_fail(into, limit, sensor->index, 0, STATE_UNSUPPORTED, SOURCE_THERMAL);
}

void hwmon_read(struct hwmon *hwmon, struct hostfs *fs, const struct host *host, struct sample *into)
{
	for (size_t i = 0; i < hwmon->n; i++) {
		struct hwmon_sensor *sensor = &hwmon->sensors[i];
		struct reading reading;
		unsigned cpu;
		/* coretemp has a CPU of the core or package read its register. */
		enum state state = (sensor->package ? place_of_package : place_of_core)(
			host, into, sensor->index, true, &cpu);

		if (state == STATE_OK)
			reading = read_sensor(sensor, fs);
		else
			reading = reading_failed(state, 0, SOURCE_THERMAL);
		set_hottest(into, sensor, &reading);
	}
}
