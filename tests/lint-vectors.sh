#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wide vector code is in libkernels.a only: elsewhere it would load the very clock that is measured.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

cd "${BUILDDIR:-.}" || exit 1
command -v objdump >/dev/null || { echo "objdump is not installed"; exit 77; }
[ -e libavxtop.a ] || { echo "no build in $PWD"; exit 1; }
found=$(
	for object in libavxtop.a libavxtop_ui.a src/avxtop-main.o; do
		objdump -d --no-show-raw-insn "$object" | awk -v object="$object" '
			/file format/ { member = $1 }
			/^[0-9a-f]+ <.*>:$/ { name = $2 }
			/%[yz]mm[0-9]|%tmm[0-9]/ && !(member name in seen) {
				seen[member name] = 1
				print object " " member " " name " " $0 "   <- move it to a kernel file, or take -march out of CFLAGS"
			}'
	done
	objdump -d --no-show-raw-insn libkernels.a | grep -q zmm || echo "libkernels.a has no zmm: does this lint still look at the right objects?"
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
