#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What looking costs the machine that is looked at: reads of events by CPU and interval, general counters, no writes, and nothing of
# CPUs that are isolated.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

stat_of() { awk -v name="$1" '$1 == name { print $2 }' "$T/stats"; }

# What the first samples cost, opening included, is the same for both: the difference is that of three intervals.
for n in 2 5; do
	measure cascadelake perf -n $n
	reads[n]=$(stat_of perf_read)
done
# 8 CPUs in 4 cores and 2 packages: two a CPU at most, one a core for C-states, one a package for C-states and one for power.
most=$((3 * (8 * 2 + 4 + 2 * 2)))
ok "perf: ${reads[2]} reads in two intervals and ${reads[5]} in five: at most $most for three" [ $((reads[5] - reads[2])) -le $most ]
ok "perf: and some" [ $((reads[5] - reads[2])) -gt 0 ]
is "perf: no register is written" "$(stat_of msr_write)" 0
# Who names a source wants the others left alone, when they are asked what they offer, too.
is "perf: no register is read for who wants events alone" "$(stat_of msr_read)" 0
measure cascadelake msr -n 2
is "msr: no event is opened for who wants registers alone" "$(stat_of perf_open)" 0

# General counters of one CPU, by what was opened on it (all but cycles, instructions and reference cycles), and whether APERF was.
general() {
	"$EMUHW" -q -C -l "$T/opened" "$SCENARIOS/cascadelake.emu" -- "$AVXTOP" log -n 1 -i 0.1 --format json "$@" >/dev/null 2>&1
	awk '/perf_open type=4 / && / cpu=3 / && /-> ok/ { print $4 }' "$T/opened" | grep -Evx 'config=0x(3c|c0|300)' | sort -u | wc -l
	grep -c 'type=31 config=0x1 .*cpu=3 .*-> ok' "$T/opened" | sed 's/^[1-9].*/aperf/'
}
is "by default three general counters a CPU" "$(general --source perf | paste -s)" "3	aperf"
is "none with --no-pmu" "$(general --source perf --no-pmu | paste -s)" "0	aperf"

# Files of an isolated CPU may be looked at; it is not interrupted.
for sources in perf msr perf,msr,cpufreq,cpuidle; do
	measure isolated $sources -n 2
	is "isolated CPUs are left alone by $sources" \
		"$(grep -E '^cpu[2367] ' "$T/stats" | grep -oE '(msr|perf)_[a-z]+ [1-9][0-9]*|affinity [1-9][0-9]*')" ""
	is "and others are looked at" "$(logged '[.cpus[] | select(.cpu == 0) | .busy_hertz != null] | first')" true
	is "their rows say so" "$(logged '[.cpus[] | select(.cpu == 3) | .busy_hertz] | first')" null
done
done_testing
