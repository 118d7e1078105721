#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Public reports about tools of this kind, each a case that must not happen to the program: registers that are missing, refused
# or lie (1 to 17), clocks that are computed wrongly (18 to 33), events that are not what they seem (65 to 71). On emulated machines.
# Plain: the same C runs in counters.sh, perf.sh, msr.sh and doctor.sh.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
# Alone: it compares numbers with the truth
needs jq

fast=(-n 2)
small='s/^name = .*/&\nsockets = 1\ncores = 2/' # 4 CPUs: 0 and 2 are a core, 1 and 3

# stat NAME: how often that was accessed in the run of measure.
stat_of() { awk -v name="$1" '$1 == name { print $2 }' "$T/stats"; }

# 1. A register that fails costs what it tells, and nothing else.
faulty=$(variant cascadelake '$a [fault]\nmsr=0x611 errno=EIO\nmsr=0x19c cpu=1 errno=EIO')
measure "$faulty" msr "${fast[@]}"
is "case 1: one register that fails does not end it" "$rc" 0
is "case 1: that column is empty" "$(logged '[.packages[].package_watts]')" "[null,null]"
is "case 1: others are not" "$(logged '[.packages[].dram_watts, .cpus[].busy_hertz | . != null] | unique')" "[true]"
is "case 1: nor are other cores" "$(logged '[.cores[] | select(.temperature_celsius == null) | .core] | length')" 1

# 2, 3. Registers that read 0: promised by CPUID or not.
measure vm-zeros msr "${fast[@]}"
like "case 2: no clock that CPUID does not promise, in time" "$rc" '^[03]$'
is "case 2: and none is told" "$(logged '[.cpus[] | .busy_hertz, .busy_ratio, .average_hertz] | unique')" "[null]"
measure "$(variant vm-zeros 's/^aperfmperf.*/aperfmperf = yes/; s/^perf = no/perf = yes\nrapl = no/')" perf,msr "${fast[@]}"
like "case 3: promised, and it reads 0" "$rc" '^[03]$'
is "case 3: no registers' zeros are told" "$(logged '[.packages[]? | .package_watts, .dram_watts], [.cores[]? | .core_volts, .temperature_celsius]
	| unique' | sort -u)" "[null]"

# 4, 5, 6. Addresses are the vendor's and the model's: nothing is read that does not exist.
for machine in epyc alderlake haswell sapphire-rapids cascadelake; do
	measure "$(as_host $machine)" msr "${fast[@]}"
	case $machine in
	epyc) name="case 4" ;;
	*) name="case 5" ;;
	esac
	is "$name: $machine has each register that is read" "$(stat_of msr_err) $([ "$(stat_of msr_read)" -gt 8 ] && echo read)" "0 read"
	is "$name: none is written" "$(stat_of msr_write)" 0
	[ $machine != epyc ] ||
		like "case 6: registers above 0x80000000: watts of the package" "$(logged '.packages[0].package_watts')" '^9[0-9]\.'
	[ $machine != alderlake ] || is "case 32: clocks of both kinds of cores" \
		"$(logged '[.cpus[] | select(.cpu == 2 or .cpu == 16) | .busy_hertz / 1e6 | round]')" "[5100,3700]"
done

# 7. Fewer descriptors than CPUs need.
emulate skylake-2s sh -c 'ulimit -n 60; exec "$@"' - "$AVXTOP" log -i 0.2 --format json --source perf,procfs "${fast[@]}" >"$T/log" 2>"$T/err" && rc=0 || rc=$?
is "case 7: goes on with the descriptors there are" "$rc" 0
is "case 7: all CPUs have rows" "$(logged '.cpus | length')" 16
is "case 7: and what the kernel accounts" "$(logged '[.cpus[].os_busy_ratio | . != null] | unique')" "[true]"

# 8. Each error has its sentence.
for error in ENXIO EPERM EIO; do
	{
		sed "$small" "$SCENARIOS/skylake-2s.emu"
		printf '[fault]\n'
		printf "open=/dev/cpu/%d/msr errno=$error\n" 0 1 2 3
	} >"$T/$error.emu"
	emulate "$T/$error.emu" "$AVXTOP" doctor --format json >"$T/$error.json" 2>/dev/null
	jq -r '.machine[] | select(.name == "msr_device") | "\(.meaning): \(.remedy)"' "$T/$error.json" >"$T/$error.words"
done
is "case 8: ENXIO, EPERM and EIO have a sentence each" "$(cat "$T"/{ENXIO,EPERM,EIO}.words | sort -u | wc -l)" 3
unlike "case 8: root is not told to be root" "$(cat "$T"/*.words)" "as root"

