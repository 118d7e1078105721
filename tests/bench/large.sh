#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Machines of 1,024 and 8,192 CPUs: time to the first record, CPU time of a sample, memory; of plain files, so that the
# figure is that of avxtop and not of a kernel that has to find the numbers.
set -u

runs=3 # medians of so many
samples=4
interval=1000 # ms
trap '[ -z "${root-}" ] || rm -rf "$root"' EXIT

median() {
	sort -n | sed -n "$(((runs + 1) / 2))p"
}

# show SECONDS: CPU time in ms of the dashboard that long, ten frames a second, and of the test terminal below it.
show() {
	"$BUILDDIR/tests/bench/cost" "$VTSHOT" -g 100x30 -T 60 "wait recorded; sleep ${1}000; key q; exit 0" -- \
		"$AVXTOP" top --sysroot "$root" -i 100ms | cut -f 2
}

# dashboard CPUS: what a frame costs, together with the sample below it.
dashboard() {
	[ -x "$VTSHOT" ] || return 0
	awk -v cpus="$1" -v short="$(show 1)" -v long="$(show 4)" 'BEGIN {
		printf "%d CPUs: dashboard\t%.1f\tms\t-\tCPU time of a sample, its frame, and the test terminal\n", cpus, (long - short) / 30
	}'
}

# measure CPUS MUST-START MUST-SAMPLE
measure() {
	local cpus=$1 start start_cpu whole sample memory i
	root=$("$BUILDDIR/tests/bench/big_tree" "$cpus") || return 1
	local cost=$BUILDDIR/tests/bench/cost first=("$AVXTOP" log --sysroot "$root" --format csv -i "${interval}ms" -n)
	for ((i = 0; i < runs; i++)); do
		# The first record is of the time between two samples: take that off, and what all but it costs. `metrics`
		# opens the same and reads nothing.
		echo "$("$cost" "${first[@]}" 1) $("$cost" "${first[@]}" $((samples + 1))) $(
			"$cost" "$AVXTOP" metrics --sysroot "$root")" || return 1
	done >"$root/times"
	start=$(awk -v wait=$interval '{ print $1 - wait }' "$root/times" | median)
	start_cpu=$(awk '{ print $2 }' "$root/times" | median)
	whole=$(awk '{ printf "%.2f\n", ($2 - $8) / 2 }' "$root/times" | median)
	sample=$(awk -v n=$samples '{ printf "%.2f\n", ($5 - $2) / n }' "$root/times" | median)
	memory=$(awk -v cpus="$cpus" '{ printf "%.2f\n", $6 / cpus }' "$root/times" | median)
	printf '%d CPUs: start\t%.0f\tms\t%s\tlog: to the end of its first record; %.0f ms of CPU time\n' "$cpus" "$start" "$2" "$start_cpu"
	printf '%d CPUs: a whole sample\t%s\tms\t%s\tCPU time of one for which each file of an idle state is read, as for the first two\n' \
		"$cpus" "$whole" "$3"
	printf '%d CPUs: a sample\t%s\tms\t%s\tCPU time of reading, deriving and writing one, of each second; slow sources take turns\n' \
		"$cpus" "$sample" "$3"
	printf '%d CPUs: memory\t%s\tKiB\t-\tresident at most, of each CPU\n' "$cpus" "$memory"
	dashboard "$cpus"
	rm -rf "$root"
	root=
}

measure 1024 '<= 500' '<= 50'
runs=1
measure 8192 - -
