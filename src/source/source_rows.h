/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A SOURCE, in order of preference: the first that offers a counter serves it. The second
 * field is its struct source_ops, which is declared by this row. perf comes behind powercap, which
 * knows at which moment its energy was read. */
SOURCE(PROCFS, procfs_ops, .name = "procfs", .help = N_("the kernel's accounting in /proc/stat"))
SOURCE(CPUIDLE, cpuidle_ops, .name = "cpuidle", .help = N_("idle states that the kernel asked for"))
SOURCE(STIMULUS, stimulus_ops, .name = "stimulus", .help = N_("what avxtop's own burst is doing"))
SOURCE(RULER, ruler_ops, .name = "ruler", .help = N_("the clock by timing a chain of instructions of known latency"))
SOURCE(THERMAL, thermal_ops, .name = "thermal", .help = N_("temperatures of hwmon (coretemp, k10temp), and how often the kernel saw the CPU throttled by heat"))
SOURCE(POWERCAP, powercap_ops, .name = "powercap", .of_root = true, .help = N_("power by the kernel's energy counters (since Linux 5.10 for root only), and power limits"))
SOURCE(CPUFREQ, cpufreq_ops, .name = "cpufreq", .of_root = true, .help = N_("the kernel's own figure for the clock, and its limits"))
SOURCE(PERF, perf_ops, .name = "perf", .of_root = true, .help = N_("hardware counters by perf_event_open: clocks, licenses, idle states, energy"))
SOURCE(MSR, msr_ops, .name = "msr", .of_root = true, .help = N_("registers of the CPU by /dev/cpu/N/msr, for root only: each read interrupts its CPU"))