# 9. No device: said at once; nothing is made or loaded.
began=$(date +%s%N)
measure "$(variant skylake-2s "$small; s/^name = .*/&\nmsr = no/")" msr "${fast[@]}"
ok "case 9: no register device, and it ends" [ $(($(date +%s%N) - began)) -lt 5000000000 ]
like "case 9: with what root can do" "$(cat "$T/err"; why core_volts)" "modprobe msr|module msr"

# 10. Locked down: counting goes on.
measure locked perf "${fast[@]}"
is "case 10: clocks under lockdown" "$(logged '[.cpus[].busy_hertz / 1e6 | round] | unique')" "[2500]"

# 11. The same is there, whichever CPU it began on.
for cpu in 0 3; do
	emulate "$(variant skylake-2s "$small")" taskset -c $cpu "$AVXTOP" log --format json --source perf,msr -n 1 -i 0.1 2>/dev/null |
		jq -c 'select(.schema == "avxtop.host/1") | .metrics | map_values(.source)' >"$T/on$cpu"
done
is "case 11: what can be had does not depend on where it began" "$(cat "$T/on0")" "$(cat "$T/on3")"

# 12, 16. No register can be read at all.
measure "$(variant skylake-2s "$small"';$a [fault]\nmsr=* errno=EIO')" msr "${fast[@]}"
like "case 12: no register can be read" "$rc" '^[03]$'
is "case 16: no value without a read" "$(logged '[.cpus[].busy_hertz, .cpus[].busy_ratio, .cores[].core_c6_ratio, .packages[].package_watts] | unique')" "[null]"

# 13, 14. One CPU, whatever CPUID says of threads; its name is its own.
measure "$(variant skylake-2s 's/^name.*/&\nsockets = 1\ncores = 1\nthreads = 1/')" perf "${fast[@]}"
is "case 13: CPUs are counted by the kernel's list" "$(logged '[.cpus, .cores, .packages | length]')" "[1,1,1]"
like "case 14: the brand is what the CPU says" "$(jq -r '.host.brand? // empty' "$T/log")" "Gold 6138"

# 15. No other program is run.
unlike "case 15: there is no way to a shell" "$(nm -D "$AVXTOP" 2>/dev/null || nm "$AVXTOP")" ' U (system|popen|posix_spawnp?)(@|$)'

# 17. Refused is not 0, nor no.
if setpriv --reuid nobody --clear-groups test -x "$AVXTOP" 2>/dev/null; then
	emulate -u nobody epyc "$AVXTOP" log --format json --source perf,msr,procfs -i 0.2 "${fast[@]}" >"$T/log" 2>"$T/err"
	is "case 17: what is refused is not told" "$(logged '[.cpus[] | .busy_hertz, .busy_ratio] | unique')" "[null]"
	like "case 17: but why" "$(why busy_ratio)" "CAP_PERFMON|perf_event_paranoid|root|closed"
else
	skip "case 17: refused" "nobody may not enter the build folder"
fi

# 18, 19, 20. A read that is late on one CPU moves the others', and nobody's share: time is counted where the rest is.
begin "$(variant cascadelake '/^\[cpu/,$s/busy=2 /busy=100 /')" "$AVXTOP" log --format json --source msr -i 0.2 -n 8
for late in 40 5 60 0; do
	ctl clear "fault msr=0xe8 cpu=1 delay_ms=$late"
	sleep 0.3
done
await
cp "$T/out" "$T/log"
like "case 18 to 20: shares of CPUs that are read at different times" "$(jq -sc '[.[] | .cpus[]? | select(.cpu == 3 or .cpu == 7) | .busy_ratio
	| select(. != null)] | (length > 3) and (min > 0.99)' "$T/log")" true

# 23, 24. An energy register that wraps, and a vCPU that moved.
begin "$(variant cascadelake 's/^name.*/&\nenergy_base = 0xffe00000/')" "$AVXTOP" log --format json --source msr -i 0.2 -n 6
sleep 0.5
ctl 'mperfjump 3 40000000000'
sleep 0.4
ctl 'mperfjump 3 -40000000000'
await
cp "$T/out" "$T/log"
is "case 23: 32 bits wrap within a second: watts go on" \
	"$(jq -sc '[.[] | .packages[1:]? | .[]? | .package_watts | select(. != null) | . > 30 and . < 45] | unique' "$T/log")" "[true]"
