/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Questions about the machine that struct host answers without looking at it again. */
#include "config.h"
#include "model/host.h"

#include <stdlib.h>

#include "model/state.h"

int host_cpu_index(const struct host *host, unsigned id)
{
	unsigned low = 0, high = host->n_cpus;

	while (low < high) {
		const unsigned middle = low + (high - low) / 2;

		if (host->cpus[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < host->n_cpus && host->cpus[low].id == id ? (int)low : -1;
}

enum relation host_relation(const struct host *host, unsigned driven, unsigned other)
{
	if (driven == other)
		return RELATION_SELF;
	if (host->cpus[driven].core == host->cpus[other].core)
		return RELATION_SIBLING;
	if (host->cpus[driven].package == host->cpus[other].package)
		return RELATION_SAME_PACKAGE;
	return RELATION_OTHER_PACKAGE;
}

const char *relation_name(enum relation relation)
{
	static const char *const names[] = {
		[RELATION_SELF] = "driven",
		[RELATION_SIBLING] = "sibling",
		[RELATION_SAME_PACKAGE] = "same-package",
		[RELATION_OTHER_PACKAGE] = "other-package",
	};

	return names[relation];
}

int host_cpu_state(const struct host *host, unsigned index)
{
	const struct host_cpu *cpu = &host->cpus[index];

	if (!cpu->online)
		return STATE_OFFLINE;
	if (cpu->isolated && !cpu->named)
		return STATE_ISOLATED;
	if (!cpu->allowed)
		return STATE_NOT_ALLOWED;
	if (!cpu->wanted)
		return STATE_NOT_ASKED;
	return STATE_OK;
}

static bool is_online(const struct host *host, const bool *offline, unsigned cpu)
{
	return offline ? !offline[cpu] : host->cpus[cpu].online;
}

static unsigned online_cores(const struct host *host, const bool *offline, const unsigned *cores,
			     unsigned n_cores)
{
	unsigned online = 0;

	for (unsigned i = 0; i < n_cores; i++) {
		const struct host_core *core = &host->cores[cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++) {
			if (is_online(host, offline, core->cpus[k])) {
				online++;
				break;
			}
		}
	}
	return online;
}

struct host_online host_online(const struct host *host, const bool *offline)
{
	struct host_online online = { 0 };

	for (unsigned i = 0; i < host->n_cpus; i++)
		online.cpus += is_online(host, offline, i);
	for (unsigned i = 0; i < host->n_packages; i++) {
		unsigned cores = online_cores(host, offline, host->packages[i].cores,
					      host->packages[i].n_cores);

		online.cores += cores;
		online.packages += cores > 0;
	}
	return online;
}

bool host_lacks_license_events(const struct host *host)
{
	for (unsigned i = 0; i < host->n_kinds; i++)
		if (host->kinds[i].license_events != LICENSE_EVENTS_NONE)
			return false;
	return host->n_kinds > 0;
}

void host_free(struct host *host)
{
	if (!host)
		return;
	for (unsigned i = 0; host->cores && i < host->n_cores; i++)
		free(host->cores[i].cpus);
	for (unsigned i = 0; host->packages && i < host->n_packages; i++)
		free(host->packages[i].cores);
	for (unsigned i = 0; host->idle_states && i < host->n_idle_states; i++)
		free(host->idle_states[i]);
	free(host->cpus);
	free(host->cores);
	free(host->packages);
	free(host->kinds);
	free(host->idle_states);
	free(host);
}
