/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be known before the ruler may be read: the rate of the TSC, and how many cycles a link of
 * the chain takes on this core. */
#include "config.h"

#include "burst/gauge.h"

#include <cpuid.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/fingerprint.h"

#define BRACKETS 9u
#define APART_NS (5 * NS_PER_MS)
/* A pair of time stamps takes 2 × 90 cycles where they are not trapped, 2 × 1 us where they are. */
#define TRAPPED_NS 800
#define RATES_AGREE 0.0005

/* imul : add, as shares of the tabulated latency: how far off it may be, and how far where a busy SMT
 * sibling delays the adds (see gauge_analyze.c). */
#define IMUL_BELOW 0.995
#define IMUL_ABOVE 1.005
#define IMUL_CONTENDED 0.9
#define IMUL_LOOKS 5u	/* that must fit the same latency */
#define IMUL_TRIES 60u	/* 3 ms */
#define PRINT_LOOKS 5u
#define ATTEMPTS 4u /* one is enough, but for a noisy neighbor, who is given time to go */
#define PAUSE_NS (10 * NS_PER_MS)

/* The raw clock between two time stamps; of several such brackets the narrowest: whatever came
 * between only widens it. */
struct gauge_moment gauge_moment(void)
{
	struct gauge_moment best = { 0 };
	uint64_t narrowest = UINT64_MAX;

	for (unsigned i = 0; i < BRACKETS; i++) {
		uint64_t before = gauge_tsc(), raw_ns = clock_raw_ns(), after = gauge_tsc();

		if (after - before < narrowest) {
			narrowest = after - before;
			best = (struct gauge_moment){ before + (after - before) / 2, raw_ns };
		}
	}
	return best;
}

static double moment_rate(const struct gauge_moment *from, const struct gauge_moment *to)
{
	return (double)(int64_t)(to->tsc - from->tsc) / (double)(to->raw_ns - from->raw_ns) *
	       (double)NS_PER_S;
}

static uint64_t pair_cost_ns(void)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < BRACKETS; i++) {
		uint64_t start = clock_raw_ns(), cost;

		for (unsigned pair = 0; pair < 4; pair++) {
			(void)gauge_tsc();
			(void)gauge_tsc();
		}
		cost = (clock_raw_ns() - start) / 4;
		if (cost < least)
			least = cost;
	}
	return least;
}

/* CPUID 0x80000007 EDX bit 8 (AMD APM vol. 3 E.4.6, Intel SDM vol. 3 17.17.1). */
static bool says_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

/* CPUID 1 ECX bit 31: a hypervisor, which may mask the flag above. */
static bool is_guest(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & 1u << 31);
}

static int refuse(struct problem *ret, const char *text)
{
	return problem_set(ret, ENOTSUP, "", "%s", text);
}

int gauge_tsc_judge(const struct gauge_tsc_facts *facts, struct problem *ret_problem)
{
	if (!facts->invariant && !facts->guest)
		return refuse(ret_problem, _("the time-stamp counter of this CPU changes its rate"));
	if (facts->pair_cost_ns > TRAPPED_NS)
		return refuse(ret_problem, _("not calibrated: reading the time-stamp counter is "
					     "intercepted here and takes microseconds"));
	if (!(facts->hertz >= 100e6 && facts->hertz <= 10e9))
		return refuse(ret_problem, _("not calibrated: the time-stamp counter's rate is absurd"));
	if (!(fabs(facts->early_hertz / facts->late_hertz - 1) <= RATES_AGREE))
		return refuse(ret_problem, _("not calibrated: the time-stamp counter is not steady"));
	return 0;
}

int gauge_tsc_calibrate(double *ret_hertz, struct problem *ret_problem)
{
	const struct timespec half = { .tv_nsec = APART_NS / 2 };
	struct gauge_moment start, middle, end;
	struct gauge_tsc_facts facts = {
		.invariant = says_invariant(),
		.guest = is_guest(),
		.pair_cost_ns = pair_cost_ns(),
	};
	int r;

	start = gauge_moment();
	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &half, NULL);
	middle = gauge_moment();
	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &half, NULL);
	while (clock_raw_ns() < start.raw_ns + APART_NS)
		; /* a signal cut the sleep short */
	end = gauge_moment();

	facts.hertz = moment_rate(&start, &end);
	facts.early_hertz = moment_rate(&start, &middle);
	facts.late_hertz = moment_rate(&middle, &end);
	r = gauge_tsc_judge(&facts, ret_problem);
	if (r == 0)
		*ret_hertz = facts.hertz;
	return r;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
	qsort(values, n, sizeof(*values), compare);
	return n > 0 ? values[n / 2] : NAN;
}

