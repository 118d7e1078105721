/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sweeps: what is measured in which order on any machine, what the CPUs of a point make of it, and when
 * their figures contradict each other. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "burst/agreement.h"
#include "burst/figures.h"
#include "burst/sweep.h"
#include "model/host.h"
#include "tests/unit/fake.h"
#include "tests/unit/unit.h"

#define ALL_ISA 0xffffffffu

static struct host *machine(unsigned packages, unsigned cores, unsigned threads)
{
	struct host *const host = fake_host(packages, cores, threads);

	host->kinds[0].isa = ALL_ISA;
	return host;
}

static struct list *list(const char *text)
{
	struct list *list;

	assert_int_equal(list_parse(text, &list), 0);
	return list;
}

static struct sweep *planned(const struct sweep_ask *ask, const struct host *host)
{
	struct problem problem = { 0 };
	struct sweep *sweep = NULL;

	if (sweep_new(ask, host, &sweep, &problem) < 0)
		fail_msg("refused: %s", problem.text);
	return sweep;
}

static void check_cpus(const struct sweep *sweep, unsigned cores, const char *want)
{
	struct list *const cpus = sweep_cpus(sweep, cores);
	char *const text = list_format(cpus);

	assert_string_equal(text, want);
	free(text);
	list_free(cpus);
}

static void check_counts(const struct sweep *sweep, const char *want)
{
	char text[256] = "";

	for (unsigned i = 0; i < sweep->n_counts; i++)
		(void)snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%u", i ? "," : "",
			       sweep->counts[i]);
	assert_string_equal(text, want);
}

/* Each kernel once on each count, between two scalar ones. */
static void check_points(const struct sweep *sweep)
{
	const unsigned n = sweep->n_points;

	assert_int_equal(sweep->points[0].role, SWEEP_DRIFT);
	assert_int_equal(sweep->points[n - 1].role, SWEEP_DRIFT);
	assert_int_equal(sweep->points[0].kernel, KERNEL_SCALAR);
	assert_int_equal(sweep->points[n - 1].kernel, KERNEL_SCALAR);
	assert_int_equal(sweep->points[0].cores, sweep->points[n - 1].cores);
	for (unsigned c = 0; c < sweep->n_counts; c++)
		for (unsigned k = 0; k < sweep->n_kernels; k++) {
			unsigned found = 0;

			for (unsigned i = 0; i < n; i++)
				found += sweep->points[i].role == SWEEP_POINT &&
					 sweep->points[i].cores == sweep->counts[c] &&
					 sweep->points[i].kernel == sweep->kernels[k];
			assert_int_equal(found, sweep->n_shapes);
		}
}

/* How many cores are active: 1, 2, 4 …, a whole package, and all; siblings never are. */
static void test_machines(void **state)
{
	static const struct {
		unsigned packages, cores, threads;
		const char *counts, *last;
		unsigned last_cores;
	} machines[] = {
		{ 1, 1, 1, "1", "0", 1 },
		{ 1, 2, 1, "1,2", "0,2", 2 },
		{ 1, 1, 2, "1", "0", 1 },
		{ 1, 4, 2, "1,2,4", "0,4,8,12", 4 },
		{ 2, 28, 2, "1,2,4,8,16,28,32,56", NULL, 56 },
		{ 2, 288, 2, "1,2,4,8,16,32,64,128,256,288,512,576", NULL, 576 },
	};

	(void)state;
	for (unsigned i = 0; i < COUNT_OF(machines); i++) {
		struct host *const host =
			machine(machines[i].packages, machines[i].cores, machines[i].threads);
		struct sweep *const sweep = planned(&(struct sweep_ask){ 0 }, host);

		assert_int_equal(sweep->n_cpus, machines[i].last_cores);
		check_counts(sweep, machines[i].counts);
		if (machines[i].last)
			check_cpus(sweep, machines[i].last_cores, machines[i].last);
		assert_int_equal(sweep->n_kernels, KERNEL_COPY_LIBC);
		assert_int_equal(sweep->n_refused, 0);
		check_points(sweep);
		sweep_free(sweep);
		host_free(host);
	}
}

