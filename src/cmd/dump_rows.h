/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ALL THAT `doctor --dump` MAY TELL: what has no row here is left out, whatever it is. A row is a folder
 * and the names in it, both as patterns (fnmatch(3)); .only: of several devices, those whose file of
 * this name says one of these words; .scrub: what of the text stays. No row has serial numbers, names
 * of hosts, users or disks, addresses of networks, mount points or the command line of the kernel. */
#define CPU "sys/devices/system/cpu"
#define PMU "sys/bus/event_source/devices"
FILES("proc", "cpuinfo", .scrub = scrub_cpuinfo)
FILES("proc", "stat", .scrub = scrub_stat)
FILES("proc/sys/kernel", "osrelease", .scrub = scrub_release)
FILES("proc/sys/kernel", "perf_event_paranoid nmi_watchdog")
FILES("sys/kernel/security", "lockdown")
FILES("sys/fs/cgroup", "cpuset.cpus.effective cpuset.cpus.isolated")
FILES(CPU, "possible present online offline isolated nohz_full kernel_max")
FILES(CPU "/smt", "active control")
FILES(CPU "/cpufreq", "boost")
FILES(CPU "/cpuidle", "current_driver current_governor current_governor_ro")
FILES(CPU "/intel_pstate", "status no_turbo turbo_pct num_pstates max_perf_pct min_perf_pct hwp_dynamic_boost")
FILES(CPU "/cpu[0-9]*/topology", "physical_package_id die_id cluster_id core_id thread_siblings_list "
	"core_cpus_list core_siblings_list package_cpus_list die_cpus_list cluster_cpus_list")
FILES(CPU "/cpu[0-9]*/cpufreq", "scaling_driver scaling_governor scaling_cur_freq scaling_min_freq scaling_max_freq "
	"cpuinfo_avg_freq cpuinfo_cur_freq cpuinfo_min_freq cpuinfo_max_freq base_frequency affected_cpus "
	"related_cpus energy_performance_preference")
FILES(CPU "/cpu[0-9]*/acpi_cppc", "highest_perf nominal_perf lowest_nonlinear_perf lowest_perf guaranteed_perf "
	"lowest_freq nominal_freq reference_perf wraparound_time feedback_ctrs")
FILES(CPU "/cpu[0-9]*/cpuidle/state[0-9]*", "name desc latency residency time usage above below rejected disable "
	"default_status")
FILES(CPU "/cpu[0-9]*/thermal_throttle", "core_throttle_count core_throttle_max_time_ms core_throttle_total_time_ms "
	"core_power_limit_count package_throttle_count package_throttle_max_time_ms package_throttle_total_time_ms "
	"package_power_limit_count")
FILES("sys/devices/cpu_*", "cpus")
FILES("sys/class/hwmon/hwmon[0-9]*", "name temp[0-9]*_label temp[0-9]*_input temp[0-9]*_max temp[0-9]*_crit",
	.only = "name coretemp k10temp zenpower")
FILES("sys/class/thermal/thermal_zone[0-9]*", "type temp trip_point_[0-9]*_type trip_point_[0-9]*_temp",
	.only = "type x86_pkg_temp acpitz")
FILES("sys/class/powercap/intel-rapl*", "name enabled energy_uj max_energy_range_uj constraint_[0-9]_name "
	"constraint_[0-9]_power_limit_uw constraint_[0-9]_time_window_us constraint_[0-9]_max_power_uw")
FILES(PMU "/cpu", "type cpumask cpus")
FILES(PMU "/cpu/caps", "*")
FILES(PMU "/cpu/format", "*")
FILES(PMU "/cpu/events", "*")
FILES(PMU "/cpu_*", "type cpumask cpus")
FILES(PMU "/cpu_*/caps", "*")
FILES(PMU "/cpu_*/format", "*")
FILES(PMU "/cpu_*/events", "*")
FILES(PMU "/msr", "type cpumask")
FILES(PMU "/msr/format", "*")
FILES(PMU "/msr/events", "*")
FILES(PMU "/cstate_*", "type cpumask")
FILES(PMU "/cstate_*/format", "*")
FILES(PMU "/cstate_*/events", "*")
FILES(PMU "/power*", "type cpumask")
FILES(PMU "/power*/format", "*")
FILES(PMU "/power*/events", "*")
#undef CPU
#undef PMU
