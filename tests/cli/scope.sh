#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop scope`: what can be asked wrongly, every format, every way to end it.
# Loads: one CPU.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

# A CPU that this test may use: the last of its affinity list.
cpu=$(taskset -pc $$ | sed 's/.*[ ,-]//')
# --force: this machine may be busy with other tests.
# shellcheck disable=SC2317 # called through exits
scope() { "$AVXTOP" scope --cpu "$cpu" --epochs 20 --force "$@"; }

# --- asked wrongly: one sentence, with what would be right
while IFS='|' read -r why reason words; do
	# shellcheck disable=SC2086 # words
	exits 2 "$why is an error" "$AVXTOP" scope $words
	one_sentence "$why: it is one sentence" "$err"
	like "$why: it says what is right" "$err" "$reason"
done <<'END'
an unknown kernel|avx512-fma|--kernel avx513-fma
a word for a CPU|not the number of a CPU|--cpu first
a CPU that no machine has|beyond 65535|--cpu 70000
a CPU that is not there|9999|--cpu 9999
a victim that is not there|9999|--victim 9999
no bursts|1 to 10000|--epochs 0
too many bursts|1 to 10000|--epochs 10001
bursts that are no number|not a number|--epochs many
a burst too short|1us to 10ms|--burst 10ns
a burst too long|1us to 10ms|--burst 1
a burst that is no time|200us|--burst short
a duty that is none|4ms/5ms|--duty 6ms/5ms
a duty without gaps|no gap|--duty 100%
a picture of two kernels|name one with --kernel|--kernel scalar,sse-fma --format svg
END
exits 2 "svg is of commands that draw" "$AVXTOP" log --format svg
exits 2 "the CPU itself is no victim of its own" scope --victim "$cpu"
one_sentence "and is told in one sentence" "$err"

# --- what it gives
exits 0 "a scope runs" scope --kernel scalar --format json
is "one object on one line" "$(wc -l <"$T/.out")" 1
ok "it is what was asked for" jq -e --argjson cpu "$cpu" '.schema == "avxtop.scope/1" and .kernel == "scalar"
	and .cpu == $cpu and .source == "ruler" and .epochs == 20 and .verified == true' "$T/.out"
ok "the phases are those of the manual" jq -e '[.phases[].name] == ["throttle", "halt_down", "low_clock",
	"hold", "halt_up", "recovered"]' "$T/.out"
ok "each was seen, or has a limit or none" jq -e '.phases | all(.seen == true or (has("limit_s") and
	has("limit_ratio")))' "$T/.out"
ok "the burst is about as long as asked" jq -e '.burst_s > 1e-4 and .burst_s < 4e-4' "$T/.out"
ok "the clock is one" jq -e '.before_hertz > 2e8 and .before_hertz < 1e10' "$T/.out"
ok "the series is in order, around 0" jq -e '[.series[].t_s] | . == sort and .[0] < 0 and .[-1] > 5e-4' "$T/.out"
ok "there is a rate in the burst only" jq -e '.burst_s as $b | .series |
	all(.rate_ratio == null or (.t_s > -2e-6 and .t_s < $b + 2e-6))' "$T/.out"
ok "buckets around both ends are a microsecond at most" jq -e '.burst_s as $b | .series |
	map(select((.t_s > -1e-5 and .t_s < 2e-5) or (.t_s > $b - 1e-5 and .t_s < $b + 2e-5))) |
	length > 40 and all(.width_s < 1.01e-6)' "$T/.out"
