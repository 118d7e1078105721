#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Arrows point one way: which folder may include headers of which. The table is CONTRIBUTING's "who includes whom".
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

# allowed FOLDER HEADERS-MAY-START-WITH…
allowed() {
	local folder=$1 files
	shift
	files=$(find "$folder" -maxdepth 1 -name '*.[ch]')
	[ -n "$files" ] || return 0
	# shellcheck disable=SC2086 # file names here have no spaces
	grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' $files /dev/null |
		grep -vE "include[[:space:]]*\"(config\.h\"|$(IFS='|'; echo "$*"))" |
		awk -v rule="   <- $folder/ may include only: $*" '{ print $0 rule }'
}

found=$(
	allowed src/base base/
	allowed src/model base/ model/
	allowed src/burst base/ model/ burst/
	allowed src/source base/ model/ burst/ source/
	allowed src/format base/ model/ format/
	allowed src/engine base/ model/ burst/ source/ format/ engine/
	allowed src/cmd base/ model/ burst/ source/ format/ engine/ cmd/
	# The dashboard sees what is measured, not how.
	allowed ui base/ model/ format/ engine/ cmd/ ui/ burst/{board,burst,judge,kernel,microscope,pattern,thermal_look}.h source/source.h
	find src ui -mindepth 1 -type d ! -path src/base ! -path src/model ! -path src/burst ! -path src/source \
		! -path src/format ! -path src/engine ! -path src/cmd |
		sed 's/$/   <- a folder without a row in tests\/lint-includes.sh and CONTRIBUTING.md/'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
