#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each header stands alone and has the guard of its path. (Files of rows are no headers.)
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	for header in $(find src ui tests -name '*.h' ! -name '*_rows.h' | sort); do
		guard=AVXTOP_$(echo "${header#src/}" | tr 'a-z/.-' 'A-Z___')
		grep -q "^#ifndef $guard\$" "$header" || echo "$header   <- its guard must be $guard"
		# shellcheck disable=SC2086 # flags are words
		${CC:-cc} -std=gnu17 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Werror -Isrc -I. -I"${header%/*}" ${CPPFLAGS-} -x c - <<-C ||
			#include "${header#src/}"
		C
			echo "$header   <- include or declare what it uses"
	done 2>&1
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
