#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dashboard: time to its first frame, and its CPU time beside that of htop, both redrawing once a second.
set -u

runs=11  # medians of so many starts
settle=4  # seconds until both have started up
watch=20  # seconds of CPU time

name="top: first frame"
if [ ! -x "$VTSHOT" ]; then
	printf '%s\t-\tms\t<= 150\tvtshot was not built: libvterm is not installed\n' "$name"
	exit 0
fi
work=$(mktemp -d "$BUILDDIR/bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LANG=C.UTF-8

first_frame() {
	for ((i = 0; i < runs; i++)); do
		"$VTSHOT" -g 100x30 'wait What happens; time frame; key q; exit 0' -- "$AVXTOP" || return 1
	done | cut -f 2 | sort -n | sed -n "$(((runs + 1) / 2))p"
}

# cpu_time NAME: nanoseconds that all threads of the process in $work/NAME have used.
cpu_time() {
	cat "/proc/$(cat "$work/$1")/task/"*/schedstat | awk '{ sum += $1 } END { printf "%d", sum }'
}

# watch_program NAME COMMAND…: in a terminal, its number in $work/NAME.
watch_program() {
	local name=$1
	shift
	# shellcheck disable=SC2016 # for that shell
	"$VTSHOT" -g 100x30 -T 60 "sleep $(((settle + watch + 2) * 1000)); key q; exit 0" -- \
		sh -c 'echo $$ >"$0"; exec "$@"' "$work/$name" "$@" >&2 &
}

printf '%s\t%s\tms\t<= 150\tmedian of %d starts\n' "$name" "$(first_frame)" "$runs"

name="top: CPU time : htop -d 10"
if ! command -v htop >/dev/null; then
	printf '%s\t-\tratio\t<= 1\thtop is not installed\n' "$name"
	exit 0
fi
watch_program avxtop "$AVXTOP"
watch_program htop htop -d 10
sleep "$settle"
ours=$(cpu_time avxtop) theirs=$(cpu_time htop)
sleep "$watch"
ours=$(($(cpu_time avxtop) - ours)) theirs=$(($(cpu_time htop) - theirs))
wait
awk -v name="$name" -v ours="$ours" -v theirs="$theirs" -v watch="$watch" 'BEGIN {
	printf "%s\t%.2f\tratio\t<= 1\t%.2f %% and %.2f %% of a CPU over %d s, side by side\n",
		name, ours / theirs, ours / watch / 1e7, theirs / watch / 1e7, watch
}'
