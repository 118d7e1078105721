#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The terminal is as before on every way out: orderly, by signals, by crashes, by job control, when it is lost.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"
ulimit -c 0

for signal in TERM INT HUP; do
	shot "SIG$signal ends it in order" "wait Quit; signal $signal; exit 0; restored" -- "$AVXTOP"
done
# 128 + number: it dies of the signal all the same.
for pair in SEGV=139 ABRT=134 BUS=135 FPE=136 ILL=132 QUIT=131; do
	shot "SIG${pair%=*} gives the terminal back" "wait Quit; signal ${pair%=*}; exit ${pair#*=}; restored" -- "$AVXTOP"
done
shot "a crash during a burst's question" "wait Quit; key b; wait Expect; signal SEGV; exit 139; restored" -- "$AVXTOP"

# A picture that scrolled: curses then saves the cursor, and this terminal keeps one for both of its screens.
scrolled='wait Quit; key ?; wait Moving; key jj; stable 100; key j; stable 100; key j; stable 100'
shot "the cursor is back after a picture that scrolled" "$scrolled; key q; exit 0; restored" -- "$AVXTOP"
shot "and after a crash with it" "$scrolled; signal SEGV; exit 139; restored" -- "$AVXTOP"

# A shell with job control, as a person has it.
job="set -m; \"$AVXTOP\"; echo STOPPED; read -r line; fg >/dev/null; echo OVER"
shot "Ctrl-Z stops it and gives the terminal back; fg brings it again" \
	'wait Quit; key \x1a; wait STOPPED; restored; key \n; wait Quit; stable 100; wait avxtop; key q; wait OVER; exit 0; restored' -- \
	bash -c "$job"
shot "stopped twice, then ended while it shows" \
	'wait Quit; key \x1a; wait STOPPED; restored; key \n; wait Quit; stable 100; key \x03; wait OVER; exit 0; restored' -- bash -c "$job"

shot "a lost terminal ends it" 'wait Quit; hangup; exit' -- "$AVXTOP"
# Signals that were ignored or blocked by the parent stay harmless.
shot "started with SIGHUP ignored" 'wait Quit; key q; exit 0; restored' -- bash -c "trap '' HUP; exec \"$AVXTOP\""

done_testing
