#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a test: alone.sh SCRIPT|COMMAND [ARG…]. Under make -j others run beside it, unless a line of the script says so:
# "# Alone: WHY", beside none, since its numbers depend on time; "# Loads: WHAT", beside none that loads a CPU too.
# "# Plain: WHY" leaves it out under sanitizers ($SANITIZED), as other tests run the same C.
# Ends with a TAP comment: how long it took, and the CPU time. One that hangs is ended after five minutes.
lock=(flock --close --shared "${BUILDDIR-.}/tests.lock")
command=("$@")
if [[ $1 == *.sh ]]; then
	command=(bash "$@")
	if [ -n "${SANITIZED-}" ] && why=$(grep -m 1 -oP '^# Plain: \K.*' "$1"); then
		echo "1..0 # SKIP under sanitizers: $why"
		exit 0
	fi
	case $(grep -m 1 -oE '^# (Alone|Loads): ' "$1") in
	"# Alone: ") lock=(flock --close --exclusive "${BUILDDIR-.}/tests.lock") ;;
	"# Loads: ") lock=(flock --close --exclusive "${BUILDDIR-.}/load.lock" "${lock[@]}") ;;
	esac
fi
type flock >/dev/null 2>&1 || lock=()
# The time is that of the test, without its wait for others.
TIMEFORMAT='# took %1R s, of CPUs %1U s and %1S s of the kernel'
export TIMEFORMAT
exec "${lock[@]}" bash -c '{ time timeout -k 5 300 "$@" 2>&3; } 3>&2 2>&1' - "${command[@]}"
