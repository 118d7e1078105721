#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs lints: lint.sh tests/lint-NAME.sh… (make lint). A lint prints what is wrong and what to do, and exits
# with 0, 1, or 77 when a tool it needs is missing.
set -u

passed=0 failed=0 skipped=0
for lint; do
	name=${lint##*/}
	found=$(bash "$SRCDIR/$lint" 2>&1 </dev/null)
	case $? in
	0)
		passed=$((passed + 1))
		echo "PASS: $name" ;;
	77)
		skipped=$((skipped + 1))
		echo "SKIP: $name: $found" ;;
	*)
		failed=$((failed + 1))
		printf '%s\n' "$found" | sed 's/^/  /'
		echo "FAIL: $name" ;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
