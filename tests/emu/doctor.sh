#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# avxtop doctor on machines of which the truth is known: cause and remedy in one sentence each. CPUID is this
# host's (emulate), and so are vendor and hypervisor: what follows from them is taken from the diagnosis itself.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

# get FILTER: of the JSON in $out. fact, counter, source_state NAME: its state, meaning or reason, and remedy.
get() { jq -rc "$1" <<<"$out" 2>&1; }
fact() { get ".machine[] | select(.name == \"$1\") | [.state, .meaning, .remedy] | map(strings) | join(\": \")"; }
# Of the source that serves it, else of the first that could.
counter() { get "[.sources[].counters[] | select(.name == \"$1\")] | sort_by(.state != \"found\") | .[0] | [.state, .why, .remedy] | map(strings) | join(\": \")"; }
source_state() { get ".sources[] | select(.name == \"$1\") | .state"; }

# doctor NAME [-u USER] SCENARIO [OPTION…]: the diagnosis into $out; exit status as it says itself.
doctor() {
	local name=$1 user=()
	shift
	[ "$1" != -u ] || { user=(-u "$2"); shift 2; }
	run emulate ${user[@]+"${user[@]}"} "$1" "$AVXTOP" doctor --format json "${@:2}"
	is "$name: a diagnosis" "$(get .schema)" "avxtop.doctor/1"
	is "$name: exit 0 if and only if a clock can be measured" "$rc" "$(get 'if .clock then 0 else 3 end')"
	is "$name: each cause has a remedy" "$(get '[.sources[], .sources[].counters[], .machine[], .metrics[] |
		select(.state != "found" and .state != "not-read" and (.remedy // "") == "") | .name]')" "[]"
	# What is missing without a driver is so, as far as anybody there can tell, by the hypervisor if there is one.
	none=$(get 'if .host.hypervisor then "virtual-machine" else "absent" end')
}

# 1. A server with everything, as root: nothing but the machine's own settings to speak of.
doctor "server" skylake-2s
for name in procfs cpuidle cpufreq thermal powercap; do
	is "server: $name is found" "$(source_state $name)" found
done
like "server: the CPUs" "$(fact cpus)" "^found: this process may run on all 16 CPUs that are online \\(0-15\\)"
like "server: the driver" "$(fact cpufreq_driver)" "^found: the driver intel_pstate "
like "server: the register device" "$(fact msr_device)" "^found: "
like "server: residencies" "$(fact pmu_cstate)" "^found: .*\\(cstate_core,cstate_pkg\\)"
like "server: APERF" "$(fact pmu_msr)" "^found: .*\\(aperf,mperf\\)"
like "server: energy" "$(fact pmu_power)" "^found: .*\\(power\\)"
like "server: clocks, licenses, idle states and energy by perf" "$(for name in aperf license2 core_c6; do
	get ".sources[] | select(.name == \"perf\") | .counters[] | select(.name == \"$name\") | .state"; done | xargs)" "^found found found$"
like "server: and registers" "$(get '.sources[] | select(.name == "msr") | .counters[] | select(.name == "aperf") | .state')" "^found$"
doctor "server without what tells a clock" skylake-2s --source -ruler,-perf,-msr
is "has no clock" "$rc" 3
is "the ruler is left out" "$(source_state ruler)" left-out
like "the kernel's figure is none, which is said" "$(get '[.verdict, .remedy] | join(": ")')" \
	"^No clock can be measured here, the kernel's own figure \\(os_hertz\\) is all there is: --source leaves out ruler: run it without"

# 2. The same as an ordinary user: case 8, a refusal has the remedy of whom it hits.
server=$(variant skylake-2s 's/^name = .*/&\nparanoid = 3\nnmi_watchdog = 1/')
if setpriv --reuid nobody --clear-groups test -x "$AVXTOP" 2>/dev/null; then
	doctor "nobody" -u nobody "$server"
	like "nobody (case 8): registers" "$(fact msr_device)" "^refused: the register device is closed to ordinary users: it is opened as root"
	is "nobody: errno and its meaning" "$(get '.machine[] | select(.name == "msr_device") | [.errno, .error]')" '[13,"Permission denied"]'
	like "nobody: Debian's level" "$(fact perf_paranoid)" "^refused: level 3, .*CAP_PERFMON is not enough: run it as root, or set the sysctl"
	is "nobody: sources need no rights" "$(source_state cpufreq)" found
	like "nobody: energy is for root" "$(get '.sources[] | select(.name == "powercap") | .counters[] | select(.name == "package_energy") | .why + ": " + .remedy')" \
		"^the kernel shows its energy counters to root only.*: start it anew by sudo, or "
	like "nobody: and what counts for root alone" "$(counter core_c6)" "^refused: .*perf_event_paranoid is 3 or more.*: start it by sudo, or lower it"
	is "nobody: limits are for all" "$(get '.sources[] | select(.name == "powercap") | .counters[] | select(.name == "power_limit") | .state')" found
	like "nobody: by perf" "$(counter aperf)" "^refused: kernel.perf_event_paranoid is 3 or more, .*CAP_PERFMON does not help: .*kernel.perf_event_paranoid=2, and setcap"
	SUDO_UID=65534 SUDO_GID=65534 doctor "sudo" "$server"
	like "sudo: what is used and given back" "$(fact rights)" "^found: files that only root may read were opened by sudo's rights"
	is "sudo: energy is found" "$(counter package_energy)" found
	is "sudo: and read" "$(get '.sources[] | select(.name == "powercap") | .counters[] | select(.name == "package_energy") | .why // "all"')" all
	doctor "nobody, level 2" -u nobody skylake-2s
	like "nobody: the kernel's level" "$(fact perf_paranoid)" "^refused: level 2 keeps ordinary users .*: give it CAP_PERFMON, run it as root"
	doctor "nobody, level 4" -u nobody "$(variant skylake-2s 's/^name = .*/&\nparanoid = 4/')"
	like "nobody: Ubuntu's level" "$(fact perf_paranoid)" "^refused: level 4, .*CAP_PERFMON is not enough: run it as root, or set the sysctl"
else
	skip "as nobody" "this folder is closed to that user"
fi
doctor "root, level 3" "$server"
like "root: may count all the same" "$(fact perf_paranoid)" "^found: level 3 "
like "root (case 65): the watchdog takes a counter" "$(fact nmi_watchdog)" "^found: .* takes one counter of each CPU: root can free it"

# 3. A guest of a cloud: nothing but /proc/stat and time (cases 52, 69).
doctor "guest" bare-vm
like "guest: cpufreq" "$(counter os_hertz)" "^$none: the kernel offers no cpufreq here"
is "guest: idle states" "$(counter idle_time | cut -d : -f 1)" "$none"
like "guest: counters" "$(fact pmu_core)" "^$none: perf has no counters of the cores: "
like "guest (case 69): APERF" "$(fact pmu_msr)" "^$none: perf has no APERF and MPERF"
like "guest: registers" "$(fact msr_device)" "^absent: .*module msr is not loaded: root can load it with modprobe msr"
is "guest: the kernel's accounting is there" "$(source_state procfs)" found
[ "$none" = absent ] ||
	like "guest: where to look" "$(fact virtual_machine)" "^virtual-machine: the hypervisor .*: look on its host"

# 4. AMD: other sensors; no residency PMU, which is the CPU's doing and nobody's fault.
doctor "epyc" epyc
if [ "$(get .host.vendor)" = AuthenticAMD ]; then
	like "epyc: not on this CPU" "$(fact pmu_cstate)" "^not-on-this-cpu: CPUs of AMD have no residency counters"
else
	is "epyc: none here" "$(fact pmu_cstate | cut -d : -f 1)" "$none"
fi
is "epyc: a temperature" "$(counter package_temperature)" found
like "epyc: of no core, which is no hypervisor's doing" "$(counter core_temperature)" \
	"^absent: the thermal sensors here are of whole packages, not of cores: another driver, kernel or CPU may have it"
is "epyc: energy of each core, by its register" "$(counter core_energy)" found
like "epyc: energy" "$(fact pmu_power)" "^found: "

# 5. Locked down by Secure Boot (case 10).
locked() { variant skylake-2s "s/^name = .*/&\nlockdown = $1/"; }
for level in integrity confidentiality; do
	doctor "locked down" "$(locked "$level")"
	like "locked down (case 10): $level" "$(fact lockdown)" "^refused: the kernel is locked down \\($level\\).*: count by perf, which stays possible"
done
doctor "not locked down" "$(locked none)"
like "none is none" "$(fact lockdown)" "^found: the kernel is not locked down"

# 6. A hybrid desktop: two PMUs of the cores.
doctor "hybrid" alderlake
like "hybrid: both" "$(fact pmu_core)" "^found: perf has the counters of the cores \\(cpu_atom,cpu_core\\)"

# 7. Files and registers that fail: the one that does, and no other (cases 1, 53).
doctor "faults" faults
like "faults (case 53): one busy file is a reservation" "$(counter os_hertz)" "^found: 1 of [0-9]+ readings failed"
is "faults: its neighbor has none" "$(counter cap_hertz)" found
for error in EIO:fails EACCES:refused; do
	all=$(mktemp "$T/all.XXXXXX")
	{
		cat "$SCENARIOS/skylake-2s.emu"
		echo "[fault]"
		for cpu in {0..15}; do
			echo "open=/sys/devices/system/cpu/cpufreq/policy$cpu/scaling_cur_freq errno=${error%:*}"
			echo "read=/sys/devices/system/cpu/cpufreq/policy$cpu/scaling_max_freq errno=${error%:*}"
		done
		echo "open=/dev/cpu/0/msr errno=${error%:*}"
	} >"$all"
	doctor "${error%:*}" "$all"
	unlike "${error%:*}: a file that cannot be opened is not found" "$(counter os_hertz)" "^found"
	like "${error%:*}: one that cannot be read" "$(counter cap_hertz)" "^${error#*:}: [0-9]+ of [0-9]+ readings failed: "
	is "${error%:*}: what the kernel answered" "$(get '[.sources[].counters[] | select(.name == "cap_hertz") | .errno] | first')" \
		"$([ "${error%:*}" = EIO ] && echo 5 || echo 13)"
	is "${error%:*}: a third is" "$(counter floor_hertz)" found
	like "${error%:*}: the register device (case 1)" "$(fact msr_device)" "^${error#*:}: "
done
unlike "root is not told to be root" "$(counter os_hertz)$(counter cap_hertz)$(fact msr_device)" "as root"
like "but who may refuse it" "$(counter cap_hertz)" "refuses it even to root"

# 8. Isolated CPUs: left alone, though -c can name them.
doctor "isolated" isolated
like "isolated: they are named" "$(fact isolated_cpus)" "^found: isolated CPUs \\(2-3,6-7\\) are not disturbed by a probe: name them by -c"
like "isolated: where it may run" "$(fact cpus)" "^found: this process may run on all 8 CPUs that are online \\(0-7\\)$"

# 9. A cpuset, or an affinity, that leaves out CPUs.
run emulate skylake-2s taskset -c 2-4 "$AVXTOP" doctor --format json
like "cpuset: where it may run" "$(fact cpus)" "^refused: this process may run on 3 of 16 CPUs only \\(2-4\\), .*: widen its affinity \\(taskset\\) or its cpuset$"

# 10. No cpufreq, no register device, CPU 0 offline: what is told of other CPUs and by other sources stays.
doctor "bare" "$(variant skylake-2s 's/^name = .*/&\ncpufreq = none\nmsr = no\noffline = 0/')"
like "bare: cpufreq" "$(counter os_hertz)" "^$none: the kernel offers no cpufreq here .*: (load the driver|look on the host)"
like "bare: its driver" "$(fact cpufreq_driver)" "^$none: no driver of the kernel sets the clock of the CPUs: "
like "bare: registers" "$(fact msr_device)" "^absent: there is no register device, as the module msr is not loaded: root can load it with modprobe msr$"
like "bare: CPU 0 is not among the CPUs" "$(fact cpus)" "^found: this process may run on all 15 CPUs that are online \\(1-15\\)$"
like "bare: idle states are those of other CPUs" "$(counter idle_time)" "^found"

# 11. Guests whose hypervisor refuses registers, or lets them be read as 0 (cases 1, 2); no PMU, though the CPU has one.
msr() { get ".sources[] | select(.name == \"msr\") | .counters[] | select(.name == \"$1\") | [.state, .why, .remedy] | map(strings) | join(\": \")"; }
perf() { get ".sources[] | select(.name == \"perf\") | .counters[] | select(.name == \"$1\") | [.state, .why, .remedy] | map(strings) | join(\": \")"; }
doctor "EIO" "$(variant bare-vm 's/^msr = no/msr = yes/; $a [fault]\nmsr=* errno=EIO')"
if [ "$none" = virtual-machine ]; then
	like "EIO: registers" "$(msr aperf)" "^$none: the hypervisor refuses .*: look on the host of this virtual machine"
	like "EIO: by perf" "$(perf aperf)" "^$none: this virtual machine is not shown the register .*: look on the host"
	like "EIO: licenses" "$(perf license2)" "^$none: this virtual machine has no hardware counters \\(no vPMU\\): switch on the virtual PMU"
	doctor "zeros" "$(variant bare-vm 's/^msr = no/msr = yes/; s/^\[cpu \*\]/&\n0 freeze=both/')"
	like "zeros: no clock" "$(msr aperf)" "^$none: APERF and MPERF can be read and do not count: they are 0 on all CPUs: look on the host"
	like "zeros: the time-stamp counter counts" "$(msr clock_tsc)" "^found"
else
	like "EIO: registers" "$(msr aperf)" "^(fails|absent|not-on-this-cpu): .+: "
	skip "zeros" "CPUID shows no hypervisor here"
fi

# A file that takes a second is waited for, as long as that is reasonable, and then said to be slow.
doctor "slow" "$(variant skylake-2s '$a [fault]\nread=/sys/devices/system/cpu/cpufreq/policy3/scaling_cur_freq delay_ms=300')"
is "slow: the sample came" "$(get '[.sampled, .slow_source]')" '[true,null]'
never=$(variant skylake-2s '$a [fault]\nread=/sys/devices/platform/coretemp.0/hwmon/hwmon1/temp1_input delay_ms=4000')
doctor "too slow" "$never"
is "too slow: whose file" "$(get '[.sampled, .slow_source]')" '[false,"thermal"]'
run emulate "$never" "$AVXTOP" doctor
like "too slow: in words, with what to do" "$(tr -s ' \n' ' ' <<<"$out")" "No sample came in time, since a file of the source thermal is slow; --source -thermal leaves it out"
done_testing
