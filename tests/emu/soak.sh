#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `log` and `top` at once on emulated machines, while files fail or are late and CPUs come and go at random: no value may be
# wrong against the truth, and nothing may die. soak.sh [SCENARIO…]; $SOAK_SECONDS each (make check: a few, on one machine; make soak: 60, on
# all of them), $SOAK_SEED.
# Alone: what was true at which moment is known by the clocks of both machines.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq
[ -x "$VTSHOT" ] || skip_all "vtshot was not built: libvterm is not installed"

seconds=${SOAK_SECONDS:-8}
RANDOM=${SOAK_SEED:-1}
[ $# -gt 0 ] || set -- hotplug
if [ "$1" = all ]; then
	mapfile -t machines < <(basename -s .emu "$SCENARIOS"/*.emu)
	set -- "${machines[@]}"
fi
export ASAN_OPTIONS=${ASAN_OPTIONS-log_path=$T/sanitizer} UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1:log_path=$T/sanitizer}

# The truth and the samples as lines of the same form: see soak.awk.
truth_lines='def ratio: . / 100;
.t as $t | .cpus as $cpus | (.cpus[] | . as $c | {
	online, os_busy_ratio: (.busy | ratio), os_hertz: (.mhz * 1e6), cap_hertz: (.cap_mhz * 1e6), floor_hertz: (.floor_mhz * 1e6),
	"idle_ratio.POLL": 0, "idle_ratio.C1": (.c1 | ratio), "idle_ratio.C1E": (.c1e | ratio), "idle_ratio.C3": (.c3 | ratio),
	"idle_ratio.C6": (.c6 | ratio), "idle_ratio.C7": (.c7 | ratio), "idle_ratio.C2": (.c6 | ratio), steal_ratio: 0
	} | to_entries[] | [$t, "cpu", $c.cpu, .key, .value]),
(.cores[] | . as $k | $cpus[.cpus[0]] | [$t, "core", "\($k.pkg).\($k.core)", "temperature_celsius", .temp],
	[$t, "core", "\($k.pkg).\($k.core)", "online", .online]),
(.packages[] | . as $p | {temperature_celsius: .temp, package_watts: .pkg_w, dram_watts: .dram_w, core_watts: .pp0_w}
	| to_entries[] | select(.value != null) | [$t, "package", $p.pkg, .key, .value]) | @tsv'
sample_lines='select(.cpus) | .elapsed_s as $e |
((.time | sub("\\.[0-9]+Z"; "Z") | fromdateiso8601) + (.time | capture("(?<f>\\.[0-9]+)Z").f | tonumber)) as $t |
def lines($kind; $id): . as $row | to_entries[] | .key as $m | ($row.state[$m] // $row.why[$m] // "") as $remark |
	if (.value | type) == "object" then .value | to_entries[] | [$t, $e, $kind, $id, "\($m).\(.key)", .value, $remark]
	else [$t, $e, $kind, $id, $m, .value, $remark] end |
	select(.[4] | test("^(os_busy_ratio|os_hertz|cap_hertz|floor_hertz|idle_ratio\\..*|steal_ratio|temperature_celsius|[a-z]*_watts)$")) |
	map(if . == null then "null" else . end) | @tsv;
(.cpus[] | .cpu as $id | lines("cpu"; $id)),
(.cores[] | "\(.package).\(.core)" as $id | {temperature_celsius, state, why} | lines("core"; $id)),
(.packages[] | .package as $id | {temperature_celsius, package_watts, dram_watts, core_watts, state, why} | lines("package"; $id))'

machine_time() { machine_file /.emu/time; }

# Draws what is to happen next: $what, and the file and what it serves.
draw() {
	local cpu=$((RANDOM % ncpu))
	what=$((RANDOM % 8)) path='' served=()
	case $what in
	0 | 1) ((cpu)) || what=2; list=$cpu ;;
	esac
	case $what in
	2) path=/proc/stat served=(cpu '*' os_busy_ratio) ;;
	3 | 4) path=/sys/devices/system/cpu/cpufreq/policy$cpu/scaling_cur_freq served=(cpu "$cpu" os_hertz) ;;
	5) path=/sys/devices/system/cpu/cpu$cpu/cpuidle/state1/time served=(cpu "$cpu" idle_ratio.C1) ;;
	6) path=/sys/devices/virtual/powercap/intel-rapl/intel-rapl:0/energy_uj served=(package 0 package_watts) ;;
	7) list=$cpu ;;
	esac
}

begin_event() {
	case $what in
	0 | 1) ctl "offline $list" ;;
	4) ctl "fault read=$path delay_ms=$((100 + RANDOM % 900))" ;;
	7)
		# By itself it may have changed since it was looked at last.
		machine_file /.emu/truth >>"$T/truth.events"
		ctl "cpu $list busy=$((RANDOM % 101)) mhz=$((1000 + RANDOM % 2000)) temp=$((30 + RANDOM % 60))"
		;;
	*) ctl "fault read=$path errno=EIO" ;;
	esac
	began=$(machine_time)
}

end_event() {
	case $what in
	0 | 1) ctl "online $list" ;;
	4) ctl "fault read=$path errno=none" ;;
	7) ;;
	*)
		(IFS=$'\t' && echo "$began	$(machine_time)	${served[*]}" >>"$T/events")
		ctl "fault read=$path errno=none"
		;;
	esac
}

# Writes down the truth again and again, in the background.
watch_truth() {
	while sleep "$1" && machine_file /.emu/truth; do
		:
	done >"$T/truth.json" 2>/dev/null
}

# Is the machine still there, and what runs on it?
going() { [ -e "$machine_root/.emu/ctl" ]; }

# Changes the machine until the dashboard has had its time and ends.
drive() {
	local happening=0 ends=0
	while going; do
		if ((happening && SECONDS >= ends)); then
			end_event
			happening=0
		elif ((!happening)); then
			draw
			begin_event
			happening=1 ends=$((SECONDS + interval * 2 + RANDOM % 3))
		fi
		sleep 0.2
	done 2>/dev/null # the machine may end at any moment
	((!happening)) || ! going || end_event
}

# A machine of thousands of CPUs takes seconds to read, and its truth as long to write down: what is done at which pace, in
# seconds, follows from its size.
set_pace() {
	ncpu=$(emulate "$1" getconf _NPROCESSORS_CONF)
	interval=1 each=0.5 pause=0.1 gap=0.9
	((ncpu <= 512)) || interval=5 each=5 pause=1 gap=6
}

# How far the machine's clock is behind the host's, and how well that is known: of several looks the shortest.
compare_clocks() {
	local before emulated after
	for _ in {1..20}; do
		before=$EPOCHREALTIME
		emulated=$(machine_time)
		after=$EPOCHREALTIME
		echo "$before $emulated $after"
	done | awk '{ took = $3 - $1 } NR == 1 || took < least { least = took; offset = ($1 + $3) / 2 - $2 }
		END { printf "%.4f %.4f\n", offset, least / 2 + 0.001 }'
}

soak() {
	local ncpu interval each pause gap watcher offset slack
	set_pace "$1"
	echo "#" >"$T/events" # an empty file could not be counted
	rm -f "$T/log.json"
	: >"$T/truth.events"
	# The time is counted from when both have begun to show numbers: the log has a line of what it holds, and then records.
	# shellcheck disable=SC2016 # expanded by that shell
	begin "$1" bash -c '"$AVXTOP" log -i "$1" --format json --source -ruler -o "$2/log.json" & log=$!
		until [ "$(cat "$2/log.json" 2>/dev/null | wc -l)" -ge 2 ] || ! kill -0 $log; do sleep 0.2; done
		"$VTSHOT" -T 900 -g 100x40 -d "$2" "wait Quit; stable 300; sleep $3; snap top; key q; exit 0" \
			-- "$AVXTOP" top -i "$1" --source -ruler
		top=$?
		kill -TERM $log; wait $log; rc=$?; echo "top $top log $rc"; [ $top = 0 ] && [ $rc = 0 -o $rc = 143 ]' \
		- "$each" "$T" "$((seconds * 1000))" || { tap_result 1 "$1: starts"; return; }
	ctl 'clock real'
	watch_truth $pause &
	watcher=$!
	read -r offset slack < <(compare_clocks)
	drive
	await
	wait "$watcher"
	is "$1: top and log end as asked" "$rc" 0
	[ "$rc" = 0 ] || diag "$(tail -n 30 "$T/out" "$T/err")"
	jq -r "$truth_lines" "$T/truth.json" "$T/truth.events" | sort -s -g -k 1,1 >"$T/truth"
	jq -r "$sample_lines" "$T/log.json" >"$T/samples"
	ok "$1: no value is wrong" awk -v OFFSET="$offset" -v SLACK="$slack" -v GAP=$gap -f "$SRCDIR/tests/emu/soak.awk" \
		"$T/truth" "$T/events" "$T/samples" "$T/samples"
	diag "$(tail -n 1 "$T/.ok")"
	ok "$1: no sanitizer has a word" test -z "$(compgen -G "$T/sanitizer*")"
	head -n 40 "$T"/sanitizer* 2>/dev/null | sed 's/^/# /'
	rm -f "$T"/sanitizer*
}

for machine; do
	soak "$machine"
done
done_testing
