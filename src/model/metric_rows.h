/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A METRIC: METRIC(id, its formula in derive_*.c, fields of struct metric_row). Names are what
 * scripts rely on. The formula derive_nothing is that of a number which the program knows of and does
 * not measure: `needs` says what it would take. Titles are the headings of turbostat where it has one. */
METRIC(BUSY_HERTZ, derive_busy_hertz, .name = "busy_hertz", .title = "Bzy_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_UNHALTED, .sensible = true,
	.inputs = INPUTS(COUNTER_APERF, COUNTER_MPERF),
	.instead = INPUTS(COUNTER_RULER_CYCLES, COUNTER_RULER_TICKS, COUNTER_RULER_SEES),
	.beside = INPUTS(COUNTER_CLOCK_TSC, COUNTER_PLATFORM_INFO),
	.help = N_("clock while not halted; by the ruler: the clock that scalar code gets at the moment of a probe"),
	.needs = N_("needs the APERF and MPERF counters (perf or MSR), or the ruler: a steady time-stamp counter, and CPUs that this process may run on"))
METRIC(AVERAGE_HERTZ, derive_average_hertz, .name = "average_hertz", .title = "Avg_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN,
	.inputs = INPUTS(COUNTER_APERF), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("clock averaged over the interval, idle time counted as 0"),
	.needs = N_("needs the APERF counter (perf or MSR)"))
METRIC(BUSY_RATIO, derive_busy_ratio, .name = "busy_ratio", .title = "Busy%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN, .sensible_here = true,
	.inputs = INPUTS(COUNTER_MPERF, COUNTER_CLOCK_TSC),
	.help = N_("share of the interval in C0, by the MPERF counter of the hardware"),
	.needs = N_("needs the MPERF counter (perf or MSR)"))
METRIC(OS_BUSY_RATIO, derive_os_busy_ratio, .name = "os_busy_ratio", .title = "OS_Bsy%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN, .sensible = true,
	.inputs = INPUTS(COUNTER_OS_BUSY, COUNTER_OS_IDLE, COUNTER_OS_STEAL),
	.help = N_("share of the interval that the kernel accounts as busy; stolen time is not busy"),
	.needs = N_("needs the per-CPU times of /proc/stat"))
METRIC(TSC_HERTZ, derive_tsc_hertz, .name = "tsc_hertz", .title = "TSC_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU, .sensible = true,
	.inputs = INPUTS(COUNTER_CLOCK_TSC),
	.instead = INPUTS(COUNTER_TSC, COUNTER_TSC_TIME),
	.help = N_("rate of the time-stamp counter, between two readings of it or two probes"),
	.needs = N_("needs the time-stamp counter (perf or MSR), or the ruler, which has to run on the CPU itself"))
