/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the cpuidle states of a machine, merged over kinds of core in order of depth. */
#include "config.h"
#include "source/idle_states.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hostfs.h"
#include "model/host.h"

/* Index of the name, or -1. */
static int find(const struct host *host, const char *name)
{
	for (unsigned i = 0; i < host->n_idle_states; i++) {
		if (strcmp(host->idle_states[i], name) == 0)
			return (int)i;
	}
	return -1;
}

static int insert(struct host *host, unsigned at, const char *name)
{
	char **names = reallocarray(host->idle_states, host->n_idle_states + 1, sizeof(*names));
	char *copy;

	if (!names)
		return -ENOMEM;
	host->idle_states = names;
	copy = strdup(name);
	if (!copy)
		return -ENOMEM;
	memmove(names + at + 1, names + at, (host->n_idle_states - at) * sizeof(*names));
	names[at] = copy;
	host->n_idle_states++;
	return 0;
}

int idle_state_next(struct hostfs *fs, unsigned id, unsigned *state, char *buf, size_t size)
{
	int r = -ENODATA;

	for (unsigned tries = 0; tries < 2; tries++, (*state)++) {
		r = hostfs_read_line(fs, buf, size,
				     "sys/devices/system/cpu/cpu%u/cpuidle/state%u/name", id, *state);
		if (r == -ENOENT || r == -ENOMEM || (r == 0 && buf[0]))
			return r;
	}
	return -ENOENT;
}

/* A new name goes behind the state that is before it on this CPU, so depth keeps its order. */
static int merge_cpu(struct hostfs *fs, struct host *host, unsigned id)
{
	int before = -1, r = 0;

	for (unsigned state = 0; r == 0; state++) {
		char name[64];
		int at;

		r = idle_state_next(fs, id, &state, name, sizeof(name));
		if (r < 0)
			return r == -ENOMEM ? r : 0; /* behind the last one, or none at all */
		at = find(host, name);
		if (at < 0) {
			at = before + 1;
			r = insert(host, (unsigned)at, name);
		}
		before = at;
	}
	return r;
}

int idle_states_read(struct hostfs *fs, struct host *host)
{
	bool *done = calloc((size_t)host->n_kinds * host->n_packages, sizeof(*done));
	int r = done ? 0 : -ENOMEM;

	for (unsigned i = 0; i < host->n_cpus && r == 0; i++) {
		const struct host_cpu *cpu = &host->cpus[i];
		bool *seen = &done[cpu->kind * host->n_packages + cpu->package];

		if (!cpu->online || *seen)
			continue;
		*seen = true;
		r = merge_cpu(fs, host, cpu->id);
	}
	free(done);
	return r;
}
