#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong use: one sentence on stderr with near names, nothing on stdout, status 2.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# wrong REGEX [ARG…]
wrong() {
	local want=$1
	shift
	exits 2 "avxtop ${*@Q}" "$AVXTOP" "$@"
	is "nothing on stdout" "$out" ""
	one_sentence "one sentence" "$err"
	like "it says what is wrong" "$err" "$want"
}

wrong 'unknown option --bogus' --bogus
wrong 'unknown option --intervl; near: --interval' log --intervl 3
wrong 'unknown option -x' -x
wrong 'short for several options: --no-pmu, ' --no
wrong '--ascii takes no argument' --ascii=yes
wrong '--interval needs TIME' log -i
wrong '--duration is not an option of avxtop log, but of: burst' log --duration 3
wrong 'not an option of avxtop metrics, but of: top, log$' metrics -n 3
wrong 'unknown command "mertics"; near: metrics' mertics
wrong 'unknown command ""' ''
wrong 'unknown command "foo"' -- foo
wrong 'unknown command "--help"' -- --help
wrong 'unexpected argument "extra"' log extra
wrong 'unexpected argument ""' log ''
wrong 'unknown metric "busy_herz"; near: busy_hertz.* \(see avxtop metrics\)' log --metrics busy_herz
wrong 'unknown metric "nothing-like-it" \(see avxtop metrics\)' --metrics nothing-like-it
wrong 'a name is missing in the list "ipc,"' log --metrics ipc,
wrong 'unknown kernel "avx512fma"; near: .*avx512-fma' burst --kernel avx512fma
wrong 'unknown source "rulr"; near: ruler' log --source rulr
wrong 'unknown source "smbus"; this version has: ' log --source smbus
wrong 'unknown scope "process"' log --scope process
wrong 'unknown format "jsn"; near: json' log --format jsn
wrong 'unknown format "yaml"; this version has: table, csv, json' kernels --format yaml
wrong 'avxtop log draws no svg; it writes table, csv or json' log --format svg
wrong 'unknown document "mann"; near: man' docs mann
wrong 'needs one of: man, completion, markdown' docs

for time in '' x -1 nan inf 0x10 1,5 '1 s' ' '; do
	wrong 'is not a time' log -n 1 -i "$time"
done
wrong 'too short' log -i 9.9ms
wrong 'too short' log -i 0
wrong 'too long' log -i 86401
wrong 'too long|not a time' log -i 1e300
wrong 'a count of 0 gives nothing' log -n 0
wrong 'is not a count' log -n -1
wrong 'is not a count' log -n 3x
wrong 'too large' log -n 99999999999999999999999
for list in 0- -1 3-1 0,,1 '' a 0x1 0-1-2; do
	wrong 'is not a list of CPUs' log -n 1 -c "$list"
done
wrong 'beyond 65535' log -n 1 -c 99999999
wrong 'beyond 65535' log -n 1 -c 0-99999999999999999999
wrong 'no CPU 65535' log -n 1 -c 65535
# Options of later versions are not taken as long as they would do nothing.
for option in --pid --cgroup --see-foreign --add --machine --view --listen; do
	wrong "unknown option $option" log "$option" x
done

# What was typed reaches the terminal without its control characters, and a very long word is cut.
wrong 'unknown command "\?\[31mred"' $'\e[31mred'
wrong 'unknown metric' log --metrics "$(printf 'x%.0s' {1..20000})"
wrong 'unknown option --xxx' "--$(printf 'x%.0s' {1..20000})"
ok "the sentence is short" test "${#err}" -lt 200

done_testing
