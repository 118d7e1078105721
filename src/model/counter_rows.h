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
