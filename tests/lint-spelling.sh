#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Spelling.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v codespell >/dev/null || { echo "codespell is not installed"; exit 77; }
# Names, and slips that tests plant.
found=$(codespell --ignore-words-list=ans,sclar \
	--skip='*.po,*.pot,*.gmo,*.svg,stamp-po' src ui tests data README.md CONTRIBUTING.md NEWS \
	bootstrap configure.ac Makefile.am po/POTFILES.in)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
