#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# avxtop log beside turbostat on an emulated machine, since turbostat needs MSRs. They do not the same: turbostat reads
# registers, each of which costs the emulation; avxtop reads files, which cost it more still. CPU time is the tool's own.
set -u

runs=3
samples=5
interval=0.3
name="log: CPU time of a sample : turbostat"
none() {
	printf '%s\t-\tratio\t-\t%s\n' "$name" "$1"
	exit 0
}
command -v turbostat >/dev/null || none "turbostat is not installed"
[ -x "$EMUHW" ] || none "emuhw was not built: libfuse3 is not installed"
scenario=$SRCDIR/tests/emuhw/scenarios/skylake-2s.emu
"$EMUHW" -q "$scenario" -- true >/dev/null 2>&1 || none "machines cannot be emulated here"

# costs COMMAND…: medians of wall and CPU time, in ms.
costs() {
	for ((i = 0; i < runs; i++)); do
		"$EMUHW" -q "$scenario" -- "$BUILDDIR/tests/bench/cost" "$@" 2>/dev/null
	done | sort -n -k "2,2" | sed -n "$(((runs + 1) / 2))p"
}

ours=(avxtop log --format csv -i "$interval" -n)
ours[0]=$AVXTOP
theirs=(turbostat -q -i "$interval" --num_iterations)
{
	costs "${ours[@]}" 1
	costs "${ours[@]}" $((samples + 1))
	costs "${theirs[@]}" 1
	costs "${theirs[@]}" $((samples + 1))
} | awk -v name="$name" -v n=$samples -v interval=$interval '
	{ wall[NR] = $1; cpu[NR] = $2 }
	END {
		if (NR < 4) {
			printf "%s\t-\tratio\t-\ta tool failed on the emulated machine\n", name
			exit
		}
		ours = (cpu[2] - cpu[1]) / n; theirs = (cpu[4] - cpu[3]) / n
		printf "%s\t%s\tratio\t-\t%.2f and %.2f ms, on a 2-socket Skylake\n", name, (theirs > 0 ? sprintf("%.2f", ours / theirs) : "-"), ours, theirs
		a = wall[1] - interval * 1e3; b = wall[3] - interval * 1e3
		printf "log: start : turbostat\t%s\tratio\t-\t%.0f and %.0f ms to the first record, without the interval\n", (b > 0 ? sprintf("%.2f", a / b) : "-"), a, b
	}'
