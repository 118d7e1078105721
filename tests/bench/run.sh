#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs benchmarks and judges their figures: run.sh PROGRAM… (make bench).
#
# A benchmark is a program or a script that prints one line a figure, its fields divided by tabs:
#     name  figure  unit  must  [command or note]
# must: ">= 95", "<= 0.3", or "-" where the figure is only told. A figure of "-" could not be taken, and the note says why.
# Status: 1 when a figure misses what it must be, or a benchmark fails.
set -u

(
	printf 'name\tfigure\tunit\tmust\tverdict\tnote\n'
	for program; do
		case "$program" in
		*.sh) bash "$program" ;;
		*) "$program" ;;
		esac </dev/null || printf '%s\t-\t-\tends with status 0\tMISSED\tstatus %d\n' "${program##*/}" $?
	done | awk -F '\t' -v OFS='\t' '
		NF >= 6 { print; next }
		{
			split($4, must, " ")
			verdict = "-"
			if ($2 == "-")
				verdict = "not taken"
			else if (must[1] == ">=")
				verdict = $2 + 0 >= must[2] + 0 ? "reached" : "MISSED"
			else if (must[1] == "<=")
				verdict = $2 + 0 <= must[2] + 0 ? "reached" : "MISSED"
			else if ($4 != "-" && $4 != "")
				verdict = "MISSED (no rule: " $4 ")"
			print $1, $2, $3, $4, verdict, $5 == "" ? "-" : $5
		}'
) >"$BUILDDIR/bench.tsv"

# The table that the README links: of the machine that it was made on, without a date, so that its diff shows figures only.
write_table() {
	local model virtual
	model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
	virtual=$(grep -qw hypervisor /proc/cpuinfo && echo ", a virtual machine")
	echo "# What avxtop costs, and beside whom"
	echo
	echo "Written by \`make bench\`, which measures all of it in one run; \`tests/bench/\` says how. The machine: $model,"
	echo "$(nproc) CPUs$virtual, Linux $(uname -r | cut -d . -f 1,2). A ratio is avxtop's figure to that of the other: below 1 is less."
	echo
	awk -F '\t' '
		NR == 2 { print "| --- | ---: | --- | --- | --- | --- |" }
		{ print "| " $1 " | " $2 " | " $3 " | " $4 " | " $5 " | " $6 " |" }' "$BUILDDIR/bench.tsv"
}
if [ -w "$SRCDIR/data" ] && [ $# -gt 1 ]; then
	write_table >"$SRCDIR/data/bench.md"
fi

awk -F '\t' '
	{ for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
	$5 ~ /^MISSED/ { missed++ }
	END {
		for (row = 1; row <= NR; row++) {
			for (i = 1; i < 6; i++)
				printf (i == 2 ? "%*s  " : "%-*s  "), width[i], cell[row, i]
			print cell[row, 6]
		}
		exit missed > 0
	}' "$BUILDDIR/bench.tsv"
