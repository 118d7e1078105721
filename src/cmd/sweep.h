/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of `avxtop sweep` share: the points that were measured, and how they are written. */
#ifndef AVXTOP_CMD_SWEEP_H
#define AVXTOP_CMD_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "burst/figures.h"
#include "burst/sweep.h"
#include "model/metric.h"

struct host;
struct load;
struct options;
struct progress;

/* One point. */
struct sweep_entry {
	const struct sweep_point *point;
	bool measured;	     /* else there are no figures, and `why` says why */
	struct figures figures;
	double metrics[METRIC_N]; /* of its CPUs, cores and packages meanwhile; NAN unknown */
	bool unsettled;	     /* the clock or the temperature was not yet as before */
	char why[256];	     /* why there is no clock; "": there is one */
};

#define SWEEP_NOTES 8

struct sweep_report {
	const struct options *options;
	const struct host *host;
	const struct sweep *sweep;
	struct sweep_entry *entries; /* in the order in which they were measured */
	unsigned n_entries;
	bool stopped; /* a signal ended it: some are missing */
	double drift_first_hertz, drift_last_hertz; /* of the scalar kernel; NAN unknown */
	char notes[SWEEP_NOTES][384]; /* sentences without the final period */
	unsigned n_notes;
};

/* Beside the clock and the rate: metrics that tell why. Ended by METRIC_N. */
extern const enum metric sweep_metrics[];

/* Measures, sweep_point.c. */
struct sweep_measure {
	struct load *load;
	const struct sweep *sweep;
	struct progress *progress;
	double *settled_hertz;	/* the scalar clock of each of sweep->counts; NAN not known yet */
	double settled_celsius; /* before the first point */
	bool noted;		/* what is allowed but said has been said */
};
/* 0: *ret is measured, unless a signal came before; -errno with a problem, whose text is ret->why then:
 * this point cannot be had, -ENOMEM: nor any other. */
int sweep_measure_point(struct sweep_measure *measure, const struct sweep_point *point,
			struct sweep_entry *ret, struct problem *ret_problem);

/* The entry of a point, NULL where it was not measured, nor tried. */
const struct sweep_entry *sweep_find(const struct sweep_report *report, enum kernel kernel,
				     unsigned cores, const struct copy_shape *shape);
/* "16K", with alignments where one was asked for. */
const char *sweep_shape_name(const struct copy_shape *shape, char *buf, size_t size);
/* "copy-avx2 16K, 2 cores" */
const char *sweep_point_name(const struct sweep_point *point, char *buf, size_t size);
/* Adds the sentences that all points together make. */
void sweep_conclude(struct sweep_report *report);

/* 0 or -errno. */
int sweep_write(const struct sweep_report *report, FILE *out);
int sweep_write_table(const struct sweep_report *report, FILE *out);
int sweep_write_svg(const struct sweep_report *report, FILE *out);

/* "-0.2 %"; what rounds to 0 has no sign. buf is returned. */
const char *sweep_percent(double ratio, char *buf, size_t size);

#endif
