/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of formulas share; only derive*.c include it. All pure. */
#ifndef AVXTOP_MODEL_DERIVE_OWN_H
#define AVXTOP_MODEL_DERIVE_OWN_H

#include "model/interval.h"
#include "model/snapshot.h"

/* index: of the thing at at->scope; label: of a labelled metric, else 0. */
typedef struct value formula_fn(const struct interval *at, unsigned index, unsigned label);

#define METRIC(id, formula, ...) formula_fn formula;
#include "model/metric_rows.h"
#undef METRIC

/* A reading that is the value, in units of `unit`. */
struct value derive_as_read(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label, double unit);
/* From one reading of the thing's own to the next, where a counter says how late in the sample each
 * was. */
double derive_own_elapsed_s(const struct interval *at, enum counter age, unsigned index,
			    unsigned label, uint8_t source);

/* By how much the counters of the clock of one CPU rose, as far as they can be believed. */
struct ticks {
	struct part tsc, mperf, aperf;
};
struct ticks derive_ticks(const struct interval *at, unsigned cpu);
/* Of MPERF and the residencies to the time-stamp counter: 1 but where the model has two clocks. */
double derive_tweak(const struct interval *at, unsigned cpu);
/* At which MPERF counts; 0 unknown. */
double derive_base_hertz(const struct interval *at, unsigned cpu);
/* Of the time-stamp counter; 0 unknown. */
double derive_tsc_rate(const struct interval *at, unsigned cpu);
/* Between the two readings of a counter of this CPU by this source: by the time-stamp counter that it
 * read beside, else by the clock of the reader; 0 unknown. */
double derive_seconds(const struct interval *at, unsigned cpu, uint8_t source);
/* By how much a counter of this CPU rose, a second. */
struct value derive_per_second(const struct interval *at, const struct part *part, unsigned cpu);
/* Seconds likewise of a counter of a package, of which `age` says how late in the sample it was
 * read (COUNTER_N: nothing does). */
double derive_package_seconds(const struct interval *at, enum counter age, unsigned package, uint8_t source);
/* Ticks at the rate of residencies between two readings by this source: of the first CPU of the core or
 * package whose time-stamp counter it read as well, else by the clock of the reader; 0 unknown. */
double derive_core_ticks(const struct interval *at, unsigned core, uint8_t source);
double derive_package_ticks(const struct interval *at, unsigned package, uint8_t source);
/* Unhalted cycles of one CPU: APERF, else the PMU's. */
struct part derive_cycles(const struct interval *at, unsigned cpu);
/* Those of all CPUs of a core that were read. */
struct part derive_core_cycles(const struct interval *at, unsigned core);
/* The clock by APERF and MPERF; without them its state says why. */
struct value derive_clock(const struct part *aperf, const struct part *mperf, const struct part *tsc,
			  const struct interval *at, unsigned cpu);
/* The clock of a core, of all its CPUs that were read. */
struct value derive_core_clock(const struct interval *at, unsigned core);
/* Sum of rises over the CPUs of a core that were read; the state of the one that tells most. */
struct part derive_core_rise(const struct interval *at, enum counter counter, unsigned core);

/* Share of the time that a core spent in a residency counter of its own. */
struct value derive_core_residency(const struct interval *at, enum counter counter, unsigned core);

/* Shares of the unhalted cycles of a core at each license. */
struct licenses {
	double share[3], unknown;
	double counted; /* cycles that the shares are of: the license events', or all unhalted ones */
	enum state state, unknown_state; /* of share[]; of unknown */
	uint8_t source;
};
struct licenses derive_licenses(const struct interval *at, unsigned core);

#endif
