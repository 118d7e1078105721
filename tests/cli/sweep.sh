#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop sweep`: what can be asked wrongly, every format, copies warm and cold, every way to end it.
# Loads: one CPU, then all.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

allowed=$(taskset -pc $$ | sed 's/.*: //')
cpu=${allowed##*[,-]}
# --force: this machine may be busy with other tests.
# shellcheck disable=SC2317 # called through exits
sweep() { "$AVXTOP" sweep --force --duration 0.1 "$@"; }

# --- asked wrongly: one sentence each, and what to do
wrong() { # STATUS WORDS OPTION…
	local want=$1 words=$2
	shift 2
	exits "$want" "$*: is refused" sweep "$@"
	one_sentence "in one sentence" "$err"
	like "that says what to do" "$err" "$words"
	is "and nothing is printed" "$out" ""
}
wrong 2 'not a list of counts of cores; write 1,2,4-8' --cores x
wrong 2 '0 active cores sweep nothing; write' --cores 0
wrong 2 'not a size; write bytes, or 16K' --copy --sizes 16X
wrong 2 'too large; 1024G' --copy --sizes 9999G
wrong 2 'write bytes below 4096' --copy --align 4096
wrong 2 '^avxtop: --sizes is of copies: add --copy$' --sizes 16K
wrong 2 '^avxtop: --cold is of copies: add --copy$' --cold
wrong 2 '^avxtop: copy-libc is a copy: add --copy$' --kernel copy-libc
wrong 2 '^avxtop: scalar is no copy: leave it out' --copy --kernel scalar
wrong 2 'unknown kernel "scalr"; near: scalar' --kernel scalr
wrong 2 'CPU 9999' --cpus 9999
wrong 3 'active cores cannot be had: [0-9]+ may be driven here: name up to' --cores 9999
mkdir -p "$T/root/sys/devices/system/cpu" "$T/root/proc"
echo 0 | tee "$T/root/sys/devices/system/cpu/"{possible,present,online} >/dev/null
exits 3 "another machine's files cannot be swept" sweep --kernel scalar --sysroot "$T/root"
is "nothing is printed then" "$out" ""

# --- what cannot run here
missing=$("$AVXTOP" kernels --format json | jq -r '[.kernels[] | select(.usable == false)][0].name // empty')
if [ -n "$missing" ]; then
	exits 3 "$missing, named alone, exits with 3" sweep --kernel "$missing"
	like "with the reason" "$err" "$missing cannot run here: ."
	exits 3 "a list with it exits with 3" sweep --kernel "scalar,$missing" --cores 1 --format json
	is "but the others are swept" "$(jq -r '[.points[].kernel] | join(",")' "$T/.out")" scalar
	like "and it is among those refused" "$(jq -r '.refused[]' "$T/.out")" "^$missing cannot run"
fi

# --- the points
exits 0 "a sweep of two kernels" sweep --kernel scalar,sse-fma --cores 1 --duration 0.3 --format json
ok "is one object on one line" test "$(wc -l <"$T/.out")" = 1
ok "of the schema" jq -e '.schema == "avxtop.sweep/1" and .source == "ruler" and .stopped == false' "$T/.out"
is "with a point each, in order" "$(jq -c '[.points[] | [.kernel, .active_cores]]' "$T/.out")" \
	'[["scalar",1],["sse-fma",1]]'
ok "all keys are there" jq -e '.points | all(
	has("cpus") and has("hertz") and has("hertz_low") and has("hertz_high") and has("by_base") and
	has("ops_per_second") and has("ops_per_cycle") and has("peak_ratio") and has("limit_hertz") and
	has("size_bytes") and has("why") and has("temperature_celsius") and has("license0_ratio"))' "$T/.out"
ok "a clock is one, or has its reason" jq -e '.points | all(if .hertz == null then .why != null
	else .why == null and .hertz > 2e8 and .hertz < 1e10 end)' "$T/.out"
ok "within its interval" jq -e '.points | all(.hertz_low == null or
	(.hertz_low <= .hertz and .hertz <= .hertz_high))' "$T/.out"
ok "bases are on one grid" jq -e '[.points[].by_base[].base_hertz] |
	all((log / 0.005) as $cell | ($cell - ($cell | round)) | fabs < 0.001)' "$T/.out"
ok "every chunk was verified" jq -e '.points | all(.verified)' "$T/.out"
ok "no more than the core can do" jq -e '.points | all(.peak_ratio == null or .peak_ratio < 1.03 or .hertz == null)' "$T/.out"
ok "what is not measured is null" jq -e '.points | all(.size_bytes == null and .limit_hertz == null and
	.cold == null)' "$T/.out"
ok "and the scalar clock is looked at again at the end" jq -e '.drift.kernel == "scalar" and
	.drift.active_cores == 1' "$T/.out"
exits 0 "without --cores" sweep --kernel scalar --format json
ok "one core and all are swept" jq -e '[.points[].active_cores] | .[0] == 1 and . == (sort | unique)' "$T/.out"
ok "each CPU is named once" jq -e '.points | all((.each_cpu | length) == .active_cores)' "$T/.out"

