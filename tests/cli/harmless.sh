#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a look at the machine leaves alone.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# The reader and short-lived threads visit CPUs; the main thread, of which children are made, keeps the affinity that it
# began with, from its first moment on. A look from outside catches a visit of it seldom, a trace always.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	for command in "log -i 0.05 -n 3 --probe-idle" "burst --kernel scalar --duration 0.2" kernels doctor; do
		# shellcheck disable=SC2086 # words
		run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" strace -f -e trace=execve,sched_setaffinity -o "$T/trace" "$AVXTOP" $command
		main=$(awk '{ print $1; exit }' "$T/trace")
		is "case 43: the main thread is never moved: $command" "$(grep "^$main .*sched_setaffinity" "$T/trace")" ""
		ok "and something visited a CPU: $command" grep -q "sched_setaffinity" "$T/trace"
	done
	# Who is traced cannot be looked through for leaks.
	run env ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0" strace -f -e trace=open,openat,openat2,creat,unlink,rename,renameat2,mknodat,mkdirat,ioctl \
		-o "$T/trace" "$AVXTOP" log -i 0.05 -n 3 --format json
	is "case 50: nothing of the machine is opened for writing" \
		"$(grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|creat\(|mknod|rename|unlink' "$T/trace" | grep -vE "ENOENT|/proc/self/task/[0-9]+/comm")" "" # its own thread's name
	ok "and files were read" grep -q 'proc/stat' "$T/trace"
else
	skip "cases 43 and 50" "no strace that may trace here"
fi
done_testing