/* CPU 0 takes interrupts: its core is the last of its package, which is full before the next begins. */
static void test_packages_fill_up(void **state)
{
	struct host *const host = machine(2, 3, 2);
	struct sweep *const sweep = planned(&(struct sweep_ask){ 0 }, host);

	(void)state;
	check_counts(sweep, "1,2,3,4,6");
	check_cpus(sweep, 1, "4");
	check_cpus(sweep, 2, "4,8");
	check_cpus(sweep, 3, "0,4,8");
	check_cpus(sweep, 4, "0,4,8,12");
	sweep_free(sweep);
	host_free(host);
}

static void test_what_may_be_driven(void **state)
{
	struct host *const host = machine(1, 4, 2);
	struct list *named = list("2,6,8,12-14");
	struct problem problem = { 0 };
	struct sweep *sweep = NULL;

	(void)state;
	/* the first thread of core 1 is not allowed: its second is; core 2 is isolated, core 3 offline */
	host->cpus[2].allowed = false;
	host->cpus[4].isolated = host->cpus[5].isolated = true;
	host->cpus[6].online = host->cpus[7].online = false;
	sweep = planned(&(struct sweep_ask){ 0 }, host);
	assert_int_equal(sweep->n_cpus, 2);
	check_cpus(sweep, 1, "6");
	check_cpus(sweep, 2, "0,6");
	sweep_free(sweep);
	/* named ones only, isolated or not; of one core one */
	assert_int_equal(sweep_new(&(struct sweep_ask){ .cpus = named }, host, &sweep, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "CPU 12 is offline"));
	list_free(named);
	named = list("2,6,8");
	sweep = planned(&(struct sweep_ask){ .cpus = named }, host);
	check_cpus(sweep, 3, "2,6,8");
	sweep_free(sweep);
	list_free(named);
	named = list("4");
	assert_int_equal(sweep_new(&(struct sweep_ask){ .cpus = named }, host, &sweep, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "may not run on CPU 4"));
	list_free(named);
	named = list("5");
	assert_int_equal(sweep_new(&(struct sweep_ask){ .cpus = named }, host, &sweep, &problem), -EINVAL);
	assert_non_null(strstr(problem.text, "no CPU 5"));
	list_free(named);
	/* a cpuset of one CPU; of none that is not isolated */
	for (unsigned i = 0; i < host->n_cpus; i++)
		host->cpus[i].allowed = i == 3;
	sweep = planned(&(struct sweep_ask){ 0 }, host);
	check_counts(sweep, "1");
	check_cpus(sweep, 1, "6");
	check_points(sweep);
	sweep_free(sweep);
	host->cpus[3].isolated = true;
	assert_int_equal(sweep_new(&(struct sweep_ask){ 0 }, host, &sweep, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "isolated"));
	host_free(host);
}

/* A clock of two kinds of core is none: those of CPU 0's kind, unless others are named. */
static void test_hybrid(void **state)
{
	struct host *const host = machine(1, 6, 1);
	struct list *named = list("6,8,10");
	struct sweep *sweep;

	(void)state;
	host->n_kinds = 2;
	host->kinds[1] = host->kinds[0];
	host->kinds[1].isa &= ~(unsigned)ISA_AVX512F;
	for (unsigned i = 3; i < 6; i++)
		host->cpus[i].kind = 1;
	sweep = planned(&(struct sweep_ask){ 0 }, host);
	check_cpus(sweep, sweep->n_cpus, "0,2,4");
	assert_int_equal(sweep->n_refused, 0);
	sweep_free(sweep);
	sweep = planned(&(struct sweep_ask){ .cpus = named }, host);
	check_cpus(sweep, sweep->n_cpus, "6,8,10");
	assert_int_equal(sweep->n_refused, 2);
	assert_false(sweep->named_refused);
	sweep_free(sweep);
	host->cpus[0].allowed = host->cpus[1].allowed = host->cpus[2].allowed = false;
	sweep = planned(&(struct sweep_ask){ 0 }, host);
	check_cpus(sweep, sweep->n_cpus, "6,8,10");
	sweep_free(sweep);
	list_free(named);
	host_free(host);
}