# --- other formats
exits 0 "CSV" sweep --kernel scalar,sse-fma --cores 1 --format csv
is "has one header" "$(grep -c '^role,kernel,active_cores,cpus,hertz' "$T/.out")" 1
is "as many fields in each row" "$(sed 's/"[^"]*"/x/g' "$T/.out" | awk -F, '{ print NF }' | sort -u | wc -l)" 1
is "and a row for each point, and for the drift" "$(cut -d, -f1,2 "$T/.out" | tail -n +2 | xargs)" \
	"drift,scalar point,scalar point,sse-fma drift,scalar"
exits 0 "a table for people" sweep --kernel scalar --cores 1
like "has a row for the kernel" "$out" "^scalar +"
like "and a column for the cores" "$out" "^KERNEL +1 CORE$"
if has_line "$out" "^scalar +–"; then
	skip "and the clock by base" "other work took the CPU"
else
	like "and the clock by base" "$out" "^KERNEL +CORES +BASE +CLOCK +CHANGE +PAIRS$"
fi
exits 0 "a picture" sweep --kernel scalar --cores 1 --format svg -o "$T/picture.svg"
like "is one" "$(head -c 600 "$T/picture.svg")" "<svg "
like "to its end" "$(tail -1 "$T/picture.svg")" "</svg>"
is "not on standard output" "$out" ""
if [ -w /dev/full ]; then
	sweep --kernel scalar --cores 1 --format json >/dev/full 2>"$T/err"
	is "a full disk is a failure" "$?" 1
	like "with the reason" "$(cat "$T/err")" "the results cannot be written \(No space left on device\)$"
fi
unlike "no bar where there is no terminal" "$err" $'\r'

# --- copies
exits 0 "copies" sweep --copy --kernel copy-libc,copy-unrolled --sizes 16K,1M --align 0,1/63 --cores 1 --format json
is "each size and alignment" "$(jq -c '[.points[] | select(.kernel == "copy-libc") |
	[.size_bytes, .from_align, .to_align]]' "$T/.out")" "[[16384,0,0],[16384,1,63],[1048576,0,0],[1048576,1,63]]"
ok "all verified, none cold" jq -e '.points | all(.verified and .cold == false)' "$T/.out"
ok "between two controls of FMA" jq -e '[.controls[] | select(.kernel | test("fma"))] | length == 2' "$T/.out"
rates() { jq -r '[.points[].ops_per_cycle // 0] | max' "$T/.out"; }
sweep --copy --kernel copy-libc --sizes 16K --cores 1 --duration 0.3 --format json >"$T/.out" 2>/dev/null
warm=$(rates)
run sweep --copy --cold --kernel copy-libc --sizes 16K --cores 1 --duration 0.3 --format json
if grep -q "no copy can be cold here" "$T/.out"; then
	skip "cold copies are slower" "flushing has no effect here"
else
	ok "cold copies are marked" jq -e '.points | all(.cold)' "$T/.out"
	ok "and much slower ($(rates) and $warm bytes a cycle)" jq -ne --argjson c "$(rates)" --argjson w "$warm" \
		'$c > 0 and $c * 2 < $w'
fi

# --- where it may run
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$T" && setpriv --reuid 65534 --clear-groups test -x "$AVXTOP"; then
	exits 0 "nobody may sweep" setpriv --reuid 65534 --regid 65534 --clear-groups "$AVXTOP" sweep --force \
		--duration 0.1 --kernel scalar --cores 1 --format json
	ok "and has a point" jq -e '.points | length == 1' "$T/.out"
else
	skip "nobody may sweep" "needs root, and a folder that all may enter"
fi
exits 0 "on one CPU of a cpuset" taskset -c "$cpu" "$AVXTOP" sweep --force --duration 0.1 --kernel scalar --format json
is "one core is all" "$(jq -c '[.points[] | [.active_cores, .cpus]]' "$T/.out")" "[[1,\"$cpu\"]]"
exits 3 "two there" taskset -c "$cpu" "$AVXTOP" sweep --force --duration 0.1 --kernel scalar --cores 1,2 --format json
like "are refused" "$err" "2 active cores cannot be had: 1 may be driven here"
is "but one is swept" "$(jq -c '[.points[].active_cores]' "$T/.out")" "[1]"

# --- a neighbor that uses the CPU
taskset -c "$cpu" bash -c 'while :; do :; done' &
load=$!
sleep 0.3
exits 3 "a busy CPU is refused" "$AVXTOP" sweep --kernel scalar --duration 0.1 --cpus "$cpu"
like "with the reason" "$err" "CPU $cpu is [0-9]+ % busy with other work: .*--force"
run sweep --kernel scalar --cpus "$cpu" --duration 0.5 --format json
kill $load
wait $load 2>/dev/null
ok "--force lifts that rule, and who took the time is told" jq -e '.points[0] | (.time_note // .why) |
	test("other programs took|other work|undisturbed")' "$T/.out"

# --- signals: what was measured is kept
for signal in INT TERM; do
	env --default-signal=INT "$AVXTOP" sweep --force --duration 1 --kernel scalar,sse-fma --cores 1 \
		--format json >"$T/out" 2>"$T/err" &
	pid=$!
	sleep 3.3
	began=$(date +%s%N)
	kill -$signal $pid
	wait $pid
	is "SIG$signal ends it with status 0" "$?" 0
	ok "soon" test $((($(date +%s%N) - began) / 1000000)) -lt 1500
	ok "and what was measured is told" jq -e '.stopped and (.points | length >= 1) and .points[0].kernel == "scalar"' "$T/out"
done

env --default-signal=INT "$AVXTOP" sweep --force --duration 30 --kernel scalar --cores 1 --format json >"$T/out" 2>"$T/err" &
pid=$!
sleep 2
kill -INT $pid
wait $pid
is "a sweep stopped before its first point fails" "$?" 1
ok "and writes nothing" test ! -s "$T/out"
like "but says so" "$(cat "$T/err")" "stopped before the first point was measured: "

done_testing
