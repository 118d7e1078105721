#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The unmodified program by perf alone, by registers alone and by both, beside the truth of emulated machines: clock, busy
# and licenses within 0.1 %, residencies within 0.1 point, energy within 0.5 %. counters.sh large: 112 and 1,024 CPUs.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
# Alone: numbers are compared with the truth.
needs jq

clock="busy_hertz busy_ratio average_hertz"
license="license0_ratio license1_ratio license2_ratio license_unknown_ratio"
server="package_watts dram_watts package_c2_ratio package_c6_ratio core_c6_ratio"
register="core_volts temperature_celsius"

# compare NAME MUST NONE: these metrics are as the truth has them, those are null.
compare() {
	local found
	found=$(jq -rn -f "$SRCDIR/tests/emu/counters.jq" --slurpfile log "$T/log" --slurpfile truth "$T/truth" \
		--arg must "$2" --arg none "$3" 2>&1)
	# shellcheck disable=SC2086 # words
	set -- "$1" $2 $3
	local metrics=$(($# - 1))
	like "$1" "$(head -n 1 <<<"$found")" "^[1-9][0-9]* values of $metrics metrics\$"
	is "$1: each within its tolerance" "$(tail -n +2 <<<"$found" | head -n 20)" ""
	[ -s "$T/log" ] || diag "$(cat "$T/err")"
}

# agrees MACHINE SOURCES "MUST" "NONE" [OPTION…]
agrees() {
	local machine=$1 sources=$2 must=$3 none=$4
	shift 4
	measure_steps "$(exactly "$machine")" "$sources" "$@"
	compare "$(sed -n 's/^name = //p' "$(scenario "$machine")") by $sources" "$must" "$none"
}

if [ "${1-}" = large ]; then
	# By the clock on the wall, as far as this machine lets them be read at once.
	for cpus in 2 112; do
		machine=$(as_host cascadelake "s/^name.*/name = $cpus CPUs/; s/^sockets.*//; s/^cores.*/cores = $((cpus / 4))/")
		[ $cpus != 2 ] || machine=$(as_host cascadelake 's/^name.*/name = 2 CPUs\nsockets = 1/; s/^cores.*/cores = 1/')
		for interval in 0.1 1; do
			for sources in perf msr; do
				measure "$machine" $sources -n "$([ $interval = 1 ] && echo 5 || echo 20)"
				compare "$cpus CPUs each $interval s by $sources" "$clock $server $([ $sources = msr ] || echo "$license")" ""
			done
		done
	done
	interval=2
	agrees "$(variant cascadelake 's/^name.*/name = 1024 CPUs\nsockets = 8/; s/^cores.*/cores = 64/')" perf "$clock $license" ""
	done_testing
fi

skylake=$(variant cascadelake 's/^preset.*/preset = skylake-sp/; s/^name.*/name = skylake/')
agrees "$skylake" perf "$clock ipc $license $server" "core_c1_ratio"
agrees "$skylake" msr "$clock $server $register uncore_hertz power_throttle_ratio" "$license core_c1_ratio"
agrees "$skylake" perf,msr "$clock ipc $license $server $register" ""
agrees cascadelake perf "$clock $license license_throttle_ratio $server" "" --metrics \
	"$(tr ' ' , <<<"$clock $license license_throttle_ratio $server")"
agrees icelake perf "$clock $license core_c1_ratio $server" "core_c3_ratio core_c7_ratio"
agrees icelake msr "$clock core_c1_ratio $server $register uncore_hertz" "$license"
agrees sapphire-rapids perf "$clock core_c1_ratio $server" "$license"
like "sapphire-rapids: why there is no license" "$(why license2_ratio)" "no license event"
agrees alderlake perf "$clock core_watts package_watts core_c6_ratio core_c7_ratio package_c8_ratio" "$license"
agrees alderlake msr "$clock core_watts package_watts core_c6_ratio core_c7_ratio package_c10_ratio" "$license"
agrees epyc perf "$clock package_watts" "$license core_c6_ratio"
agrees epyc msr "$clock package_watts" "$license core_c6_ratio"
like "epyc: why there is no license" "$(why license2_ratio)" "license"
agrees haswell msr "$clock core_c3_ratio $server $register power_throttle_ratio" "$license"
agrees shortage perf "$clock $license $server" ""
agrees cpu0-offline perf,msr "$clock $license core_c6_ratio package_watts" ""
done_testing
