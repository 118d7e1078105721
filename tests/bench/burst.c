/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ten bursts of each kernel on one CPU: how near to the core's peak they come, whether the verdicts
 * agree, whether the clock during them agrees wherever the base clock was the same. Lines for
 * run.sh: name, figure, unit, must, note. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "burst/board.h"
#include "burst/burst.h"
#include "burst/gauge.h"
#include "model/host.h"
#include "source/identify.h"

#define RUNS 10
#define BURST_NS (2 * NS_PER_S)
#define GROUP_PAIRS_LEAST 25 /* groups with fewer pairs are as noisy as the bound */

struct machine {
	struct host *host;
	struct board *board;
	struct list *cpus;
};

static struct burst_result *fire(const struct machine *machine, enum kernel kernel,
				 struct problem *ret_problem)
{
	const struct burst_plan plan = { .kernel = kernel, .cpus = machine->cpus,
					 .duration_ns = BURST_NS, .pattern = PATTERN_DEFAULT,
					 .watch_others = true };
	const struct timespec pause = { .tv_nsec = 10000000 };
	struct burst_result *result = NULL;
	struct burst *burst;

	if (burst_start(&plan, machine->host, machine->board, &burst, ret_problem) < 0)
		return NULL;
	while (burst_running(burst))
		(void)nanosleep(&pause, NULL);
	burst_join(burst);
	(void)burst_result(burst, &result);
	burst_free(burst); /* core_name is gone now */
	return result;
}

/* Largest disagreement of two runs about the clock during the burst, at the same base clock. */
static double disagreement(struct burst_result *const *results, unsigned *ret_compared)
{
	double most = 0;

	*ret_compared = 0;
	for (unsigned a = 0; a < RUNS; a++) {
		for (unsigned b = a + 1; b < RUNS; b++) {
			const struct judgment *const x = &results[a]->cpus[0].judgment;
			const struct judgment *const y = &results[b]->cpus[0].judgment;

			for (unsigned i = 0; i < x->n_groups; i++) {
				for (unsigned k = 0; k < y->n_groups; k++) {
					const struct base_group *g = &x->groups[i], *h = &y->groups[k];

					if (g->n < GROUP_PAIRS_LEAST || h->n < GROUP_PAIRS_LEAST ||
					    fabs(g->base_hertz / h->base_hertz - 1) > 0.0005)
						continue;
					++*ret_compared;
					most = fmax(most, fabs(g->during_hertz / h->during_hertz - 1));
				}
			}
		}
	}
	return most;
}

static void line(const char *kernel, const char *what, const char *figure, const char *unit,
		 const char *must, const char *note)
{
	printf("%s: %s\t%s\t%s\t%s\t%s\n", kernel, what, figure, unit, must, note);
	(void)fflush(stdout);
}

static const char *least_peak(enum kernel kernel)
{
	switch (kernel) {
	case KERNEL_SSE_FMA:
	case KERNEL_AVX2_INT:
	case KERNEL_AVX2_FMA:
	case KERNEL_AVX512_INT:
	case KERNEL_AVX512_FMA:
	case KERNEL_AVX512_VNNI:
		return ">= 95";
	case KERNEL_AMX_BF16:
	case KERNEL_AMX_INT8:
		return ">= 94";
	default:
		return "-";
	}
}

static void report(enum kernel kernel, struct burst_result *const *results)
{
	const char *const name = kernel_row(kernel)->name;
	double peaks[RUNS], drops[RUNS], most;
	unsigned n_peaks = 0, n_drops = 0, seen = 0, verified = 0, pairs = 0, compared;
	char figure[32], note[384];

	for (unsigned i = 0; i < RUNS; i++) {
		const struct burst_cpu *const cpu = &results[i]->cpus[0];

		if (!isnan(cpu->peak_ratio))
			peaks[n_peaks++] = cpu->peak_ratio;
		if (!isnan(cpu->judgment.drop_ratio))
			drops[n_drops++] = cpu->judgment.drop_ratio;
		seen += cpu->judgment.seen;
		verified += cpu->verified;
		pairs += cpu->judgment.pairs;
	}
	(void)snprintf(figure, sizeof(figure), n_peaks ? "%.1f" : "-",
		       judge_median(peaks, n_peaks) * 100);
	line(name, "share of the core's peak", figure, "%", least_peak(kernel),
	     n_peaks ? "median of ten" : "the core is not recognized");
	(void)snprintf(figure, sizeof(figure), "%u", verified);
	line(name, "runs without a wrong chunk", figure, "of 10", ">= 10", "avxtop burst: verified");
	(void)snprintf(figure, sizeof(figure), "%u", seen > RUNS - seen ? seen : RUNS - seen);
	(void)snprintf(note, sizeof(note), "%u pairs; median drop %.2f %%; %s", pairs,
		       judge_median(drops, n_drops) * 100, results[RUNS - 1]->verdict);
	line(name, "runs that agree in the verdict", figure, "of 10", ">= 10", note);
	most = disagreement(results, &compared);
	(void)snprintf(figure, sizeof(figure), compared ? "%.2f" : "-", most * 100);
	(void)snprintf(note, sizeof(note), "largest of %u comparisons of groups with 25 pairs or more",
		       compared);
	line(name, "clock during, at the same base", figure, "%", "<= 0.3", note);
}

static void bench(const struct machine *machine, enum kernel kernel)
{
	struct burst_result *results[RUNS] = { NULL };
	struct problem problem = { 0 };
	unsigned done = 0;

	for (; done < RUNS; done++) {
		results[done] = fire(machine, kernel, &problem);
		if (!results[done])
			break;
	}
	if (done == RUNS)
		report(kernel, results);
	else
		line(kernel_row(kernel)->name, "share of the core's peak", "-", "%",
		     least_peak(kernel), problem.text);
	for (unsigned i = 0; i < done; i++)
		burst_result_free(results[i]);
}

int main(void)
{
	struct machine machine = { 0 };
	struct problem problem = { 0 };
	struct hostfs *fs;

	if (hostfs_open("/", &fs) < 0 || identify(fs, true, NULL, NULL, &machine.host, &problem) < 0 ||
	    gauge_tsc_calibrate(&machine.host->tsc_hertz, &problem) < 0) {
		fprintf(stderr, "burst: %s\n", problem.text);
		return 1;
	}
	machine.board = board_new(machine.host->n_cpus);
	machine.cpus = burst_default_cpus(machine.host);
	if (!machine.board || !machine.cpus)
		return 1;
	for (unsigned kernel = 0; kernel < KERNEL_N; kernel++)
		bench(&machine, (enum kernel)kernel);
	list_free(machine.cpus);
	board_free(machine.board);
	host_free(machine.host);
	hostfs_close(fs);
	return 0;
}
