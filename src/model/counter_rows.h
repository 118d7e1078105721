/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A RAW COUNTER. Fields: model/counter.h. Sources fill them, derive.c reads them. */
COUNTER(OS_BUSY, .name = "os_busy", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("proc/stat: user, nice, system, irq and softirq time"))
COUNTER(OS_IDLE, .name = "os_idle", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("proc/stat: idle and iowait time"))
COUNTER(OS_STEAL, .name = "os_steal", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("proc/stat: time that the hypervisor admits to have taken"))
COUNTER(IDLE_TIME, .name = "idle_time", .scope = SCOPE_CPU, .bits = 64, .unit = "us", .rises = true,
	.label = LABEL_IDLE_STATE, .help = N_("cpuidle: time in each idle state, at most as fast as time passes"))
COUNTER(IDLE_AGE, .name = "idle_age", .scope = SCOPE_CPU, .bits = 64, .unit = "ns", .internal = true, .label = LABEL_IDLE_STATE,
	.help = N_("cpuidle: how long after the sample began the time in this state was read"))
COUNTER(SELF_TIME, .name = "self_time", .scope = SCOPE_HOST, .bits = 64, .unit = "ns", .rises = true,
	.help = N_("CPU time of avxtop itself, its bursts excluded"))
COUNTER(TSC, .name = "tsc", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("time-stamp counter of the probe"))
COUNTER(TSC_TIME, .name = "tsc_time", .scope = SCOPE_CPU, .bits = 64, .unit = "ns", .rises = true,
	.help = N_("CLOCK_MONOTONIC_RAW beside that reading"))
COUNTER(RULER_CYCLES, .name = "ruler_cycles", .scope = SCOPE_CPU, .bits = 64, .unit = "1/1000 cycle",
	.help = N_("ruler: core cycles of the chain that was timed, time stamps not counted"))
COUNTER(RULER_TICKS, .name = "ruler_ticks", .scope = SCOPE_CPU, .bits = 64, .unit = "1/1000 tick",
	.help = N_("ruler: TSC ticks that these cycles took"))
COUNTER(RULER_GAP, .name = "ruler_gap", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("ruler: TSC ticks lost to jumps inside probes, summed"))
COUNTER(RULER_SPAN, .name = "ruler_span", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("ruler: TSC ticks of all probes, summed"))
COUNTER(RULER_SEES, .name = "ruler_sees", .scope = SCOPE_CPU, .bits = 8, .unit = "code",
	.help = N_("ruler: 0 scalar code beside whatever ran, 1 inside avxtop's own burst"))
COUNTER(BURST_PHASE, .name = "burst_phase", .scope = SCOPE_CPU, .bits = 8, .unit = "code",
	.help = N_("what avxtop's own burst does on this CPU: 0 nothing, 1 scalar gap, 2 wide code"))
COUNTER(OS_HERTZ, .name = "os_hertz", .scope = SCOPE_CPU, .bits = 64, .unit = "Hz",
	.help = N_("cpufreq: the kernel's own figure, cpuinfo_avg_freq or else scaling_cur_freq"))
COUNTER(CAP_HERTZ, .name = "cap_hertz", .scope = SCOPE_CPU, .bits = 64, .unit = "Hz",
	.help = N_("cpufreq: scaling_max_freq"))
COUNTER(FLOOR_HERTZ, .name = "floor_hertz", .scope = SCOPE_CPU, .bits = 64, .unit = "Hz",
	.help = N_("cpufreq: scaling_min_freq"))
COUNTER(CORE_TEMPERATURE, .name = "core_temperature", .scope = SCOPE_CORE, .bits = 64, .unit = "millicelsius",
	.help = N_("hwmon: sensor of the core"))
COUNTER(CORE_TEMPERATURE_LIMIT, .name = "core_temperature_limit", .scope = SCOPE_CORE, .bits = 64, .unit = "millicelsius",
	.help = N_("hwmon: where the core is throttled"))
COUNTER(PACKAGE_TEMPERATURE, .name = "package_temperature", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "millicelsius",
	.help = N_("hwmon: sensor of the package; of several the hottest"))