/* The whole number of cycles that some core of the table has and that the measured one is from `low`
 * to IMUL_ABOVE times; 0 none. */
static double known_imul(const struct core_table *table, double measured, double low)
{
	for (unsigned i = 0; i < core_table_count(table); i++) {
		double cycles = core_table_get(table, i)->imul;

		if (measured >= low * cycles && measured <= IMUL_ABOVE * cycles)
			return cycles;
	}
	return 0;
}

/* Cycles of imul in links of the 1-cycle chain, once IMUL_LOOKS looks fit the same core of the table;
 * 0 when they do not. Looks that fit nothing are no vote against it: a busy SMT sibling delays the
 * adds, for milliseconds on end, and then the ratio is anywhere below the true one.
 * *ret_median: of all undisturbed looks, NAN without any. */
static double imul_latency(const struct core_table *table, double *ret_median)
{
	double found[IMUL_TRIES], agreed = 0;
	unsigned n = 0, fitting = 0;

	for (unsigned tries = 0; tries < IMUL_TRIES && fitting < IMUL_LOOKS; tries++) {
		struct gauge_look look;
		double cycles;

		gauge_chain(chain_imul, 3, chain_add, 1, &look);
		if (look.flags & ~(unsigned)GAUGE_WITNESS)
			continue;
		found[n++] = look.witness;
		cycles = known_imul(table, look.witness, IMUL_BELOW);
		if (cycles == 0)
			continue;
		fitting = cycles == agreed ? fitting + 1 : 1;
		agreed = cycles;
	}
	*ret_median = median(found, n);
	return fitting == IMUL_LOOKS ? agreed : 0;
}

/* Latency of a chain by the ruler's: median of a few looks. Disturbed ones count: they are off by a
 * percent or two, and cores differ by a quarter. */
static double latency(chain_fn *chain, double guess, double imul_cycles)
{
	double found[PRINT_LOOKS];
	unsigned n = 0;

	for (unsigned i = 0; i < PRINT_LOOKS; i++) {
		struct gauge_look look;

		gauge_chain(chain, guess, chain_imul, imul_cycles, &look);
		if (isfinite(look.witness))
			found[n++] = look.witness;
	}
	return median(found, n);
}

static void take_fingerprint(double imul_cycles, struct core_fingerprint *ret)
{
	ret->addsd = latency(chain_addsd, 3, imul_cycles);
	ret->mulsd = latency(chain_mulsd, 3, imul_cycles);
	ret->fma = chain_has_fma() ? latency(chain_fma, 4, imul_cycles) : NAN;
	ret->load = latency(chain_load, 4, imul_cycles);
	ret->popcnt = chain_has_popcnt() ? latency(chain_popcnt, 2, imul_cycles) : NAN;
	ret->bswap = latency(chain_bswap, 1, imul_cycles);
}

/* One attempt; *ret_by_add: imul : add as seen, NAN when every probe was disturbed. */
static bool recognize(const struct core_table *table, const char *uarch, struct gauge_core *ret,
		      double *ret_by_add)
{
	struct gauge_core core = { 0 };
	bool clean;

	core.imul_cycles = imul_latency(table, ret_by_add);
	clean = core.imul_cycles > 0;
	if (!clean)
		core.imul_cycles = known_imul(table, *ret_by_add, IMUL_CONTENDED);
	if (core.imul_cycles == 0)
		return false;
	core.fingerprint.imul = clean ? *ret_by_add : NAN;
	take_fingerprint(core.imul_cycles, &core.fingerprint);
	core.row = core_recognize(table, &core.fingerprint, uarch, &core.ambiguous);
	/* Without a clean ratio to add, the other chains must know the core. */
	if (!clean && (!core.row || core.row->imul != core.imul_cycles))
		return false;
	*ret = core;
	return true;
}

int gauge_core_calibrate(const struct core_table *table, const char *uarch, struct gauge_core *ret,
			 struct problem *ret_problem)
{
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	double by_add = NAN;

	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		if (attempt > 0)
			(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		if (recognize(table, uarch, ret, &by_add))
			return 0;
	}
	if (isnan(by_add))
		return refuse(ret_problem, _("not calibrated: every probe of this CPU was disturbed"));
	return problem_set(ret_problem, ENOTSUP, "",
			   _("not calibrated: imul takes %.3f times as long as add, as on no known "
			     "core"),
			   by_add);
}
