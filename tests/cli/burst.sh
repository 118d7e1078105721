#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop burst`: what can be asked wrongly, every kernel, every format, every way to end it.
# Loads: one CPU.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

# A CPU that this test may use: the last of its affinity list.
cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//')
kernels=$("$AVXTOP" kernels --format json | jq -r '.kernels[].name')
usable=$("$AVXTOP" kernels --format json | jq -r '.kernels[] | select(.usable) | .name')
# --force: this machine may be busy with other tests.
# shellcheck disable=SC2317 # called through exits
burst() { "$AVXTOP" burst --cpus "$cpu" --force "$@"; }

# --- asked wrongly
exits 2 "no kernel is an error" "$AVXTOP" burst
one_sentence "it is one sentence" "$err"
for name in $kernels; do
	like "that names $name" "$err" "$name"
done
exits 2 "an unknown kernel is an error" burst --kernel avx513-fma
like "that names near ones" "$err" "avx512-fma"
exits 2 "so is a CPU that does not exist" "$AVXTOP" burst --kernel scalar --cpus 9999
exits 2 "so is a duty of more than all" burst --kernel scalar --duty 6ms/5ms
mkdir -p "$T/root/sys/devices/system/cpu" "$T/root/proc"
echo 0 | tee "$T/root/sys/devices/system/cpu/"{possible,present,online} >/dev/null
exits 3 "another machine's files cannot be burst" "$AVXTOP" burst --kernel scalar --sysroot "$T/root"
is "nothing is printed then" "$out" ""
like "the reason is one, and the remedy" "$err" "not one that is read from files: leave out --sysroot$"
# How many descriptors are open already is the caller's business: each limit until one suffices.
refused=
for ((limit = 4; limit < 100; limit++)); do
	run bash -c 'ulimit -n "$1"; shift; exec "$@"' - $limit \
		"$AVXTOP" burst --cpus "$cpu" --force --kernel scalar --duration 0.1
	[ "$rc" = 0 ] && break
	[ "$rc" = 3 ] && grep -q "no-burst forbids bursts cannot be looked up: .*ulimit" <<<"$err" && refused=yes
done
is "what cannot be looked up for want of descriptors is refused" "$refused" yes
is "and runs with enough of them" "$rc" 0

# --- every kernel
for name in $kernels; do
	if ! grep -qx "$name" <<<"$usable"; then
		exits 3 "$name, which cannot run here, exits with 3" burst --kernel "$name" --duration 0.2 --format json
		like "it says why" "$err" "^avxtop: $name cannot run here: ."
		is "and prints no result" "$out" ""
		continue
	fi
	exits 0 "$name runs" burst --kernel "$name" --duration 0.4s --format json
	ok "$name: one object on one line" test "$(wc -l <"$T/.out")" = 1
	jq . "$T/.out" >"$T/json"
	ok "$name: it is what was asked for" jq -e --arg k "$name" --argjson cpu "$cpu" \
		'.schema == "avxtop.burst/1" and .kernel == $k and .source == "ruler" and .seconds == 0.4
		 and .cpus[0].cpu == $cpu and .cpus[0].role == "driven"' "$T/json"
	ok "$name: every chunk was verified" jq -e '.cpus[0].verified == true' "$T/json"
	ok "$name: all keys are there" jq -e '.cpus | all(has("before_hertz") and has("during_hertz") and
		has("after_hertz") and has("drop_hertz") and has("drop_ratio") and has("low") and has("high") and
		has("pairs") and has("by_base") and has("ops_per_second") and has("ops_per_cycle") and
		has("peak_ratio") and has("verified") and (.still_low | IN(true, false, null)))' "$T/json"
	ok "$name: no more than the core can do" jq -e '.cpus[0] | .peak_ratio == null or .peak_ratio < 1.03' "$T/json"
	ok "$name: the rate fits the clock" jq -e '.cpus[0] | .ops_per_cycle == null or ([.before_hertz, .after_hertz] | max) == null or
		.ops_per_second < .ops_per_cycle * 1.05 * ([.before_hertz, .after_hertz] | max)' "$T/json"
	ok "$name: clocks are clocks" jq -e '[.cpus[] | .before_hertz, .during_hertz, .after_hertz] |
		all(. == null or (. > 2e8 and . < 1e10))' "$T/json"
	ok "$name: the interval holds the drop" jq -e '.cpus | all(.low == null or
		(.low <= .drop_ratio and .drop_ratio <= .high))' "$T/json"
	ok "$name: others do nothing" jq -e '.cpus[1:] | all(.verified == null and .ops_per_second == null and
		.role != "driven")' "$T/json"
	ok "$name: who pays, and a verdict" jq -e '(.who_pays | IN("this thread", "sibling", "package",
		"nobody measurable")) and (.verdict | length > 10)' "$T/json"
done

# --- scalar code cannot fall below scalar code
# One in a hundred intervals misses the truth by its own rule; two of three do not.
for _ in 1 2 3; do
	burst --kernel scalar --duration 0.6s --format json >>"$T/scalar" 2>>"$T/err"
