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

run "$AVXTOP" log --sysroot "$T/none" -n 1 -i 0.1
one_sentence "a tree that is not there" "$err"
ok "is a failure" test "$rc" -ne 0
mkdir "$T/empty"
run "$AVXTOP" log --sysroot "$T/empty" -n 1 -i 0.1
ok "an empty tree does not crash it (status $rc)" test "$rc" -lt 4

done_testing
