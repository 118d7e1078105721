#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where avxtop may run, and where it looks: a test or more for each of these cases.
# 42 likwid 358, 411: under taskset only the allowed CPUs were watched    44 pcm 981: a refused affinity crashed it
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq taskset

online=$(getconf _NPROCESSORS_ONLN)
first=$(taskset -cp $$ | sed -E 's/.*: ([0-9]+).*/\1/')

# holds NAME FILTER: the filter is true of all records in $out together, as an array.
holds() { is "$1" "$(jq -s "$2" <<<"$out" 2>&1)" true; }

exits 0 "case 42: on one CPU" taskset -c "$first" "$AVXTOP" log -n 2 -i 0.3 --format json
holds "case 42: all CPUs are watched" ".[1:] | all(.cpus | length == $online)"
holds "case 42: the kernel's accounting of each is there" '[.[1:][].cpus[] | .os_busy_ratio | numbers] | length > 0'

if "$BUILDDIR/tests/cli/refuse" sched_setaffinity=22 -- true; then
	exits 0 "case 44: no CPU lets itself be chosen" \
		"$BUILDDIR/tests/cli/refuse" sched_setaffinity=22 -- "$AVXTOP" log -n 2 -i 0.3 --format json
	is "case 44: silently" "$err" ""
	holds "case 44: no clock, and why" '.[0].metrics.busy_hertz as $m | ($m.source == null and ($m.why | length > 20)) or
		([.[1:][].cpus[] | .busy_hertz == null and .why.busy_hertz == "not-allowed"] | all)'
	holds "case 44: the kernel's accounting is there" ".[1:] | all(.cpus | length == $online)"
else
	skip "case 44: no CPU lets itself be chosen" "no seccomp filters"
fi

done_testing
