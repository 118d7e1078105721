#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Numbers are written as in the C locale always, since LC_NUMERIC is never set: a comma-decimal locale breaks CSV and JSON.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	grep -nE '\b(setlocale|newlocale)[[:space:]]*\([[:space:]]*(LC_ALL|LC_NUMERIC|LC_MONETARY)|\bLC_(ALL|NUMERIC)_MASK\b' -r src ui |
		sed 's/$/   <- set LC_CTYPE, LC_MESSAGES and LC_TIME only/'
	grep -nE "%'[0-9.]*[dufg]" -r src ui | sed 's/$/   <- no grouping of digits by locale/'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