static void test_kernels(void **state)
{
	static const enum kernel some[] = { KERNEL_AMX_INT8, KERNEL_AVX2_FMA, KERNEL_SCALAR },
				 tiles[] = { KERNEL_AMX_BF16 }, copies[] = { KERNEL_COPY_AVX2 };
	struct host *const host = machine(1, 2, 1);
	struct problem problem = { 0 };
	struct sweep *sweep;

	(void)state;
	host->kinds[0].isa &= ~(unsigned)ISA_AMX_TILE;
	sweep = planned(&(struct sweep_ask){ 0 }, host);
	assert_int_equal(sweep->n_refused, 2);
	assert_non_null(strstr(sweep->refused[0].text, "amx-bf16 cannot run here"));
	assert_false(sweep->named_refused);
	assert_int_equal(sweep->n_kernels, KERNEL_COPY_LIBC - 2);
	sweep_free(sweep);
	sweep = planned(&(struct sweep_ask){ .kernels = some, .n_kernels = 3 }, host);
	assert_int_equal(sweep->n_refused, 1);
	assert_true(sweep->named_refused);
	assert_int_equal(sweep->n_kernels, 2);
	assert_int_equal(sweep->kernels[0], KERNEL_AVX2_FMA);
	/* forth on one core, back on two */
	assert_int_equal(sweep->n_points, 6);
	assert_int_equal(sweep->points[1].kernel, KERNEL_AVX2_FMA);
	assert_int_equal(sweep->points[2].kernel, KERNEL_SCALAR);
	assert_int_equal(sweep->points[3].kernel, KERNEL_SCALAR);
	assert_int_equal(sweep->points[3].cores, 2);
	sweep_free(sweep);
	assert_int_equal(sweep_new(&(struct sweep_ask){ .kernels = tiles, .n_kernels = 1 }, host, &sweep,
				   &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "amx-bf16 cannot run here"));
	assert_int_equal(sweep_new(&(struct sweep_ask){ .kernels = copies, .n_kernels = 1 }, host, &sweep,
				   &problem), -EINVAL);
	assert_string_equal(problem.remedy, "add --copy");
	assert_int_equal(sweep_new(&(struct sweep_ask){ .kernels = some, .n_kernels = 3, .copy = true },
				   host, &sweep, &problem), -EINVAL);
	host_free(host);
}

static void test_counts(void **state)
{
	struct host *const host = machine(1, 4, 1);
	struct list *counts = list("2,4-9");
	struct problem problem = { 0 };
	struct sweep *sweep = planned(&(struct sweep_ask){ .counts = counts }, host);

	(void)state;
	check_counts(sweep, "2,4");
	assert_int_equal(sweep->n_refused, 1);
	assert_true(sweep->named_refused);
	assert_non_null(strstr(sweep->refused[0].text, "5 active cores cannot be had: 4 may"));
	sweep_free(sweep);
	list_free(counts);
	counts = list("0,1");
	assert_int_equal(sweep_new(&(struct sweep_ask){ .counts = counts }, host, &sweep, &problem), -EINVAL);
	list_free(counts);
	counts = list("5");
	assert_int_equal(sweep_new(&(struct sweep_ask){ .counts = counts }, host, &sweep, &problem), -ENOTSUP);
	assert_non_null(strstr(problem.text, "5 active cores"));
	list_free(counts);
	host_free(host);
}

static void test_copies(void **state)
{
	static const uint64_t sizes[] = { 4096, 1 << 20 };
	static const struct sweep_align aligns[] = { { 0, 0 }, { 1, 63 } };
	struct host *const host = machine(1, 8, 1);
	struct sweep *sweep = planned(&(struct sweep_ask){ .copy = true }, host);

	(void)state;
	check_counts(sweep, "1,8");
	assert_int_equal(sweep->n_shapes, 3);
	assert_int_equal(sweep->shapes[2].bytes, 64 << 20);
	assert_int_equal(sweep->kernels[0], KERNEL_COPY_LIBC);
	assert_int_equal(sweep->n_kernels, KERNEL_N - KERNEL_COPY_LIBC);
	check_points(sweep);
	assert_int_equal(sweep->n_points, 2 * (7 * 3 + 2) + 2);
	/* the control stands before and after the copies, on as many cores */
	assert_int_equal(sweep->points[1].role, SWEEP_CONTROL);
	assert_int_equal(sweep->points[1].kernel, KERNEL_AVX512_FMA);
	assert_int_equal(sweep->points[1].copy.bytes, 0);
	assert_int_equal(sweep->points[23].role, SWEEP_CONTROL);
	assert_int_equal(sweep->points[23].cores, 1);
	assert_int_equal(sweep->points[24].role, SWEEP_CONTROL);
	assert_int_equal(sweep->points[24].cores, 8);
	sweep_free(sweep);
	host->kinds[0].isa &= ~(unsigned)ISA_AVX512F;
	sweep = planned(&(struct sweep_ask){ .copy = true, .cold = true, .sizes = sizes, .n_sizes = 2,
					     .aligns = aligns, .n_aligns = 2 }, host);
	assert_int_equal(sweep->points[1].kernel, KERNEL_AVX2_FMA);
	assert_int_equal(sweep->n_shapes, 4);
	assert_int_equal(sweep->shapes[3].bytes, 1 << 20);
	assert_int_equal(sweep->shapes[3].from_align, 1);
	assert_int_equal(sweep->shapes[3].to_align, 63);
	assert_true(sweep->shapes[3].cold);
	assert_int_equal(sweep->n_refused, 2);
	sweep_free(sweep);
	host_free(host);
}

