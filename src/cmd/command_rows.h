/* ONE ROW A COMMAND: the function takes the parsed options and returns the exit status. */
COMMAND(TOP, .name = "top", .run = command_top, .synopsis = "[OPTION…]",
	.help = N_("the live dashboard (the default)"))
COMMAND(LOG, .name = "log", .run = command_log, .synopsis = "[OPTION…]",
	.help = N_("samples to standard output, one block an interval"))
COMMAND(BURST, .name = "burst", .run = command_burst, .synopsis = "--kernel NAME[,NAME…] [OPTION…]",
	.help = N_("fire vector bursts; report the clock before, during and after"))
COMMAND(METRICS, .name = "metrics", .run = command_metrics, .synopsis = "[OPTION…]",
	.help = N_("list the metrics: name, unit, scope, source or why absent, meaning"))
COMMAND(KERNELS, .name = "kernels", .run = command_kernels, .synopsis = "[OPTION…]",
	.help = N_("list the burst kernels, and which can run here"))
COMMAND(DOCS, .name = "docs", .run = command_docs, .synopsis = "man|completion|markdown",
	.help = N_("manual, completion and tables from the program's own rows"))
