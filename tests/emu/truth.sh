#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The unmodified program on an emulated machine: what it reports is what the machine does.
# Alone: the clock is moved while the program looks.
# Plain: the same C runs in soak.sh.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

# The clock is moved by hand: a sample in which it was moved shows exactly the scenario's shares.
begin manual "$AVXTOP" log -i 0.2 -n 6 --format json --source -ruler
for _ in 1 2 3 4 5 6 7 8; do
	step 1
	sleep 0.1
done
await
is "ends after its samples" "$rc" 0
busy=$(jq -r '.cpus[]?.os_busy_ratio | select(. != null)' "$T/out" | sort -u)
is "busy is the scenario's quarter" "$busy" 0.25
is "and the truth says so" "$(begin manual sleep 9 && step 4 && truth '.cpus[0].cum.c0 / .t'; finish)" 0.25

begin skylake-2s "$AVXTOP" log -i 0.5 -n 2 --format json --source -ruler
await
is "CPUs of a machine that is not this one" "$(jq -r '.host.cpus.online // empty' "$T/out")" 0-15
like "the loaded CPU" "$(jq -r '.cpus[]? | select(.cpu == 1) | .os_busy_ratio' "$T/out")" '^1$'
done_testing
