/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the results of the CPUs of a burst to those of all together. */
#include "config.h"
#include "burst/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/host.h"

typedef double field_fn(const struct burst_cpu *cpu);

static double hertz_of(const struct burst_cpu *cpu)
{
	return cpu->judgment.during_hertz;
}

static double before_of(const struct burst_cpu *cpu)
{
	return cpu->judgment.before_hertz;
}

static double drop_of(const struct burst_cpu *cpu)
{
	return cpu->judgment.drop_ratio;
}

static double noise_of(const struct burst_cpu *cpu)
{
	return cpu->judgment.noise;
}

static double ops_per_cycle_of(const struct burst_cpu *cpu)
{
	return cpu->ops_per_cycle;
}

static double peak_of(const struct burst_cpu *cpu)
{
	return cpu->peak_ratio;
}

static double throughput_of(const struct burst_cpu *cpu)
{
	return cpu->judgment.during_hertz * cpu->peak_ratio;
}

/* Of the CPUs that know it. scratch: room for all. */
static double median_of(const struct burst_result *result, field_fn *field, double *scratch)
{
	unsigned n = 0;

	for (unsigned i = 0; i < result->n_driven; i++) {
		const double value = field(&result->cpus[i]);

		if (!isnan(value))
			scratch[n++] = value;
	}
	return judge_median(scratch, n);
}

static double at(const double *values, unsigned cpu)
{
	return values ? values[cpu] : NAN;
}

/* NAN: it has siblings, of which nothing is known. Those that are driven too are load, not weather, but
 * a sweep drives one thread a core. */
static double busiest_sibling(const struct host *host, unsigned cpu, const double *busy_ratio)
{
	const struct host_core *const core = &host->cores[host->cpus[cpu].core];
	double busiest = 0;

	for (unsigned i = 0; i < core->n_cpus; i++) {
		const double busy = core->cpus[i] == cpu || !host->cpus[core->cpus[i]].online ?
					    0 : at(busy_ratio, core->cpus[i]);

		if (isnan(busy))
			return NAN;
		busiest = fmax(busiest, busy);
	}
	return busiest;
}

static void agree(const struct burst_result *result, const struct host *host,
		  const struct figures_weather *weather, struct agreement_cpu *cpus,
		  struct agreement *ret)
{
	const double reach = kernel_row(result->kernel)->reach;

	for (unsigned i = 0; i < result->n_driven; i++) {
		const struct burst_cpu *const cpu = &result->cpus[i];

		cpus[i] = (struct agreement_cpu){
			.id = host->cpus[cpu->cpu].id,
			.kind = host->kinds[host->cpus[cpu->cpu].kind].name,
			.hertz = cpu->judgment.during_hertz,
			.peak_ratio = cpu->peak_ratio,
			.reach = reach > 0 ? reach : 1,
			.time_ratio = cpu->time_ratio,
			.steal_ratio = at(weather->steal_ratio, cpu->cpu),
			.sibling_ratio = busiest_sibling(host, cpu->cpu, weather->busy_ratio),
			.verified = cpu->verified,
			.why = cpu->problem.text,
		};
	}
	agreement_find(cpus, result->n_driven, host->hypervisor[0] != '\0', ret);
}

static int compare_groups(const void *a, const void *b)
{
	const struct base_group *x = a, *y = b;

	return (x->base_hertz > y->base_hertz) - (x->base_hertz < y->base_hertz);
}

/* Bases of one grid are equal or a cell apart, on whichever CPU they were met. */
static unsigned merge_groups(struct base_group *groups, unsigned n)
{
	unsigned kept = 0;

	qsort(groups, n, sizeof(*groups), compare_groups);
	for (unsigned i = 0; i < n; i++) {
		struct base_group *const last = kept ? &groups[kept - 1] : NULL;

		if (last && groups[i].base_hertz < last->base_hertz * (1 + JUDGE_GRID / 2)) {
			last->during_hertz += (groups[i].during_hertz - last->during_hertz) *
					      groups[i].n / (groups[i].n + last->n);
			last->n += groups[i].n;
		} else {
			groups[kept++] = groups[i];
		}
	}
	return kept;
}

/* Two runs are compared by these: single pairs are off by as much as a drop. The largest stays. */
static unsigned drop_small_groups(struct base_group *groups, unsigned n)
{
	unsigned most = 0, kept = 0;

	for (unsigned i = 0; i < n; i++)
		most = groups[i].n > most ? groups[i].n : most;
	for (unsigned i = 0; i < n; i++)
		if (groups[i].n >= FIGURES_GROUP_PAIRS || groups[i].n == most)
			groups[kept++] = groups[i];
	return kept;
}

