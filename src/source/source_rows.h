/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A SOURCE, in order of preference: the first that offers a counter serves it. */
SOURCE(PROCFS, .name = "procfs", .ops = &procfs_ops, .help = N_("the kernel's accounting in /proc/stat"))
SOURCE(CPUIDLE, .name = "cpuidle", .ops = &cpuidle_ops, .help = N_("idle states that the kernel asked for"))
SOURCE(STIMULUS, .name = "stimulus", .ops = &stimulus_ops, .help = N_("what avxtop's own burst is doing"))
SOURCE(RULER, .name = "ruler", .ops = &ruler_ops, .help = N_("the clock by timing a chain of instructions of known latency"))
