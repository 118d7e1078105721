/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPUs there are, and which of them are online, isolated, or of another kind. The grouping into
 * cores and packages is in topology_group.c. */
#include "config.h"
#include "source/topology.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/nls.h"
#include "model/host.h"
#include "source/identity.h"
#include "source/topology_group.h"

#define CPU_DIR "sys/devices/system/cpu"
#define SCANS_MAX 4 /* a machine that changes all the time is taken as last seen */

/* A CPU list from a file. 0 with *ret NULL where it is absent, unreadable or no list ("(null)" of
 * nohz_full on some kernels): that is a normal case. -ENOMEM otherwise. */
static int read_list(struct hostfs *fs, const char *path, struct list **ret)
{
	struct list *list = NULL;
	char *text;
	int r = hostfs_read(fs, path, &text, NULL);

	if (r == 0) {
		r = list_parse(text, &list);
		free(text);
	}
	if (r == -ENOMEM)
		return r;
	*ret = list;
	return 0;
}

/* "cpu12" → 12; -1 for others. */
static int folder_id(const char *name)
{
	unsigned id;
	char rest;

	return sscanf(name, "cpu%u%c", &id, &rest) == 1 && id <= LIST_MAX_ID ? (int)id : -1;
}

static int list_folders(struct hostfs *fs, struct list *list)
{
	char **names;
	int r = hostfs_names(fs, CPU_DIR, &names);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	for (char **name = names; *name && r == 0; name++) {
		const int id = folder_id(*name);

		if (id >= 0)
			r = list_add(list, (unsigned)id);
	}
	hostfs_names_free(names);
	return r;
}

static int list_cpuinfo(struct hostfs *fs, struct list *list)
{
	char *text;
	int r = hostfs_read(fs, "proc/cpuinfo", &text, NULL);

	if (r < 0)
		return r == -ENOMEM ? r : 0;
	r = identity_cpuinfo_cpus(text, list);
	free(text);
	return r == -ERANGE ? 0 : r;
}

/* The CPUs that are plugged in, by the first of many witnesses that names any. */
static int read_present(struct hostfs *fs, struct list **ret)
{
	static const char *const files[] = { CPU_DIR "/present", CPU_DIR "/possible",
					     CPU_DIR "/online" };
	struct list *list = NULL;
	int r;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		r = read_list(fs, files[i], &list);
		if (r < 0 || list_count(list) > 0)
			goto out;
		list_free(list);
		list = NULL;
	}
	list = list_new();
	r = list ? list_folders(fs, list) : -ENOMEM;
	if (r == 0 && list_count(list) == 0)
		r = list_cpuinfo(fs, list);
	if (r == 0 && list_count(list) == 0)
		r = -ENOENT;
out:
	if (r < 0) {
		list_free(list);
		return r;
	}
	*ret = list;
	return 0;
}

int topology_isolated(struct hostfs *fs, struct host *host)
{
	/* The last, in the root group only, lists the CPUs of isolated cpuset partitions (cgroup v2). */
	static const char *const files[] = { CPU_DIR "/isolated", CPU_DIR "/nohz_full",
					     "sys/fs/cgroup/cpuset.cpus.isolated" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct list *list;
		const int r = read_list(fs, files[i], &list);

		if (r < 0)
			return r;
		for (unsigned c = 0; c < host->n_cpus; c++)
			host->cpus[c].isolated |= list_has(list, host->cpus[c].id);
		list_free(list);
	}
	return 0;
}

/* What kind an offline CPU was of when it was online, by its name; -1 not known. */
static int former_kind(const struct host *host, const struct host *before, unsigned cpu)
{
	const int index = before ? host_cpu_index(before, host->cpus[cpu].id) : -1;

	for (unsigned i = 0; index >= 0 && !host->cpus[cpu].online && i < host->n_kinds; i++)
		if (strcmp(host->kinds[i].name, before->kinds[before->cpus[index].kind].name) == 0)
			return (int)i;
	return -1;
}

/* Hybrid parts have one PMU a kind, each with the list of its CPUs. Offline CPUs are in none: they are
 * given the kind that they had before, or that of the CPU before them. */