/* Back to the clock and the temperature that were: what is not known does not hold up. */
static void test_settled(void **state)
{
	(void)state;
	assert_true(sweep_settled(3e9, 2.95e9, 50, 59));
	assert_false(sweep_settled(3e9, 2.9e9, 50, 50));
	assert_true(sweep_settled(3e9, 3.4e9, 50, 40));
	assert_false(sweep_settled(3e9, 3e9, 50, 61));
	assert_true(sweep_settled(NAN, 3e9, NAN, 90));
	assert_true(sweep_settled(3e9, NAN, 50, NAN));
}

/* --- agreement */

static const struct agreement_cpu good = {
	.id = 4, .kind = "core", .hertz = 3e9, .peak_ratio = 0.99, .reach = 1, .time_ratio = 0.998,
	.steal_ratio = 0, .sibling_ratio = 0, .verified = true, .why = "",
};

static struct agreement found_of(const struct agreement_cpu *cpus, unsigned n, bool virtual_machine)
{
	struct agreement agreement;

	agreement_find(cpus, n, virtual_machine, &agreement);
	return agreement;
}

static void check_found(const struct agreement_cpu *cpus, unsigned n, bool virtual_machine,
			enum agreement_finding want, const char *words)
{
	const struct agreement agreement = found_of(cpus, n, virtual_machine);

	if (agreement.finding != want)
		fail_msg("%s (%s), not %s", agreement_name(agreement.finding), agreement.why,
			 agreement_name(want));
	if (!strstr(agreement.why, words))
		fail_msg("\"%s\" does not say \"%s\"", agreement.why, words);
}

static void test_one_cpu_agrees(void **state)
{
	struct agreement_cpu cpu = good;

	(void)state;
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	assert_string_equal(found_of(&cpu, 1, true).note, "");
	cpu.peak_ratio = 1.029;
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	cpu.peak_ratio = 1.05;
	check_found(&cpu, 1, true, AGREEMENT_TOO_FAST, "needs 3.15 GHz at least, the ruler says 3.00 GHz");
	cpu.peak_ratio = 0.81;
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	cpu.peak_ratio = 0.7;
	check_found(&cpu, 1, true, AGREEMENT_THROTTLED, "70 %");
	cpu.reach = 0.81; /* of a kernel that does not reach more by itself */
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	/* no theory: no contradiction */
	cpu.peak_ratio = NAN;
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	cpu.hertz = NAN;
	check_found(&cpu, 1, true, AGREEMENT_CLOCKLESS, "no look at the clock");
	cpu.why = "the ruler is not calibrated";
	check_found(&cpu, 1, true, AGREEMENT_CLOCKLESS, "CPU 4: the ruler is not calibrated");
	cpu.verified = false;
	cpu.why = NULL;
	check_found(&cpu, 1, true, AGREEMENT_WRONG, "not right");
}

