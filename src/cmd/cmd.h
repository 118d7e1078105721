/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subcommands: arguments in, exit status out. The only layer besides ui/ and main.c that prints. */
#ifndef AVXTOP_CMD_CMD_H
#define AVXTOP_CMD_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"
#include "engine/command.h"

struct options;

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_IMPOSSIBLE = 3 };

/* "avxtop: text: remedy" to stderr, safe for a terminal. */
void cmd_complain(const struct problem *problem);
/* Mark of what is absent, for the locale: "–", or "-" with --ascii. */
const char *cmd_absent(const struct options *options);
/* Exit status of a 0 or -errno that came with a problem: what was written wrongly (a CPU that is not
 * there) is a usage error, too. */
int cmd_exit_status(int r);
/* --help of one command / of the program, at most 80 columns. */
void cmd_help(const struct command *command, FILE *out);
void cmd_help_all(FILE *out);
/* Version, license and libraries; curses: what curses_version() says. */
void cmd_version(FILE *out, const char *curses);

/* Where -o, --output sends what a command writes: standard output, or a file. */
struct cmd_output {
	FILE *stream;
	char *temporary; /* written here and renamed at the end; NULL: straight */
	const char *path; /* NULL: standard output */
};
/* whole: the document appears complete or not at all (for streams that go on: false). Symbolic links
 * and files of other users are refused. 0 or -errno with a problem. */
int cmd_output_open(const struct options *options, bool whole, struct cmd_output *ret,
		    struct problem *ret_problem);
/* Flushes, and unless `keep` takes a whole document back. 0 or -errno with a problem, for all that
 * could not be written before, too. */
int cmd_output_close(struct cmd_output *output, bool keep, struct problem *ret_problem);

/* Names ("F1, ?, h", put into buf) and help (untranslated) of the index-th key of the dashboard; NULL at
 * the end. For the manual; defined in main.c, which alone knows of the dashboard. */
const char *cmd_key_at(unsigned index, char *buf, size_t size, const char **ret_help);

#define COMMAND(id, function, ...) int function(const struct options *options);
#include "engine/command_rows.h"
#undef COMMAND

#endif