is "case 24: no share above 1, no clock from a jump" "$(jq -sc '[.[] | .cpus[]? | select(.cpu == 3)
	| (.busy_ratio // 0) <= 1 and (.busy_hertz == null or (.busy_hertz > 1.19e9 and .busy_hertz < 1.21e9))] | unique' "$T/log")" "[true]"
is "case 24: the jumps cost their intervals only" "$(jq -sc '[.[] | .cpus[]? | select(.cpu == 3) | .busy_hertz]
	| [(map(select(. == null)) | length) <= 4, (map(select(. != null)) | length) >= 2]' "$T/log")" "[true,true]"

# 27, 28, 31. A CPU that idles has no clock, not its base clock; a limit is none either.
measure "$(variant cascadelake '/^\[cpu \*\]/{n;s/busy=2 /busy=0 /}')" perf,cpufreq "${fast[@]}"
is "case 27: a CPU that idled all the time has no clock" "$(logged '.cpus[] | select(.cpu == 3) | .busy_hertz')" null
is "case 27: and the reason" "$(logged '.cpus[] | select(.cpu == 3) | .why.busy_hertz')" '"halted"'
is "case 28: the others have the measured one" "$(logged '.cpus[] | select(.cpu == 2) | .busy_hertz / 1e6 | round')" 3700
is "case 31: the limit is told beside it" "$(logged '.cpus[] | select(.cpu == 0) | [.busy_hertz, .cap_hertz] | map(. / 1e6 | round)')" "[2600,3700]"
is "case 26: each metric names its source" "$(why busy_hertz) $(why cap_hertz)" "served by perf served by cpufreq"

# 33. Siblings do not count twice, whatever a license event of a thread counts.
for how in core thread halted-stops; do
	measure "$(variant cascadelake "s/^name.*/&\nlic_scope = $how/")" perf "${fast[@]}"
	is "case 33: licenses of a core that counts by $how" "$(logged '.cores[0] | [.license0_ratio, .license1_ratio, .license2_ratio, .license_unknown_ratio]
		| map(. * 1000 | round)')" "[50,150,800,0]"
done

# 65, 66. Too few counters: said, and scaled; almost none or none: nothing is told.
measure shortage perf "${fast[@]}"
is "case 65: counters that take turns" "$(logged '.cores[0] | [.license0_ratio, .license1_ratio, .license2_ratio] | map(. * 100 | round)')" "[20,30,50]"
measure "$(variant shortage 's/^other_events.*/other_events = 400/')" perf "${fast[@]}"
is "case 66: less than 1 % of the time on a counter" "$(logged '[.cores[] | .license0_ratio, .license2_ratio] | unique')" "[null]"
measure "$(variant shortage 's/^gp_counters.*/gp_counters = 3/')" perf "${fast[@]}"
is "case 66: a group that never counts is no 0" "$(logged '[.cores[] | .license0_ratio, .license2_ratio] | unique')" "[null]"

# 67, 68. Numbers are of a unit that their name tells, and none is below 0.
measure skylake-2s perf "${fast[@]}"
is "case 67: no -1" "$(jq -sc '[.[] | select(.schema == "avxtop.sample/1") | .cpus[], .cores[], .packages[] | to_entries[] | select(.value | type == "number")
	| select(.value < 0) | .key] | unique' "$T/log")" "[]"
like "case 68: hertz are hertz" "$(logged '.cpus[1].busy_hertz')" '^(1899|1900)[0-9]{6}'

# 69, 70. What the kernel has no event for, though libpfm has a name.
measure "$(variant skylake-2s "$small; s/^name = .*/&\naperfmperf = no/")" perf "${fast[@]}"
is "case 69: no event of APERF" "$(logged '[.cpus[].busy_ratio] | unique')" "[null]"
measure "$(variant skylake-2s "$small; s/^name = .*/&\nperf = no/")" perf,procfs "${fast[@]}"
is "case 70: a PMU that the kernel does not have" "$(logged '[.cores[].license2_ratio] | unique')" "[null]"
is "case 70: the rest is there" "$(logged '[.cpus[].os_busy_ratio | . != null] | unique')" "[true]"

# 71. All events of a group or none.
measure "$(variant cascadelake '$a [fault]\nperf=4:0x2028 cpu=1 errno=EINVAL')" perf "${fast[@]}"
is "case 71: a core with one license event less has none" "$(logged '[.cores[] | [.license0_ratio, .license1_ratio, .license2_ratio] | map(. == null) | unique]')" \
	"[[false],[true],[false],[false]]"
is "case 71: its clock is there" "$(logged '[.cpus[].busy_hertz | . != null] | unique')" "[true]"
done_testing
