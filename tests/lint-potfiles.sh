#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every file with words for people is in po/POTFILES.in, as xgettext sees it.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

command -v xgettext >/dev/null || { echo "xgettext is not installed"; exit 77; }
with_words=$(find src ui -name '*.[ch]' -print0 | sort -z |
	xargs -0 xgettext --keyword=_ --keyword=N_ --keyword=P_:1,2 --language=C --from-code=UTF-8 -o - |
	sed -n 's/^#: //p' | tr ' ' '\n' | sed 's/:[0-9]*$//' | LC_ALL=C sort -u)
listed=$(grep -v '^#' po/POTFILES.in | LC_ALL=C sort -u)
found=$(diff <(echo "$listed") <(echo "$with_words") |
	sed -n -e 's/^> \(.*\)/\1   <- add it to po\/POTFILES.in/p' -e 's/^< \(.*\)/\1   <- has no words: take it out of po\/POTFILES.in/p')
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
