/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of the C-states that the hardware itself counted. */
#include "config.h"

#include "model/derive_own.h"

#include <math.h>

#include "model/host.h"

struct value derive_core_c1_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return derive_core_residency(at, COUNTER_CORE_C1, index);
}

struct value derive_core_c3_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return derive_core_residency(at, COUNTER_CORE_C3, index);
}

struct value derive_core_c6_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return derive_core_residency(at, COUNTER_CORE_C6, index);
}

struct value derive_core_c7_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return derive_core_residency(at, COUNTER_CORE_C7, index);
}

static struct value package_residency(const struct interval *at, enum counter counter, unsigned package)
{
	const struct part part = interval_rise(at, counter, package, 0);
	struct value ret;

	if (interval_usable(&part, 1, &ret))
		interval_share(&ret, part.v, derive_package_ticks(at, package, part.source));
	return ret;
}

#define PACKAGE_STATE(n)                                                                             \
	struct value derive_package_c##n##_ratio(const struct interval *at, unsigned index,          \
						 unsigned label)                                     \
	{                                                                                            \
		(void)label;                                                                         \
		return package_residency(at, COUNTER_PACKAGE_C##n, index);                           \
	}
PACKAGE_STATE(2)
PACKAGE_STATE(3)
PACKAGE_STATE(6)
PACKAGE_STATE(7)
PACKAGE_STATE(8)
PACKAGE_STATE(9)
PACKAGE_STATE(10)

/* Time that is neither C0 nor spent in a deeper state of the core; the counters are not read in the same
 * instant, which may make it negative. A thread that waits for its busy sibling is in C1, too. */
struct value derive_thread_c1_ratio(const struct interval *at, unsigned index, unsigned label)
{
	static const enum counter deeper[] = { COUNTER_CORE_C3, COUNTER_CORE_C6, COUNTER_CORE_C7 };
	const struct host_cpu *cpu = &at->host->cpus[index];
	const struct ticks ticks = derive_ticks(at, index);
	struct part parts[2 + 3] = { ticks.mperf, ticks.tsc };
	unsigned n = 2;
	struct value ret;
	double rest;

	(void)label;
	for (unsigned i = 0; i < 3; i++) {
		parts[n] = interval_rise(at, deeper[i], cpu->core, 0);
		/* Most cores have no C3 or no C7. */
		if (deeper[i] == COUNTER_CORE_C6 || parts[n].state != STATE_UNSUPPORTED)
			n++;
	}
	if (!interval_usable(parts, n, &ret))
		return ret;
	rest = ticks.tsc.v * derive_tweak(at, index);
	for (unsigned i = 0; i < n; i++)
		rest -= i == 1 ? 0 : parts[i].v;
	interval_share(&ret, fmax(rest, 0), ticks.tsc.v * derive_tweak(at, index));
	return ret;
}