/* Below what the core can do: whoever is known to take it is named. */
static void test_likely_cause(void **state)
{
	struct agreement_cpu cpu = good;

	(void)state;
	cpu.peak_ratio = 0.55;
	check_found(&cpu, 1, true, AGREEMENT_THROTTLED, "55 % of what its core can do a cycle: throttled "
							"dispatch, or a busy SMT sibling that the hypervisor");
	check_found(&cpu, 1, false, AGREEMENT_THROTTLED, "as no SMT sibling is busy");
	cpu.sibling_ratio = NAN;
	check_found(&cpu, 1, false, AGREEMENT_THROTTLED, "or a busy SMT sibling");
	cpu.steal_ratio = 0.23;
	check_found(&cpu, 1, true, AGREEMENT_STOLEN, "the hypervisor took 23 % of its time");
	cpu.sibling_ratio = 0.97;
	check_found(&cpu, 1, true, AGREEMENT_SIBLING_BUSY, "SMT sibling is 97 % busy");
	/* steal alone, or a sibling alone, takes nothing from what was measured undisturbed */
	cpu.peak_ratio = 0.98;
	check_found(&cpu, 1, true, AGREEMENT_FINE, "");
	assert_non_null(strstr(found_of(&cpu, 1, true).time_note,
			       "hypervisor took 23 % of its time; its rate"));
}

static void test_time_is_noted(void **state)
{
	struct agreement_cpu cpus[2] = { good, good };

	(void)state;
	cpus[1].id = 6;
	cpus[1].time_ratio = 0.26;
	cpus[0].time_ratio = 0.8;
	check_found(cpus, 2, true, AGREEMENT_FINE, "");
	assert_non_null(strstr(found_of(cpus, 2, true).time_note, "CPU 6: other programs took 74 % of its time"));
}

static void test_cpus_differ(void **state)
{
	struct agreement_cpu cpus[3] = { good, good, good };

	(void)state;
	cpus[0].id = 0;
	cpus[2].id = 8;
	cpus[0].hertz = 3e9 * 0.985;
	check_found(cpus, 3, true, AGREEMENT_FINE, "");
	assert_string_equal(found_of(cpus, 3, true).note, "");
	cpus[0].hertz = 3e9 * 0.97;
	check_found(cpus, 3, true, AGREEMENT_FINE, "");
	assert_string_equal(found_of(cpus, 3, true).note, "CPU 0 runs at 2.91 GHz, CPU 4 at 3.00 GHz");
	cpus[0].hertz = 2.7e9;
	check_found(cpus, 3, true, AGREEMENT_DIFFER, "CPU 0 runs at 2.70 GHz, CPU 4 at 3.00 GHz");
	/* what is wrong with one CPU says more than that it differs from others */
	cpus[2].peak_ratio = 0.5;
	check_found(cpus, 3, true, AGREEMENT_THROTTLED, "CPU 8");
	cpus[1].verified = false;
	check_found(cpus, 3, true, AGREEMENT_WRONG, "CPU 4");
	cpus[1].verified = true;
	cpus[1].kind = "E-core";
	check_found(cpus, 3, true, AGREEMENT_KINDS, "CPU 0 is of kind core, CPU 4 of kind E-core");
}

static void test_findings_have_names(void **state)
{
	(void)state;
	for (unsigned i = 0; i < AGREEMENT_N; i++)
		for (unsigned k = 0; k < i; k++)
			assert_string_not_equal(agreement_name((enum agreement_finding)i),
						agreement_name((enum agreement_finding)k));
}

/* --- figures */

static struct burst_cpu cpu_at(unsigned index, double base, double during, double grid)
{
	struct burst_cpu cpu = {
		.cpu = index, .role = RELATION_SELF, .ops_per_second = 50e9, .ops_per_cycle = 30,
		.peak_ratio = 0.97, .time_ratio = 1, .verified = true, .chunks = 100,
	};

	cpu.judgment = (struct judgment){
		.before_hertz = base, .during_hertz = during, .after_hertz = base,
		.drop_hertz = base - during, .drop_ratio = 1 - during / base, .pairs = 200,
		.low = 1 - during / base - 0.001, .high = 1 - during / base + 0.001, .noise = 0.003,
		.seen = during < base * 0.99, .n_groups = 1 };
	cpu.judgment.groups[0] = (struct base_group){ grid, grid * during / base, 100 };
	return cpu;
}

