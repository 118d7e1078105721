/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A METRIC: METRIC(id, formula in derive.c or NULL, fields of struct metric_row). Names are
 * what scripts rely on. A row without formula is a number that the program knows of and does not
 * measure: `needs` says what it would take. Titles are the headings of turbostat where it has one. */
METRIC(BUSY_HERTZ, busy_hertz, .name = "busy_hertz", .title = "Bzy_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_UNHALTED, .sensible = true,
	.inputs = INPUTS(COUNTER_RULER_CYCLES, COUNTER_RULER_TICKS, COUNTER_RULER_SEES),
	.help = N_("clock while not halted; by the ruler: the clock that scalar code gets at the moment of a probe"),
	.needs = N_("needs the ruler: a steady time-stamp counter, and CPUs that this process may run on"))
METRIC(AVERAGE_HERTZ, NULL, .name = "average_hertz", .title = "Avg_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN,
	.help = N_("clock averaged over the interval, idle time counted as 0"),
	.needs = N_("needs the APERF counter, which this version does not read"))
METRIC(BUSY_RATIO, NULL, .name = "busy_ratio", .title = "Busy%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.help = N_("share of the interval in C0, by the MPERF counter of the hardware"),
	.needs = N_("needs the MPERF counter, which this version does not read"))
METRIC(OS_BUSY_RATIO, os_busy_ratio, .name = "os_busy_ratio", .title = "OS_Bsy%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN, .sensible = true,
	.inputs = INPUTS(COUNTER_OS_BUSY, COUNTER_OS_IDLE, COUNTER_OS_STEAL),
	.help = N_("share of the interval that the kernel accounts as busy; stolen time is not busy"),
	.needs = N_("needs the per-CPU times of /proc/stat"))
METRIC(TSC_HERTZ, tsc_hertz, .name = "tsc_hertz", .title = "TSC_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .sensible = true,
	.inputs = INPUTS(COUNTER_TSC, COUNTER_TSC_TIME),
	.help = N_("rate of the time-stamp counter against CLOCK_MONOTONIC_RAW, between two probes"),
	.needs = N_("needs the ruler, which has to run on the CPU itself"))