METRIC(OS_HERTZ, derive_os_hertz, .name = "os_hertz", .title = "OS_MHz", .width = 7,
	.column = N_("osMHz"),
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_OS_HERTZ),
	.help = N_("the kernel's own figure for the clock (cpuinfo_avg_freq, else scaling_cur_freq): maybe stale, or only a request"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(CAP_HERTZ, derive_cap_hertz, .name = "cap_hertz", .title = "Cap_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_CAP_HERTZ),
	.help = N_("the highest clock that the kernel may ask for (scaling_max_freq)"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(FLOOR_HERTZ, derive_floor_hertz, .name = "floor_hertz", .title = "Flr_MHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_FLOOR_HERTZ),
	.help = N_("the lowest clock that the kernel may ask for (scaling_min_freq)"),
	.needs = N_("needs cpufreq, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(LIMIT_HERTZ, derive_nothing, .name = "limit_hertz", .title = "LimMHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE, .label = LABEL_LICENSE,
	.help = N_("turbo limit at each license for the cores active now"),
	.needs = N_("needs the turbo limits of the CPU, which this version does not read"))
METRIC(LICENSE0_RATIO, derive_license0_ratio, .name = "license0_ratio", .title = "Lic0%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE,
	.scopes = CORE_TO_HOST, .aggregate = AGGREGATE_CYCLES,
	.inputs = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_APERF),
	.instead = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles of the core at turbo license 0"),
	.needs = N_("needs the three license events of the PMU (perf), which some Intel CPUs have, and three general counters"))
METRIC(LICENSE1_RATIO, derive_license1_ratio, .name = "license1_ratio", .title = "Lic1%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE,
	.scopes = CORE_TO_HOST, .aggregate = AGGREGATE_CYCLES, .sensible_here = true,
	.inputs = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_APERF),
	.instead = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles of the core at turbo license 1"),
	.needs = N_("needs the three license events of the PMU (perf), which some Intel CPUs have, and three general counters"))
METRIC(LICENSE2_RATIO, derive_license2_ratio, .name = "license2_ratio", .title = "Lic2%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE,
	.scopes = CORE_TO_HOST, .aggregate = AGGREGATE_CYCLES, .sensible_here = true,
	.inputs = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_APERF),
	.instead = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles of the core at turbo license 2"),
	.needs = N_("needs the three license events of the PMU (perf), which some Intel CPUs have, and three general counters"))
METRIC(LICENSE_UNKNOWN_RATIO, derive_license_unknown_ratio, .name = "license_unknown_ratio", .title = "Lic?%", .width = 6,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE,
	.scopes = CORE_TO_HOST, .aggregate = AGGREGATE_CYCLES,
	.inputs = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_APERF),
	.instead = INPUTS(COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles of the core that no license event accounted for"),
	.needs = N_("needs the three license events of the PMU (perf), which some Intel CPUs have, and three general counters"))
METRIC(LICENSE_THROTTLE_RATIO, derive_license_throttle_ratio, .name = "license_throttle_ratio", .title = "LicThr%", .width = 7,
	.unit = UNIT_RATIO, .license_event = true, .scope = SCOPE_CORE,
	.scopes = CORE_TO_HOST, .aggregate = AGGREGATE_CYCLES,
	.inputs = INPUTS(COUNTER_LICENSE_THROTTLE, COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_APERF),
	.instead = INPUTS(COUNTER_LICENSE_THROTTLE, COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles throttled while a license was pending"),
	.needs = N_("needs the event CORE_POWER.THROTTLE of the PMU (perf), which Skylake-SP and Cascade Lake have"))
METRIC(FP512_OPS_RATE, derive_fp512_ops_rate, .name = "fp512_ops_rate", .title = "FP512/s", .width = 8,
	.unit = UNIT_RATE, .scope = SCOPE_CPU, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_FP512_OPS), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("512-bit packed floating-point operations a second; 0 does not mean no wide code"),
	.needs = N_("needs the events of vector instructions of the PMU (perf)"))
METRIC(FP256_OPS_RATE, derive_fp256_ops_rate, .name = "fp256_ops_rate", .title = "FP256/s", .width = 8,
	.unit = UNIT_RATE, .scope = SCOPE_CPU, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_FP256_OPS), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("256-bit packed floating-point operations a second; 0 does not mean no wide code"),
	.needs = N_("needs the events of vector instructions of the PMU (perf)"))
METRIC(AMX_BUSY_RATIO, derive_amx_busy_ratio, .name = "amx_busy_ratio", .title = "AMX%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .aggregate = AGGREGATE_UNHALTED,
	.inputs = INPUTS(COUNTER_AMX_BUSY, COUNTER_APERF), .instead = INPUTS(COUNTER_AMX_BUSY, COUNTER_CYCLES),
	.help = N_("share of the unhalted cycles with the AMX unit busy"),
	.needs = N_("needs the event EXE.AMX_BUSY of the PMU (perf), which Sapphire Rapids and later have"))
METRIC(FOREIGN_DROP_RATIO, derive_nothing, .name = "foreign_drop_ratio", .title = "FgnDrp%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.help = N_("by how much another program on this CPU holds the clock below the scalar one"),
	.needs = N_("needs a look inside other programs, which this version does not take"))
METRIC(WIDE_CLASS, derive_nothing, .name = "wide_class", .title = "Wide", .width = 8,
	.unit = UNIT_TEXT, .scope = SCOPE_CORE,
	.help = N_("how a statement about the license was reached: measured, inferred or none"),
	.needs = N_("needs license events or those of vector instructions (perf), which this CPU or PMU does not have"))
