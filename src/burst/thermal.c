/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Thermal margins from hwmon and thermal zones (Documentation/hwmon/sysfs-interface.rst and
 * Documentation/driver-api/thermal/sysfs-api.rst: millidegrees), throttle counts from
 * arch/x86/kernel/cpu/mce/therm_throt.c. */
#include "config.h"
#include "burst/thermal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hostfs.h"
#include "base/list.h"

/* Readings beyond these are a broken sensor, not a temperature. */
#define ABSURD_LOW 1.0
#define ABSURD_HIGH 150.0

static bool plausible(double celsius)
{
	return celsius >= ABSURD_LOW && celsius <= ABSURD_HIGH;
}

static double celsius_of(struct hostfs *fs, const char *folder, const char *file)
{
	uint64_t milli;

	if (hostfs_read_u64(fs, &milli, "%s/%s", folder, file) < 0)
		return NAN;
	return (double)milli / 1000;
}

static void keep_nearest(struct thermal_margin *nearest, bool *found, const char *sensor,
			 double celsius, double limit)
{
	if (!plausible(celsius) || !plausible(limit))
		return;
	if (*found && limit - celsius >= nearest->limit_celsius - nearest->celsius)
		return;
	(void)snprintf(nearest->sensor, sizeof(nearest->sensor), "%s", sensor);
	nearest->celsius = celsius;
	nearest->limit_celsius = limit;
	*found = true;
}

static bool is_cpu_driver(const char *name)
{
	static const char *const names[] = { "coretemp", "k10temp", "zenpower", "k8temp",
					     "via_cputemp" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* crit is where the hardware throttles (TjMax); max, where only that is given. */
static double hwmon_limit(struct hostfs *fs, const char *folder, int number)
{
	char file[32];
	double limit;

	(void)snprintf(file, sizeof(file), "temp%d_crit", number);
	limit = celsius_of(fs, folder, file);
	if (plausible(limit))
		return limit;
	(void)snprintf(file, sizeof(file), "temp%d_max", number);
	return celsius_of(fs, folder, file);
}

static void look_at_hwmon(struct hostfs *fs, const char *hwmon, struct thermal_margin *nearest,
			  bool *found)
{
	char folder[64], driver[24], sensor[48], **names;

	(void)snprintf(folder, sizeof(folder), "sys/class/hwmon/%s", hwmon);
	if (hostfs_read_line(fs, driver, sizeof(driver), "%s/name", folder) < 0 ||
	    !is_cpu_driver(driver) || hostfs_names(fs, folder, &names) < 0)
		return;
	for (size_t i = 0; names[i]; i++) {
		int number, length = 0;

		if (sscanf(names[i], "temp%d_input%n", &number, &length) != 1 || length == 0 ||
		    names[i][length] != '\0')
			continue;
		(void)snprintf(sensor, sizeof(sensor), "%s temp%d", driver, number);
		keep_nearest(nearest, found, sensor, celsius_of(fs, folder, names[i]),
			     hwmon_limit(fs, folder, number));
	}
	hostfs_names_free(names);
}

/* The lowest trip point at which the kernel expects damage; passive ones are policy. */
static double zone_limit(struct hostfs *fs, const char *folder)
{
	double limit = NAN;

	for (unsigned i = 0; i < 16; i++) {
		char type[24], file[32];

		if (hostfs_read_line(fs, type, sizeof(type), "%s/trip_point_%u_type", folder, i) < 0)
			break;
		if (strcmp(type, "critical") != 0 && strcmp(type, "hot") != 0)
			continue;
		(void)snprintf(file, sizeof(file), "trip_point_%u_temp", i);
		limit = fmin(limit, celsius_of(fs, folder, file));
	}
	return limit;
}

static void look_at_zone(struct hostfs *fs, const char *zone, struct thermal_margin *nearest,
			 bool *found)
{
	char folder[64], type[24];

	(void)snprintf(folder, sizeof(folder), "sys/class/thermal/%s", zone);
	if (hostfs_read_line(fs, type, sizeof(type), "%s/type", folder) < 0)
		return;
	keep_nearest(nearest, found, type, celsius_of(fs, folder, "temp"), zone_limit(fs, folder));
}

bool thermal_nearest(struct hostfs *fs, struct thermal_margin *ret)
{
	struct thermal_margin nearest;
	bool found = false;
	char **names;

	if (hostfs_names(fs, "sys/class/hwmon", &names) == 0) {
		for (size_t i = 0; names[i]; i++)
			look_at_hwmon(fs, names[i], &nearest, &found);
		hostfs_names_free(names);
	}
	if (!found && hostfs_names(fs, "sys/class/thermal", &names) == 0) {
		for (size_t i = 0; names[i]; i++)
			if (strncmp(names[i], "thermal_zone", strlen("thermal_zone")) == 0)
				look_at_zone(fs, names[i], &nearest, &found);
		hostfs_names_free(names);
	}
	if (found)
		*ret = nearest;
	return found;
}

static const char *const throttle_counts[] = {
	"core_throttle_count",
	"package_throttle_count",
	"core_power_limit_count",
	"package_power_limit_count",
};

/* Sum of the counts of one CPU; false where there are none. */
static bool throttle_sum(struct hostfs *fs, int cpu, uint64_t *ret)
{
	uint64_t sum = 0, count;
	bool found = false;

	for (size_t i = 0; i < sizeof(throttle_counts) / sizeof(*throttle_counts); i++) {
		if (hostfs_read_u64(fs, &count, "sys/devices/system/cpu/cpu%d/thermal_throttle/%s",
				    cpu, throttle_counts[i]) < 0)
			continue;
		sum += count;
		found = true;
	}
	*ret = sum;
	return found;
}

#define LOOK_NS 50000000L

bool thermal_limited(struct hostfs *fs, const struct list *cpus, unsigned *ret_cpu)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	uint64_t *const before = calloc(list_count(cpus) + 1, sizeof(*before)), after;
	bool any = false, limited = false;
	size_t i = 0;

	for (int cpu = -1; before && (cpu = list_next(cpus, cpu + 1)) >= 0; i++)
		any |= throttle_sum(fs, cpu, &before[i]);
	if (any) {
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		i = 0;
		for (int cpu = -1; !limited && (cpu = list_next(cpus, cpu + 1)) >= 0; i++) {
			limited = throttle_sum(fs, cpu, &after) && after > before[i];
			if (limited)
				*ret_cpu = (unsigned)cpu;
		}
	}
	free(before);
	return limited;
}

void thermal_ask(struct hostfs *fs, const struct list *cpus, struct thermal_state *ret)
{
	*ret = (struct thermal_state) { 0 };
	ret->limited = thermal_limited(fs, cpus, &ret->limited_cpu);
	ret->known = thermal_nearest(fs, &ret->nearest);
}
