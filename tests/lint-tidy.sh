#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The analyzer of clang and its list of slips, over the files changed since where this branch left origin's main (or since
# the last commit): it takes a second a file. All of them: LINT_ALL=1 make lint. Off: swapped parameters and branches
# that are equal by intention are style, conversions are the compiler's (-Wconversion), and C11's Annex K is in no libc here.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

tidy=$(command -v clang-tidy || command -v clang-tidy-14) || { echo "clang-tidy is not installed"; exit 77; }
if [ -n "${LINT_ALL-}" ]; then
	base=$(git hash-object -t tree /dev/null)
else
	base=$(git merge-base HEAD origin/main 2>/dev/null || git rev-parse HEAD 2>/dev/null)
fi
[ -n "$base" ] || { echo "no git history here"; exit 77; }
checks='-*,bugprone-*,cert-err*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-branch-clone'
checks+=',-bugprone-narrowing-conversions,-bugprone-reserved-identifier,-cert-err33-c'
checks+=',-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling'
mapfile -t files < <(git diff --name-only --diff-filter=AM "$base" -- 'src/*.c' 'ui/*.c')
[ ${#files[@]} = 0 ] && exit 0
# shellcheck disable=SC2086 # flags are words
set -- -std=gnu17 -D_GNU_SOURCE -Isrc -I. -I"${BUILDDIR:-.}" ${CPPFLAGS-}
found=$(printf '%s\n' "${files[@]}" |
	xargs -P "$(nproc)" -I '{}' "$tidy" --quiet "--checks=$checks" '{}' -- "$@" 2>/dev/null |
	grep -E 'warning:|error:')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