done
is "the scalar kernel runs" "$(jq -s length "$T/scalar")" 3
ok "and shows no drop" jq -se '[.[].cpus[0] | select(.seen == false and (.drop_ratio == null or
	.drop_ratio < 0.01 or .low < 0))] | length >= 2' "$T/scalar"

# --- several, one of which cannot run here
missing=$(grep -vxF "$usable" <<<"$kernels" | head -1)
if [ -n "$missing" ]; then
	exits 3 "a list with $missing exits with 3" burst --kernel "$missing,scalar" --duration 0.1 --format json
	is "but the others run" "$(jq -r .kernel "$T/.out")" scalar
fi
exits 0 "two kernels run one after the other" burst --kernel scalar,scalar --duration 0.1 --format csv
is "CSV has one header" "$(grep -c '^kernel,seconds,cpu,role,before_hertz' "$T/.out")" 1
is "and as many fields in each row" "$(sed 's/"[^"]*"/x/' "$T/.out" | awk -F, '{ print NF }' | sort -u)" 20
exits 0 "a table for people" burst --kernel scalar --duration 0.1
like "names the kernel" "$out" "^scalar: 100 ms"
like "has a row for the driven CPU" "$out" "^ *$cpu driven "
like "and a verdict" "$out" "^Verdict: ."
exits 0 "a result can go to a file" burst --kernel scalar --duration 0.1 --format json -o "$T/file"
ok "whole" jq -e .verdict "$T/file"
is "and not to standard output" "$out" ""
echo before >"$T/kept"
exits 3 "a refused burst" "$AVXTOP" burst --kernel scalar --sysroot "$T/root" -o "$T/kept"
is "leaves the file as it was" "$(cat "$T/kept")" before
if [ -w /dev/full ]; then
	"$AVXTOP" burst --cpus "$cpu" --force --kernel scalar --duration 0.1 --format json >/dev/full 2>"$T/err"
	is "a full disk is a failure" "$?" 1
	like "with the reason" "$(cat "$T/err")" "^avxtop: the results cannot be written \(No space left on device\)$"
fi

# --- without gaps
exits 0 "--duty 100% runs" burst --kernel scalar --duration 0.3 --duty 100% --format json
ok "and compares the two ends at most" jq -e '.cpus[0].pairs <= 8 and .cpus[0].verified' "$T/.out"

# --- a CPU that others use
taskset -c "$cpu" bash -c 'while :; do :; done' &
load=$!
sleep 0.3
exits 3 "a busy CPU is refused" "$AVXTOP" burst --kernel scalar --cpus "$cpu" --duration 0.1
like "with the reason" "$err" "CPU $cpu is [0-9]+ % busy with other work: .*--force"
exits 0 "--force lifts that rule" burst --kernel scalar --duration 0.1
# Held up for longer than it lasts: that is neither stopped early nor a result without a reason.
more=()
for _ in 1 2; do
	taskset -c "$cpu" bash -c 'while :; do :; done' &
	more+=($!)
done
for _ in {1..10}; do
	burst --kernel scalar --duration 40ms --duty 100% --format json
done >"$T/out" 2>/dev/null
kill $load "${more[@]}"
wait $load "${more[@]}" 2>/dev/null
is "a burst that other work holds up was not stopped early" "$(jq -c .stopped_early "$T/out" | sort | uniq -c | xargs)" "10 false"
ok "and is verified, or says why not" jq -es 'all(.cpus[0].verified or .cpus[0].why)' "$T/out"

# --- signals: the load ends, what was measured is told
for signal in INT TERM HUP; do
	env --default-signal=INT,HUP "$AVXTOP" burst --cpus "$cpu" --force --kernel scalar --duration 60 \
		--format json >"$T/out" 2>"$T/err" &
	pid=$!
	sleep 1
	began=$(date +%s%N)
	kill -$signal $pid
	wait $pid
	is "SIG$signal ends it with status 0" "$?" 0
	ok "soon" test $((($(date +%s%N) - began) / 1000000)) -lt 1000
	ok "and the report says so" jq -e '.stopped_early == true and .seconds < 10 and .cpus[0].verified' "$T/out"
done

# While it still looks at the load, there is no result, and its temporary file goes too.
env --default-signal=INT,HUP "$AVXTOP" burst --cpus "$cpu" --force --kernel scalar --duration 60 -o "$T/early" 2>"$T/err" &
pid=$!
for _ in {1..500}; do
	compgen -G "$T/early.*" >/dev/null && break
	sleep 0.005
done
kill -TERM $pid
wait $pid
is "SIGTERM before the burst: no temporary file stays" "$(find "$T" -name 'early.*')" ""

# --- nobody reads the result
"$AVXTOP" burst --cpus "$cpu" --force --kernel scalar,scalar --duration 0.1 --format json 2>"$T/err" | true
unlike "a closed pipe is no crash" "$(cat "$T/err")" "rror:|egmentation"

done_testing