COUNTER(PACKAGE_TEMPERATURE_LIMIT, .name = "package_temperature_limit", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "millicelsius",
	.help = N_("hwmon: where the package is throttled"))
COUNTER(CORE_THROTTLE, .name = "core_throttle", .scope = SCOPE_CORE, .bits = 64, .unit = "events", .rises = true,
	.help = N_("thermal_throttle: core_throttle_count, of one CPU of the core"))
COUNTER(PACKAGE_THROTTLE, .name = "package_throttle", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "events", .rises = true,
	.help = N_("thermal_throttle: package_throttle_count, of one CPU of the package"))
COUNTER(PACKAGE_ENERGY, .name = "package_energy", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "uJ", .rises = true,
	.help = N_("powercap: energy_uj of the package, of all its dies, its wraps taken out"))
COUNTER(DRAM_ENERGY, .name = "dram_energy", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "uJ", .rises = true,
	.help = N_("powercap: energy_uj of the memory"))
COUNTER(CORE_ENERGY, .name = "core_energy", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "uJ", .rises = true,
	.help = N_("powercap: energy_uj of all cores"))
COUNTER(PACKAGE_ENERGY_AGE, .name = "package_energy_age", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ns", .internal = true,
	.help = N_("powercap: how long after the sample began the energy of the package was read"))
COUNTER(DRAM_ENERGY_AGE, .name = "dram_energy_age", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ns", .internal = true,
	.help = N_("powercap: how long after the sample began the energy of the memory was read"))
COUNTER(CORE_ENERGY_AGE, .name = "core_energy_age", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ns", .internal = true,
	.help = N_("powercap: how long after the sample began the energy of all cores was read"))
COUNTER(POWER_LIMIT, .name = "power_limit", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "uW", .label = LABEL_POWER_LIMIT,
	.help = N_("powercap: constraint_N_power_limit_uw of the package"))
COUNTER(CLOCK_TSC, .name = "clock_tsc", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("time-stamp counter, read together with aperf and mperf"))
COUNTER(MPERF, .name = "mperf", .scope = SCOPE_CPU, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("ticks at the base clock while not halted (IA32_MPERF)"))
COUNTER(APERF, .name = "aperf", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true,
	.help = N_("cycles while not halted (IA32_APERF)"))
COUNTER(SMI, .name = "smi", .scope = SCOPE_CPU, .bits = 32, .unit = "events", .rises = true,
	.help = N_("system-management interrupts (MSR_SMI_COUNT), of one CPU of each package"))
COUNTER(CYCLES, .name = "cycles", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true,
	.help = N_("cycles while not halted, by the fixed counter of the PMU"))
COUNTER(INSTRUCTIONS, .name = "instructions", .scope = SCOPE_CPU, .bits = 64, .unit = "instructions", .rises = true,
	.help = N_("instructions retired, by the fixed counter of the PMU"))
COUNTER(LICENSE0, .name = "license0", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true,
	.help = N_("cycles of the core at turbo license 0 (CORE_POWER.LVL0_TURBO_LICENSE), as this thread counts them"))
COUNTER(LICENSE1, .name = "license1", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true,
	.help = N_("cycles of the core at turbo license 1 (CORE_POWER.LVL1_TURBO_LICENSE), as this thread counts them"))
COUNTER(LICENSE2, .name = "license2", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true,
	.help = N_("cycles of the core at turbo license 2 (CORE_POWER.LVL2_TURBO_LICENSE), as this thread counts them"))
COUNTER(LICENSE_THROTTLE, .name = "license_throttle", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true, .by_name = true,
	.help = N_("cycles throttled while a license was pending (CORE_POWER.THROTTLE)"))
COUNTER(FP512_OPS, .name = "fp512_ops", .scope = SCOPE_CPU, .bits = 64, .unit = "operations", .rises = true, .by_name = true,
	.help = N_("512-bit packed floating-point operations retired; an FMA counts 2"))
COUNTER(FP256_OPS, .name = "fp256_ops", .scope = SCOPE_CPU, .bits = 64, .unit = "operations", .rises = true, .by_name = true,
	.help = N_("256-bit packed floating-point operations retired; an FMA counts 2"))
