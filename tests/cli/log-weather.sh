#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop log` in bad weather: signals, closed and full outputs, small limits, few rights, other locales.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

# wait_lines FILE N: until the file has that many lines, 20 s at most.
wait_lines() {
	local i
	for ((i = 0; i < 400; i++)); do
		[ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ] && return 0
		sleep 0.05
	done
	return 1
}

# --- signals: all records so far are whole, and it is no failure
for signal in INT TERM HUP; do
	# A shell without job control lets & ignore SIGINT, and nohup SIGHUP; env gives them back.
	env --default-signal=INT,TERM,HUP "$AVXTOP" log -i 0.1 --format json >"$T/s" 2>"$T/e" &
	pid=$!
	wait_lines "$T/s" 3
	kill -$signal $pid
	wait $pid
	is "SIG$signal ends it with status 0" "$?" 0
	ok "what it wrote is whole" jq -es 'length >= 3' "$T/s"
	is "and silent" "$(cat "$T/e")" ""
done
began=$(date +%s%N)
"$AVXTOP" log -i 3600 >/dev/null & pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
ok "at once, though the next record is an hour away" test $((($(date +%s%N) - began) / 1000000)) -lt 3000
nohup "$AVXTOP" log -n 6 -i 0.1 --format csv >"$T/s" 2>/dev/null & pid=$!
wait_lines "$T/s" 2
kill -HUP $pid
wait $pid
ok "under nohup SIGHUP ends nothing" test "$(wc -l <"$T/s")" -ge 7

# --- outputs
"$AVXTOP" log -i 0.1 --format csv 2>"$T/e" | head -n 1 >"$T/s"
status=${PIPESTATUS[0]}
is "a pipe closed by its reader ends it as any command of a pipeline" "$status" 141
is "without a word" "$(cat "$T/e")" ""
began=$(date +%s%N)
"$AVXTOP" log -i 3600 2>"$T/e" | true
ok "at once, though the next record is an hour away" test $((($(date +%s%N) - began) / 1000000)) -lt 5000
(trap '' PIPE; "$AVXTOP" log -i 0.1 --format csv 2>"$T/e"; echo $? >"$T/rc") | head -n 1 >/dev/null
is "status 1 where SIGPIPE is ignored" "$(cat "$T/rc")" 1
is "silent there, too" "$(cat "$T/e")" ""
exits 1 "a full disk" bash -c '"$AVXTOP" log -n 2 -i 0.1 >/dev/full'
one_sentence "is told in one sentence" "$err"
exits 1 "a full disk by -o" "$AVXTOP" log -n 2 -i 0.1 -o /dev/full
one_sentence "is told in one sentence" "$err"
for closed in '>&-' '>&- 2>&-' '<&- >&-'; do
	began=$(date +%s%N)
	exits 1 "closed streams: $closed" bash -c "exec \"\$AVXTOP\" log -i 0.1 -n 2 $closed"
done
exits 1 "closed standard output" bash -c 'exec "$AVXTOP" log -i 0.1 -n 2 --format json >&-'
one_sentence "is told in one sentence" "$err"
exits 0 "closed standard input does not matter" bash -c 'exec "$AVXTOP" log -i 0.1 -n 1 <&-'

# --- the clock of the records is true across a stop
"$AVXTOP" log -n 4 -i 0.2 --format json --metrics os_busy_ratio >"$T/s" & pid=$!
wait_lines "$T/s" 2
kill -STOP $pid
sleep 1.3
kill -CONT $pid
wait $pid
is "stopped and continued: status 0" "$?" 0
ok "the interval across the stop tells its true length" \
	jq -es '[.[1:][].elapsed_s] | max > 1.2 and max < 10' "$T/s"
ok "missed ticks are not caught up with" jq -es '[.[1:][].elapsed_s] | min > 0.09' "$T/s"
ok "the times of the records agree with the intervals" jq -es '
	def seconds: (.[0:19] + "Z" | fromdate) + ("0" + .[19:26] | tonumber);
	[.[1:][] | {t: (.time | seconds), e: .elapsed_s}] | . as $r |
	[range(1; length) | ($r[.].t - $r[. - 1].t - $r[.].e) | fabs] | max < 0.05' "$T/s"

