#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The clock of a busy CPU, against a second look by other code (chain.c) at the same time.
# Alone: two programs look at one clock.
# Plain: the same C runs in log.sh.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

chain=$BUILDDIR/tests/cli/chain
[ -x "$chain" ] || skip_all "the comparison program was not built"
cpu=$(taskset -cp $$ | sed 's/.*[:,-] *//') # the last CPU we may run on

"$chain" "$cpu" >"$T/hertz" &
busy=$!
trap 'kill $busy 2>/dev/null; rm -rf "$T"' EXIT
exits 0 "log beside a busy CPU" "$AVXTOP" log -n 12 -i 0.25 --format json -c "$cpu"
kill "$busy" && wait "$busy"
other=$(cat "$T/hertz")

# A probe may be disturbed, on a busy host most are: but not all.
"$chain" "$cpu" >/dev/null &
busy=$!
firsts=$(for ((i = 0; i < 5; i++)); do
	"$AVXTOP" log -n 1 -i 0.2 --format json -c "$cpu" | jq -s '.[1].cpus[0].busy_hertz | numbers'
done | wc -l)
kill "$busy" && wait "$busy"

printf '%s\n' "$out" >"$T/log"
if [ "$(jq -s '.[0].metrics.busy_hertz.source' "$T/log")" = null ]; then
	skip "the clock of a busy CPU" "no source here: $(jq -sr '.[0].metrics.busy_hertz.why' "$T/log")"
	done_testing
fi
is "by the ruler" "$(jq -sr '.[0].metrics.busy_hertz.source' "$T/log")" ruler
is "the kernel calls it busy" "$(jq -s '[.[1:][].cpus[0].os_busy_ratio | numbers] | sort | .[length / 2 | floor] > 0.7' "$T/log")" true
ok "the first interval has a clock already ($firsts of 5)" test "$firsts" -ge 1
seen=$(jq -s '[.[1:][].cpus[0].busy_hertz | numbers] | length' "$T/log")
ok "not all probes are disturbed ($seen of 12)" test "$seen" -ge 3
clock=$(jq -s '[.[1:][].cpus[0].busy_hertz | numbers] | sort | .[length / 2 | floor]' "$T/log")
tsc=$(jq -s '[.[1:][].cpus[0].tsc_hertz | numbers] | sort | .[length / 2 | floor]' "$T/log")
diag "ruler $clock Hz, the other look $other Hz, time-stamp counter $tsc Hz"
# The base clock wanders by some percent within seconds on a busy host; the tick is looked at for 60 us only.
ok "near what the other look says" \
	awk -v a="$clock" -v b="$other" 'BEGIN { exit !(a / b > 0.95 && a / b < 1.05) }'
if awk -v a="$other" -v b="$tsc" 'BEGIN { exit !(a / b > 0.96 && a / b < 1.04) }'; then
	skip "it is not the rate of the time-stamp counter" "on this CPU both are the same now"
else
	ok "it is not the rate of the time-stamp counter" \
		awk -v a="$clock" -v b="$tsc" 'BEGIN { exit !(a / b < 0.98 || a / b > 1.02) }'
fi

done_testing
