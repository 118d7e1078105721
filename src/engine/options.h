/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of all commands, as rows over getopt_long; help, completion and manual come from them. */
#ifndef AVXTOP_ENGINE_OPTIONS_H
#define AVXTOP_ENGINE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/kernel.h"
#include "burst/microscope.h"
#include "burst/pattern.h"
#include "engine/command.h"
#include "format/sink.h"
#include "model/metric.h"
#include "source/source.h"

struct list;
struct sweep_align;

struct options {
	const struct command *command; /* never NULL after a good parse; default: top */
	bool command_named;
	const char *operand; /* the command's; NULL: not given. Borrowed from argv, as all texts here */
	uint64_t interval_ns; /* 10 ms to one day */
	uint64_t count;	      /* 0: until stopped */
	struct list *cpus;    /* NULL: not given, or "all" */
	bool all_cpus;	      /* "-c all" */
	bool sources_named;   /* --source named one positively: the others are off */
	bool sources[SOURCE_N]; /* allowed ones */
	bool probe_idle, no_pmu, no_color, ascii, readonly, no_mouse;
	bool vectors; /* count what the dashboard's columns on vector code show */
	const char *sysroot; /* NULL: this machine */
	bool metrics_given, metrics[METRIC_N];
	bool every_metric; /* they are all that there are: none was asked for by name */
	bool by_machine;   /* they are the sensible ones, less what this machine does not have */
	unsigned scopes; /* bits 1 << SCOPE_x; 0: not given */
	enum format format;
	bool format_given;
	const char *output; /* NULL: standard output */
	enum kernel kernels[KERNEL_N];
	unsigned n_kernels;   /* 0: not given */
	uint64_t duration_ns; /* 0: not given */
	struct pattern pattern;
	bool force;
	int cpu, victim;     /* of scope; -1: not given */
	bool victim_sibling; /* "--victim sibling" */
	unsigned epochs;     /* 0: not given */
	uint64_t burst_ns;   /* 0: not given */
	struct pattern duties[MICROSCOPE_DUTIES_MOST]; /* of scope */
	unsigned n_duties;
	struct list *counts; /* of active cores; NULL: not given */
	bool copy, cold;
	uint64_t *sizes;     /* of copies, in bytes; NULL: not given */
	struct sweep_align *aligns;
	unsigned n_sizes, n_aligns;
	bool dump; /* of doctor */
	bool help, version;
};

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "engine/option_rows.h"
#undef OPTION
	OPTION_N
};

struct option_row {
	const char *name;     /* with its dashes: "--interval" */
	const char *argument; /* what it takes, untranslated; NULL: nothing */
	const char *help;     /* untranslated, lower case, no period */
	char letter;	      /* 0: none */
	unsigned commands;    /* bits 1 << COMMAND_x: where it is accepted */
	size_t flag;	      /* without .apply: offset of the bool in struct options that it sets */
	/* 0 or -EINVAL with one sentence; may be called more than once. */
	int (*apply)(struct options *options, const char *argument, struct problem *ret_problem);
	const char *(*words)(unsigned index); /* words that it knows, for completion; NULL: none */
};

const struct option_row *option_row(enum option_id id);
bool option_belongs(enum option_id id, const struct command *command);

/* Fills *ret from a whole argv: options stand before or after the command's name. 0 or -EINVAL with
 * a sentence that names near words; then only .command (NULL: not found out) means something.
 * An option given again replaces its value; of a list, it adds. options_free() in either case. */
int options_parse(int argc, char **argv, struct options *ret, struct problem *ret_problem);
void options_free(struct options *options);

#endif
