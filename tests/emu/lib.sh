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

# as_host SCENARIO [SED-SCRIPT]: with the rate of this host's TSC, which the program measures, as its base clock.
as_host() { variant "$1" 's/^preset.*/&\nbase_mhz = host/;'"${2-}"; }
# exactly SCENARIO [SED-SCRIPT]: the same, and its clock is moved by hand: measure moves it between the samples.
exactly() { as_host "$1" 's/^preset.*/&\nclock = manual/;'"${2-}"; }

# measure SCENARIO SOURCES [OPTION…]: avxtop log there into $T/log, what the machine did then into $T/truth, what was accessed
# ($EMUHW_ROOT/.emu/stats) into $T/stats; the status in $rc. The machine's rates do not change, so that its truth is that of each sample.
measure() {
	local scenario=$1 sources=$2
	shift 2
	rc=0
	emulate "$scenario" bash -c '
		T=$0
		"$@" >"$T/log" 2>"$T/err"
		status=$?
		cat "$EMUHW_ROOT/.emu/truth" >"$T/truth"
		cat "$EMUHW_ROOT/.emu/stats" >"$T/stats"
		exit "$status"' "$T" "$AVXTOP" log -i "$interval" --format json --source "$sources" "$@" || rc=$?
}

# measure_steps: the same on a machine of which the clock is manual. It goes on by $interval after each sample, unless that is
# late, so that none is read while it moves; until two samples have clocks.
measure_steps() {
	local scenario=$1 sources=$2
	shift 2
	: >"$T/log"
	emulate "$scenario" bash -c '
		T=$0 interval=$1 ctl=$EMUHW_ROOT/.emu/ctl good=0
		shift
		echo "step 10" >"$ctl"
		"$@" 2>"$T/err" | while IFS= read -r line; do
			printf "%s\n" "$line" >>"$T/log"
			time=${line#*avxtop.sample/1\",\"time\":\"}
			[ "$time" = "$line" ] || [ $(($(date +%s%3N) - $(date -d "${time%%\"*}" +%s%3N))) -gt 200 ] ||
				echo "step $interval" >"$ctl"
			[[ $line != *\"busy_ratio\":[0-9]* ]] || good=$((good + 1))
			[ $good -lt 2 ] || break
		done
		cat "$EMUHW_ROOT/.emu/truth" >"$T/truth"' "$T" "$interval" \
		"$AVXTOP" log -i "$interval" -n 20 --format json --source "$sources" "$@"
}

# logged FILTER: of the last sample in $T/log. why METRIC: the reason or the source in its first record.
logged() { jq -sc "[.[] | select(.schema == \"avxtop.sample/1\")] | last | $1" "$T/log"; }
why() { jq -r "select(.schema == \"avxtop.host/1\") | .metrics.$1.why // \"served by \\(.metrics.$1.source)\"" "$T/log"; }

# The command line into $command.
on_machine() {
	command=("$EMUHW" -q -C)
	[ "$1" != -u ] || { command+=(-u "$2"); shift 2; }
	command+=("$(scenario "$1")" --)
	shift
	command+=("$@")
}

interval=0.3
emulation=
trap '[ -z "$emulation" ] || kill -KILL "$emulation"; rm -rf "$T"' EXIT
