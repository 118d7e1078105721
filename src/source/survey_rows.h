/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ONE ROW A FACT about what this machine lets be seen, in the order shown: the function of survey.c that
 * finds it (declared by this row), and its machine key. */
SURVEY(VIRTUAL_MACHINE, survey_virtual_machine, .name = "virtual_machine")
SURVEY(CPUS, survey_cpus, .name = "cpus")
SURVEY(ISOLATED_CPUS, survey_isolated_cpus, .name = "isolated_cpus")
SURVEY(RIGHTS, survey_rights, .name = "rights")
SURVEY(TSC, survey_tsc, .name = "tsc")
SURVEY(CPUFREQ_DRIVER, survey_cpufreq_driver, .name = "cpufreq_driver")
SURVEY(CPUIDLE_DRIVER, survey_cpuidle_driver, .name = "cpuidle_driver")
SURVEY(MSR_DEVICE, survey_msr_device, .name = "msr_device")
SURVEY(LOCKDOWN, survey_lockdown, .name = "lockdown")
SURVEY(PERF_PARANOID, survey_perf_paranoid, .name = "perf_paranoid")
SURVEY(PMU_CORE, survey_pmu_core, .name = "pmu_core")
SURVEY(PMU_MSR, survey_pmu_msr, .name = "pmu_msr")
SURVEY(PMU_CSTATE, survey_pmu_cstate, .name = "pmu_cstate")
SURVEY(PMU_POWER, survey_pmu_power, .name = "pmu_power")
SURVEY(NMI_WATCHDOG, survey_nmi_watchdog, .name = "nmi_watchdog")
