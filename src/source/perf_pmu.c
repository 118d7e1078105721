/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMUs of the kernel (Documentation/ABI/testing/sysfs-bus-event_source-devices). */
#include "config.h"

#include "source/perf_pmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/num.h"

#define FOLDER "sys/bus/event_source/devices/"

static int read_list(struct hostfs *fs, const char *pmu, const char *name, struct list **ret)
{
	char path[96];
	char *text;
	int r;

	(void)snprintf(path, sizeof(path), FOLDER "%s/%s", pmu, name);
	r = hostfs_read(fs, path, &text, NULL);
	if (r < 0)
		return r;
	r = list_parse(text, ret);
	free(text);
	return r;
}

int perf_pmu_find(struct hostfs *fs, const char *name, struct perf_pmu *ret)
{
	struct perf_pmu pmu = { .name = name };
	uint64_t type;
	int r = hostfs_read_u64(fs, &type, FOLDER "%s/type", name);

	if (r < 0)
		return r;
	pmu.type = (uint32_t)type;
	r = read_list(fs, name, "cpus", &pmu.cpus);
	if (r == -ENOENT)
		r = read_list(fs, name, "cpumask", &pmu.cpus);
	if (r < 0 && r != -ENOENT)
		return r;
	*ret = pmu;
	return 0;
}

void perf_pmu_free(struct perf_pmu *pmu)
{
	list_free(pmu->cpus);
	*pmu = (struct perf_pmu) { 0 };
}

/* The terms that all x86 PMUs have at the same place: event in bits 0 to 7 (of the msr, cstate and
 * power PMUs more of them, which they do not use), umask in bits 8 to 15. */
static int parse_terms(char *text, uint64_t *ret)
{
	uint64_t config = 0, value;
	char *rest = text;

	for (char *term; (term = strsep(&rest, ","));) {
		unsigned shift;
		int r;

		if (strncmp(term, "event=", 6) == 0)
			shift = 0;
		else if (strncmp(term, "umask=", 6) == 0)
			shift = 8;
		else
			return -EINVAL;
		r = num_parse_hex(term + 6, &value);
		if (r < 0)
			return r;
		config |= value << shift;
	}
	*ret = config;
	return 0;
}

int perf_pmu_event(const struct perf_pmu *pmu, struct hostfs *fs, const char *event, uint64_t *ret)
{
	char text[64];
	int r = hostfs_read_line(fs, text, sizeof(text), FOLDER "%s/events/%s", pmu->name, event);

	return r < 0 ? r : parse_terms(text, ret);
}

double perf_pmu_joules(const struct perf_pmu *pmu, struct hostfs *fs, const char *event)
{
	char text[64];
	double scale;

	if (hostfs_read_line(fs, text, sizeof(text), FOLDER "%s/events/%s.unit", pmu->name, event) <
		    0 ||
	    strcmp(text, "Joules") != 0)
		return 0;
	if (hostfs_read_line(fs, text, sizeof(text), FOLDER "%s/events/%s.scale", pmu->name,
			     event) < 0 ||
	    num_parse_double(text, &scale) < 0)
		return 0;
	return scale;
}
