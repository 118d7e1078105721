#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Changed lines are formatted as .clang-format says, tables aside: those since where this branch left origin's main, or
# since the last commit.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 77; }
base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD 2>/dev/null) || { echo "no git history here"; exit 77; }
found=$(
	for file in $(git diff --name-only --diff-filter=AM "$base" -- 'src/*.c' 'src/*.h' 'ui/*.c' 'ui/*.h' | grep -v '_rows\.h$'); do
		mapfile -t lines < <(git diff -U0 "$base" -- "$file" |
			sed -nE 's/^@@ -[0-9,]+ \+([0-9]+)(,([0-9]+))? @@.*/\1 \3/p' |
			awk '$2 == "" { $2 = 1 } $2 > 0 { print "--lines=" $1 ":" $1 + $2 - 1 }')
		[ ${#lines[@]} = 0 ] || clang-format "${lines[@]}" "$file" | diff -u --label "$file" --label "$file as .clang-format says" "$file" -
	done
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
