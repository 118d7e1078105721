/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which source serves which counter, and so where each metric comes from or why it is absent: pure,
 * so that the choice can be explained and tested. */
#ifndef AVXTOP_ENGINE_CHOOSE_H
#define AVXTOP_ENGINE_CHOOSE_H

#include <stdbool.h>

#include "format/sink.h"
#include "source/source.h"

struct host;

/* What is to be measured. */
struct wish {
	bool needed[METRIC_N];
	bool asked[METRIC_N]; /* named, or a column: worth a hardware counter or a probe of its own */
	bool ruler;	      /* --source names it: it runs beside counters, too */
};

struct choice {
	enum source_id server[COUNTER_N]; /* SOURCE_NONE: nobody */
	bool wanted[COUNTER_N];	  /* a metric that is needed reads it */
	bool open[SOURCE_N];		  /* serves a counter that a needed metric cannot do without */
	struct origin origins[METRIC_N];  /* borrows from the offers and the metric table */
};

/* The first source in the order of the list that offers a counter serves it; the ruler gives way to
 * counters of the clock. offers: [SOURCE_N], of sources that may not be used with all of `here` moved to
 * `refused`. */
void choose(const struct offer *offers, const struct wish *wish, struct choice *ret);

/* What one source is to read, and what was asked for of all; [COUNTER_N], as struct source_env has them. */
void choose_duties(const struct choice *choice, enum source_id source, bool *ret);
void choose_asked(const struct wish *wish, bool *ret);

/* Gives metrics that no source can serve on this CPU that as their reason. */
void choose_explain(const struct host *host, struct choice *ret);

/* Takes back what a source offered, since it could not be opened or may not be used. */
void choose_refuse(struct offer *offer, const struct problem *why);

#endif
