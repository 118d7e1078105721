/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thermal sensors of the CPU below sys/class/hwmon, and which core or package each belongs to. */
#ifndef AVXTOP_SOURCE_HWMON_H
#define AVXTOP_SOURCE_HWMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/kept.h"

struct host;
struct hostfs;
struct sample;

struct hwmon_sensor {
	struct kept file;
	unsigned device, number; /* sys/class/hwmon/hwmonDEVICE/tempNUMBER_input */
	bool package;		 /* of a package, else of a core */
	unsigned index;		 /* of it in the host */
	uint64_t limit;		 /* hwmon_limit(), once hwmon_keep() has asked for it */
};

struct hwmon {
	struct hwmon_sensor *sensors;
	size_t n, size;
	bool tctl; /* a package is told by Tctl, which may be above what the die has */
};

/* Sensors that the kernel labels as those of cores and packages of this host; n 0: none. No sensor is
 * read. 0 or -ENOMEM; hwmon_free() in either case. */
int hwmon_find(struct hostfs *fs, const struct host *host, struct hwmon *ret);
void hwmon_free(struct hwmon *hwmon);
/* Where the sensor's core or package is throttled, in millicelsius; 0 not told. */
uint64_t hwmon_limit(struct hostfs *fs, const struct hwmon_sensor *sensor);
/* Before the first read: files to be kept open, and limits, which stay the same. */
void hwmon_keep(struct hwmon *hwmon, struct hostfs *fs, unsigned *budget);
/* Sets the temperatures and limits of all cores and packages. May block. */
void hwmon_read(struct hwmon *hwmon, struct hostfs *fs, const struct host *host, struct sample *into);

#endif
