#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Spelling.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v codespell >/dev/null || { echo "codespell is not installed"; exit 77; }
# Names of instructions and fields that look like slips.
found=$(codespell --ignore-words-list=fo,te,nd,mis,ans,inout,filetest,doub,fpr,keypair,creat \
	--skip='*.po,*.pot,*.gmo,*.svg,stamp-po' src ui tests data README.md CONTRIBUTING.md NEWS \
	bootstrap configure.ac Makefile.am po/POTFILES.in)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
