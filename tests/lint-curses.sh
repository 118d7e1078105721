#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One file knows curses: ui/term.c. Views draw into a canvas, which tests read without a terminal.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(grep -nE '#[[:space:]]*include[[:space:]]*<(n?curses(w/[a-z]+)?|term|panel|menu|form)\.h>' -r src ui |
	grep -v '^ui/term\.c:' | sed 's/$/   <- draw into the canvas of ui\/canvas.h/')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
