/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW AN OPTION, in the order of --help. Fields: struct option_row in engine/options.h; the sets
 * of commands and the functions of .apply are in option_values.c. */
OPTION(KERNEL, .name = "--kernel", .argument = N_("LIST"),
	.commands = ONLY(BURST) | ONLY(SCOPE) | ONLY(SWEEP), .apply = option_kernel, .words = kernel_name_at,
	.help = N_("kernels to fire, one after the other: avx2-fma,avx512-fma; a sweep takes all by "
		   "default, a scope the widest"))
OPTION(CORES, .name = "--cores", .argument = N_("LIST"), .commands = ONLY(SWEEP),
	.apply = option_cores,
	.help = N_("how many cores are active: 1,2,4-8; default 1, 2, 4, and so on up to all"))
OPTION(COPY, .name = "--copy", .commands = ONLY(SWEEP), .flag = FLAG(copy),
	.help = N_("sweep the kernels that copy, by size, instead of those that compute"))
OPTION(SIZES, .name = "--sizes", .argument = N_("LIST"), .commands = ONLY(SWEEP),
	.apply = option_sizes, .help = N_("bytes that --copy copies: default 16K,1M,64M"))
OPTION(ALIGN, .name = "--align", .argument = N_("LIST"), .commands = ONLY(SWEEP),
	.apply = option_align,
	.help = N_("bytes past a page boundary at which source and target begin: 0,1,63, or 0/1 for "
		   "source/target; default 0"))
OPTION(COLD, .name = "--cold", .commands = ONLY(SWEEP), .flag = FLAG(cold),
	.help = N_("flush source and target from all caches before each copy"))
OPTION(INTERVAL, .name = "--interval", .letter = 'i', .argument = N_("TIME"), .commands = SAMPLING,
	.apply = option_interval,
	.help = N_("time between samples: 2, 0.5 or 250ms; from 10ms to one day, default 1s"))
OPTION(COUNT, .name = "--count", .letter = 'n', .argument = N_("N"), .commands = SAMPLING,
	.apply = option_count, .help = N_("stop after N intervals"))
OPTION(CPUS, .name = "--cpus", .letter = 'c', .argument = N_("LIST"),
	.commands = SAMPLING | ONLY(BURST) | ONLY(SWEEP) | ONLY(DOCTOR), .apply = option_cpus,
	.help = N_("CPUs to show and probe, or those that burst drives: 0-3,8 or all; isolated CPUs "
		   "are left alone unless named here"))
OPTION(CPU, .name = "--cpu", .argument = N_("CPU"), .commands = ONLY(SCOPE), .apply = option_cpu,
	.help = N_("the CPU that is driven; default: one that others need least"))
OPTION(VICTIM, .name = "--victim", .argument = N_("CPU"), .commands = ONLY(SCOPE),
	.apply = option_victim,
	.help = N_("look at this CPU, too, while the burst runs: a number, or sibling"))
OPTION(EPOCHS, .name = "--epochs", .argument = N_("N"), .commands = ONLY(SCOPE),
	.apply = option_epochs, .help = N_("how many bursts; default 500"))
OPTION(BURST, .name = "--burst", .argument = N_("TIME"), .commands = ONLY(SCOPE),
	.apply = option_burst, .help = N_("about how long each of them is, in whole pieces of load: 1us to "
					  "10ms, default 200us"))
OPTION(DURATION, .name = "--duration", .argument = N_("TIME"), .commands = ONLY(BURST) | ONLY(SWEEP),
	.apply = option_duration,
	.help = N_("how long each burst lasts; default 10s, of a sweep 1s"))
OPTION(DUTY, .name = "--duty", .argument = N_("ON/PERIOD"), .commands = ONLY(BURST) | ONLY(SCOPE),
	.apply = option_duty,
	.help = N_("wide code for ON, scalar code for the rest of each PERIOD, or 100% for no rest; "
		   "default 4ms/5ms, so that before and during can be paired; of scope a list, "
		   "20us/1ms,1ms/5ms: how trains of bursts leave the clock of the gaps"))
OPTION(FORCE, .name = "--force", .commands = ONLY(BURST) | ONLY(SCOPE) | ONLY(SWEEP) | ONLY(TOP), .flag = FLAG(force),
	.help = N_("burst although other work keeps these CPUs busy; lifts no other rule"))
OPTION(METRICS, .name = "--metrics", .argument = N_("LIST"), .commands = SAMPLING,
	.apply = option_metrics, .words = option_metric_at,
	.help = N_("metrics to give, or all (see avxtop metrics)"))
OPTION(SCOPE, .name = "--scope", .argument = N_("LIST"), .commands = ONLY(LOG),
	.apply = option_scope, .words = option_scope_at,
	.help = N_("rows to give: cpu, core, package, host"))
OPTION(FORMAT, .name = "--format", .argument = N_("NAME"), .commands = WRITING,
	.apply = option_format, .words = option_format_at,
	.help = N_("table (the default), csv or json; of some commands, svg"))
OPTION(OUTPUT, .name = "--output", .letter = 'o', .argument = N_("FILE"), .commands = WRITING,
	.apply = option_output, .help = N_("write to FILE instead of standard output"))
OPTION(SOURCE, .name = "--source", .argument = N_("LIST"), .commands = SAMPLING | ONLY(METRICS) | ONLY(DOCTOR),
	.apply = option_source, .words = source_name_at,
	.help = N_("use only these sources, or all but those with a minus: -ruler"))
OPTION(PROBE_IDLE, .name = "--probe-idle", .commands = SAMPLING, .flag = FLAG(probe_idle),
	.help = N_("let the ruler wake idle CPUs to measure their clock"))
OPTION(NO_PMU, .name = "--no-pmu", .commands = SAMPLING, .flag = FLAG(no_pmu),
	.help = N_("take no general hardware counter: no licenses, vector work or IPC; clocks by APERF stay"))
OPTION(DUMP, .name = "--dump", .commands = ONLY(DOCTOR), .flag = FLAG(dump),
	.help = N_("write this machine as readable text, without serial numbers and names of hosts or "
		   "users, from which others can make a folder for --sysroot"))
OPTION(SYSROOT, .name = "--sysroot", .argument = N_("DIR"), .commands = HARDWARE,
	.apply = option_sysroot,
	.help = N_("read another machine's proc and sys folders below DIR; nothing is measured there"))
OPTION(VECTORS, .name = "--vectors", .commands = ONLY(TOP), .flag = FLAG(vectors),
	.help = N_("show and count vector instructions, AMX and license throttling, which takes hardware counters"))
OPTION(READONLY, .name = "--readonly", .commands = ONLY(TOP), .flag = FLAG(readonly),
	.help = N_("fire no bursts from the dashboard"))
OPTION(NO_MOUSE, .name = "--no-mouse", .commands = ONLY(TOP), .flag = FLAG(no_mouse),
	.help = N_("leave the mouse to the terminal"))
OPTION(NO_COLOR, .name = "--no-color", .commands = SAMPLING, .flag = FLAG(no_color),
	.help = N_("no colors; so does the variable NO_COLOR"))
OPTION(ASCII, .name = "--ascii", .commands = HARDWARE, .flag = FLAG(ascii),
	.help = N_("draw and mark with ASCII characters only"))
OPTION(HELP, .name = "--help", .letter = 'h', .commands = EVERY, .flag = FLAG(help),
	.help = N_("print this help and exit"))
OPTION(VERSION, .name = "--version", .commands = EVERY, .flag = FLAG(version),
	.help = N_("print version, license and libraries, and exit"))
