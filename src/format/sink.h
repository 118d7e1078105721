/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every way to write snapshots to a stream. */
#ifndef AVXTOP_FORMAT_SINK_H
#define AVXTOP_FORMAT_SINK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/metric.h"

struct host;
struct snapshot;

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_OPENMETRICS, FORMAT_SVG, FORMAT_N };

/* Where each metric comes from, for the host record. */
struct origin {
	int source;	 /* enum source_id; 0 none */
	const char *name; /* of the source; NULL none */
	const char *why;  /* if none: sentence; borrowed */
	int err;	 /* errno of it, 0 none */
	const char *note; /* what of several things it is here, untranslated; NULL nothing to tell */
};

struct sink_plan {
	const struct host *host;
	bool metrics[METRIC_N];
	unsigned scopes; /* bits 1 << SCOPE_x; 0: as is usual in the format (table: host and CPUs,
			    csv: CPUs, json: all) */
	const struct origin *origins; /* [METRIC_N] */
	const char *const *source_names; /* by enum source_id */
	unsigned n_source_names;
	FILE *out;   /* its buffer is flushed once a write */
	bool color, ascii;
	int width; /* of the terminal; 0 unknown */
};

struct sink;
struct sink_ops {
	const char *name;
	int (*begin)(const struct sink_plan *plan, struct sink **ret);
	int (*write)(struct sink *sink, const struct snapshot *snapshot); /* flushes; -EPIPE when closed */
	/* Snapshots are of another description of the machine from now on (CPUs came). What began the
	 * stream stays: columns of csv. 0 or -errno. */
	int (*machine)(struct sink *sink, const struct host *host, const struct origin *origins);
	int (*end)(struct sink *sink); /* frees */
};
extern const struct sink_ops table_ops, csv_ops, json_ops;

const struct sink_ops *sink_ops(enum format format); /* NULL: this format is not for samples */

#endif
