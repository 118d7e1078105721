#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# avxtop doctor: what can be seen, the cause and the remedy where it cannot, here and on trees of other
# machines: a virtual machine, bare metal without drivers, files that are refused, settings of the kernel.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq

# get FILTER: of the JSON in $out.
get() { jq -rc "$1" <<<"$out" 2>&1; }
fact() { get ".machine[] | select(.name == \"$1\") | [.state, .meaning, .remedy] | join(\": \")"; }
counter() { get ".sources[].counters[] | select(.name == \"$1\") | [.state, .why, .remedy] | join(\": \")"; }

# whole NAME: what must hold of every diagnosis in $out.
whole() {
	is "$1: the schema" "$(get .schema)" "avxtop.doctor/1"
	is "$1: every state is one of these" "$(get '[.sources[], .sources[].counters[], .machine[], .metrics[] | .state] - ["found",
		"refused", "absent", "not-on-this-cpu", "virtual-machine", "left-out", "fails", "not-read"]')" "[]"
	is "$1: what is not found has a reason" "$(get '[.sources[], .sources[].counters[], .metrics[] |
		select(.state != "found" and (.why // "") == "") | .name]')" "[]"
	is "$1: and a remedy, unless this version does not read it" "$(get '[.sources[], .sources[].counters[], .machine[], .metrics[] |
		select(.state != "found" and .state != "not-read" and (.remedy // "") == "") | .name]')" "[]"
	is "$1: each fact has a meaning" "$(get '[.machine[] | select((.meaning // "") == "") | .name]')" "[]"
	is "$1: an errno comes with its meaning" "$(get '[.sources[], .sources[].counters[], .machine[], .metrics[] |
		select((.errno == null) != (.error == null)) | .name]')" "[]"
	is "$1: a metric that is found has a source, others none" \
		"$(get '[.metrics[] | select((.state == "found") != (.source != null)) | .name]')" "[]"
	is "$1: no sentence ends with a period" "$(get '[.. | .why?, .remedy?, .meaning? | strings | select(endswith("."))]')" "[]"
}

# The shape, on this machine, as text, JSON and CSV.
run "$AVXTOP" doctor --format json
whole "here"
is "here: nothing on stderr" "$err" ""
is "here: exit 0 if and only if a clock can be measured" "$rc" "$(get 'if .clock then 0 else 3 end')"
is "the sources are those of --source" "$(get '[.sources[].name] | join(",")')" \
	"$("$AVXTOP" docs completion | sed -n "s/.*--source).*words='\([^']*\)'.*/\1/p" | tr ' ' ,)"
is "the metrics are those of avxtop metrics, from the same sources" "$(get '[.metrics[] | [.name, .source]]')" \
	"$("$AVXTOP" metrics --format json | jq -c '[.metrics[] | [.name, .source]]')"
clock=$rc
json=$out
exits "$clock" "as text" "$AVXTOP" doctor
ok "it fits 80 columns" test "$(wc -L <<<"$out")" -le 80
like "its first line is the verdict" "$(head -1 <<<"$out")" "^(A|No) clock can be measured here"
flat=$(tr -s ' \n' ' ' <<<"$out")
missing=
while read -r name; do
	grep -qF "$name" <<<"$out" || missing="$missing $name"
done < <(jq -r '.sources[].name, .sources[].counters[].name, .machine[].name, (.metrics[] | select(.state != "found") | .name)' <<<"$json")
is "it names every source, counter, fact and missing metric" "$missing" ""
while read -r sentence; do
	[[ $flat == *"$sentence"* ]] || missing="$missing; $sentence"
done < <(jq -r '.sources[].counters[], .machine[] | .why // .meaning, .remedy | strings' <<<"$json" | sed 's/\([0-9]\)\.[0-9]* MHz.*/\1/')
is "it has every sentence" "$missing" ""
unlike "none with a colon behind another, and nothing that only tells about a counter" "$(tr -s ' ' <<<"$flat" | sed 's/ [+–] /\n/g')" \
	'^[a-z_]+(, [a-z_]+)*: [^;]*: |_age'
