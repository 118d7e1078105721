# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# TAP for shell tests: sourced by tests/*/lib.sh; bash. A test is a script that calls these and ends with done_testing.
# By hand, from a build folder: bash ../tests/cli/NAME.sh
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export SRCDIR=${SRCDIR:-$here}
export BUILDDIR=${BUILDDIR:-$PWD}
export AVXTOP=${AVXTOP:-$BUILDDIR/avxtop}
export VTSHOT=${VTSHOT:-$BUILDDIR/vtshot}
export EMUHW=${EMUHW:-$BUILDDIR/emuhw}
# What a user has set must not decide a test; a test sets what it needs itself.
unset AVXTOP_DATADIR NO_COLOR SUDO_UID SUDO_GID LANGUAGE LC_ALL LC_NUMERIC LC_MESSAGES LC_CTYPE LC_TIME
export LANG=C.UTF-8

tap_count=0
tap_failures=0

# A folder of this test's own, gone when it ends.
T=$(mktemp -d "$BUILDDIR/tap.XXXXXX") || exit 1
trap 'rm -rf "$T"' EXIT
export XDG_STATE_HOME=$T/state XDG_CONFIG_HOME=$T/config

diag() { printf '%s\n' "$@" | sed 's/^/# /'; }

tap_result() { # STATUS NAME
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' "$tap_count" "$2"
	else
		tap_failures=$((tap_failures + 1))
		printf 'not ok %d - %s\n' "$tap_count" "$2"
	fi
	return 0
}

# ok NAME COMMAND [ARG…]: passes when the command succeeds.
ok() {
	local name=$1 status
	shift
	"$@" >"$T/.ok" 2>&1 </dev/null
	status=$?
	tap_result $status "$name"
	[ $status = 0 ] || diag "status $status of: $*" "$(head -c 4000 "$T/.ok")"
}

# not_ok NAME COMMAND [ARG…]: passes when the command fails.
not_ok() {
	local name=$1
	shift
	if "$@" >"$T/.ok" 2>&1 </dev/null; then
		tap_result 1 "$name"
		diag "succeeded, but must fail: $*" "$(head -c 4000 "$T/.ok")"
	else
		tap_result 0 "$name"
	fi
}

# is NAME GOT WANT: passes when the two texts are equal.
is() {
	[ "$2" = "$3" ]
	local status=$?
	tap_result $status "$1"
	[ $status = 0 ] || diag "got:" "$2" "want:" "$3"
}

# has_line TEXT REGEX: some line of the text matches. By the shell itself where that is quick: there are thousands of these.
has_line() {
	local line
	if [ ${#1} -gt 4000 ]; then
		grep -Eq -e "$2" <<<"$1"
		return
	fi
	while IFS= read -r line; do
		[[ $line =~ $2 ]] && return 0
	done <<<"$1"
	return 1
}

# like NAME TEXT REGEX / unlike NAME TEXT REGEX: some line of the text matches the extended regular expression, or none.
like() {
	local status=1
	has_line "$2" "$3" && status=0
	tap_result $status "$1"
	[ $status = 0 ] || diag "text:" "$2" "does not match: $3"
}

unlike() {
	local status=0
	has_line "$2" "$3" && status=1
	tap_result $status "$1"
	[ $status = 0 ] || diag "text:" "$2" "matches: $3"
}

# run COMMAND [ARG…]: keeps its exit status in $rc, its streams in $out and $err. Counts as no test.
run() {
	"$@" >"$T/.out" 2>"$T/.err" </dev/null
	rc=$?
	out=$(<"$T/.out")
	err=$(<"$T/.err")
}

# exits STATUS NAME COMMAND [ARG…]: run, and the exit status is that one.
exits() {
	local want=$1 name=$2
	shift 2
	run "$@"
	[ "$rc" = "$want" ]
	local status=$?
	tap_result $status "$name"
	[ $status = 0 ] || diag "status $rc, not $want, of: $*" "stdout:" "${out:0:2000}" "stderr:" "${err:0:2000}"
}

# skip NAME REASON: one test that cannot run here.
skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# skip_all REASON: no test of this file can run here.
skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

# needs COMMAND…: skips the whole file when one is not installed.
needs() {
	local command
	for command; do
		command -v "$command" >/dev/null || skip_all "$command is not installed"
	done
}

# Last line of every test: a script that died before it has no plan and so fails.
done_testing() {
	echo "1..$tap_count"
	[ $tap_failures = 0 ]
	exit
}
