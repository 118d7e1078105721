# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of the program on emulated machines: . "$(dirname "$0")/../emu/lib.sh"
# Functions: ../tap.sh, and emulate, begin, ctl, step, truth, machine_file, await, finish, variant. Where the machine cannot be emulated the whole
# file is skipped. $SCENARIOS/NAME.emu says what a machine is and does; tests/emuhw/README.md has the format.
# shellcheck source=tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

SCENARIOS=$SRCDIR/tests/emuhw/scenarios

[ -x "$AVXTOP" ] || { echo "Bail out! no program at $AVXTOP"; exit 99; }
[ -x "$EMUHW" ] || skip_all "emuhw was not built: libfuse3 is not installed"
[ "$(id -u)" = 0 ] || skip_all "only root can emulate a machine"
[ -c /dev/fuse ] || skip_all "/dev/fuse is not there"
if ! why=$("$EMUHW" -q "$SCENARIOS/manual.emu" -- true 2>&1); then
	skip_all "machines cannot be emulated here: ${why//$'\n'/; }"
fi

# Can CPUID be answered, too? Otherwise it is the host's, and the test must not depend on it.
# shellcheck disable=SC2034 # for the tests
if grep -qw cpuid_fault /proc/cpuinfo; then
	cpuid_is=emulated
else
	cpuid_is=host
fi

# The scenario NAME, or a file of the test's own.
scenario() {
	case $1 in
	*/*) printf '%s\n' "$1" ;;
	*) printf '%s\n' "$SCENARIOS/$1.emu" ;;
	esac
}

# variant NAME SED-SCRIPT: a scenario with changes; prints the file to give to the others.
variant() {
	local file
	file=$(mktemp "$T/variant.XXXXXX") && sed -e "$2" "$(scenario "$1")" >"$file" && echo "$file"
}

# emulate [-u USER] SCENARIO COMMAND [ARG…]: runs the command there. Without ptrace, so that sanitizers can work: CPUID and
# TSC are the host's. In a shell there, $EMUHW_ROOT/.emu has ctl and truth.
emulate() {
	local command
	on_machine "$@"
	"${command[@]}"
}

# begin [-u USER] SCENARIO COMMAND [ARG…]: the same in the background, with its streams in $T/out and $T/err, until finish.
# Meanwhile ctl, step, truth and machine_file reach the machine. One at a time.
begin() {
	local command tries=0
	on_machine "$@"
	"${command[@]}" >"$T/out" 2>"$T/err" </dev/null &
	emulation=$!
	# Its files are mounted in its own namespace only; there is one such folder in it.
	until machine_root=$(compgen -G "/proc/$emulation/root/run/emuhw.*/root/.emu/ctl"); do
		tries=$((tries + 1))
		[ $tries -lt 500 ] && kill -0 "$emulation" 2>/dev/null || {
			diag "the machine did not start:" "$(cat "$T/err")"
			return 1
		}
		sleep 0.02
	done
	machine_root=${machine_root%/.emu/ctl}
}

# finish [SIGNAL]: ends what begin began, by TERM or as said; its status in $rc.
finish() {
	kill "-${1-TERM}" "$emulation" 2>/dev/null
	await
}

# await: waits until it has ended by itself; its status in $rc.
await() {
	# shellcheck disable=SC2034 # for the tests
	wait "$emulation" && rc=0 || rc=$?
	emulation=
}

# ctl COMMAND…: as "offline 3", "fault read=/sys/… errno=EIO"; each argument is one.
ctl() { printf '%s\n' "$@" >"$machine_root/.emu/ctl"; }

# step SECONDS: moves a clock that is manual.
step() { ctl "step $1"; }

# truth [JQ-FILTER]: what holds now, and the exact counts since the start.
truth() { jq -r "${1-.}" "$machine_root/.emu/truth"; }

# machine_file PATH: what the program reads there, as /proc/stat.
machine_file() { cat "$machine_root$1"; }

# The command line into $command.
on_machine() {
	command=("$EMUHW" -q -C)
	[ "$1" != -u ] || { command+=(-u "$2"); shift 2; }
	command+=("$(scenario "$1")" --)
	shift
	command+=("$@")
}

emulation=
trap '[ -z "$emulation" ] || kill -KILL "$emulation"; rm -rf "$T"' EXIT
