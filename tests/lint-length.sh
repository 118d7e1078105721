#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Small files with one purpose: at most 400 lines a file and 60 a function.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	find src ui tests/vtshot -name '*.[ch]' ! -name '*_rows.h' -print0 | sort -z |
		xargs -0 wc -l | awk '$2 != "total" && $1 > 400 { print $2 ": " $1 " lines   <- split it by purpose" }'
	find src ui tests/vtshot -name '*.c' -print0 | sort -z | xargs -0 awk '
		/^[a-z].*[a-z_0-9]\(/ { name = $0 }
		/^\{/ { start = FNR }
		/^\}$/ && start {
			if (FNR - start - 1 > 60)
				print FILENAME ":" start ": " FNR - start - 1 " lines in " name "   <- split the function"
			start = 0
		}'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
