#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# unpack.sh FOLDER < TEXT: makes what the text describes (unpack.awk) below a new folder, for --sysroot. The text may be
# a made-up machine, or one that somebody sent by avxtop doctor --dump: nothing of it leads out of the folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] && [ ! -e "$1" ] || { echo "usage: unpack.sh NEW-FOLDER < TEXT" >&2; exit 2; }
text=$(mktemp)
trap 'rm -f "$text"' EXIT
cat >"$text"
mkdir -p "$1"
cd "$1"
awk -v folders=1 -f "$here/unpack.awk" "$text" | xargs -r mkdir -p
awk -f "$here/unpack.awk" "$text" | while IFS=$'\t' read -r target name; do
	ln -s "$target" "$name"
done
