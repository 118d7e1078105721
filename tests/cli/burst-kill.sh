#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A burst never outlives whoever asked for it, nor its own deadline: SIGKILL and SIGSTOP of the program
# and of its parent, measured by the CPU time that is used afterwards.
# Plain: the same C runs in burst.sh.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs taskset

cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//')
arguments=(burst --cpus "$cpu" --force --kernel scalar --format json)
hertz=$(getconf CLK_TCK)

# ms PID: CPU time that all its threads have used; nothing when it is gone (or a zombie).
ms() {
	local stat
	stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
	# fields after the command's name: 1 state, 12 utime, 13 stime
	awk -v hertz="$hertz" '$1 != "Z" { print ($12 + $13) * 1000 / hertz }' <<<"${stat##*) }"
}

# loaded PID: until it has used 100 ms of CPU time, 20 s at most.
loaded() {
	local i
	for ((i = 0; i < 400; i++)); do
		[ "$(printf '%.0f' "$(ms "$1")")" -ge 100 ] && return 0
		sleep 0.05
	done
	return 1
}

# quiet_after_100ms NAME PID: from 100 ms on it uses no CPU time but for ending.
quiet_after_100ms() {
	local first last
	sleep 0.1
	first=$(ms "$2")
	sleep 0.5
	last=$(ms "$2")
	ok "$1 (CPU ms at 100 ms: ${first:-gone}, at 600 ms: ${last:-gone})" \
		awk -v a="${first:-0}" -v b="${last:-${first:-0}}" 'BEGIN { exit b - a > 40 }'
}

# --- the program itself is killed
"$AVXTOP" "${arguments[@]}" --duration 60 >/dev/null 2>&1 &
pid=$!
ok "a burst loads its CPU" loaded $pid
kill -KILL $pid
quiet_after_100ms "SIGKILL ends the load" $pid
wait $pid 2>/dev/null
not_ok "and no thread is left" test -d /proc/$pid

# --- its parent is killed, also one that makes its children ignore SIGTERM
for trap in "" "trap '' TERM; "; do
	rm -f "$T/pid"
	# the trailing command keeps bash from exec
	bash -c "$trap"'"$@" >/dev/null 2>&1 & echo $!; wait; :' bash "$AVXTOP" "${arguments[@]}" --duration 60 >"$T/pid" &
	parent=$!
	for ((i = 0; i < 100; i++)); do [ -s "$T/pid" ] && break; sleep 0.05; done
	pid=$(cat "$T/pid")
	ok "${trap}a burst below a shell loads its CPU" loaded "$pid"
	kill -KILL $parent
	quiet_after_100ms "${trap}SIGKILL of the parent ends the load" "$pid"
	wait $parent 2>/dev/null
	for ((i = 0; i < 40; i++)); do [ -n "$(ms "$pid")" ] || break; sleep 0.05; done
	is "${trap}and the program with it" "$(ms "$pid")" ""
	[ ! -d "/proc/$pid" ] || kill -KILL "$pid"
done

# --- the program is stopped, and continues after the deadline
"$AVXTOP" "${arguments[@]}" --duration 1.5 >"$T/out" 2>/dev/null &
pid=$!
ok "a burst of 1.5 s loads its CPU" loaded $pid
kill -STOP $pid
quiet_after_100ms "SIGSTOP ends the load" $pid
sleep 1.5
before=$(ms $pid)
kill -CONT $pid
last=$before
for ((i = 0; i < 400; i++)); do
	now=$(ms $pid)
	[ -n "$now" ] || break
	last=$now
	sleep 0.01
done
wait $pid
is "after SIGCONT past the deadline it ends" "$?" 0
ok "and has run no burst any more ($before to $last ms)" awk -v a="$before" -v b="$last" 'BEGIN { exit b - a > 40 }'

# --- stopped by the terminal, as ^Z does: continues within the deadline. In a group of its own: the kernel stops none that
# nobody of its session could continue, as that of a whole CI may be.
set -m
"$AVXTOP" "${arguments[@]}" --duration 60 >/dev/null 2>&1 &
pid=$!
set +m
loaded $pid
kill -TSTP $pid
quiet_after_100ms "SIGTSTP ends the load" $pid
before=$(ms $pid)
kill -CONT $pid
sleep 1
ok "SIGCONT within the time goes on" awk -v a="$before" -v b="$(ms $pid)" 'BEGIN { exit !(b - a > 40) }'
kill -TERM $pid
quiet_after_100ms "SIGTERM ends the load" $pid
wait $pid
is "in good order" "$?" 0

done_testing