METRIC(IPC, derive_ipc, .name = "ipc", .title = "IPC", .width = 5,
	.unit = UNIT_NUMBER, .scope = SCOPE_CPU, .aggregate = AGGREGATE_UNHALTED,
	.inputs = INPUTS(COUNTER_INSTRUCTIONS, COUNTER_CYCLES),
	.help = N_("instructions per unhalted cycle"),
	.needs = N_("needs the counters of instructions and cycles of the PMU (perf)"))
METRIC(HALT_RATIO, derive_halt_ratio, .name = "halt_ratio", .title = "Halt%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_MPERF, COUNTER_CLOCK_TSC, COUNTER_OS_BUSY, COUNTER_OS_IDLE, COUNTER_OS_STEAL),
	.help = N_("share of a never-idle interval in which the clock stood still"),
	.needs = N_("needs the MPERF counter (perf or MSR)"))
METRIC(CORE_C1_RATIO, derive_core_c1_ratio, .name = "core_c1_ratio", .title = "CPU%c1", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.inputs = INPUTS(COUNTER_CORE_C1), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time in C1 by the residency register of the core"),
	.needs = N_("needs the residency counter of the core (perf or MSR), which not every model has"))
METRIC(CORE_C3_RATIO, derive_core_c3_ratio, .name = "core_c3_ratio", .title = "CPU%c3", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.inputs = INPUTS(COUNTER_CORE_C3), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time in C3 by the residency counter of the core"),
	.needs = N_("needs the residency counter of the core (perf or MSR), which not every model has"))
METRIC(CORE_C6_RATIO, derive_core_c6_ratio, .name = "core_c6_ratio", .title = "CPU%c6", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.inputs = INPUTS(COUNTER_CORE_C6), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time in C6 by the residency counter of the core"),
	.needs = N_("needs the residency counter of the core (perf or MSR), which not every model has"))
METRIC(CORE_C7_RATIO, derive_core_c7_ratio, .name = "core_c7_ratio", .title = "CPU%c7", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CORE,
	.inputs = INPUTS(COUNTER_CORE_C7), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time in C7 by the residency counter of the core"),
	.needs = N_("needs the residency counter of the core (perf or MSR), which not every model has"))
METRIC(THREAD_C1_RATIO, derive_thread_c1_ratio, .name = "thread_c1_ratio", .title = "Thr%c1", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU,
	.inputs = INPUTS(COUNTER_MPERF, COUNTER_CLOCK_TSC, COUNTER_CORE_C6), .beside = INPUTS(COUNTER_CORE_C3, COUNTER_CORE_C7),
	.help = N_("time in C1 of a thread, derived; waiting for a busy sibling counts here"),
	.needs = N_("needs MPERF and the residency counters of the core (perf or MSR)"))
METRIC(IDLE_RATIO, derive_idle_ratio, .name = "idle_ratio", .title = "%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .label = LABEL_IDLE_STATE, .sensible = true,
	.inputs = INPUTS(COUNTER_IDLE_TIME),
	.help = N_("time in each idle state as the kernel accounts it when a state is left"),
	.needs = N_("needs cpuidle, which the kernel does not offer without a driver, nor in most virtual machines"))
METRIC(PACKAGE_C2_RATIO, derive_package_c2_ratio, .name = "package_c2_ratio", .title = "Pkg%pc2", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C2), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C2 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C3_RATIO, derive_package_c3_ratio, .name = "package_c3_ratio", .title = "Pkg%pc3", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C3), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C3 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C6_RATIO, derive_package_c6_ratio, .name = "package_c6_ratio", .title = "Pkg%pc6", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C6), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C6 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C7_RATIO, derive_package_c7_ratio, .name = "package_c7_ratio", .title = "Pkg%pc7", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C7), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C7 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C8_RATIO, derive_package_c8_ratio, .name = "package_c8_ratio", .title = "Pkg%pc8", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C8), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C8 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C9_RATIO, derive_package_c9_ratio, .name = "package_c9_ratio", .title = "Pkg%pc9", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C9), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C9 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(PACKAGE_C10_RATIO, derive_package_c10_ratio, .name = "package_c10_ratio", .title = "Pkg%pc10", .width = 8,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_PACKAGE_C10), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("time of the package in C10 by its residency counter"),
	.needs = N_("needs the residency counter of the package (perf or MSR), which not every model has"))
