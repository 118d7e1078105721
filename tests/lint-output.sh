#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Library folders are silent: only cmd/, ui/ and main.c print or choose an exit status.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	grep -nE '\b(printf|vprintf|puts|putchar|putc|perror|psignal|errx?|verrx?|warnx?|vwarnx?|error|exit|_exit|quick_exit|abort|assert|syslog)[[:space:]]*\(|\b(stdout|stderr)\b' \
		src/{base,model,burst,source,format,engine}/*.[ch] |
		grep -vE ':[0-9]+:[[:space:]]*(/?\*|//)|:[0-9]+:.*/\*[^*]*\b(stdout|stderr)\b' |
		sed 's/$/   <- return -errno and fill struct problem; a writer gets its FILE from the caller/'
	grep -nE '\b(fprintf|fputs|fputc|fwrite)[[:space:]]*\(' src/{base,model,burst,source}/*.[ch] |
		sed 's/$/   <- writing is for format\/, engine\/, cmd\/ and ui\//'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