static void test_figures(void **state)
{
	struct host *const host = machine(1, 4, 2);
	const double grid = exp(4400 * JUDGE_GRID), next = exp(4401 * JUDGE_GRID);
	struct burst_cpu cpus[3] = { cpu_at(0, 3.59e9, 3.2e9, grid), cpu_at(2, 3.60e9, 3.21e9, grid),
				     cpu_at(4, 3.61e9, 3.22e9, next) };
	const struct burst_result result = { .kernel = KERNEL_AVX2_FMA, .seconds = 1, .cpus = cpus,
					     .n_cpus = 3, .n_driven = 3 };
	double steal[8] = { 0 }, busy[8] = { 0 };
	struct figures_weather weather = { steal, busy };
	struct figures f;

	(void)state;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_int_equal(f.agreement.finding, AGREEMENT_FINE);
	assert_near(f.hertz, 3.21e9, 1);
	assert_near(f.hertz_low, 3.59e9 * (3.2 / 3.59 - 0.001), 1);
	assert_near(f.hertz_high, 3.61e9 * (3.22 / 3.61 + 0.001), 1);
	assert_true(f.seen && f.verified);
	assert_near(f.drop_ratio, 1 - 3.21 / 3.6, 1e-9);
	assert_true(f.drop_low < f.drop_ratio && f.drop_ratio < f.drop_high);
	assert_int_equal(f.pairs, 600);
	assert_near(f.ops_per_second, 150e9, 1);
	assert_near(f.kernel_ops_per_second, 30 * (3.2e9 + 3.21e9 + 3.22e9), 1);
	assert_near(f.throughput_hertz, 3.21e9 * 0.97, 1);
	/* two CPUs have met the same base */
	assert_int_equal(f.n_groups, 2);
	assert_near(f.groups[0].base_hertz, grid, 1);
	assert_int_equal(f.groups[0].n, 200);
	assert_near(f.groups[0].during_hertz / grid, (3.2 / 3.59 + 3.21 / 3.6) / 2, 1e-9);
	assert_near(f.groups[1].base_hertz, next, 1);
	figures_free(&f);

	/* CPU 2's sibling is busy: it is named, and no clock is told but what the ruler said */
	cpus[1].peak_ratio = 0.6;
	busy[3] = 0.95;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_int_equal(f.agreement.finding, AGREEMENT_SIBLING_BUSY);
	assert_non_null(strstr(f.agreement.why, "CPU 4"));
	assert_true(isnan(f.hertz) && isnan(f.hertz_low) && isnan(f.drop_ratio) && f.n_groups == 0);
	assert_near(f.ruler_hertz, 3.21e9, 1);
	assert_int_equal(f.n_cpus, 3);
	figures_free(&f);
	/* nothing is known of its sibling */
	busy[3] = NAN;
	host->hypervisor[0] = '\0';
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_non_null(strstr(f.agreement.why, "or a busy SMT sibling"));
	figures_free(&f);
	/* nor of anything */
	cpus[1].peak_ratio = 0.97;
	weather = (struct figures_weather){ 0 };
	for (unsigned i = 0; i < 3; i++)
		cpus[i].judgment.high = cpus[i].judgment.low = NAN;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_int_equal(f.agreement.finding, AGREEMENT_FINE);
	assert_true(isnan(f.hertz_low) && isnan(f.drop_high) && !isnan(f.hertz));
	figures_free(&f);
	/* an interval of all is one only where each has its own */
	cpus[0].judgment.low = 0.1;
	cpus[0].judgment.high = 0.11;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_true(isnan(f.hertz_low) && isnan(f.hertz_high) && isnan(f.drop_low) && isnan(f.drop_high));
	/* few pairs say nothing of their base, unless there is no other */
	assert_int_equal(f.n_groups, 2);
	figures_free(&f);
	cpus[2].judgment.groups[0].n = 9;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_int_equal(f.n_groups, 1);
	assert_int_equal(f.groups[0].n, 200);
	figures_free(&f);
	for (unsigned i = 0; i < 3; i++)
		cpus[i].judgment.groups[0].n = 3 - i;
	assert_int_equal(figures_make(&result, host, &weather, &f), 0);
	assert_int_equal(f.n_groups, 1);
	assert_int_equal(f.groups[0].n, 5);
	figures_free(&f);
	host_free(host);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_packages_fill_up),
		cmocka_unit_test(test_what_may_be_driven),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_settled),
		cmocka_unit_test(test_one_cpu_agrees),
		cmocka_unit_test(test_likely_cause),
		cmocka_unit_test(test_time_is_noted),
		cmocka_unit_test(test_cpus_differ),
		cmocka_unit_test(test_findings_have_names),
		cmocka_unit_test(test_figures),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
