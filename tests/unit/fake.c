/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines made up for tests. */
#include "config.h"

#include "fake.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/host.h"

static void *must(void *memory)
{
	assert_non_null(memory);
	return memory;
}

struct host *fake_host(unsigned packages, unsigned cores, unsigned threads)
{
	struct host *host = must(calloc(1, sizeof(*host)));

	host->n_packages = packages;
	host->n_cores = packages * cores;
	host->n_cpus = host->n_cores * threads;
	host->n_kinds = 1;
	host->possible = host->n_cpus;
	host->tsc_hertz = 2e9;
	host->release_s = NAN;
	host->cpus = must(calloc(host->n_cpus, sizeof(*host->cpus)));
	host->cores = must(calloc(host->n_cores, sizeof(*host->cores)));
	host->packages = must(calloc(packages, sizeof(*host->packages)));
	host->kinds = must(calloc(2, sizeof(*host->kinds)));
	strcpy(host->kinds[0].name, "core");
	strcpy(host->vendor, "GenuineIntel");
	strcpy(host->brand, "Made-up CPU \"one\"");
	strcpy(host->os_release, "6.1.0");
	for (unsigned p = 0; p < packages; p++) {
		host->packages[p].package_id = (int)(3 * p);
		host->packages[p].n_cores = cores;
		host->packages[p].cores = must(calloc(cores, sizeof(unsigned)));
		for (unsigned c = 0; c < cores; c++)
			host->packages[p].cores[c] = p * cores + c;
	}
	for (unsigned c = 0; c < host->n_cores; c++) {
		host->cores[c].core_id = (int)(8 * (c % cores));
		host->cores[c].package = c / cores;
		host->cores[c].n_cpus = threads;
		host->cores[c].cpus = must(calloc(threads, sizeof(unsigned)));
		for (unsigned t = 0; t < threads; t++)
			host->cores[c].cpus[t] = c * threads + t;
	}
	for (unsigned i = 0; i < host->n_cpus; i++)
		host->cpus[i] = (struct host_cpu){ .id = 2 * i, .core = i / threads,
						   .package = i / threads / cores, .online = true,
						   .allowed = true, .wanted = true };
	return host;
}

void fake_idle_states(struct host *host, const char *const *names)
{
	while (names[host->n_idle_states])
		host->n_idle_states++;
	host->idle_states = must(calloc(host->n_idle_states, sizeof(char *)));
	for (unsigned i = 0; i < host->n_idle_states; i++)
		host->idle_states[i] = must(strdup(names[i]));
}
