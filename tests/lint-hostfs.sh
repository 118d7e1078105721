#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every path of the machine goes through hostfs and is relative to its root, so that --sysroot holds for all.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(grep -nE '"/(sys|proc|dev/cpu)[^" ]*"' src/*/*.[ch] src/*.c ui/*.[ch] |
	sed 's/$/   <- use hostfs and a path without the leading slash/')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
