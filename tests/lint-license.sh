#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every source file says its license, and what it is for, in its first lines; none ends as a stub.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	for file in $(find src ui tests -name '*.[ch]' -o -name '*.sh' -path 'tests/*' -o -name '*.awk' | sort) bootstrap data/*.awk; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' ||
			echo "$file   <- first line: /* SPDX-License-Identifier: GPL-2.0-or-later */"
	done
	for file in $(find src ui -name '*.[ch]' | sort); do
		sed -n 2p "$file" | grep -q '^/\* [^ ].*[^ ]' || echo "$file:2   <- second line: a comment on what the file is for"
	done
	grep -nE '\b(TODO|FIXME|XXX|HACK)\b|written next|avxtop_empty' -r src ui data tests/unit tests/cli tests/screen 2>/dev/null |
		sed 's/$/   <- finish it, or file an issue/'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
