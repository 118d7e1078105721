/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Model-specific registers as a source. Reading one interrupts its CPU: each CPU is visited once,
 * and the first of each core and package that may be, reads what is theirs. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/kept.h"
#include "source/msr_device.h"
#include "source/msr_own.h"
#include "source/place.h"
#include "source/source.h"

/* turbostat 6.12 reads APERF and MPERF again where that took more than twice as long as usual. */
#define CLOCK_TRIES 4u
/* A shorter time between the two does not matter: it makes the clock wrong by less than this part.
 */
#define CLOCK_PART 2000u
#define LATE_PART 100u
/* Reading may take a twentieth of the time (engine/pace.h). */
#define SHARE_PART 20u

enum state msr_may_read(const struct host *host, const struct sample *sample, unsigned cpu)
{
	const struct host_cpu *row = &host->cpus[cpu];
	const struct reading *os = sample ? sample_get(sample, COUNTER_OS_BUSY, cpu, 0) : NULL;

	/* Nobody accounts (source 0): as the host was described. */
	if (os && os->source ? os->state == STATE_OFFLINE : !row->online)
		return STATE_OFFLINE;
	if (row->isolated && !row->named)
		return STATE_ISOLATED;
	return row->wanted ? STATE_OK : STATE_NOT_ASKED;
}

static void msr_close(struct source *source)
{
	if (!source)
		return;
	for (unsigned i = 0; source->cpus && i < source->host->n_cpus; i++)
		if (source->cpus[i].fd >= 0)
			close(source->cpus[i].fd);
	free(source->layouts);
	free(source->cpus);
	free(source->cores);
	free(source->packages);
	free(source);
}

/* Without the counters that another source serves. */
static void keep_wanted(struct msr_layout *layout, const bool *wanted)
{
	unsigned n = 0;

	for (unsigned i = 0; i < layout->n; i++)
		if (!wanted || wanted[layout->items[i].counter])
			layout->items[n++] = layout->items[i];
	layout->n = n;
}

static void open_cpu(struct source *source, unsigned cpu)
{
	struct msr_cpu *row = &source->cpus[cpu];
	int fd = msr_device_open(source->fs, source->host->cpus[cpu].id);

	row->fd = fd < 0 ? -1 : fd;
	row->err = fd < 0 ? fd : 0;
}

static int msr_open(const struct source_env *env, struct source **ret, struct problem *ret_problem)
{
	const struct host *host = env->host;
	const bool has_aperf = msr_device_has_aperf(env->fs);
	struct source *source = calloc(1, sizeof(*source));
	unsigned budget = kept_budget(4);

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = host;
	source->fs = env->fs;
	source->amd = msr_is_amd(host);
	source->interval_ns = env->interval_ns;
	source->layouts = calloc(host->n_kinds + 1, sizeof(*source->layouts));
	source->cpus = calloc(host->n_cpus + 1, sizeof(*source->cpus));
	source->cores = calloc(host->n_cores + 1, sizeof(*source->cores));
	source->packages = calloc(host->n_packages + 1, sizeof(*source->packages));
	for (unsigned i = 0; source->cpus && i < host->n_cpus; i++)
		source->cpus[i].fd = -1;
	if (!source->layouts || !source->cpus || !source->cores || !source->packages) {
		msr_close(source);
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	}
	for (unsigned i = 0; i < host->n_kinds; i++) {
		msr_layout(host, i, has_aperf, &source->layouts[i]);
		keep_wanted(&source->layouts[i], env->wanted);
	}
	for (unsigned i = 0; i < host->n_cpus; i++) {
		source->cpus[i].keep = budget > 0;
		budget -= budget > 0;
		if (source->cpus[i].keep && msr_may_read(host, NULL, i) == STATE_OK)
			open_cpu(source, i);
	}
	*ret = source;
	return 0;
}

/* Of the reasons why some CPUs of a core or package are not read, the one to tell. */
static void consider(struct msr_place *place, unsigned cpu, enum state state)
{
	static const enum state order[] = { STATE_OFFLINE, STATE_NOT_ASKED, STATE_ISOLATED,
					    STATE_OK };
	unsigned old = 0, new = 0;

	while (order[old] != place->state)
		old++;
	while (order[new] != state)
		new ++;
	if (new > old)
		*place = (struct msr_place) { state, cpu };
}

/* The first that may be read speaks for its core, and its package. */
static void find_places(struct source *source, const struct sample *sample)
{
	const struct host *host = source->host;

	for (unsigned i = 0; i < host->n_cores; i++)
		source->cores[i].place.state = STATE_OFFLINE;
	for (unsigned i = 0; i < host->n_packages; i++)
		source->packages[i].place.state = STATE_OFFLINE;
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const enum state state = msr_may_read(host, sample, i);

		consider(&source->cores[host->cpus[i].core].place, i, state);
		consider(&source->packages[host->cpus[i].package].place, i, state);
	}
}

static bool reads(const struct source *source, const struct msr_item *item, unsigned cpu)
{
	const struct host_cpu *row = &source->host->cpus[cpu];

	if (item->by == SCOPE_CORE)
		return source->cores[row->core].place.cpu == cpu;
	if (item->by == SCOPE_PACKAGE)
		return source->packages[row->package].place.cpu == cpu;
	return true;
}

