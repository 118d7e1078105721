#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In ui/ widths are cells, not bytes: strlen lies about UTF-8.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(grep -nE '\b(strlen|strnlen|strncpy)[[:space:]]*\(' ui/*.[ch] | grep -vE '/\*[^*]*\bbytes\b[^*]*\*/' |
	sed 's/$/   <- text_width() or text_cut(); if bytes are meant, say so: \/* bytes *\//')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