LC_ALL=C run "$AVXTOP" doctor
ok "only ASCII in the C locale" test -z "$(LC_ALL=C tr -d '\n -~' <<<"$out")"
exits "$clock" "as CSV" "$AVXTOP" doctor --format csv
is "with this heading" "$(head -1 <<<"$out" | tr -d '\r')" "part,name,source,state,value,errno,why,remedy"
is "and a row each" "$(($(wc -l <<<"$out") - 1))" "$(jq '[.sources[], .sources[].counters[], .machine[], .metrics[]] | length' <<<"$json")"
exits "$clock" "into a file" "$AVXTOP" doctor --format json -o "$T/doctor.json"
is "that is whole" "$(jq -r .schema "$T/doctor.json")" "avxtop.doctor/1"

# An option that leaves out the only clock.
exits 3 "--source -ruler leaves no clock" "$AVXTOP" doctor --source -ruler --format json
whole "without the ruler"
is "it says so" "$(get '[.clock, .clock_source] | tojson')" "[false,null]"
like "and why" "$(get '[.verdict, .remedy] | join(": ")')" "--source leaves out ruler: run it without that option"
is "the ruler is left out, not absent" "$(get '.sources[] | select(.name == "ruler") | .state')" "left-out"
exits 3 "in text, too" "$AVXTOP" doctor --source -ruler
like "first of all" "$(tr -s ' \n' ' ' <<<"$out")" "^No clock can be measured here: --source leaves out ruler; run it without that option"
exits 2 "wrong use stays wrong use" "$AVXTOP" doctor --source nothing

# As an ordinary user: who is judged is the user, not who could be.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$AVXTOP" 2>/dev/null; then
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	run "${nobody[@]}" "$AVXTOP" doctor --format json
	whole "as nobody"
	is "nobody: it knows" "$(get '.machine[] | select(.name == "rights") | .value')" user
	is "nobody: needs no rights for the ruler" "$rc" "$clock"
	unlike "nobody: is no root in any sentence" "$out" "even root|even to root"
	run env SUDO_UID=65534 SUDO_GID=65534 "$AVXTOP" doctor --format json
	whole "under sudo"
	is "sudo: it knows" "$(get '.machine[] | select(.name == "rights") | .value')" sudo
	like "sudo: its rights are used and given back" "$(fact rights)" "^found: files that only root may read were opened by sudo's rights, .* user 65534 may see it: sudo env -u SUDO_UID avxtop"
	unlike "sudo: is not told to use sudo" "$out" "run it (by sudo|as root)"
	run "$AVXTOP" doctor --format json
	is "root: it knows" "$(get '.machine[] | select(.name == "rights") | .value')" root
	unlike "root: is not told to be root" "$out" "[^e] run it (by sudo|as root)"
else
	skip "as another user" "only root can become somebody else, and this folder must be open to all"
fi

# machine NAME FLAGS: a tree of two CPUs; FLAGS of /proc/cpuinfo. cpu_is: vendor, family, model, stepping.
machine() {
	root=$T/$1
	cpu=$root/sys/devices/system/cpu
	mkdir -p "$cpu" "$root/proc/sys/kernel"
	echo 0-1 | tee "$cpu/possible" "$cpu/present" >"$cpu/online"
	for i in 0 1; do
		mkdir -p "$cpu/cpu$i/topology"
		# shellcheck disable=SC2086 # words
		printf 'processor\t: %d\nvendor_id\t: %s\ncpu family\t: %s\nmodel\t\t: %s\nstepping\t: %s\nmodel name\t: Sample\nflags\t\t: fpu tsc avx2 %s\n\n' \
			"$i" ${cpu_is:-GenuineIntel 6 85 4} "$2" >>"$root/proc/cpuinfo"
	done
	printf 'cpu  1 1 1 1 1 1 1 1 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n' >"$root/proc/stat"
}

# of NAME: its diagnosis into $out.
of() {
	exits 3 "$1: no clock of files can be measured" "$AVXTOP" doctor --sysroot "$root" --format json
	whole "$1"
	like "$1: and that is why" "$(get '[.verdict, .remedy] | join(": ")')" "a recorded or foreign machine cannot be timed: run it on that machine, without --sysroot"
	is "$1: the ruler is left out by that option" "$(get '.sources[] | select(.name == "ruler") | .state')" left-out
}

