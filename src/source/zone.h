/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The zones below sys/class/powercap that count the energy of a package, its memory or its cores. */
#ifndef AVXTOP_SOURCE_ZONE_H
#define AVXTOP_SOURCE_ZONE_H

#include <stddef.h>

struct host;
struct hostfs;

#define ZONE_PATH "sys/class/powercap/%s"

/* psys is all of a board, and uncore the graphics of a client: no metric is made of them. */
enum zone_kind { ZONE_PACKAGE, ZONE_DRAM, ZONE_CORE, ZONE_KINDS };

struct zone {
	char name[32]; /* of its folder: "intel-rapl:0:1" */
	enum zone_kind kind;
	unsigned package; /* index in the host */
};

struct zones {
	struct zone *items;
	size_t n;
};

/* In order of their names; a package with several dies has as many zones. n 0: none. 0 or -ENOMEM;
 * zones_free() in either case. */
int zones_find(struct hostfs *fs, const struct host *host, struct zones *ret);
void zones_free(struct zones *zones);

#endif
