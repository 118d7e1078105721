#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Shell scripts.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v shellcheck >/dev/null || { echo "shellcheck is not installed"; exit 77; }
scripts=(bootstrap)
[ -e .ci/run ] && scripts+=(.ci/run)
mapfile -t -O "${#scripts[@]}" scripts < <(find tests -name '*.sh' | sort)
found=$(shellcheck -S warning -f gcc "${scripts[@]}")
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