static int read_kinds(struct hostfs *fs, const struct host *before, struct host *host)
{
	static const struct {
		const char *file, *name;
	} rows[] = {
		{ "sys/devices/cpu_core/cpus", "P-core" },
		{ "sys/devices/cpu_atom/cpus", "E-core" },
		{ "sys/devices/cpu_lowpower/cpus", "LP-core" },
	};
	const size_t n_rows = sizeof(rows) / sizeof(rows[0]);
	bool known[sizeof(rows) / sizeof(rows[0])] = { false };
	struct list *lists[sizeof(rows) / sizeof(rows[0])] = { NULL };
	unsigned last = 0;
	int r = 0;

	host->kinds = calloc(n_rows, sizeof(*host->kinds));
	if (!host->kinds)
		return -ENOMEM;
	for (size_t i = 0; i < n_rows && r == 0; i++) {
		r = read_list(fs, rows[i].file, &lists[i]);
		for (unsigned c = 0; c < host->n_cpus && !known[i]; c++)
			known[i] = list_has(lists[i], host->cpus[c].id);
		if (known[i])
			(void)snprintf(host->kinds[host->n_kinds++].name,
				       sizeof(host->kinds[0].name), "%s", rows[i].name);
	}
	if (host->n_kinds == 0)
		(void)snprintf(host->kinds[host->n_kinds++].name, sizeof(host->kinds[0].name),
			       "core");
	for (unsigned c = 0; c < host->n_cpus; c++) {
		const int former = former_kind(host, before, c);
		unsigned kind = 0;

		for (size_t i = 0; i < n_rows; i++) {
			if (list_has(lists[i], host->cpus[c].id))
				last = kind;
			kind += known[i];
		}
		host->cpus[c].kind = former >= 0 ? (unsigned)former : last;
	}
	for (size_t i = 0; i < n_rows; i++)
		list_free(lists[i]);
	return r;
}

/* online NULL: the kernel cannot take CPUs offline, or the tree does not tell. */
static int make_cpus(struct host *host, const struct list *present, const struct list *online)
{
	host->n_cpus = list_count(present);
	host->cpus = calloc(host->n_cpus, sizeof(*host->cpus));
	if (!host->cpus)
		return -ENOMEM;
	for (int id = -1, c = 0; (id = list_next(present, id + 1)) >= 0; c++) {
		host->cpus[c].id = (unsigned)id;
		host->cpus[c].online = !online || list_has(online, (unsigned)id);
	}
	return 0;
}

static int scan(struct hostfs *fs, const struct host *before, const struct list *online,
		struct host **ret)
{
	struct host *host = calloc(1, sizeof(*host));
	struct list *present = NULL, *possible = NULL;
	int r = host ? read_present(fs, &present) : -ENOMEM;

	if (r == 0)
		r = read_list(fs, CPU_DIR "/possible", &possible);
	if (r == 0)
		r = make_cpus(host, present, online);
	if (r == 0) {
		host->possible = list_count(possible);
		if (host->possible < host->n_cpus)
			host->possible = host->n_cpus;
		r = topology_isolated(fs, host);
	}
	if (r == 0)
		r = read_kinds(fs, before, host);
	if (r == 0)
		r = topology_group(fs, before, host);
	list_free(present);
	list_free(possible);
	if (r < 0) {
		host_free(host);
		return r;
	}
	*ret = host;
	return 0;
}

static bool same_list(const struct list *a, const struct list *b)
{
	int x = -1, y = -1;

	do {
		x = list_next(a, x + 1);
		y = list_next(b, y + 1);
	} while (x == y && x >= 0);
	return x == y;
}

int topology_read(struct hostfs *fs, const struct host *before, struct host **ret,
		  struct problem *ret_problem)
{
	struct list *online = NULL, *after = NULL;
	struct host *host = NULL;
	int r = read_list(fs, CPU_DIR "/online", &online);

	for (unsigned scans = 1; r == 0; scans++) {
		r = scan(fs, before, online, &host);
		if (r == 0)
			r = read_list(fs, CPU_DIR "/online", &after);
		/* A CPU came or went meanwhile: its files may be half there. */
		if (r < 0 || scans == SCANS_MAX || same_list(online, after))
			break;
		host_free(host);
		host = NULL;
		list_free(online);
		online = after;
		after = NULL;
	}
	list_free(online);
	list_free(after);
	if (r == 0) {
		*ret = host;
		return 0;
	}
	host_free(host);
	if (r == -ENOENT)
		return problem_set(ret_problem, ENOENT,
				   _("a tree needs at least sys/devices/system/cpu/present"),
				   _("no CPU was found in sysfs or procfs"));
	return problem_set(ret_problem, -r, "", _("cannot read the CPU topology"));
}
