/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares two short files and the affinity with what they were: that costs microseconds, and only a
 * difference is looked into. */
#include "config.h"
#include "source/watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/affinity.h"
#include "source/topology.h"

enum { ONLINE, ISOLATED, N_FILES };

static const char *const files[N_FILES] = {
	[ONLINE] = "sys/devices/system/cpu/online",
	[ISOLATED] = "sys/fs/cgroup/cpuset.cpus.isolated",
};

struct source {
	struct hostfs *fs;
	const struct host *host;
	bool live;
	char *texts[N_FILES]; /* as last looked into; NULL: absent or not read yet */
	struct list *affinity; /* of the reader's thread; NULL not read yet */
	bool stranger;
};

int watch_new(struct hostfs *fs, bool live, struct source **ret)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return -ENOMEM;
	source->fs = fs;
	source->live = live;
	for (unsigned i = 0; i < N_FILES; i++)
		(void)hostfs_read(fs, files[i], &source->texts[i], NULL);
	*ret = source;
	return 0;
}

void watch_host(struct source *source, const struct host *host)
{
	source->host = host;
}

static void watch_close(struct source *source)
{
	if (!source)
		return;
	for (unsigned i = 0; i < N_FILES; i++)
		free(source->texts[i]);
	list_free(source->affinity);
	free(source);
}

/* Takes over what the file says now; false: it says the same, or cannot be read (for now). */
static bool is_changed(struct source *source, unsigned file)
{
	char *text;

	if (hostfs_read(source->fs, files[file], &text, NULL) < 0)
		return false;
	if (source->texts[file] && strcmp(text, source->texts[file]) == 0) {
		free(text);
		return false;
	}
	free(source->texts[file]);
	source->texts[file] = text;
	return true;
}

static bool names_some(const struct host *host)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].named)
			return true;
	return false;
}

/* A CPU is online that was not when the machine was described: the kernel had not told then where it
 * sits, nor what it can. Where -c names CPUs, others are not shown anyway. */
static bool has_come(const struct source *source, const struct list *online)
{
	const struct host *host = source->host;

	if (names_some(host))
		return false;
	for (int id = -1; (id = list_next(online, id + 1)) >= 0;) {
		const int index = host_cpu_index(host, (unsigned)id);

		if (index < 0 || !host->cpus[index].online)
			return true;
	}
	return false;
}

/* Is a CPU isolated by a cpuset partition that was none, or the other way round? */
static bool is_partitioned(const struct source *source)
{
	const struct host *host = source->host;
	struct host now = *host;
	bool differs = false;

	now.cpus = calloc(host->n_cpus, sizeof(*now.cpus));
	if (!now.cpus)
		return false;
	for (unsigned i = 0; i < host->n_cpus; i++)
		now.cpus[i].id = host->cpus[i].id;
	if (topology_isolated(source->fs, &now) == 0)
		for (unsigned i = 0; i < host->n_cpus; i++)
			differs |= now.cpus[i].isolated != host->cpus[i].isolated;
	free(now.cpus);
	return differs;
}

/* The kernel leaves out CPUs that are offline (sched_getaffinity(2)): only a CPU that is online now and
 * when the machine was described tells of a change. */
static bool is_moved(struct source *source, const struct list *online)
{
	const struct host *host = source->host;
	struct list *now;
	bool moved = false;

	if (!source->live || affinity_get(&now) < 0)
		return false;
	for (unsigned i = 0; source->affinity && i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];

		if (cpu->online && !cpu->isolated && (!online || list_has(online, cpu->id)) &&
		    list_has(now, cpu->id) != cpu->allowed &&
		    list_has(now, cpu->id) != list_has(source->affinity, cpu->id))
			moved = true;
	}
	list_free(source->affinity);
	source->affinity = now;
	return moved;
}

static int watch_read(struct source *source, struct sample *into)
{
	const bool changed = is_changed(source, ONLINE);
	struct list *online = NULL;

	if (source->texts[ONLINE])
		(void)list_parse(source->texts[ONLINE], &online);
	if (changed && has_come(source, online))
		source->stranger = true;
	if (is_changed(source, ISOLATED) && is_partitioned(source))
		source->stranger = true;
	if (is_moved(source, online))
		source->stranger = true;
	list_free(online);
	into->stranger = source->stranger;
	return 0;
}

const struct source_ops watch_ops = {
	.read = watch_read,
	.close = watch_close,
	.keeps_share = true, /* microseconds */
};
