#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a look at the machine leaves alone.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# The reader visits CPUs; the main thread, of which children are made, keeps the affinity that it began with.
before=$(taskset -p $$ | sed 's/.*: //')
"$AVXTOP" log -i 0.05 -n 30 --probe-idle --format csv >"$T/out" &
pid=$!
masks=""
while taskset -p $pid >"$T/mask" 2>/dev/null && kill -0 $pid 2>/dev/null; do
	masks+=$(sed 's/.*: //' "$T/mask")$'\n'
	sleep 0.03
done
wait $pid
is "case 43: the main thread is never moved" "$(grep -v '^$' <<<"$masks" | sort -u | grep -vx "$before")" ""
ok "and was looked at while it ran" test "$(wc -l <<<"$masks")" -ge 4

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	# Who is traced cannot be looked through for leaks.
	run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" strace -f -e trace=open,openat,openat2,creat,unlink,rename,renameat2,mknodat,mkdirat,ioctl \
		-o "$T/trace" "$AVXTOP" log -i 0.05 -n 3 --format json
	is "case 50: nothing of the machine is opened for writing" \
		"$(grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|creat\(|mknod|rename|unlink' "$T/trace" | grep -vE "ENOENT|/proc/self/task/[0-9]+/comm")" "" # its own thread's name
	ok "and files were read" grep -q 'proc/stat' "$T/trace"
else
	skip "case 50" "no strace that may trace here"
fi
done_testing
