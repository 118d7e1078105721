/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One CPU speaks for its core, one for its package. */
#include "config.h"

#include "source/place.h"

#include <errno.h>

#include "model/host.h"
#include "model/sample.h"

struct look {
	bool wanted, found, alone; /* alone: some online CPU is to be left alone */
	unsigned cpu;
};

static void look_at(struct look *look, const struct host *host, const struct sample *sample, unsigned cpu)
{
	const struct host_cpu *row = &host->cpus[cpu];
	const struct reading *os = sample_get(sample, COUNTER_OS_BUSY, cpu, 0);

	look->wanted = look->wanted || row->wanted;
	/* Nobody accounts (source 0): as the host was described. */
	if (os->source ? os->state == STATE_OFFLINE : !row->online)
		return;
	look->alone = look->alone || (row->isolated && !row->named);
	if (!look->found || cpu < look->cpu)
		look->cpu = cpu;
	look->found = true;
}

static enum state decide(const struct look *look, bool alone, unsigned *ret_cpu)
{
	if (!look->found)
		return STATE_OFFLINE;
	if (!look->wanted)
		return STATE_NOT_ASKED;
	*ret_cpu = look->cpu;
	return alone ? STATE_ISOLATED : STATE_OK;
}

/* Which of its threads the kernel asks for a core it does not tell. */
enum state place_of_core(const struct host *host, const struct sample *sample, unsigned core,
			 bool disturbs, unsigned *ret_cpu)
{
	const struct host_core *row = &host->cores[core];
	struct look look = { 0 };

	for (unsigned i = 0; i < row->n_cpus; i++)
		look_at(&look, host, sample, row->cpus[i]);
	return decide(&look, disturbs && look.alone, ret_cpu);
}

enum state place_of_package(const struct host *host, const struct sample *sample, unsigned package,
			    bool disturbs, unsigned *ret_cpu)
{
	const struct host_package *row = &host->packages[package];
	struct look look = { 0 };
	bool alone;

	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct host_core *core = &host->cores[row->cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++)
			look_at(&look, host, sample, core->cpus[k]);
	}
	alone = look.found && host->cpus[look.cpu].isolated && !host->cpus[look.cpu].named;
	return decide(&look, disturbs && alone, ret_cpu);
}

enum state place_failed(int err)
{
	switch (err) {
	case -ENOENT:
	case -ENODEV:
	case -ENXIO:
		return STATE_UNSUPPORTED;
	case -EACCES:
	case -EPERM:
		return STATE_DENIED;
	default:
		return STATE_FAILED;
	}
}
