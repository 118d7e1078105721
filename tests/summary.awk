# SPDX-License-Identifier: GPL-2.0-or-later
# Counts the results of the last make check: awk -f summary.awk TEST.log…
BEGIN {
	for (i = 1; i < ARGC; i++) {
		file = ARGV[i]
		sub(/\.log$/, ".trs", file)
		seen = 0
		while ((getline line <file) > 0)
			if (line ~ /^:test-result: /) {
				seen = 1
				if (line ~ /: (PASS|XFAIL)/)
					passed++
				else if (line ~ /: SKIP/)
					skipped++
				else
					failed++
			}
		close(file)
		if (!seen)
			failed++ # it was not built, or died at once
	}
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0
}