/* NAN stays NAN, where fmin() and fmax() would take the number. */
static double lower(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static double higher(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static void take_cpu(const struct host *host, const struct burst_cpu *cpu, struct figures *f)
{
	const struct judgment *const j = &cpu->judgment;

	f->cpus[f->n_cpus++] = (struct figures_cpu){
		.id = host->cpus[cpu->cpu].id, .verified = cpu->verified, .hertz = j->during_hertz,
		.before_hertz = j->before_hertz, .drop_ratio = j->drop_ratio,
		.ops_per_cycle = cpu->ops_per_cycle, .peak_ratio = cpu->peak_ratio,
		.time_ratio = cpu->time_ratio };
	for (unsigned i = 0; i < j->n_groups; i++)
		f->groups[f->n_groups++] = j->groups[i];
	f->pairs += j->pairs;
	f->verified &= cpu->verified;
	f->held |= cpu->held;
	f->still_low |= cpu->recovery == RECOVERY_STILL_LOW;
	f->peak_why = f->peak_why ? f->peak_why : cpu->peak_why;
	f->ops_per_second += cpu->ops_per_second;
	f->kernel_ops_per_second += cpu->ops_per_cycle * j->during_hertz;
	f->hertz_low = lower(f->hertz_low, j->before_hertz * (1 - j->high));
	f->hertz_high = higher(f->hertz_high, j->before_hertz * (1 - j->low));
	f->drop_low = lower(f->drop_low, j->low);
	f->drop_high = higher(f->drop_high, j->high);
}

static void summarize(const struct burst_result *result, double *scratch, struct figures *f)
{
	unsigned seen = 0;

	f->ruler_hertz = median_of(result, hertz_of, scratch);
	f->before_hertz = median_of(result, before_of, scratch);
	f->drop_ratio = median_of(result, drop_of, scratch);
	f->noise = median_of(result, noise_of, scratch);
	f->ops_per_cycle = median_of(result, ops_per_cycle_of, scratch);
	f->peak_ratio = median_of(result, peak_of, scratch);
	f->throughput_hertz = median_of(result, throughput_of, scratch);
	f->seconds = result->seconds;
	f->stopped_early = result->stopped_early;
	for (unsigned i = 0; i < result->n_driven; i++)
		seen += result->cpus[i].judgment.seen;
	f->seen = 2 * seen > result->n_driven;
	f->hertz = f->ruler_hertz;
	if (f->agreement.finding == AGREEMENT_FINE)
		return;
	f->hertz = f->hertz_low = f->hertz_high = NAN;
	f->drop_ratio = f->drop_low = f->drop_high = f->noise = NAN;
	f->seen = f->still_low = false;
	f->n_groups = 0;
}

int figures_make(const struct burst_result *result, const struct host *host,
		 const struct figures_weather *weather, struct figures *ret)
{
	const unsigned n = result->n_driven;
	struct agreement_cpu *const cpus = calloc(n + 1, sizeof(*cpus));
	double *const scratch = calloc(n + 1, sizeof(*scratch));
	struct figures f = { .hertz_low = INFINITY, .hertz_high = -INFINITY, .drop_low = INFINITY,
			     .drop_high = -INFINITY, .verified = true };
	unsigned n_groups = 0;

	for (unsigned i = 0; i < n; i++)
		n_groups += result->cpus[i].judgment.n_groups;
	f.groups = calloc(n_groups + 1, sizeof(*f.groups));
	f.cpus = calloc(n + 1, sizeof(*f.cpus));
	if (!cpus || !scratch || !f.groups || !f.cpus) {
		free(cpus);
		free(scratch);
		figures_free(&f);
		return -ENOMEM;
	}
	for (unsigned i = 0; i < n; i++)
		take_cpu(host, &result->cpus[i], &f);
	f.n_groups = drop_small_groups(f.groups, merge_groups(f.groups, f.n_groups));
	agree(result, host, weather, cpus, &f.agreement);
	summarize(result, scratch, &f);
	free(cpus);
	free(scratch);
	*ret = f;
	return 0;
}

void figures_free(struct figures *figures)
{
	free(figures->groups);
	free(figures->cpus);
	figures->groups = NULL;
	figures->cpus = NULL;
}