METRIC(TEMPERATURE_CELSIUS, derive_temperature_celsius, .name = "temperature_celsius", .title = "Tmp_C", .width = 5,
	.unit = UNIT_CELSIUS, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE,
	.aggregate = AGGREGATE_MAX,
	.inputs = INPUTS(COUNTER_CORE_TEMPERATURE),
	.package_inputs = INPUTS(COUNTER_PACKAGE_TEMPERATURE),
	.help = N_("temperature by the sensors of the CPU; of a package without one of its own: its hottest core"),
	.needs = N_("needs the thermal sensors of the CPU (hwmon or MSR), which most virtual machines do not have"))
METRIC(THERMAL_MARGIN_CELSIUS, derive_thermal_margin_celsius, .name = "thermal_margin_celsius", .title = "Mrg_C", .width = 5,
	.unit = UNIT_CELSIUS, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE,
	.aggregate = AGGREGATE_MIN,
	.inputs = INPUTS(COUNTER_CORE_TEMPERATURE, COUNTER_CORE_TEMPERATURE_LIMIT),
	.package_inputs = INPUTS(COUNTER_PACKAGE_TEMPERATURE, COUNTER_PACKAGE_TEMPERATURE_LIMIT),
	.help = N_("degrees left below the limit at which the clock is throttled"),
	.needs = N_("needs the thermal sensors of the CPU (hwmon or MSR), which most virtual machines do not have"))
METRIC(CORE_VOLTS, derive_core_volts, .name = "core_volts", .title = "Volts", .width = 6,
	.unit = UNIT_VOLTS, .scope = SCOPE_CORE,
	.inputs = INPUTS(COUNTER_CORE_VOLTAGE),
	.help = N_("core voltage, where the CPU reports it"),
	.needs = N_("needs the register IA32_PERF_STATUS (MSR), which Intel CPUs have"))
METRIC(PACKAGE_WATTS, derive_package_watts, .name = "package_watts", .title = "PkgWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .scopes = PACKAGE_AND_HOST,
	.aggregate = AGGREGATE_SUM, .sensible_here = true,
	.inputs = INPUTS(COUNTER_PACKAGE_ENERGY),
	.help = N_("power of the package"),
	.needs = N_("needs energy counters of the CPU (perf, powercap or MSR), which most virtual machines do not have"))
METRIC(DRAM_WATTS, derive_dram_watts, .name = "dram_watts", .title = "RAMWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .scopes = PACKAGE_AND_HOST, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_DRAM_ENERGY),
	.help = N_("power of the memory of the package"),
	.needs = N_("needs energy counters of the CPU (perf, powercap or MSR), which most virtual machines do not have"))
METRIC(CORE_WATTS, derive_core_watts, .name = "core_watts", .title = "CorWatt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .scopes = PACKAGE_AND_HOST, .aggregate = AGGREGATE_SUM,
	.inputs = INPUTS(COUNTER_CORE_ENERGY),
	.help = N_("power of all cores of the package"),
	.needs = N_("needs energy counters of the CPU (perf, powercap or MSR), which most virtual machines do not have"))
METRIC(POWER_LIMIT_WATTS, derive_power_limit_watts, .name = "power_limit_watts", .title = "Watt", .width = 7,
	.unit = UNIT_WATTS, .scope = SCOPE_PACKAGE, .label = LABEL_POWER_LIMIT,
	.inputs = INPUTS(COUNTER_POWER_LIMIT),
	.help = N_("power limit in force, by its name"),
	.needs = N_("needs the power limits of the CPU (powercap or MSR), which most virtual machines do not have"))
METRIC(POWER_THROTTLE_RATIO, derive_power_throttle_ratio, .name = "power_throttle_ratio", .title = "PwrThr%", .width = 7,
	.unit = UNIT_RATIO, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_POWER_THROTTLE), .beside = INPUTS(COUNTER_CLOCK_TSC),
	.help = N_("share of the interval throttled to keep the power limit"),
	.needs = N_("needs the register MSR_PKG_PERF_STATUS (MSR), which some Intel CPUs have"))