COUNTER(AMX_BUSY, .name = "amx_busy", .scope = SCOPE_CPU, .bits = 64, .unit = "cycles", .rises = true, .by_name = true,
	.help = N_("cycles with the AMX unit busy (EXE.AMX_BUSY)"))
COUNTER(PMU_ENABLED, .name = "pmu_enabled", .scope = SCOPE_CPU, .bits = 64, .unit = "ns", .rises = true, .internal = true,
	.help = N_("time that the events of the PMU were enabled"))
COUNTER(PMU_RUNNING, .name = "pmu_running", .scope = SCOPE_CPU, .bits = 64, .unit = "ns", .rises = true, .internal = true,
	.help = N_("time that they had a hardware counter: less where it was shared"))
COUNTER(CORE_C1, .name = "core_c1", .scope = SCOPE_CORE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the core in C1, in ticks of the time-stamp counter"))
COUNTER(CORE_C3, .name = "core_c3", .scope = SCOPE_CORE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the core in C3, in ticks of the time-stamp counter"))
COUNTER(CORE_C6, .name = "core_c6", .scope = SCOPE_CORE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the core in C6, in ticks of the time-stamp counter"))
COUNTER(CORE_C7, .name = "core_c7", .scope = SCOPE_CORE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the core in C7, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C2, .name = "package_c2", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C2, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C3, .name = "package_c3", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C3, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C6, .name = "package_c6", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C6, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C7, .name = "package_c7", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C7, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C8, .name = "package_c8", .scope = SCOPE_PACKAGE, .bits = 60, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C8, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C9, .name = "package_c9", .scope = SCOPE_PACKAGE, .bits = 60, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C9, in ticks of the time-stamp counter"))
COUNTER(PACKAGE_C10, .name = "package_c10", .scope = SCOPE_PACKAGE, .bits = 60, .unit = "ticks", .rises = true,
	.help = N_("residency of the package in C10, in ticks of the time-stamp counter"))
COUNTER(CORE_VOLTAGE, .name = "core_voltage", .scope = SCOPE_CORE, .bits = 64, .unit = "1/8192 V",
	.help = N_("voltage of the core (IA32_PERF_STATUS)"))
COUNTER(CORE_THERMAL_STATUS, .name = "core_thermal_status", .scope = SCOPE_CORE, .bits = 64, .unit = "bits",
	.help = N_("whether heat or PROCHOT throttles the core now (IA32_THERM_STATUS)"))
COUNTER(PACKAGE_THERMAL_STATUS, .name = "package_thermal_status", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("whether heat, PROCHOT or power throttles the package now (IA32_PACKAGE_THERM_STATUS)"))
COUNTER(LIMIT_REASONS, .name = "limit_reasons", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("what limits the clock now (MSR_CORE_PERF_LIMIT_REASONS)"))
COUNTER(POWER_THROTTLE, .name = "power_throttle", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "ns", .rises = true,
	.help = N_("time throttled to keep the power limit (MSR_PKG_PERF_STATUS)"))
COUNTER(UNCORE_RATIO, .name = "uncore_ratio", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "100 MHz",
	.help = N_("clock of the uncore now (MSR_UNCORE_PERF_STATUS)"))
COUNTER(PLATFORM_INFO, .name = "platform_info", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("base ratio and what may be changed (MSR_PLATFORM_INFO)"))
COUNTER(TURBO_RATIOS, .name = "turbo_ratios", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("turbo limits by active cores (MSR_TURBO_RATIO_LIMIT, 0x1AD)"))
COUNTER(TURBO_RATIOS_1, .name = "turbo_ratios_1", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("their core counts, or limits of more cores (MSR_TURBO_RATIO_LIMIT1, 0x1AE)"))
COUNTER(TURBO_RATIOS_2, .name = "turbo_ratios_2", .scope = SCOPE_PACKAGE, .bits = 64, .unit = "bits",
	.help = N_("limits of still more cores (MSR_TURBO_RATIO_LIMIT2, 0x1AF)"))
COUNTER(TURBO_OFF, .name = "turbo_off", .scope = SCOPE_PACKAGE, .bits = 8, .unit = "code",
	.help = N_("1: turbo is disabled (IA32_MISC_ENABLE bit 38, or intel_pstate/no_turbo)"))
