#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Terminals and locales that are poor, unknown or not there.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck disable=SC2317 # called by ok
ascii_only() { # NAME: the text of `snap NAME` has no byte above 0x7f
	LC_ALL=C grep -q '[^ -~]' "$T/$1.txt"
	[ $? = 1 ]
}
ascii_run='wait Quit; snap a; key ?; wait Moving; snap b; key \eb; wait Expect; snap c; key \ei; wait rest is absent; snap d; key 6; wait A scope fires; snap e; key b; wait Expect: about; snap f; key q; exit 0; restored'
ascii_check() {
	local name
	for name in a b c d e f; do
		ok "$1: only ASCII ($name)" ascii_only $name
	done
}

# Without mouse: on the Linux console curses loads libgpm for it, which the sanitizers find leaking.
for term in vt100 linux; do
	shot "TERM=$term" -t $term -g 100x30 "$ascii_run" -- "$AVXTOP" --no-mouse
	ascii_check "TERM=$term"
done
LANG=C shot "the C locale" -g 100x30 "$ascii_run" -- "$AVXTOP"
ascii_check "LANG=C"
shot "--ascii" -g 100x30 "$ascii_run" -- "$AVXTOP" --ascii
ascii_check "--ascii"
LANG=xx_YY.UTF-8 shot "a locale that is not installed" -g 100x30 "$ascii_run" -- "$AVXTOP"
ascii_check "unknown locale"
shot "TERM=xterm" -t xterm -g 100x30 'wait Quit; key q; exit 0; restored' -- "$AVXTOP"

# Colors: SGR 38 and 48 in the kept .ans, 7 (reverse) and 1 (bold) are no colors.
# shellcheck disable=SC2317 # called by ok
colors() { grep -Eq $'\033\\[[0-9;]*(3[0-8]|4[0-8])[;m]' "$T/$1.ans"; }
shot "colors" -g 100x30 'wait Quit; snap color; key q; exit 0' -- "$AVXTOP"
ok "are there by default" colors color
NO_COLOR=1 shot "NO_COLOR" -g 100x30 'wait Quit; snap plain; key q; exit 0' -- "$AVXTOP"
not_ok "NO_COLOR has none" colors plain
shot "--no-color" -g 100x30 'wait Quit; snap plain2; key q; exit 0' -- "$AVXTOP" --no-color
not_ok "--no-color has none" colors plain2

# Where no dashboard can be: one sentence, the hint, status 2, nothing on standard output.
refused() { # NAME COMMAND…
	local name=$1
	shift
	exits 2 "$name: status 2" "$@"
	is "$name: nothing on standard output" "$out" ""
	is "$name: one line" "$(printf '%s\n' "$err" | wc -l)" 1
	like "$name: the hint" "$err" 'avxtop log'
}
refused "standard input is no terminal" "$AVXTOP"
sentence() { # NAME SETTING: in a terminal, with TERM set by the shell
	shot "$1" -g 120x24 'wait avxtop log; exit 2; restored' -- env -u TERM bash -c "$2 exec \"$AVXTOP\""
}
sentence "TERM is unset" 'unset TERM;'
sentence "TERM is empty" 'export TERM=;'
sentence "TERM=dumb" 'export TERM=dumb;'
shot "in our words only" 'wait avxtop log; exit 2; reject ioctl' -- env TERM=dumb "$AVXTOP"
sentence "TERM is unknown" 'export TERM=no-such-terminal;'
shot "standard output is no terminal" 'exit 2; restored' -- bash -c "exec \"$AVXTOP\" >\"$T/redirected\""
is "nothing was written there" "$(wc -c <"$T/redirected")" 0
shot "standard input is closed" 'exit 2' -- bash -c "exec \"$AVXTOP\" <&-"
done_testing