ok "a victim that was not asked for is none" jq -e '.victim == null and .duty == []' "$T/.out"
exits 0 "two kernels, as CSV" scope --epochs 4 --kernel scalar,sse-fma --format csv
is "one header" "$(grep -c ^kernel, "$T/.out")" 1
is "as many fields in each row" "$(awk -F, '{ print NF }' "$T/.out" | sort -u)" 11
is "rows of both" "$(sed 1d "$T/.out" | cut -d, -f1 | uniq | xargs)" "scalar sse-fma"
exits 0 "a table for people" scope --epochs 4 --kernel scalar
like "says what it is of" "$out" "^scalar on CPU $cpu: "
like "ends with a verdict" "$out" "^Verdict: ."
exits 0 "without a kernel it takes the widest" scope --epochs 4
like "and says which" "$out" "^(avx512|avx2|sse)-fma on CPU $cpu: "
exits 0 "a picture" scope --epochs 4 --kernel scalar --format svg -o "$T/scope.svg"
ok "is one" grep -q '^<svg ' "$T/scope.svg"
exits 0 "trains of bursts" scope --kernel scalar --epochs 5 --duty 20us/1ms,1ms/5ms --format json
ok "each has its line" jq -e '[.duty[] | .on_s, .period_s] == [0.00002, 0.001, 0.001, 0.005]' "$T/.out"
other=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
if [ "$other" != "$cpu" ]; then
	exits 0 "another CPU can be looked at meanwhile" scope --epochs 4 --kernel scalar --victim "$other" --format json
	ok "it has a series of its own" jq -e --argjson v "$other" '.victim.cpu == $v and
		(.victim.role | IN("sibling", "same-package", "other-package"))' "$T/.out"
else
	skip "another CPU can be looked at meanwhile" "there is one only"
	skip "it has a series of its own" "there is one only"
fi

# --- where it may not, or hardly
missing=$("$AVXTOP" kernels --format json | jq -r '[.kernels[] | select(.usable | not)][0].name // empty')
if [ -n "$missing" ]; then
	exits 3 "$missing, which cannot run here, exits with 3" scope --kernel "$missing"
	like "and says why" "$err" "^avxtop: $missing cannot run here: ."
fi
mkdir -p "$T/root/sys/devices/system/cpu" "$T/root/proc"
echo 0 | tee "$T/root/sys/devices/system/cpu/"{possible,present,online} >/dev/null
exits 3 "another machine's files have no clock to look at" "$AVXTOP" scope --sysroot "$T/root"
exits 0 "on one CPU only" taskset -c "$cpu" "$AVXTOP" scope --kernel scalar --epochs 2 --force --format json
is "it drives that" "$(jq .cpu "$T/.out")" "$cpu"
if [ "$other" != "$cpu" ]; then
	exits 3 "one that it may not run on is refused" taskset -c "$other" "$AVXTOP" scope --kernel scalar \
		--cpu "$cpu" --force
	like "with the reason" "$err" "may not run on CPU $cpu"
fi

# --- ways to end
env --default-signal=INT "$AVXTOP" scope --cpu "$cpu" --kernel scalar --epochs 10000 --force --format json \
	>"$T/out" 2>"$T/err" &
pid=$!
sleep 2
began=$(date +%s%N)
kill -INT $pid
wait $pid
is "Ctrl-C ends it" "$?" 0
ok "at once" test $((($(date +%s%N) - began) / 1000000)) -lt 3000
ok "what was measured is kept" jq -e '.stopped_early and .epochs > 0 and .epochs < 10000' "$T/out"
env --default-signal=INT "$AVXTOP" scope --cpu "$cpu" --kernel scalar --force --format json >"$T/out" 2>"$T/err" &
pid=$!
for ((i = 0; i < 100; i++)); do # the worker is there, and calibrates
	[ "$(grep -c . <(ls /proc/$pid/task 2>/dev/null))" -ge 3 ] && break
	sleep 0.01
done
kill -INT $pid
wait $pid
is "one stopped before its first burst fails" "$?" 1
ok "writes nothing" test ! -s "$T/out"
like "and says so" "$(grep -v temperature "$T/err")" "stopped before the first burst was looked at: "
scope --kernel scalar 2>"$T/err" | head -1 >/dev/null
like "a reader that has gone is told nothing" "$(cat "$T/err")" "^(avxtop: temperature unknown.*)?$"
done_testing
