/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A COMMAND: the function that runs it (declared by this row in cmd/cmd.h; it takes the parsed
 * options and returns the exit status), then the fields of struct command. */
COMMAND(TOP, command_top, .name = "top", .opens_session = true,
	.help = N_("the live dashboard (the default)"))
COMMAND(LOG, command_log, .name = "log", .opens_session = true,
	.help = N_("samples to standard output, one block an interval"))
COMMAND(BURST, command_burst, .name = "burst", .opens_session = true,
	.help = N_("fire vector bursts; report the clock before, during and after"))
COMMAND(SCOPE, command_scope, .name = "scope", .opens_session = true,
	.help = N_("the clock across one burst in microseconds: throttle, halt, lower clock, recovery"))
COMMAND(SWEEP, command_sweep, .name = "sweep", .opens_session = true,
	.help = N_("the clock by kernel and number of active cores, or of copies by size"))
COMMAND(METRICS, command_metrics, .name = "metrics", .opens_session = true,
	.help = N_("list the metrics: name, unit, scope, source or why absent, meaning"))
COMMAND(KERNELS, command_kernels, .name = "kernels",
	.help = N_("list the burst kernels, and which can run here"))
COMMAND(DOCTOR, command_doctor, .name = "doctor", .opens_session = true,
	.help = N_("what can be seen here and through which source, and how to see more"))
COMMAND(DOCS, command_docs, .name = "docs", .operand = "man|completion|markdown",
	.help = N_("manual, completion and tables from the program's own rows"))
