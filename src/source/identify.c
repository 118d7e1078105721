/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds struct host: topology, who may run where, what the cores are, and the names of idle states. */
#include "config.h"
#include "source/identify.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/list.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/state.h"
#include "source/affinity.h"
#include "source/identify_kinds.h"
#include "source/idle_states.h"
#include "source/topology.h"

/* Takes away `allowed` from the CPUs outside the list; NULL or empty: it says nothing. */
static void allow_only(struct host *host, const struct list *list)
{
	if (list_count(list) == 0)
		return;
	for (unsigned i = 0; i < host->n_cpus; i++)
		host->cpus[i].allowed &= list_has(list, host->cpus[i].id);
}

/* The cpuset of this process by cgroup v2; NULL where there is none. */
static int read_cpuset(struct hostfs *fs, struct list **ret)
{
	char *text = NULL, *file = NULL;
	const char *group = "";
	int r;

	*ret = NULL;
	if (hostfs_read(fs, "proc/self/cgroup", &text, NULL) == 0) {
		char *line = strncmp(text, "0::/", 4) == 0 ? text : strstr(text, "\n0::/");

		if (line) {
			group = strchr(line, '/');
			line[strcspn(line + 1, "\n") + 1] = '\0';
		}
	}
	r = asprintf(&file, "sys/fs/cgroup%s/cpuset.cpus.effective", group) < 0 ? -ENOMEM : 0;
	free(text);
	if (r < 0)
		return r;
	/* In a container the group's own name may not exist below its mount: then the root. */
	r = hostfs_read(fs, file, &text, NULL);
	if (r < 0)
		r = hostfs_read(fs, "sys/fs/cgroup/cpuset.cpus.effective", &text, NULL);
	free(file);
	if (r == 0) {
		r = list_parse(text, ret);
		free(text);
	}
	return r == -ENOMEM ? r : 0;
}

static int mark_allowed(struct hostfs *fs, struct host *host)
{
	struct list *list = NULL;
	int r;

	for (unsigned i = 0; i < host->n_cpus; i++)
		host->cpus[i].allowed = true;
	r = read_cpuset(fs, &list);
	if (r == 0)
		allow_only(host, list);
	list_free(list);
	if (r < 0 || !host->live)
		return r;
	r = affinity_get(&list);
	if (r < 0)
		return r;
	/* The kernel leaves isolated CPUs out of the affinity that processes begin with; that says nothing
	 * against running there if -c names them (sched_setaffinity(2) asks the cpuset only). */
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].isolated && host->cpus[i].online && list_add(list, host->cpus[i].id) < 0)
			r = -ENOMEM;
	if (r == 0)
		allow_only(host, list);
	list_free(list);
	return r;
}

/* "CPUs 0-1 are online". */
static void say_online(const struct host *host, char *buf, size_t size)
{
	struct list *online = list_new();
	char *text = NULL;

	for (unsigned i = 0; online && i < host->n_cpus; i++) {
		if (host->cpus[i].online)
			(void)list_add(online, host->cpus[i].id);
	}
	if (online)
		text = list_format(online);
	buf[0] = '\0';
	if (text)
		(void)snprintf(buf, size, P_("CPU %s is online", "CPUs %s are online",
					     list_count(online)), text);
	free(text);
	list_free(online);
}

/* Was the CPU shown when the machine was described earlier? */
static bool was_wanted(const struct host *before, unsigned id)
{
	const int index = before ? host_cpu_index(before, id) : -1;

	return index >= 0 && before->cpus[index].wanted;
}

static int mark_wanted(struct host *host, const struct host *before, const struct list *cpus,
		       struct problem *ret_problem)
{
	char online[200];

	for (unsigned i = 0; i < host->n_cpus; i++)
		host->cpus[i].wanted = !cpus && (host->cpus[i].online ||
						 was_wanted(before, host->cpus[i].id));
	for (int id = -1; (id = list_next(cpus, id + 1)) >= 0;) {
		const int index = host_cpu_index(host, (unsigned)id);

		const bool was = was_wanted(before, (unsigned)id);

		if (index >= 0 && (host->cpus[index].online || was)) {
			host->cpus[index].wanted = host->cpus[index].named = true;
			continue;
		}
		if (was)
			continue; /* it was unplugged since */
		say_online(host, online, sizeof(online));
		if (index < 0)
			return problem_set(ret_problem, EINVAL, online, _("there is no CPU %d"), id);
		return problem_set(ret_problem, ENOTSUP, online, _("CPU %d is offline"), id);
	}
	return 0;
}

int identify(struct hostfs *fs, bool live, const struct list *cpus, const struct host *before,
	     struct host **ret, struct problem *ret_problem)
{
	struct host *host;
	int r = topology_read(fs, before, &host, ret_problem);

	if (r < 0)
		return r;
	host->live = live;
	host->release_s = NAN;
	r = mark_allowed(fs, host);
	if (r < 0)
		r = problem_set(ret_problem, -r, "", _("cannot tell where this process may run"));
	if (r == 0)
		r = mark_wanted(host, before, cpus, ret_problem);
	if (r == 0)
		r = identify_kinds(fs, host, ret_problem);
	if (r == 0) {
		r = idle_states_read(fs, host);
		if (r < 0)
			r = problem_set(ret_problem, -r, "", _("cannot read the idle states"));
	}
	if (r < 0) {
		host_free(host);
		return r;
	}
	(void)hostfs_read_line(fs, host->os_release, sizeof(host->os_release),
			       "proc/sys/kernel/osrelease");
	*ret = host;
	return 0;
}