machine metal ""
of metal
like "metal: no driver is no driver" "$(counter os_hertz)" "^absent: the kernel offers no cpufreq here.*: load the driver"
like "metal: nor for idle states" "$(counter idle_time)" "^absent: the kernel offers no idle states here.*: load the driver"
like "metal: no hypervisor" "$(fact virtual_machine)" "^found: no hypervisor"
like "metal: no msr module" "$(fact msr_device)" "^absent: .* module msr is not loaded: root can load it with modprobe msr"
like "metal: no perf" "$(fact perf_paranoid)" "^absent: this kernel has no perf events: .*CONFIG_PERF_EVENTS"
like "metal: its license events are only not read" \
	"$(get '.metrics[] | select(.name == "license2_ratio") | .state + .why')" "^left-out.*live machine only"
like "metal: no PMU" "$(fact pmu_core)" "^absent: perf has no counters of the cores: "
unlike "metal: is not called virtual" "$out" '"virtual-machine"'
is "metal: procfs is there" "$(get '.sources[] | select(.name == "procfs") | .state')" found

machine guest hypervisor
of guest
like "guest: the hypervisor is the cause" "$(counter os_hertz)" "^virtual-machine: the kernel offers no cpufreq here.*: look on the host of this virtual machine"
like "guest: and of this" "$(counter idle_time)" "^virtual-machine: .*: look on the host of this virtual machine"
like "guest: it is told of" "$(fact virtual_machine)" "^virtual-machine: the hypervisor .*: look on its host"
like "guest: its PMU" "$(fact pmu_core)" "^virtual-machine: perf has no counters of the cores: a hypervisor may grant a virtual PMU"
like "guest: but a module is only not loaded" "$(fact msr_device)" "^absent: "

license() { get '.metrics[] | select(.name == "license2_ratio") | [.state, .why, .remedy] | map(strings) | join(": ")'; }
cpu_is="AuthenticAMD 25 17 1" machine amd ""
of amd
is "amd: no license levels" "$(license)" "not-on-this-cpu: this CPU has no license event: only another model of CPU has it"
like "amd: not on this CPU" "$(fact pmu_cstate)" "^not-on-this-cpu: CPUs of AMD have no residency counters.*: only another model of CPU has it"

machine settings ""
for level in -1 1 2 3 4; do
	echo "$level" >"$root/proc/sys/kernel/perf_event_paranoid"
	run "$AVXTOP" doctor --sysroot "$root" --format json
	case $level in
	-1) want="^found: level -1 lets all users count" ;;
	1 | 2) want="^refused: level $level keeps ordinary users .*: give it CAP_PERFMON, " ;;
	*) want="^refused: level $level, of distributions, .*CAP_PERFMON is not enough: run it as root, or set the sysctl" ;;
	esac
	like "paranoid $level" "$(fact perf_paranoid)" "$want"
done
mkdir -p "$root/sys/kernel/security" "$root/dev/cpu/0" "$root/sys/bus/event_source/devices/msr/events"
for mode in '[none] integrity confidentiality' 'none [integrity] confidentiality' 'none integrity [confidentiality]'; do
	echo "$mode" >"$root/sys/kernel/security/lockdown"
	run "$AVXTOP" doctor --sysroot "$root" --format json
	case $mode in
	*'[none]'*) want="^found: the kernel is not locked down" ;;
	*) want="^refused: the kernel is locked down \\((integrity|confidentiality)\\).*: count by perf" ;;
	esac
	like "lockdown $mode" "$(fact lockdown)" "$want"
done
is "lockdown: the level in force" "$(get '.machine[] | select(.name == "lockdown") | .value')" confidentiality
: >"$root/dev/cpu/0/msr"
echo 1 >"$root/proc/sys/kernel/nmi_watchdog"
mkdir -p "$root"/sys/bus/event_source/devices/{cpu_core,cpu_atom,power,cstate_core,software}
touch "$root"/sys/bus/event_source/devices/msr/events/{aperf,mperf,tsc}
of settings
like "the msr device is found" "$(fact msr_device)" "^found: the register device can be opened"
like "the watchdog" "$(fact nmi_watchdog)" "^found: the NMI watchdog takes one counter of each CPU: root can free it"
like "the PMUs of a hybrid CPU" "$(fact pmu_core)" "^found: .*\\(cpu_atom,cpu_core\\)"
is "and no other" "$(get '.machine[] | select(.name == "pmu_core") | .value')" "cpu_atom,cpu_core"
like "APERF" "$(fact pmu_msr)" "^found: .*\\(aperf,mperf\\)"
like "energy" "$(fact pmu_power)" "^found: .*\\(power\\)"
like "residencies" "$(fact pmu_cstate)" "^found: .*\\(cstate_core\\)"