METRIC(UNCORE_HERTZ, derive_uncore_hertz, .name = "uncore_hertz", .title = "UncMHz", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_PACKAGE,
	.inputs = INPUTS(COUNTER_UNCORE_RATIO),
	.help = N_("clock of the uncore"),
	.needs = N_("needs the register MSR_UNCORE_PERF_STATUS (MSR), which some Intel CPUs have"))
METRIC(THROTTLE_EVENTS, derive_throttle_events, .name = "throttle_events", .title = "Throttl", .width = 7,
	.unit = UNIT_COUNT, .scope = SCOPE_CORE, .scopes = CORE_AND_PACKAGE, .event = true,
	.inputs = INPUTS(COUNTER_CORE_THROTTLE), .package_inputs = INPUTS(COUNTER_PACKAGE_THROTTLE),
	.help = N_("thermal-throttle events in this interval"),
	.needs = N_("needs the thermal-throttle counts of the kernel, which it keeps on Intel CPUs only, and not in virtual machines"))
METRIC(LIMIT_REASONS, derive_nothing, .name = "limit_reasons", .title = "Limits", .width = 10,
	.unit = UNIT_TEXT, .scope = SCOPE_PACKAGE, .aggregate = AGGREGATE_UNION,
	.help = N_("what limits the clock at this moment"),
	.needs = N_("needs model-specific registers, which this version does not read"))
METRIC(LOST_LICENSE_HERTZ, derive_nothing, .name = "lost_license_hertz", .title = "LostLic", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to the turbo license, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_POWER_HERTZ, derive_nothing, .name = "lost_power_hertz", .title = "LostPwr", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to the power limit, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_THERMAL_HERTZ, derive_nothing, .name = "lost_thermal_hertz", .title = "LostThm", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to temperature, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_CAP_HERTZ, derive_nothing, .name = "lost_cap_hertz", .title = "LostCap", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to scaling_max_freq or max_perf_pct, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(LOST_OTHER_HERTZ, derive_nothing, .name = "lost_other_hertz", .title = "LostOth", .width = 7,
	.unit = UNIT_HERTZ, .scope = SCOPE_CORE,
	.help = N_("clock lost to anything that no register names, against the turbo limit for the cores active now"),
	.needs = N_("needs the turbo limits and counters of the CPU, which this version does not read"))
METRIC(STEAL_RATIO, derive_steal_ratio, .name = "steal_ratio", .title = "Steal%", .width = 6,
	/* TRANSLATORS: column heading, at most 5 cells, as all .column are */
	.column = N_("Steal"), .taken = true,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .scopes = CPU_TO_HOST,
	.aggregate = AGGREGATE_MEAN, .sensible = true,
	.inputs = INPUTS(COUNTER_OS_BUSY, COUNTER_OS_IDLE, COUNTER_OS_STEAL),
	.help = N_("time taken by the hypervisor, as it admits it; 0 proves nothing"),
	.needs = N_("needs the per-CPU times of /proc/stat"))
METRIC(GAP_RATIO, derive_gap_ratio, .name = "gap_ratio", .title = "Gap%", .width = 6,
	.column = N_("Gap"), .taken = true,
	.unit = UNIT_RATIO, .scope = SCOPE_CPU, .sensible = true,
	.inputs = INPUTS(COUNTER_RULER_GAP, COUNTER_RULER_SPAN),
	.help = N_("time taken from the probes, as jumps of the time-stamp counter show it"),
	.needs = N_("needs the ruler, which has to run on the CPU itself"))
METRIC(SMI_EVENTS, derive_smi_events, .name = "smi_events", .title = "SMI", .width = 5,
	.unit = UNIT_COUNT, .scope = SCOPE_HOST, .aggregate = AGGREGATE_MAX, .event = true,
	.inputs = INPUTS(COUNTER_SMI),
	.help = N_("system-management interrupts in this interval"),
	.needs = N_("needs the SMI counter of Intel CPUs (perf or MSR)"))
METRIC(SELF_RATIO, derive_self_ratio, .name = "self_ratio", .title = "Self%", .width = 6,
	.unit = UNIT_RATIO, .scope = SCOPE_HOST, .sensible = true,
	.inputs = INPUTS(COUNTER_SELF_TIME),
	.help = N_("share of one CPU that avxtop itself used, its bursts excluded"),
	.needs = N_("needs the live machine: there is no cost of its own to measure in a recorded one"))
