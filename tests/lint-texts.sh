#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Translations and the manual are well-formed.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	if command -v msgfmt >/dev/null; then
		for po in po/*.po; do
			[ -e "$po" ] && msgfmt --check -o /dev/null "$po" 2>&1
		done
	fi
	if command -v man >/dev/null; then
		for page in "${BUILDDIR:-.}"/data/man/*.[1-8]; do
			[ -e "$page" ] && LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null
		done
	fi
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
