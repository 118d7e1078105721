#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Counting by perf on machines of which the truth is known: how often it reads, and a CPU that is away for a moment.
# Alone: numbers are compared with the truth.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

server=$(variant skylake-2s 's/^name = .*/&\ntsc_mhz = host/')

# Two samples of 16 CPUs; 8 cores, and 2 packages with idle states and energy. The clocks' own group is read once.
run "$EMUHW" -s -C "$server" -- "$AVXTOP" log -n 1 -i 0.3 --format json --source perf,procfs -o "$T/log"
like "one read a CPU, core and package PMU" "$(grep -o 'perf_read=[0-9]*' <<<"$out$err")" "^perf_read=$((2 * (16 + 8 + 2 * 2) + 16))\$"
like "nothing is refused" "$out$err" "perf_err=0 "
is "licenses of the wide core" "$(jq -c 'select(.schema == "avxtop.sample/1") | .cores[1] |
	[.license0_ratio, .license1_ratio, .license2_ratio, .license_unknown_ratio] | map(. * 1000 | round)' "$T/log")" "[40,60,900,0]"
is "its clock" "$(jq -c 'select(.schema == "avxtop.sample/1") | .cpus[1].busy_hertz / 1e6 | round' "$T/log")" 1900

# --no-pmu, lockdown and the like are the doctor's. Away and back between two samples: an old descriptor would stand still.
away=$(variant "$server" 's/^\[process\]/[timeline]\n0.9 offline 1\n0.93 online 1\n&/')
run emulate "$away" "$AVXTOP" log -n 6 -i 0.4 --format json --source perf,procfs -o "$T/away"
is "a CPU that was away counts again" "$(jq -c 'select(.schema == "avxtop.sample/1") | .cpus[1].busy_hertz // 0 | . / 1e6 | round' "$T/away" | tail -n 1)" 1900
like "once its counts began anew" "$(jq -r 'select(.schema == "avxtop.sample/1") | .cpus[1].why.busy_hertz // empty' "$T/away" | xargs)" "^(offline )?reset\$"
is "the others never noticed" "$(jq -r 'select(.schema == "avxtop.sample/1") | .cpus[2].busy_hertz / 1e6 | round' "$T/away" | sort -u)" 2800
done_testing
