/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which model-specific registers hold which counters on a kind of core: vendor and model decide.
 * Pure. */
#ifndef AVXTOP_SOURCE_MSR_LAYOUT_H
#define AVXTOP_SOURCE_MSR_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "model/counter.h"
#include "model/scope.h"

struct host;

/* How a counter is made of its register. */
enum msr_how {
	MSR_PLAIN,	/* as it is */
	MSR_TIMES_1024, /* counts once in 1024 */
	MSR_CONSTANT,	/* as it is, read once */
	MSR_LOW_7,	/* bits 6:0; 0: not reported */
	MSR_VOLTAGE,	/* bits 47:32; 0: not reported */
	MSR_BIT_25,	/* 1 or 0 */
	MSR_BIT_38,
	MSR_REASONS,	 /* as it is; while it has only read 0, some parts say nothing by that */
	MSR_TEMPERATURE, /* degrees below TjMax */
	MSR_TEMPERATURE_LIMIT, /* TjMax and its offset */
	MSR_ENERGY,	       /* 32 bits of the unit of energy */
	MSR_DRAM_ENERGY,       /* its unit may be another one */
	MSR_CORE_ENERGY,       /* of one core; the counter is of all cores of the package */
	MSR_THROTTLE_TIME,     /* 32 bits of the unit of time */
	MSR_LIMIT_LONG,
	MSR_LIMIT_SHORT, /* power limits */
};

struct msr_item {
	enum counter counter;
	uint32_t address;
	enum msr_how how;
	enum scope by;	 /* read by each CPU, or by one of each core or package */
	unsigned number; /* of a residency: the n of Cn; of a constant: which */
};

#define MSR_CONSTANTS 4
#define MSR_ITEMS 48 /* of one kind of core: as many as msr_layout.c can add, at most */

/* By SCOPE_CPU first, then SCOPE_CORE, then SCOPE_PACKAGE; items of one register side by side. */
struct msr_layout {
	struct msr_item items[MSR_ITEMS];
	unsigned n;
};

bool msr_is_intel(const struct host *host);
bool msr_is_amd(const struct host *host); /* or Hygon, which is the same */

/* kind: index into host->kinds. has_aperf: CPUID promises APERF and MPERF. */
void msr_layout(const struct host *host, unsigned kind, bool has_aperf, struct msr_layout *ret);

/* Is this counter in the registers of some CPU? */
bool msr_serves(enum counter counter);

#endif
