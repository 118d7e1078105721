#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dashboard beside other monitors, all at once, each in a terminal of its own and redrawing once a second: time to the
# first frame, CPU time, memory. What each measures and draws is not the same: the note says what is other.
set -u

runs=5  # medians of so many starts
settle=5  # seconds until all have started up
stretches=5  # medians of so many
watch=4  # seconds each
size=100x30

if [ ! -x "$VTSHOT" ]; then
	printf 'top: first frame\t-\tms\t<= 150\tvtshot was not built: libvterm is not installed\n'
	exit 0
fi
work=$(mktemp -d "$BUILDDIR/bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LANG=C.UTF-8 XDG_CONFIG_HOME=$work/config HOME=$work
mkdir -p "$work/config/btop" "$work/pid"
echo 'update_ms = 1000' >"$work/config/btop/btop.conf"

# The monitors: command, a text of the first whole frame, and what it does that avxtop does not.
declare -A command=([avxtop]=$AVXTOP [htop]="htop -d 10" [btop]="btop" [s-tui]="s-tui -r 1")
declare -A frame=([avxtop]="What happens" [htop]="Load average" [btop]="cpu" [s-tui]="Monitor")
declare -A other=([htop]="lists processes, measures no clock" [btop]="lists processes, disks and network; no clock in a virtual machine"
	[s-tui]="draws graphs; the clock as the kernel tells it")
there=(avxtop)
for name in htop btop s-tui; do
	command -v "$name" >/dev/null && there+=("$name")
done

median() {
	sort -n | awk '{ value[NR] = $1 } END { print NR ? value[int((NR + 1) / 2)] : "-" }'
}

first_frame() {
	for ((i = 0; i < runs; i++)); do
		# shellcheck disable=SC2086 # a command line
		"$VTSHOT" -g $size -T 10 "wait ${frame[$1]}; time frame; key q; exit 0" -- ${command[$1]} 2>/dev/null
	done | cut -f 2 | median
}

# cpu_time NAME: nanoseconds that all threads of the process in $work/pid/NAME have used.
cpu_time() {
	cat "/proc/$(cat "$work/pid/$1")/task/"*/schedstat | awk '{ sum += $1 } END { printf "%d", sum }'
}

resident() {
	awk '/^VmRSS:/ { print $2 }' "/proc/$(cat "$work/pid/$1")/status"
}

# ratio OURS THEIRS
ratio() {
	awk -v ours="$1" -v theirs="$2" 'BEGIN { if (ours > 0 && theirs > 0) printf "%.2f", ours / theirs; else print "-" }'
}

declare -A start cpu memory
for name in "${there[@]}"; do
	start[$name]=$(first_frame "$name")
done
for name in "${there[@]}"; do
	# shellcheck disable=SC2016,SC2086 # for that shell; a command line
	"$VTSHOT" -g $size -T 300 "sleep 240000" -- \
		sh -c 'echo $$ >"$0"; exec "$@"' "$work/pid/$name" ${command[$name]} >/dev/null 2>&1 &
done
sleep "$settle"
for ((i = 0; i <= stretches; i++)); do
	for name in "${there[@]}"; do
		now=$(cpu_time "$name")
		[ "$i" = 0 ] || echo $((now - cpu[$name])) >>"$work/$name.cpu"
		cpu[$name]=$now
	done
	[ "$i" = "$stretches" ] || sleep "$watch"
done
for name in "${there[@]}"; do
	memory[$name]=$(resident "$name")
	cpu[$name]=$(median <"$work/$name.cpu")
	kill "$(cat "$work/pid/$name")"
done
# shellcheck disable=SC2046 # process numbers
kill $(jobs -p) 2>/dev/null
wait

percent() {
	awk -v ns="$1" -v watch=$watch 'BEGIN { printf "%.2f %%", ns / watch / 1e7 }'
}

printf 'top: first frame\t%s\tms\t<= 150\tmedian of %d starts\n' "${start[avxtop]}" $runs
for name in htop btop s-tui; do
	must=-
	[ $name != htop ] || must='<= 1'
	if [ -z "${cpu[$name]-}" ]; then
		printf 'top: CPU time : %s\t-\tratio\t%s\t%s is not installed\n' "${command[$name]}" "$must" "$name"
		continue
	fi
	printf 'top: CPU time : %s\t%s\tratio\t%s\t%s and %s of a CPU; it %s\n' "${command[$name]}" \
		"$(ratio "${cpu[avxtop]}" "${cpu[$name]}")" "$must" "$(percent "${cpu[avxtop]}")" "$(percent "${cpu[$name]}")" "${other[$name]}"
	printf 'top: first frame : %s\t%s\tratio\t-\t%s and %s ms\n' "${command[$name]}" \
		"$(ratio "${start[avxtop]}" "${start[$name]}")" "${start[avxtop]}" "${start[$name]}"
	printf 'top: memory : %s\t%s\tratio\t-\t%s and %s KiB resident\n' "${command[$name]}" \
		"$(ratio "${memory[avxtop]}" "${memory[$name]}")" "${memory[avxtop]}" "${memory[$name]}"
done