# Kept from some of the CPUs.
mine=$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')
if [ "$(nproc)" -gt 1 ]; then
	run taskset -c "$mine" "$AVXTOP" doctor --format json
	like "it may run on one CPU only" "$(fact cpus)" \
		"^refused: this process may run on 1 of [0-9]+ CPUs only \\($mine\\).*: widen its affinity"
else
	skip "it may run on one CPU only" "there is only one"
fi

# Files that are there and cannot be read: one CPU's is a reservation, all are a failure.
for i in 0 1; do
	mkdir -p "$cpu/cpu$i/cpufreq"
	echo 2100000 | tee "$cpu/cpu$i/cpufreq/scaling_cur_freq" "$cpu/cpu$i/cpufreq/scaling_min_freq" >"$cpu/cpu$i/cpufreq/scaling_max_freq"
done
of cpufreq
like "cpufreq is found" "$(counter os_hertz)" "^found"
is "it is the kernel's figure, and no clock" "$(get .clock)" false
like "which is said" "$(get .verdict)" "the kernel's own figure \\(os_hertz\\) is all there is"
echo garbage >"$cpu/cpu1/cpufreq/scaling_cur_freq"
of "one CPU fails"
like "found, with a reservation" "$(counter os_hertz)" "^found: 1 of 2 readings failed"
echo garbage >"$cpu/cpu0/cpufreq/scaling_cur_freq"
of "all fail"
like "not found" "$(counter os_hertz)" "^fails: 2 of 2 readings failed: try again"
is "its neighbor is" "$(counter cap_hertz | cut -d : -f 1)" found
run "$AVXTOP" doctor --sysroot "$root"
like "said in text" "$(tr -s ' \n' ' ' <<<"$out")" "os_hertz: fails, 2 of 2 readings failed.*; try again"

rm "$cpu"/cpu{0,1}/cpufreq/scaling_min_freq
mkdir "$cpu"/cpu{0,1}/cpufreq/scaling_min_freq
echo 2100000 >"$cpu/cpu1/cpufreq/scaling_cur_freq"
rm "$cpu/cpu0/cpufreq/scaling_cur_freq"
mkdir "$cpu/cpu0/cpufreq/scaling_cur_freq"
of "what the kernel answered"
answer() { get "[.sources[].counters[] | select(.name == \"$1\") | .state, .errno, .error] | tojson"; }
is "to one reading" "$(answer os_hertz)" '["found",21,"Is a directory"]'
is "to none" "$(answer cap_hertz)" '["found",null,null]'
run "$AVXTOP" doctor --sysroot "$root"
like "said in text" "$(tr -s ' \n' ' ' <<<"$out")" "os_hertz: 1 of 2 readings failed \\(Is a directory\\)"

# A driver that is named to do harm in a terminal.
printf 'x\033[2J' >"$cpu/cpu0/cpufreq/scaling_driver"
for format in table csv json; do
	run "$AVXTOP" doctor --sysroot "$root" --format $format
	unlike "a hostile name in $format is defused" "$out" $'\033'
done
if [ -n "${nobody:-}" ]; then
	chmod 755 "$T"
	chmod 000 "$cpu/cpu0/cpufreq/scaling_max_freq" "$cpu/cpu1/cpufreq/scaling_max_freq"
	run "${nobody[@]}" "$AVXTOP" doctor --sysroot "$root" --format json
	like "a file that is closed to this user" "$(counter cap_hertz)" "^refused: reading cpufreq was refused: run it by sudo, or have this user allowed"
	is "its errno" "$(get '[.sources[].counters[] | select(.name == "cap_hertz") | .errno, .error] | tojson')" '[13,"Permission denied"]'
fi

done_testing