METRIC(OS_HERTZ, os_hertz, .name = "os_hertz", .title = "OS_MHz", .width = 7,
	.column = N_("osMHz"),
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_OS_HERTZ),
	.help = N_("the kernel's own figure for the clock (cpuinfo_avg_freq, else scaling_cur_freq): maybe stale, or only a request"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(CAP_HERTZ, cap_hertz, .name = "cap_hertz", .title = "Cap_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_CAP_HERTZ),
	.help = N_("the highest clock that the kernel may ask for (scaling_max_freq)"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(FLOOR_HERTZ, floor_hertz, .name = "floor_hertz", .title = "Flr_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_FLOOR_HERTZ),
	.help = N_("the lowest clock that the kernel may ask for (scaling_min_freq)"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(LIMIT_HERTZ, NULL, .name = "limit_hertz", .title = "LimMHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE, .label = LABEL_LICENSE,
	.help = N_("turbo limit at each license for the cores active now"),
	.needs = N_("needs the turbo limits of the CPU, which this version does not read"))
METRIC(LICENSE0_RATIO, NULL, .name = "license0_ratio", .title = "Lic0%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles of the core at turbo license 0"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(LICENSE1_RATIO, NULL, .name = "license1_ratio", .title = "Lic1%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles of the core at turbo license 1"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(LICENSE2_RATIO, NULL, .name = "license2_ratio", .title = "Lic2%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles of the core at turbo license 2"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(LICENSE_UNKNOWN_RATIO, NULL, .name = "license_unknown_ratio", .title = "Lic?%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles of the core that no license event accounted for"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(LICENSE_THROTTLE_RATIO, NULL, .name = "license_throttle_ratio", .title = "LicThr%", .width = 7,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles throttled while a license was pending"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(FP512_OPS_RATE, NULL, .name = "fp512_ops_rate", .title = "FP512/s", .width = 8,
	.unit = UNIT_RATE, .scope = SCOPE_CPU, .aggregate = AGGREGATE_SUM,
	.help = N_("512-bit packed floating-point operations a second; 0 does not mean no wide code"),
	.needs = N_("needs hardware counters (perf), which this version does not read"))
METRIC(FP256_OPS_RATE, NULL, .name = "fp256_ops_rate", .title = "FP256/s", .width = 8,
	.unit = UNIT_RATE, .scope = SCOPE_CPU, .aggregate = AGGREGATE_SUM,
	.help = N_("256-bit packed floating-point operations a second; 0 does not mean no wide code"),
	.needs = N_("needs hardware counters (perf), which this version does not read"))
METRIC(AMX_BUSY_RATIO, NULL, .name = "amx_busy_ratio", .title = "AMX%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("share of the unhalted cycles with the AMX unit busy"),
	.needs = N_("needs hardware counters (perf), which this version does not read"))
METRIC(FOREIGN_DROP_RATIO, NULL, .name = "foreign_drop_ratio", .title = "FgnDrp%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.help = N_("by how much another program on this CPU holds the clock below the scalar one"),
	.needs = N_("needs a look inside other programs, which this version does not take"))
METRIC(WIDE_CLASS, NULL, .name = "wide_class", .title = "Wide", .width = 8,
	.unit = UNIT_TEXT, .scope = SCOPE_CORE,
	.help = N_("how a statement about the license was reached: measured, inferred or none"),
	.needs = N_("needs the license events that some Intel CPUs have, which this version does not read"))
METRIC(IPC, NULL, .name = "ipc", .title = "IPC", .width = 5,
	.unit = UNIT_NUMBER, .scope = SCOPE_CPU, .aggregate = AGGREGATE_UNHALTED,
	.help = N_("instructions per unhalted cycle"),
	.needs = N_("needs hardware counters (perf), which this version does not read"))
METRIC(HALT_RATIO, NULL, .name = "halt_ratio", .title = "Halt%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.help = N_("share of a never-idle interval in which the clock stood still"),
	.needs = N_("needs the APERF and MPERF counters, which this version does not read"))
METRIC(CORE_C1_RATIO, NULL, .name = "core_c1_ratio", .title = "CPU%c1", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.help = N_("time in C1 by the residency register of the core"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(CORE_C3_RATIO, NULL, .name = "core_c3_ratio", .title = "CPU%c3", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.help = N_("time in C3 by the residency counter of the core"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(CORE_C6_RATIO, NULL, .name = "core_c6_ratio", .title = "CPU%c6", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.help = N_("time in C6 by the residency counter of the core"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(CORE_C7_RATIO, NULL, .name = "core_c7_ratio", .title = "CPU%c7", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.help = N_("time in C7 by the residency counter of the core"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(THREAD_C1_RATIO, NULL, .name = "thread_c1_ratio", .title = "Thr%c1", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.help = N_("time in C1 of a thread, derived; waiting for a busy sibling counts here"),
	.needs = N_("needs the MPERF and residency counters, which this version does not read"))
METRIC(IDLE_RATIO, idle_ratio, .name = "idle_ratio", .title = "%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .label = LABEL_IDLE_STATE, .sensible = true,
	.inputs = INPUTS(COUNTER_IDLE_TIME),
	.help = N_("time in each idle state as the kernel accounts it when a state is left"),
	.needs = N_("needs cpuidle, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(PACKAGE_C2_RATIO, NULL, .name = "package_c2_ratio", .title = "Pkg%pc2", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C2 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C3_RATIO, NULL, .name = "package_c3_ratio", .title = "Pkg%pc3", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C3 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C6_RATIO, NULL, .name = "package_c6_ratio", .title = "Pkg%pc6", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C6 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C7_RATIO, NULL, .name = "package_c7_ratio", .title = "Pkg%pc7", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C7 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C8_RATIO, NULL, .name = "package_c8_ratio", .title = "Pkg%pc8", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C8 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C9_RATIO, NULL, .name = "package_c9_ratio", .title = "Pkg%pc9", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C9 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(PACKAGE_C10_RATIO, NULL, .name = "package_c10_ratio", .title = "Pkg%pc10", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("time of the package in C10 by its residency counter"),
	.needs = N_("needs the residency counters of the CPU, which this version does not read"))
METRIC(TEMPERATURE_CELSIUS, temperature_celsius, .name = "temperature_celsius", .title = "Tmp_C", .width = 5,
	.unit = UNIT_CELSIUS, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE,
	.aggregate = AGGREGATE_MAX,
	.inputs = INPUTS(COUNTER_CORE_TEMPERATURE),
	.package_inputs = INPUTS(COUNTER_PACKAGE_TEMPERATURE),
	.help = N_("temperature by the sensors of the CPU; of a package without one of its own: its hottest core"),
	.needs = N_("needs the thermal sensors of the CPU, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(THERMAL_MARGIN_CELSIUS, thermal_margin_celsius, .name = "thermal_margin_celsius", .title = "Mrg_C", .width = 5,
	.unit = UNIT_CELSIUS, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE,
	.aggregate = AGGREGATE_MIN,
	.inputs = INPUTS(COUNTER_CORE_TEMPERATURE, COUNTER_CORE_TEMPERATURE_LIMIT),
	.package_inputs = INPUTS(COUNTER_PACKAGE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE_LIMIT),
	.help = N_("degrees left below the limit at which the clock is throttled"),
	.needs = N_("needs the thermal sensors of the CPU, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(CORE_VOLTS, NULL, .name = "core_volts", .title = "Volts", .width = 6,
	.unit = UNIT_VOLTS, .scope = SCOPE_CORE,
	.help = N_("core voltage, where the CPU reports it"),
	.needs = N_("needs model-specific registers, which this version does not read"))
METRIC(PACKAGE_WATTS, package_watts, .name = "package_watts", .title = "PkgWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_PACKAGE_ENERGY),
	.help = N_("power of the package"),
	.needs = N_("needs the energy counters of the kernel (powercap), which it does not offer without a driver, nor in most virtual machines"))
METRIC(DRAM_WATTS, dram_watts, .name = "dram_watts", .title = "RAMWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_DRAM_ENERGY),
	.help = N_("power of the memory of the package"),
	.needs = N_("needs the energy counters of the kernel (powercap), which it does not offer without a driver, nor in most virtual machines"))
METRIC(CORE_WATTS, core_watts, .name = "core_watts", .title = "CorWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_CORE_ENERGY),
	.help = N_("power of all cores of the package"),
	.needs = N_("needs the energy counters of the kernel (powercap), which it does not offer without a driver, nor in most virtual machines"))
METRIC(POWER_LIMIT_WATTS, power_limit_watts, .name = "power_limit_watts", .title = "Watt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .label = LABEL_POWER_LIMIT,
	.inputs = INPUTS(COUNTER_POWER_LIMIT),
	.help = N_("power limit in force, by its name"),
	.needs = N_("needs the power limits of the kernel (powercap), which it does not offer without a driver, nor in most virtual machines"))
METRIC(POWER_THROTTLE_RATIO, NULL, .name = "power_throttle_ratio", .title = "PwrThr%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.help = N_("share of the interval throttled to keep the power limit"),
	.needs = N_("needs model-specific registers, which this version does not read"))
METRIC(UNCORE_HERTZ, NULL, .name = "uncore_hertz", .title = "UncMHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_PACKAGE,
	.help = N_("clock of the uncore"),
	.needs = N_("needs the uncore driver of the kernel, which this version does not read"))
METRIC(THROTTLE_EVENTS, throttle_events, .name = "throttle_events", .title = "Throttl", .width = 7,
	.unit = UNIT_COUNT, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE, .event = true,
	.inputs = INPUTS(COUNTER_CORE_THROTTLE), .package_inputs = INPUTS(COUNTER_PACKAGE_THROTTLE),
	.help = N_("thermal-throttle events in this interval"),
	.needs = N_("needs the thermal-throttle counts of the kernel, which it keeps on Intel CPUs only, and not in virtual machines"))
METRIC(LIMIT_REASONS, NULL, .name = "limit_reasons", .title = "Limits", .width = 10,
	.unit = UNIT_TEXT, .scope = SCOPE_PACKAGE, .aggregate = AGGREGATE_UNION,
	.help = N_("what limits the clock at this moment"),
	.needs = N_("needs model-specific registers, which this version does not read"))
METRIC(LOST_LICENSE_HERTZ, NULL, .name = "lost_license_hertz", .title = "LostLic", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to the turbo license, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_POWER_HERTZ, NULL, .name = "lost_power_hertz", .title = "LostPwr", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to the power limit, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_THERMAL_HERTZ, NULL, .name = "lost_thermal_hertz", .title = "LostThm", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to temperature, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_CAP_HERTZ, NULL, .name = "lost_cap_hertz", .title = "LostCap", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to scaling_max_freq or max_perf_pct, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_OTHER_HERTZ, NULL, .name = "lost_other_hertz", .title = "LostOth", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to anything that no register names, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(STEAL_RATIO, steal_ratio, .name = "steal_ratio", .title = "Steal%", .width = 6,
	/* TRANSLATORS: column heading, at most 5 cells, as all .column are */
	.column = N_("Steal"), .taken = true,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN, .sensible = true,
	.inputs = INPUTS(COUNTER_OS_BUSY, COUNTER_OS_IDLE, COUNTER_OS_STEAL),
	.help = N_("time taken by the hypervisor, as it admits it; 0 proves nothing"),
	.needs = N_("needs the per-CPU times of /proc/stat"))
METRIC(GAP_RATIO, gap_ratio, .name = "gap_ratio", .title = "Gap%", .width = 6,
	.column = N_("Gap"), .taken = true,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .sensible = true,
	.inputs = INPUTS(COUNTER_RULER_GAP, COUNTER_RULER_SPAN),
	.help = N_("time taken from the probes, as jumps of the time-stamp counter show it"),
	.needs = N_("needs the ruler, which has to run on the CPU itself"))
METRIC(SMI_EVENTS, NULL, .name = "smi_events", .title = "SMI", .width = 5,
	.unit = UNIT_COUNT, .scope = SCOPE_HOST, .aggregate = AGGREGATE_MAX, .event = true,
	.help = N_("system-management interrupts in this interval"),
	.needs = N_("needs the SMI counter (perf or MSR), which this version does not read"))
METRIC(SELF_RATIO, self_ratio, .name = "self_ratio", .title = "Self%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_HOST, .sensible = true,
	.inputs = INPUTS(COUNTER_SELF_TIME),
	.help = N_("share of one CPU that avxtop itself used, its bursts excluded"),
	.needs = N_("needs the live machine: there is no cost of its own to measure in a recorded one"))
