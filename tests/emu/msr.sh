#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Registers alone, on emulated machines: values are the machine's, what fails fails alone, nobody who is isolated is
# disturbed, and nothing is ever written.
# Alone: numbers are compared with the truth.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

# look SCENARIO [OPTION…]: a log by registers into $T/log, and what was accessed into $T/stats.
look() {
	local machine=$1
	shift
	emulate "$machine" bash -c '"$@" >"$0/log" && cat "$EMUHW_ROOT/.emu/stats" >"$0/stats"' \
		"$T" "$AVXTOP" log -i 0.3 -n 2 --format json --source msr,procfs "$@"
}
# The last sample's value.
get() { jq -rc "select(.packages) | $1" "$T/log" | tail -n 1; }
stat() { sed -n "s/.*\\b$1[ =]\\([0-9]*\\).*/\\1/p" "$T/stats" | head -n 1; }
# within PATH LOW HIGH
within() { get "$1 | . != null and . >= $2 and . <= $3"; }

look skylake-2s
is "it ends well" $? 0
is "temperature of a package" "$(get '.packages[0].temperature_celsius')" 78
is "of a core" "$(get '[.cores[].temperature_celsius] | max')" 78
is "margin to where it is throttled" "$(get '.packages[0].thermal_margin_celsius')" 17
is "limits of power" "$(get '.packages[0].power_limit_watts | [.[]] | map(. > 100)')" '[true,true]'
is "power of a package" "$(within '.packages[0].package_watts' 101 124)" true
is "of its memory, which has a unit of its own" "$(within '.packages[0].dram_watts' 10.1 12.4)" true
is "nothing is written" "$(stat msr_write)" 0
is "nothing is refused: no address that this model does not have" "$(stat msr_err)" 0
if [ "$(jq -r '.metrics.busy_hertz.source? // empty' "$T/log" | head -n 1)" = msr ]; then
	is "the clock of a loaded CPU" "$(within '[.cpus[] | select(.cpu == 1).busy_hertz][0]' 1.89e9 1.91e9)" true
	is "of a half loaded one" "$(within '[.cpus[] | select(.cpu == 4).busy_hertz][0]' 3.68e9 3.72e9)" true
	is "how busy that is" "$(within '[.cpus[] | select(.cpu == 4).busy_ratio][0]' 0.49 0.51)" true
	is "a package that sleeps" "$(within '.packages[1].package_c6_ratio' 0.44 0.46)" true
	is "a core's voltage" "$(within '.cores[0].core_volts' 0.5 1.5)" true
else
	skip 5 "nothing is made of APERF and MPERF yet"
fi

# A register that one package refuses, another on one CPU; the rest works, and they are asked once.
look "$(variant skylake-2s '$a [fault]\nmsr=0x611 cpu=0 errno=EIO\nmsr=0x19c cpu=3 errno=EIO')" -n 4
is "EIO: the program goes on" $? 0
is "EIO: one package has no power" "$(get '.packages[0] | [.package_watts, .why.package_watts]')" '[null,"failed"]'
is "EIO: the other has" "$(within '.packages[1].package_watts' 28 35)" true
is "EIO: one core has no temperature" "$(get '[.cores[] | select(.temperature_celsius == null)] | length')" 1
like "EIO: asked by the probe and once more" "$(stat msr_err)" '^[23]$'

look isolated
is "isolated: it ends well" $? 0
is "isolated: not even opened" "$(grep -cE '^cpu[2367] .*msr_(open|read) [1-9]' "$T/stats")" 0
is "isolated: the others are read" "$(grep -cE '^cpu0 .*msr_read [1-9]' "$T/stats")" 1

look epyc
is "AMD: nothing is refused" "$(stat msr_err)" 0
is "AMD: power of the package" "$(within '.packages[0].package_watts' 61 105)" true
is "AMD: of all its cores" "$(within '.packages[0].core_watts' 5 30)" true

done_testing
