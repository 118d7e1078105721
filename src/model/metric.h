/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of metrics: what screen, CSV, JSON, help and manual know about each number. */
#ifndef AVXTOP_MODEL_METRIC_H
#define AVXTOP_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "model/counter.h"
#include "model/scope.h"

enum metric {
#define METRIC(id, formula, ...) METRIC_##id,
#include "model/metric_rows.h"
#undef METRIC
	METRIC_N
};

enum unit { UNIT_HERTZ, UNIT_RATIO, UNIT_RATE, UNIT_CELSIUS, UNIT_VOLTS, UNIT_WATTS, UNIT_COUNT, UNIT_NUMBER, UNIT_TEXT, UNIT_N };
const char *unit_name(enum unit unit); /* "hertz", "ratio", … as in JSON */

/* How rows of a smaller scope become one of a larger. */
enum aggregate {
	AGGREGATE_NONE,	   /* the larger scope has no such value */
	AGGREGATE_UNHALTED, /* mean weighted by unhalted time (os busy time where no counter tells) */
	AGGREGATE_CYCLES,  /* mean weighted by unhalted cycles */
	AGGREGATE_MEAN,	   /* plain mean over the CPUs that have a value */
	AGGREGATE_SUM,
	AGGREGATE_MAX,
	AGGREGATE_MIN,
	AGGREGATE_UNION,   /* of sets of words */
};

/* Metrics that the dashboard shows as one: parts of a whole, or what a loss is made of. */
enum joint {
	JOINT_NONE,
	JOINT_LICENSE, /* one bar: the cycles of a core by their license */
	JOINT_LOST,    /* one column: what its clock is lost to */
	JOINT_PACKAGE_STATES,
};

/* Scopes a metric is given at, as bits 1 << SCOPE_x; .scope is where it is measured. */
struct metric_row {
	const char *name;  /* key of CSV, JSON, OpenMetrics */
	const char *title; /* column heading, untranslated, at most `width` cells */
	const char *help;  /* one sentence, untranslated */
	const char *needs; /* why it is absent where no source serves it, untranslated */
	enum unit unit;
	enum scope scope;
	unsigned scopes; /* 0: only .scope */
	enum aggregate aggregate;
	enum label label;
	const enum counter *inputs; /* what the formula reads, ended by COUNTER_N; NULL none */
	/* What it reads for a package, which is measured by itself then; where no package has that, its
	 * value is made of the smaller scope. NULL: it always is. */
	const enum counter *package_inputs;
	/* What it reads where nobody serves all of .inputs. NULL: nothing. */
	const enum counter *instead;
	/* What it reads as well, where that is there: no reason to open a source. NULL: nothing. */
	const enum counter *beside;
	/* Of UNIT_TEXT: the words, ended by NULL. A value is the number of one, or the bits of several. */
	const char *const *words;
	bool set; /* bits */
	int width;	/* of a table column */
	const char *column; /* heading of its column in the dashboard, untranslated, at most METRIC_COLUMN
			     * cells; NULL: has none */
	enum joint joint;   /* of which it is a part in the dashboard, in the order of the rows */
	const char *part;   /* its name there, untranslated, at most METRIC_PART cells */
	bool vector;	/* about vector code: its column stands only where such were asked for */
	bool taken;	/* time that a hypervisor takes: its column stands in virtual machines only */
	bool license_event; /* made of the license events, which only some CPUs have */
	bool sensible;	/* shown by `log` in table format without --metrics */
	bool sensible_here; /* likewise, but only where it is measured */
	bool event;	/* a count of this interval: a counter in OpenMetrics */
};

/* Cells of a column in the dashboard. */
#define METRIC_COLUMN 5
#define METRIC_PART 3

const struct metric_row *metric_row(enum metric metric);
/* -1 unknown. */
int metric_by_name(const char *name);
const char *metric_name_at(unsigned index); /* NULL at the end: for text_near() */
unsigned metric_items(const struct host *host, enum metric metric, enum scope scope); /* × labels; 0 not given at that scope */
/* Part number `index` of it, in the order of the rows; METRIC_N at the end. */
enum metric metric_of_joint(enum joint joint, unsigned index);
bool metric_has_scope(enum metric metric, enum scope scope);
/* Which word of a UNIT_TEXT metric it is, counted from 0: the next one from `from` on that belongs to the
 * value; NULL no more. ret_next: where to go on. */
const char *metric_word(enum metric metric, double value, unsigned from, unsigned *ret_next);
/* As people read it, in MHz, percent, volts, …, without its unit; returns buf. */
const char *metric_format(enum metric metric, double value, char *buf, size_t size);

#endif
