#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop log --sysroot`: another machine's tree of three CPUs, one of them offline; nothing of this
# machine may show through.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq

root=$T/machine
cpu=$root/sys/devices/system/cpu
mkdir -p "$cpu" "$root/proc"
echo 0-2 >"$cpu/possible"
echo 0-2 >"$cpu/present"
echo 0-1 >"$cpu/online"
for i in 0 1; do
	mkdir -p "$cpu/cpu$i/topology"
	echo "$((i * 4))" >"$cpu/cpu$i/topology/core_id"
	echo 3 >"$cpu/cpu$i/topology/physical_package_id"
	echo 0 >"$cpu/cpu$i/topology/die_id"
	echo "$i" >"$cpu/cpu$i/topology/thread_siblings_list"
	echo "$i" >"$cpu/cpu$i/topology/core_cpus_list"
	echo 1 >"$cpu/cpu$i/online"
done
mkdir -p "$cpu/cpu2"
echo 0 >"$cpu/cpu2/online"

# stat BUSY0 IDLE0 BUSY1 IDLE1: written in place, for a reader that keeps the file open.
stat() {
	printf 'cpu  %d 0 0 %d 0 0 0 0 0 0\ncpu0 %04d 0 0 %04d 0 0 0 0 0 0\ncpu1 %04d 0 0 %04d 0 0 0 0 0 0\nctxt 1\n' \
		"$((10#$1 + 10#$3))" "$((10#$2 + 10#$4))" "$1" "$2" "$3" "$4" >"$root/proc/stat"
}
stat 1000 1000 1000 1000
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Sample CPU @ 2.10GHz\nstepping\t: 4\nflags\t\t: fpu tsc constant_tsc nonstop_tsc avx avx2 avx512f\n\n' >"$root/proc/cpuinfo"
echo "Linux version 6.1.0-sample" >"$root/proc/version"

"$AVXTOP" log --sysroot "$root" -n 1 -i 1.5 --format json >"$T/out" 2>"$T/err" &
pid=$!
for ((i = 0; i < 100; i++)); do
	[ -s "$T/out" ] && break
	sleep 0.05
done
sleep 0.4 # the first sample is taken beside the host record
stat 1075 1025 1000 1100
wait $pid
is "it runs" "$?" 0
is "silently" "$(cat "$T/err")" ""

holds() {
	is "$1" "$(jq -s "$2" "$T/out" 2>&1)" true
}
holds "its brand" '.[0].host | tostring | test("Sample CPU")'
holds "its busy shares, from its own counts" '.[1].cpus | map(.os_busy_ratio)[0:2] == [0.75, 0]'
holds "sparse ids stay" '.[1].cpus[1] | .core == 4 and .package == 3'
holds "nothing is measured on it: no clock" '.[0].metrics | [.busy_hertz, .tsc_hertz, .gap_ratio] | all(.source == null and (.why | length) > 10)'
holds "no clock in any row" '[.[1].cpus[] | .busy_hertz, .tsc_hertz | numbers] == []'
holds "no cost of our own in its records" '.[1].host.self_ratio == null'
run "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --format json -c 0,2
like "naming an offline CPU is answered" "$out$err" 'offline'

exits 0 "in csv and as a table, too" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --format csv
exits 0 "table" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1

# An idle state named to do harm in a terminal; the keys stay the same in every format.
mkdir -p "$cpu/cpu0/cpuidle/state0"
printf 'C1\033[2J' >"$cpu/cpu0/cpuidle/state0/name"
echo 7 >"$cpu/cpu0/cpuidle/state0/time"
for format in table csv json; do
	exits 0 "a hostile name in $format" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --metrics idle_ratio --format $format
	unlike "is defused" "$out" $'\033'
	like "and kept as far as possible" "$out" 'C1\?\[2J'
done

# The kernel's own clock and limits: CPU 0 with an average, CPU 1 with none, and no clock measured.
exits 0 "no cpufreq" "$AVXTOP" metrics --sysroot "$root" --format json
is "is normal, and said" "$(jq -r '.metrics[] | select(.name == "os_hertz") | .why' <<<"$out")" \
	"the kernel offers no cpufreq here (no cpufreq driver)"
for i in 0 1; do
	mkdir -p "$cpu/cpufreq/policy$i"
	ln -s "../cpufreq/policy$i" "$cpu/cpu$i/cpufreq"
	echo "210012$i" >"$cpu/cpufreq/policy$i/scaling_cur_freq"
	echo 3700000 >"$cpu/cpufreq/policy$i/scaling_max_freq"
	echo 1000000 >"$cpu/cpufreq/policy$i/scaling_min_freq"
done
exits 0 "cpufreq" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --format json --metrics os_hertz,cap_hertz,floor_hertz,busy_hertz
echo "$out" >"$T/out"
holds "in Hz, for each CPU that is online" '.[1].cpus | map(select(.cpu < 2) | [.os_hertz, .cap_hertz, .floor_hertz]) ==
	[[2100120000, 3700000000, 1000000000], [2100121000, 3700000000, 1000000000]]'
holds "its source" '.[0].metrics | [.os_hertz, .cap_hertz, .floor_hertz] | all(.source == "cpufreq")'
holds "which of two files the clock is from" '.[0].metrics | (.os_hertz.note | test("scaling_cur_freq")) and .cap_hertz.note == null'
holds "and it is not the measured clock" '[.[1].cpus[].busy_hertz | numbers] == []'
exits 0 "as a table" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --metrics os_hertz
like "the file is named, too" "$out$err" "os_hertz: here scaling_cur_freq"
like "in MHz" "$out" "2100"
exits 0 "in the list" "$AVXTOP" metrics --sysroot "$root"
like "of metrics, too" "$(tr -s ' \n' ' ' <<<"$out")" "here scaling_cur_freq, which may be only a request"
echo 2999999 >"$cpu/cpufreq/policy0/cpuinfo_avg_freq"
exits 0 "an average" "$AVXTOP" log --sysroot "$root" -n 1 -i 0.1 --format json --metrics os_hertz
echo "$out" >"$T/out"
holds "goes first, alone" '(.[0].metrics.os_hertz.note | test("cpuinfo_avg_freq")) and
	(.[1].cpus | map(select(.cpu < 2) | .os_hertz) == [2999999000, null])'
exits 0 "--source -cpufreq" "$AVXTOP" metrics --sysroot "$root" --format json --source -cpufreq
like "leaves it out" "$(jq -r '.metrics[] | select(.name == "os_hertz") | .why' <<<"$out")" "cpufreq"

run "$AVXTOP" log --sysroot "$T/none" -n 1 -i 0.1
one_sentence "a tree that is not there" "$err"
ok "is a failure" test "$rc" -ne 0
mkdir "$T/empty"
run "$AVXTOP" log --sysroot "$T/empty" -n 1 -i 0.1
ok "an empty tree does not crash it (status $rc)" test "$rc" -lt 4

done_testing
