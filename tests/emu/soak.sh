#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `log` and `top` at once on emulated machines, while files fail or are late and CPUs come and go at random: no value may be
# wrong against the truth, and nothing may die. soak.sh [SCENARIO…]; $SOAK_SECONDS each (make soak: 60, on all of them), $SOAK_SEED.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq
[ -x "$VTSHOT" ] || skip_all "vtshot was not built: libvterm is not installed"

seconds=${SOAK_SECONDS:-5}
RANDOM=${SOAK_SEED:-1}
[ $# -gt 0 ] || set -- skylake-2s epyc hotplug
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
def lines($kind; $id): to_entries[] | .key as $m | if (.value | type) == "object" then .value | to_entries[] |
	[$t, $e, $kind, $id, "\($m).\(.key)", .value] else [$t, $e, $kind, $id, $m, .value] end |
	select(.[4] | test("^(os_busy_ratio|os_hertz|cap_hertz|floor_hertz|idle_ratio\\..*|steal_ratio|temperature_celsius|[a-z]*_watts)$")) |
	map(if . == null then "null" else . end) | @tsv;
(.cpus[] | .cpu as $id | del(.why, .source) | lines("cpu"; $id)),
(.cores[] | "\(.package).\(.core)" as $id | {temperature_celsius} | lines("core"; $id)),
(.packages[] | .package as $id | {temperature_celsius, package_watts, dram_watts, core_watts} | lines("package"; $id))'

machine_time() { machine_file /.emu/time; }

# event KIND ID METRIC HOW: of the fault at hand, which lasted until now.
event() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$began" "$(machine_time)" "$1" "$2" "$3" "$4" >>"$T/events"; }

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
	began=$(machine_time)
	case $what in
	0 | 1) ctl "offline $list" ;;
	4) ctl "fault read=$path delay_ms=$((100 + RANDOM % 900))" ;;
	7) ctl "cpu $list busy=$((RANDOM % 101)) mhz=$((1000 + RANDOM % 2000)) temp=$((30 + RANDOM % 60))" ;;
	*) ctl "fault read=$path errno=EIO" ;;
	esac
}

end_event() {
	case $what in
	0 | 1) ctl "online $list" ;;
	# cpufreq takes turns: what it has not read again is an older reading.
	3) event "${served[@]}" slow; ctl "fault read=$path errno=none" ;;
	4) event cpu '*' '*' slow; ctl "fault read=$path errno=none" ;;
	7) ;;
	*) event "${served[@]}" fault; ctl "fault read=$path errno=none" ;;
	esac
}

# Changes the machine and writes down the truth until the time is over.
drive() {
	local stop=$((SECONDS + seconds)) pause=0.1 happening=0 ends=0
	[ "$ncpu" -lt 256 ] || pause=2
	while [ $SECONDS -lt $stop ]; do
		truth "$truth_lines" >>"$T/truth"
		if ((happening && SECONDS >= ends)); then
			end_event
			happening=0
		elif ((!happening)); then
			draw
			begin_event
			happening=1 ends=$((SECONDS + interval * 2 + RANDOM % 3))
		fi
		sleep $pause
	done
	((!happening)) || end_event
	truth "$truth_lines" >>"$T/truth"
}

soak() {
	local before slack=0.5 interval=1 each=0.5
	: >"$T/truth"
	: >"$T/events"
	rm -f "$T/log.json"
	ncpu=$(sed -n '/^big$/p' <<<"$1" | wc -l)
	((!ncpu)) || interval=4 each=5 slack=6
	# shellcheck disable=SC2016 # expanded by that shell
	begin "$1" bash -c '"$AVXTOP" log -i "$1" --format json --source -ruler -o "$2/log.json" & log=$!
		"$VTSHOT" -T 300 -g 100x40 -d "$2" "stable 300; sleep $3; snap top; key q; exit 0" -- "$AVXTOP" top --source -ruler
		top=$?
		kill -TERM $log; wait $log; rc=$?; echo "top $top log $rc"; [ $top = 0 ] && [ $rc = 0 -o $rc = 143 ]' \
		- "$each" "$T" "$((seconds * 1000))" || { tap_result 1 "$1: starts"; return; }
	ctl 'clock real'
	ncpu=$(truth '.cpus | length')
	before=$(date +%s.%N)
	offset=$(awk -v a="$before" -v e="$(machine_time)" -v b="$(date +%s.%N)" 'BEGIN { printf "%.3f", (a + b) / 2 - e }')
	drive
	await
	is "$1: top and log end as asked" "$rc" 0
	[ "$rc" = 0 ] || diag "$(tail -n 30 "$T/out" "$T/err")"
	jq -r "$sample_lines" "$T/log.json" >"$T/samples"
	ok "$1: no value is wrong" awk -v OFFSET="$offset" -v SLACK=$slack -f "$SRCDIR/tests/emu/soak.awk" "$T/truth" "$T/events" "$T/samples"
	diag "$(tail -n 1 "$T/.ok")"
	ok "$1: there were values" grep -qv 'null$' "$T/samples"
	ok "$1: no sanitizer has a word" test -z "$(compgen -G "$T/sanitizer*")"
	head -n 40 "$T"/sanitizer* 2>/dev/null | sed 's/^/# /'
	rm -f "$T"/sanitizer*
}

for machine; do
	soak "$machine"
done
done_testing
