/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ruler must reach: rows of name, figure, unit, must and note (see run.sh).
 *
 * The clock itself moves by a percent within milliseconds, so probes are compared with their
 * neighbors only: three in a row, A B A, of which the two A agree and no scheduler came between. */
#include "config.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "burst/chain.h"
#include "burst/core.h"
#include "burst/fingerprint.h"
#include "burst/gauge.h"

#include "figures.h"

#define AGREE 0.002	      /* of the two A */
#define WITHIN 0.003	      /* B of their mean */
#define TOGETHER_NS NS_PER_MS /* three probes with a switch between them are not neighbors */
#define ROUNDS 8u
#define ROUND 500u
#define MOST (ROUNDS * ROUND)

/* What is measured on one CPU. */
struct bench {
	double tsc_hertz;
	struct gauge_core core;
	unsigned cpu;
};

/* A way to look at the clock: hertz, or NAN when it rejects what it saw. */
typedef double look_fn(const struct bench *bench);

static double by_imul(const struct bench *bench)
{
	struct gauge_look look;

	gauge_probe(bench->core.imul_cycles, &look);
	return gauge_hertz(&look, bench->tsc_hertz);
}

static double by_fma(const struct bench *bench)
{
	struct gauge_look look;

	gauge_chain(chain_fma, bench->core.row->fma, chain_imul, bench->core.imul_cycles, &look);
	return gauge_hertz(&look, bench->tsc_hertz);
}

/* Twelve segments, as between the chunks of a burst, added up. */
static double by_segments(const struct bench *bench)
{
	struct gauge_look look, sum = { 0 };

	for (unsigned i = 0; i < 12; i++) {
		gauge_segment(bench->core.imul_cycles, 2, &look);
		if (look.flags == 0) {
			sum.cycles += look.cycles;
			sum.ticks += look.ticks;
		}
	}
	return gauge_hertz(&sum, bench->tsc_hertz);
}

/* A loop of imul timed in one piece: what a probe would say that averages everything in. */
static double by_stretch(const struct bench *bench)
{
	const unsigned passes = 1600;
	uint64_t begin = gauge_tsc();

	chain_imul(passes);
	return passes * CHAIN_LINKS * bench->core.imul_cycles / (double)(gauge_tsc() - begin) *
	       bench->tsc_hertz;
}

struct triples {
	unsigned taken, rejected, apart; /* B looks; without a value; A's missing or not agreeing */
	unsigned n, within;
	double off[MOST];      /* signed, B against the mean of A */
	double share[ROUNDS];  /* percent within, of each round */
	unsigned rounds;
};

/* In rounds, of which the median counts: what shares the core comes and goes within seconds.
 * disturb() surrounds B. */
static void take_triples(const struct bench *bench, look_fn *a, look_fn *b,
			 void (*disturb)(bool on), struct triples *ret)
{
	unsigned n = 0, within = 0;

	memset(ret, 0, sizeof(*ret));
	for (unsigned i = 0; i < MOST; i++) {
		uint64_t begin = clock_mono_ns();
		double first, middle, last, mean;

		if (i % ROUND == 0 || i + 1 == MOST) {
			if (ret->n - n >= 50)
				ret->share[ret->rounds++] =
					100.0 * (ret->within - within) / (ret->n - n);
			n = ret->n;
			within = ret->within;
		}
		first = a(bench);
		if (disturb)
			disturb(true);
		middle = b(bench);
		if (disturb)
			disturb(false);
		last = a(bench);
		mean = (first + last) / 2;
		ret->taken++;
		ret->rejected += isnan(middle) ? 1 : 0;
		if (!(fabs(first / last - 1) <= AGREE) || clock_mono_ns() - begin > TOGETHER_NS) {
			ret->apart++;
			continue;
		}
		if (isnan(middle))
			continue;
		ret->off[ret->n++] = middle / mean - 1;
		if (fabs(middle / mean - 1) <= WITHIN)
			ret->within++;
	}
}

static double percent_within(struct triples *triples)
{
	return quantile(triples->share, triples->rounds, 0.5);
}

/* How far B is off the mean of A, as a quantile. */
static double off_percent(struct triples *triples, double q)
{
	return 100 * quantile(triples->off, triples->n, q);
}

static void bench_triples(const struct bench *bench)
{
	static struct triples triples;

	take_triples(bench, by_imul, by_imul, NULL, &triples);
	figure("ruler_triples", percent_within(&triples), "%", ">= 99",
	       "cpu %u: B within 0.3 %% of both A: median of rounds, the worst %.1f; %u "
	       "triples A-B-A", bench->cpu, quantile(triples.share, triples.rounds, 0), triples.n);
	figure("ruler_noise", off_percent(&triples, 0.5), "%", "-",
	       "cpu %u: median of B against A; 5 to 95 %%: %.3f to %.3f", bench->cpu,
	       off_percent(&triples, 0.05), off_percent(&triples, 0.95));
	figure("ruler_kept", 100.0 * (triples.taken - triples.rejected) / triples.taken, "%", "-",
	       "cpu %u: probes that were not rejected as disturbed", bench->cpu);
}

