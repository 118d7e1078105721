#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a test: alone.sh SCRIPT|COMMAND [ARG…]. Under make -j others run beside it, but not beside one on an emulated
# machine: its numbers depend on time.
mode=--shared
command=("$@")
if [[ $1 == *.sh ]]; then
	command=(bash "$@")
	grep -q '^\. .*emu/lib\.sh"$' "$1" && mode=--exclusive
fi
type flock >/dev/null 2>&1 || exec "${command[@]}"
exec flock --close $mode "${BUILDDIR-.}/tests.lock" "${command[@]}"
