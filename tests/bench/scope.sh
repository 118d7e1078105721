#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ten scopes of the widest kernel and ten of the scalar one, by turns: do they tell the same? The scalar one cannot be
# throttled, halted or slowed down, so that what is seen of it is made up.
set -u

runs=10
work=$(mktemp -d "$BUILDDIR/bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

wide=$("$AVXTOP" scope --epochs 1 --force --format json 2>/dev/null | jq -r .kernel)
for ((i = 0; i < runs; i++)); do
	for kernel in "$wide" scalar; do
		began=$(date +%s%N)
		"$AVXTOP" scope --kernel "$kernel" --force --format json >"$work/$kernel.$i" 2>"$work/err" || {
			printf '%s: runs that end well\t-\t-\t<= 0\t%s\n' "$kernel" "$(head -1 "$work/err")"
			exit 1
		}
		echo $((($(date +%s%N) - began) / 1000000)) >>"$work/ms"
	done
done

# figures KERNEL
figures() {
	jq -sr --arg kernel "$1" '
		def line(what; figure; unit; must; note): ["scope \($kernel): \(what)", figure, unit, must, note] | @tsv;
		def round(n): . * n | round / n;
		# buckets from 10 us before to 20 us behind both ends
		def edges: .burst_s as $b | [.series[] | select((.t_s > -10e-6 and .t_s < 20e-6) or
			(.t_s > $b - 10e-6 and .t_s < $b + 20e-6))];
		def quantile(q): sort | .[(length - 1) * q | floor];
		def seen: [.phases[] | select(.seen) | .name] | join("+");
		(map(seen) | group_by(.) | max_by(length)) as $most
		| ([.[].phases[] | select(.seen and .duration_s != null)] | group_by(.name) | map((map(.duration_s)
			| quantile(0.5)) as $m | map(.duration_s - $m | fabs) | max * 1e6)) as $off
		| ([.[].by_base[] | select(.n >= 25)] | group_by(.base_hertz | log / (1.005 | log) | round) | map(select(length > 1)
			| map(.during_hertz / .base_hertz) | (max - min) / min * 100)) as $bases
		| line("bucket at the edges"; map(edges[].width_s) | max * 1e6 | round(1000); "us"; "<= 1.01"; "of a coarse time-stamp counter"),
		line("spread of the median"; map(edges[] | select(.clock_ratio) | 1.96 * .error / .clock_ratio * 100) | quantile(0.95)
			| round(1000); "%"; "<= 1"; "95 % interval of a bucket, of 95 % of the buckets at the edges"),
		line("epochs left out"; map(.epochs_dropped / ([.epochs, 1] | max) * 100) | quantile(0.5) | round(10); "%"; "-"; "median of \(length) runs"),
		line("runs that see the same phases"; $most | length; "of \(length)"; ">= \(length)"; $most[0] | if . == "" then "none" else . end),
		line("durations, off the median"; if $off == [] then "-" else $off | max | round(1000) end; "us"; "<= 0.3"; "no phase with one"),
		line("clock in the burst, at the same base"; if $bases == [] then "-" else $bases | max | round(1000) end; "%"; "<= 0.3";
			"largest difference of \($bases | length) bases that several runs met, 25 bursts or more")' "$work/$1".*
}
figures "$wide"
figures scalar
printf 'scope: time of one\t%s\ts\t<= 15\tmedian of %s, with the look at the load before\n' \
	"$(sort -n "$work/ms" | awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] / 1000 }')" $((2 * runs))