static void fail_item(struct source *source, const struct msr_item *item, unsigned cpu,
		      enum state state, int err, struct sample *into)
{
	struct msr_core *core = &source->cores[source->host->cpus[cpu].core];

	if (item->how == MSR_CORE_ENERGY) {
		core->energy = state;
		core->energy_err = err;
	} else if (item->how == MSR_ENERGY || item->how == MSR_DRAM_ENERGY ||
		   item->how == MSR_THROTTLE_TIME) {
		msr_energy_fail(item, source->host->cpus[cpu].package, state, err, into);
	} else {
		*sample_at(into, item->counter, msr_item_index(source->host, item, cpu),
			   msr_item_label(item)) = reading_failed(state, err, SOURCE_MSR);
	}
}

/* All that the CPU would tell, of itself and what it speaks for. */
static void fail_cpu(struct source *source, unsigned cpu, enum state state, int err,
		     struct sample *into)
{
	const struct msr_layout *layout = &source->layouts[source->host->cpus[cpu].kind];

	for (unsigned i = 0; i < layout->n; i++)
		if (reads(source, &layout->items[i], cpu))
			fail_item(source, &layout->items[i], cpu, state, err, into);
}

/* The items of the clock come first. One after the other, so that all are of one moment: the time
 * that it took. */
static uint64_t read_clock(struct source *source, struct msr_visit *visit, unsigned n,
			   struct sample *into)
{
	const uint64_t begin_ns = clock_mono_ns();

	visit->address = 0;
	for (unsigned i = 0; i < n; i++)
		msr_item_read(source, visit, i, into);
	return clock_mono_ns() - begin_ns;
}

static unsigned clock_items(const struct msr_layout *layout)
{
	unsigned n = 0;

	while (n < layout->n && layout->items[n].by == SCOPE_CPU)
		n++;
	return n;
}

/* Something may have held this thread up between two of the registers: then anew. */
static void read_clocks(struct source *source, struct msr_visit *visit, unsigned n,
			struct sample *into)
{
	struct msr_cpu *cpu = &source->cpus[visit->cpu];
	const uint64_t now_ns = clock_mono_ns();
	const uint64_t elapsed_ns = cpu->clock_ns ? now_ns - cpu->clock_ns : source->interval_ns;
	const uint64_t share_ns = elapsed_ns / SHARE_PART;
	uint64_t took_ns = 0;

	for (unsigned tries = 0; tries < CLOCK_TRIES; tries++) {
		took_ns = read_clock(source, visit, n, into);
		if (took_ns <= elapsed_ns / CLOCK_PART ||
		    (cpu->usual_ns && took_ns <= 2 * cpu->usual_ns) ||
		    clock_mono_ns() - now_ns > share_ns)
			break;
	}
	cpu->usual_ns += cpu->usual_ns / 16;
	if (took_ns < cpu->usual_ns || cpu->usual_ns == 0)
		cpu->usual_ns = took_ns;
	cpu->clock_ns = now_ns;
	for (unsigned i = 0;
	     i < n && took_ns > elapsed_ns / LATE_PART && took_ns > 2 * cpu->usual_ns; i++) {
		struct reading *reading =
			sample_at(into, visit->layout->items[i].counter, visit->cpu, 0);

		if (reading->state == STATE_OK)
			reading->state = STATE_LATE;
	}
}

static void visit_cpu(struct source *source, unsigned cpu, struct sample *into)
{
	struct msr_visit visit = { .cpu = cpu,
				   .layout = &source->layouts[source->host->cpus[cpu].kind] };
	struct msr_cpu *row = &source->cpus[cpu];
	const unsigned n = clock_items(visit.layout);

	if (row->fd < 0)
		open_cpu(source, cpu);
	if (row->fd < 0) {
		fail_cpu(source, cpu, place_failed(row->err), row->err, into);
		return;
	}
	if (n > 0)
		read_clocks(source, &visit, n, into);
	for (unsigned i = n; i < visit.layout->n; i++) {
		const struct msr_item *item = &visit.layout->items[i];

		if (!reads(source, item, cpu))
			continue;
		if (item->how == MSR_ENERGY || item->how == MSR_DRAM_ENERGY ||
		    item->how == MSR_CORE_ENERGY || item->how == MSR_THROTTLE_TIME)
			msr_energy_read(source, &visit, i, into);
		else
			msr_item_read(source, &visit, i, into);
	}
	if (!row->keep && row->fd >= 0) {
		close(row->fd);
		row->fd = -1;
	}
}

static bool sums_cores(const struct source *source)
{
	for (unsigned k = 0; k < source->host->n_kinds; k++)
		for (unsigned i = 0; i < source->layouts[k].n; i++)
			if (source->layouts[k].items[i].how == MSR_CORE_ENERGY)
				return true;
	return false;
}

static int msr_read(struct source *source, struct sample *into)
{
	const struct host *host = source->host;

	source->begin_ns = clock_mono_ns();
	find_places(source, into);
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const enum state state = msr_may_read(host, into, i);

		if (state == STATE_OK)
			visit_cpu(source, i, into);
		else
			fail_cpu(source, i, state, 0, into);
	}
	for (unsigned i = 0; sums_cores(source) && i < host->n_packages; i++)
		msr_energy_of_cores(source, i, into);
	return 0;
}

const struct source_ops msr_ops = {
	.probe = msr_probe,
	.open = msr_open,
	.read = msr_read,
	.close = msr_close,
};
