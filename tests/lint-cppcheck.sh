#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What cppcheck is sure of. Off: uninitvar, since cppcheck 2.10 takes an output parameter for a read (the compilers and
# the sanitizers look for that); memleak, since it does not follow memory that is handed over by memcpy.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v cppcheck >/dev/null || { echo "cppcheck is not installed"; exit 77; }
found=$(cppcheck -q -j "$(nproc)" --enable=warning,portability --std=c11 -D_GNU_SOURCE -Isrc -I. \
	--suppress=missingInclude --suppress=uninitvar --suppress=legacyUninitvar --suppress=memleak \
	--template='{file}:{line}: {message} [{id}]' --template-location='' src ui 2>&1 | sort -u)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
