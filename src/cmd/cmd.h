/* Subcommands: arguments in, exit status out. The only layer besides ui/ and main.c that prints. */
#ifndef AVXTOP_CMD_CMD_H
#define AVXTOP_CMD_CMD_H

#include "base/problem.h"

struct options;

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "cmd/command_rows.h"
#undef COMMAND
	COMMAND_N
};

enum exit_status { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_IMPOSSIBLE = 3 };

struct command {
	const char *name, *synopsis, *help;
	int (*run)(const struct options *options);
};

const struct command *command_row(enum command_id id); /* defined in main.c */

/* "avxtop: text: remedy" to stderr. */
void cmd_complain(const struct problem *problem);

int command_log(const struct options *options);
int command_burst(const struct options *options);
int command_metrics(const struct options *options);
int command_kernels(const struct options *options);
int command_docs(const struct options *options);

#endif
