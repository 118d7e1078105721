#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The host is not changed, and no shell is called.
set -u
cd "${SRCDIR:-$(dirname "$0")/..}" || exit 1

found=$(
	grep -nE '\b(system|popen|exec[lv]p?e?|execvpe|posix_spawnp?|mknod(at)?|mount|init_module|finit_module|setpriority_other|cpufreq_set[a-z_]*|reboot)[[:space:]]*\(' \
		src/*/*.[ch] src/*.c ui/*.[ch] | sed 's/$/   <- avxtop only reads; tell the user what to run instead/'
	grep -nE '\bO_RDWR\b|\bpwrite(v|64)?[[:space:]]*\(' src/{base,model,burst,source}/*.[ch] |
		sed 's/$/   <- files of the machine are opened read-only/'
)
[ -z "$found" ] && exit 0
printf '%s\n' "$found"
exit 1