# --- few descriptors, few rights, few CPUs
# Those of make are not the program's.
exits 0 "16 descriptors" bash -c 'exec 3>&- 4>&- 5>&-; ulimit -n 16; exec "$AVXTOP" log -n 1 -i 0.1 --format json'
ok "still a record" jq -es '.[1].cpus | length > 0' "$T/.out"
exits 0 "8 descriptors" bash -c 'exec 3>&- 4>&- 5>&-; ulimit -n 8; exec "$AVXTOP" log -n 1 -i 0.1 --format json'
ok "what is absent for it says why" jq -es '.[0].metrics | all(.[]; .source != null or (.why | length) > 0)' "$T/.out"
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
cp "$AVXTOP" "$T/avxtop" && chmod 755 "$T" "$T/avxtop"
if [ "$(id -u)" = 0 ] && "${nobody[@]}" test -x "$T/avxtop" 2>/dev/null; then
	exits 0 "as nobody" "${nobody[@]}" \
		env HOME=/nonexistent XDG_STATE_HOME= "$T/avxtop" log -n 1 -i 0.1 --format json
	ok "its records are valid" jq -es '.[1].cpus | length > 0' "$T/.out"
	is "it says nothing" "$err" ""
else
	skip "as nobody" "not root, or nobody may not enter the build folder"
fi
exits 0 "an empty environment" env -i "$AVXTOP" log -n 1 -i 0.1 --format json
ok "its records are valid" jq -es 'length == 2' "$T/.out"
exits 0 "LANG names a locale that is not there" env LANG=xx_YY.UTF-8 "$AVXTOP" log -n 1 -i 0.1
first=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/')
other=$(jq -sr --argjson first "$first" '[.[1].cpus[].cpu | select(. != $first)] | first // empty' "$T/.out" 2>/dev/null)
run "$AVXTOP" log -n 1 -i 0.1 --format json
other=$(printf '%s\n' "$out" | jq -sr --argjson first "$first" '[.[1].cpus[].cpu | select(. != $first)] | first // empty')
if [ -n "$other" ]; then
	exits 0 "on one CPU of several" taskset -c "$first" "$AVXTOP" log -n 2 -i 0.2 --format json
	is "the others have no clock and say why" "$(printf '%s\n' "$out" |
		jq -s ".[0].metrics.busy_hertz.source == null or ([.[1:][].cpus[] | select(.cpu == $other) |
			.busy_hertz == null and .why.busy_hertz == \"not-allowed\"] | all)")" true
	is "the kernel's figures of them are there" "$(printf '%s\n' "$out" |
		jq -s "[.[1:][].cpus[] | select(.cpu == $other) | .steal_ratio | numbers] | length > 0")" true
	is "its affinity stays its own" "$(taskset -c "$first" "$AVXTOP" log -n 2 -i 0.2 --format csv --metrics busy_hertz >/dev/null &
		sleep 0.3; taskset -cp $! | sed 's/.*: //'; wait)" "$first"
else
	skip "on one CPU of several" "there is only one"
fi

# --- decimal comma
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$T/de_DE.UTF-8" 2>/dev/null; then
	exits 0 "a locale with a decimal comma" env LOCPATH="$T" LC_ALL=de_DE.UTF-8 "$AVXTOP" log -n 2 -i 0.2 --format json
	ok "json has points" jq -es '.[1].elapsed_s > 0.1' "$T/.out"
	run env LOCPATH="$T" LC_ALL=de_DE.UTF-8 "$AVXTOP" log -n 1 -i 0.2 --format csv
	is "csv has as many columns" "$(printf '%s\n' "$out" | awk -F, '{ print NF }' | sort -u | wc -l)" 1
	like "csv has points" "$(printf '%s\n' "$out" | tail -n 1)" ',0\.[0-9]+,'
	run env LOCPATH="$T" LC_ALL=de_DE.UTF-8 "$AVXTOP" log -n 1 -i 0.2
	unlike "the table has points" "$out" '[0-9],[0-9]'
else
	skip "a locale with a decimal comma" "localedef or its sources are not installed"
fi

done_testing
