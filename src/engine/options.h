/* Options of all commands, as rows over getopt_long; help, completion and manual come from them. */
#ifndef AVXTOP_ENGINE_OPTIONS_H
#define AVXTOP_ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/kernel.h"
#include "burst/pattern.h"
#include "format/sink.h"
#include "model/metric.h"
#include "source/source.h"

struct command;
struct list;

struct options {
	const struct command *command;
	uint64_t interval_ns, count; /* count 0: until stopped */
	struct list *cpus;	     /* NULL: not given */
	bool sources[SOURCE_N];	     /* allowed ones */
	bool probe_idle, no_pmu, no_color, ascii, readonly, no_mouse;
	const char *sysroot; /* NULL: this machine */
	bool metrics_given, metrics[METRIC_N];
	unsigned scopes; /* 0: not given */
	enum format format;
	bool format_given;
	const char *output; /* NULL: standard output */
	enum kernel kernels[KERNEL_N];
	unsigned n_kernels; /* 0: not given */
	uint64_t duration_ns; /* 0: not given */
	struct pattern pattern;
	bool force;
	const char *view; /* NULL: overview */
	char **rest;
	int n_rest;
	bool help, version;
};

/* Fills *ret from argv (the command's name already taken out). 0 or -EINVAL with a sentence that
 * names near words. options_free() in either case. */
int options_parse(const struct command *command, int argc, char **argv, struct options *ret,
		  struct problem *ret_problem);
void options_free(struct options *options);

/* --help of one command, to stdout, at most 80 columns. */
void options_help(const struct command *command);

#endif
