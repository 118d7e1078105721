/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Zones by what they call themselves: "package-0", "package-0-die-1", and "dram", "core" below one
 * (drivers/powercap/intel_rapl_common.c). */
#include "config.h"

#include "source/zone.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "model/host.h"

/* The driver whose zones count; those of others, like intel-rapl-mmio, tell of the same energy again, and
 * are used for what it has not. */
#define DRIVER "intel-rapl:"

static bool package_of_name(const struct host *host, const char *name, unsigned *ret)
{
	int id, length = 0;

	if (sscanf(name, "package-%9d%n", &id, &length) != 1 ||
	    (name[length] && strncmp(name + length, "-die-", 5) != 0))
		return false;
	for (unsigned i = 0; i < host->n_packages; i++)
		if (host->packages[i].package_id == id) {
			*ret = i;
			return true;
		}
	return false;
}

static bool read_name(struct hostfs *fs, const char *folder, char name[32])
{
	return hostfs_read_line(fs, name, 32, ZONE_PATH "/name", folder) == 0;
}

/* "intel-rapl:0:1" is below "intel-rapl:0". */
static bool package_above(struct hostfs *fs, const struct host *host, const char *folder, unsigned *ret)
{
	char above[32], name[32];

	(void)snprintf(above, sizeof(above), "%.*s", (int)(strrchr(folder, ':') - folder), folder);
	return strchr(above, ':') && read_name(fs, above, name) && package_of_name(host, name, ret);
}

/* false: no zone that counts. */
static bool recognize(struct hostfs *fs, const struct host *host, const char *folder, struct zone *ret)
{
	char name[32];

	if (!strchr(folder, ':') || strlen(folder) >= sizeof(ret->name) || !read_name(fs, folder, name))
		return false;
	(void)snprintf(ret->name, sizeof(ret->name), "%s", folder);
	ret->kind = ZONE_PACKAGE;
	if (package_of_name(host, name, &ret->package))
		return true;
	ret->kind = strcmp(name, "dram") == 0 ? ZONE_DRAM : ZONE_CORE;
	return (ret->kind == ZONE_DRAM || strcmp(name, "core") == 0) &&
	       package_above(fs, host, folder, &ret->package);
}

static bool served(const struct zones *zones, size_t n, const struct zone *zone)
{
	for (size_t i = 0; i < n; i++)
		if (zones->items[i].kind == zone->kind && zones->items[i].package == zone->package)
			return true;
	return false;
}

static int add(struct zones *zones, const struct zone *zone)
{
	struct zone *items = reallocarray(zones->items, zones->n + 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	zones->items = items;
	zones->items[zones->n++] = *zone;
	return 0;
}

int zones_find(struct hostfs *fs, const struct host *host, struct zones *ret)
{
	struct zone zone;
	char **names;
	int r;

	*ret = (struct zones){ 0 };
	/* Its entries are links: what each is only its files tell. */
	r = hostfs_names(fs, "sys/class/powercap", &names);
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (int others = 0; others < 2; others++) {
		size_t n = ret->n;

		for (char **name = names; *name && r == 0; name++)
			if ((strncmp(*name, DRIVER, strlen(DRIVER)) != 0) == others &&
			    recognize(fs, host, *name, &zone) && !(others && served(ret, n, &zone)))
				r = add(ret, &zone);
	}
	hostfs_names_free(names);
	return r;
}

void zones_free(struct zones *zones)
{
	free(zones->items);
	*zones = (struct zones){ 0 };
}
