/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What commands that put load on CPUs have in common: the look at what else runs there, signals
 * that end it, the parent whose death does, and results that are kept up to then. */
#ifndef AVXTOP_CMD_LOAD_H
#define AVXTOP_CMD_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include "model/metric.h"

struct host;
struct list;
struct options;
struct session;

struct load {
	const struct options *options;
	struct session *session;
	FILE *out;
	int signal_fd;
	bool written; /* there is a result: a file named by -o is kept */
	bool stopped; /* by a signal, or since nobody reads: no more load */
	int status;   /* worst so far */
};

struct load_ops {
	/* CPUs that will be driven, whose other work is looked at before; caller frees; NULL none.
	 */
	struct list *(*cpus)(const struct options *options, const struct host *host);
	void (*run)(struct load *load);
	/* What is sampled beside the load of the CPUs, ended by METRIC_N, from all sources but the ruler,
	 * whose probes would be in the way; NULL: nothing. */
	const enum metric *metrics;
};

/* The whole command around ops->run(); its exit status. */
int load_command(const struct options *options, const struct load_ops *ops);

/* Has a signal come, within this time? The load is `stopped` then. */
bool load_signaled(struct load *load, int timeout_ms);
/* Until it runs no more, which it is told when a signal comes. */
void load_wait(struct load *load, bool (*running)(const struct session *session),
	       void (*stop)(struct session *session));
/* After each result: 0 or -errno of writing it. */
void load_wrote(struct load *load, int r);

#endif