static void bench_other_unit(const struct bench *bench)
{
	static struct triples triples;

	if (!chain_has_fma() || !bench->core.row || isnan(bench->core.row->fma)) {
		figure("ruler_against_fma", NAN, "%", "<= 0.3",
		       "no FMA here, or its latency is not known");
		return;
	}
	take_triples(bench, by_imul, by_fma, NULL, &triples);
	figure("ruler_against_fma", fabs(off_percent(&triples, 0.5)), "%", "<= 0.3",
	       "cpu %u: median of FMA of %g cycles (%s) against imul, in turn, %u triples; "
	       "%.1f %% within",
	       bench->cpu, bench->core.row->fma, bench->core.row->name, triples.n,
	       percent_within(&triples));
}

static void bench_segments(const struct bench *bench)
{
	static struct triples triples;
	static double took_us[MOST];

	for (unsigned i = 0; i < MOST; i++) {
		struct gauge_look look;
		uint64_t begin = clock_mono_ns();

		gauge_segment(bench->core.imul_cycles, 2, &look);
		took_us[i] = (double)(clock_mono_ns() - begin) / NS_PER_US;
	}
	figure("ruler_segment", quantile(took_us, MOST, 0.5), "us", "<= 6",
	       "cpu %u: median of a segment", bench->cpu);
	take_triples(bench, by_imul, by_segments, NULL, &triples);
	figure("ruler_segments_against_probe", fabs(off_percent(&triples, 0.5)), "%", "<= 0.1",
	       "cpu %u: 12 segments added up; 5 to 95 %%: %.3f to %.3f", bench->cpu,
	       off_percent(&triples, 0.05), off_percent(&triples, 0.95));
}

/* Interrupts of this thread, each of which takes the core for some 2 us or more. */
static timer_t timer;

static void on_signal(int number)
{
	uint64_t until = clock_mono_ns() + 1 * NS_PER_US;

	(void)number;
	while (clock_mono_ns() < until)
		;
}

static void disturb(bool on)
{
	const struct itimerspec every = { .it_value.tv_nsec = 9 * (long)NS_PER_US,
					  .it_interval.tv_nsec = 37 * (long)NS_PER_US };
	const struct itimerspec never = { 0 };

	(void)timer_settime(timer, 0, on ? &every : &never, NULL);
}

static void bench_disturbed(const struct bench *bench)
{
	static struct triples probes, stretches;
	struct sigaction action = { .sa_handler = on_signal };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };

	(void)sigaction(SIGRTMIN, &action, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) < 0) {
		figure("ruler_disturbed", NAN, "%", ">= 99", "no timer");
		return;
	}
	take_triples(bench, by_imul, by_imul, disturb, &probes);
	take_triples(bench, by_imul, by_stretch, disturb, &stretches);
	(void)timer_delete(timer);
	figure("ruler_disturbed", percent_within(&probes), "%", ">= 99",
	       "cpu %u: B interrupted for 2 us every 37 us, within 0.3 %% where accepted; %u "
	       "triples, %.1f %% of B rejected",
	       bench->cpu, probes.n, 100.0 * probes.rejected / probes.taken);
	figure("ruler_disturbed_plain", off_percent(&stretches, 0.5), "%", "-",
	       "cpu %u: what one stretch of 33 us says under the same interrupts", bench->cpu);
}

#define CALIBRATIONS 9u

static bool calibrate(struct bench *bench, const struct core_table *table)
{
	struct problem problem = { 0 };
	double tsc_ms[CALIBRATIONS], core_ms[CALIBRATIONS], hertz[CALIBRATIONS], range, tsc, core;

	for (unsigned i = 0; i < CALIBRATIONS; i++) {
		uint64_t begin = clock_mono_ns(), middle;
		int r = gauge_tsc_calibrate(&hertz[i], &problem);

		middle = clock_mono_ns();
		if (r == 0)
			r = gauge_core_calibrate(table, "", &bench->core, &problem);
		if (r < 0) {
			figure("ruler", NAN, "-", "-", "cpu %u: %s", bench->cpu, problem.text);
			return false;
		}
		tsc_ms[i] = (double)(middle - begin) / NS_PER_MS;
		core_ms[i] = (double)(clock_mono_ns() - middle) / NS_PER_MS;
	}
	bench->tsc_hertz = hertz[0];
	tsc = quantile(tsc_ms, CALIBRATIONS, 0.5);
	core = quantile(core_ms, CALIBRATIONS, 0.5);
	figure("ruler_calibration", tsc + core, "ms", "<= 15",
	       "cpu %u: TSC %.1f, core %.1f: %s", bench->cpu, tsc, core,
	       bench->core.row ? bench->core.row->name : "known by imul : add only");
	range = quantile(hertz, CALIBRATIONS, 1) / quantile(hertz, CALIBRATIONS, 0) - 1;
	figure("ruler_tsc", 1e6 * range, "ppm", "<= 100",
	       "range of %u calibrations of %.2f MHz; no accuracy, see gauge.h",
	       CALIBRATIONS, bench->tsc_hertz / 1e6);
	return true;
}

int main(void)
{
	struct bench bench;
	struct core_table *table;
	cpu_set_t all, one;
	unsigned n = 0;

	if (core_table_load(&table, NULL) < 0 || sched_getaffinity(0, sizeof(all), &all) < 0)
		return 1;
	/* Two are enough: they may differ in what shares the core. */
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) < 0)
			continue;
		n++;
		bench.cpu = cpu;
		if (!calibrate(&bench, table))
			continue;
		bench_triples(&bench);
		bench_other_unit(&bench);
		bench_segments(&bench);
		bench_disturbed(&bench);
	}
	core_table_free(table);
	return 0;
}
