#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `avxtop log`: what its records hold, in each format.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq

cpus=$(getconf _NPROCESSORS_ONLN)

# holds NAME FILTER: the filter is true of all lines of $out together, as an array.
holds() {
	local got
	got=$(printf '%s\n' "$out" | jq -s "$2" 2>&1)
	is "$1" "$got" true
}

# --- json
began=$(date +%s%N)
exits 0 "json: three records" "$AVXTOP" log -n 3 -i 0.5 --format json
took=$((($(date +%s%N) - began) / 1000000))
ok "three intervals of 0.5 s take 1.5 s ($took ms)" test "$took" -ge 1490 -a "$took" -lt 6000
is "nothing on stderr" "$err" ""
is "one host record and three samples, a line each" "$(printf '%s\n' "$out" | wc -l)" 4
holds "schemas" 'map(.schema) == ["avxtop.host/1", "avxtop.sample/1", "avxtop.sample/1", "avxtop.sample/1"]'
holds "intervals are about half a second" '.[1:] | all(.elapsed_s > 0.3 and .elapsed_s < 2)'
holds "times are UTC with microseconds, rising" \
	'(.[1:] | map(.time)) as $t | ($t | all(test("^[0-9-]{10}T[0-9:]{8}[.][0-9]{6}Z$"))) and $t == ($t | sort)'
holds "a row a CPU" ".[1:] | all(.cpus | length == $cpus)"
holds "each metric has a source or says why not" \
	'.[0].metrics | length > 30 and all(.[]; if .source then (.source | type) == "string" else (.why | length) > 10 end)'
holds "each metric of a CPU is a key of each row" '.[0].metrics as $m |
	[$m | to_entries[] | select(.value.scope == "cpu") | .key] as $keys |
	$keys - [.[1].cpus[0] | keys[]] == [] and ([.[1:][].cpus[]] | all(. as $row | $keys | all(. as $k | $row | has($k))))'
holds "no null without a reason" '.[0].metrics as $m | [.[1:][].cpus[] | . as $row | to_entries[] |
	select(.value == null and $m[.key] != null and $m[.key].source != null) |
	select($row.why[.key] == null)] == []'
holds "what no source serves is null, never 0" '.[0].metrics as $m | [.[1:][].cpus[] | to_entries[] |
	select($m[.key] != null and $m[.key].source == null and .value != null)] == []'
holds "shares are shares" '[.[1:][].cpus[] | .os_busy_ratio, .steal_ratio | numbers] | length > 0 and all(. >= 0 and . <= 1)'
holds "its own cost is known and no bound" '[.[1:][].host.self_ratio | numbers] | length == 3 and all(. >= 0 and . < 1)'
holds "the identity is there" '.[0].host | (tostring | length) > 20'

# --- restriction
exits 0 "two metrics, one CPU" "$AVXTOP" log -n 1 -i 0.1 --format json --metrics os_busy_ratio,ipc -c 0
holds "only they are recorded" '.[0].metrics | keys == ["ipc", "os_busy_ratio"]'
holds "only CPU 0 has a row" '.[1].cpus | map(.cpu) == [0]'
holds "ipc is null" '.[1].cpus[0] | has("ipc") and .ipc == null'
exits 0 "--source without the ruler" "$AVXTOP" log -n 1 -i 0.1 --format json --source -ruler
holds "the clock is absent and says why" \
	'.[0].metrics.busy_hertz | .source == null and (.why | test("ruler")) '

# --- csv
exits 0 "csv: two records" "$AVXTOP" log -n 2 -i 0.2 --format csv
is "first columns" "$(printf '%s\n' "$out" | head -n 1 | cut -d, -f1-5)" time,elapsed_s,package,core,cpu
is "header and a row a CPU and record" "$(printf '%s\n' "$out" | wc -l)" $((1 + 2 * cpus))
is "the same number of columns in each row" "$(printf '%s\n' "$out" | awk -F, '{ print NF }' | sort -u | wc -l)" 1
exits 0 "csv of cores" "$AVXTOP" log -n 1 -i 0.1 --format csv --scope core --metrics os_busy_ratio
is "its columns" "$(printf '%s\n' "$out" | head -n 1)" time,elapsed_s,package,core,cpu,os_busy_ratio
like "no CPU in a row of a core" "$(printf '%s\n' "$out" | tail -n 1)" '^[^,]*,[^,]*,[0-9]+,[0-9]+,,[^,]*$'
exits 0 "a metric of the host alone" "$AVXTOP" log -n 1 -i 0.1 --format csv --metrics self_ratio
is "is one row of the host" "$(printf '%s\n' "$out" | wc -l)" 2

# --- table
exits 0 "table is the default" "$AVXTOP" log -n 1 -i 0.1
like "headings of the sensible metrics" "$out" 'Bzy_MHz'
unlike "no escapes in a pipe" "$out" $'\x1b'
LC_ALL=C run "$AVXTOP" log -n 1 -i 0.1
is "ASCII where the locale is" "$(printf '%s' "$out" | LC_ALL=C tr -d '\0-\177' | wc -c)" 0

# --- files
exits 0 "-o writes a file" "$AVXTOP" log -n 1 -i 0.1 --format csv -o "$T/out.csv"
is "and nothing to stdout" "$out" ""
is "all of it" "$(wc -l <"$T/out.csv")" $((1 + cpus))
echo long >"$T/real" && ln -s real "$T/link"
exits 1 "-o follows no symbolic link" "$AVXTOP" log -n 1 -i 0.1 -o "$T/link"
one_sentence "and says so" "$err"
is "the file behind it is untouched" "$(cat "$T/real")" long
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$T/real"
	exits 1 "-o does not overwrite the file of somebody else" "$AVXTOP" log -n 1 -i 0.1 -o "$T/real"
	is "which stays as it was" "$(cat "$T/real")" long
else
	skip "-o does not overwrite the file of somebody else" "needs root to make one"
fi
exits 1 "-o into a missing folder" "$AVXTOP" log -n 1 -i 0.1 -o "$T/no/such"
one_sentence "one sentence" "$err"

# --- wrong use
exits 2 "an interval below 10 ms" "$AVXTOP" log -n 1 -i 5ms
exits 2 "a CPU that is not there" "$AVXTOP" log -n 1 -i 0.1 -c 60000
one_sentence "one sentence" "$err"

done_testing
