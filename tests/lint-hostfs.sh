#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every path of the machine goes through hostfs and is relative to its root, so that --sysroot holds for all.
# (Words for people, in _() and N_(), may name them as people do.)
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(grep -nP '(?<!_\()"/(sys|proc|dev/cpu)[^" ]*"' src/*/*.[ch] src/*.c ui/*.[ch] |
	sed 's/$/   <- use hostfs and a path without the leading slash/')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
