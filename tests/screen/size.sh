#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Resizing while it runs, sizes that are too small, and storms of both.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

shot "through five sizes" -g 100x30 \
	'wait Quit; resize 40x10; wait Busy; stable 100; wait Help; resize 200x60; wait Quit; resize 20x6; wait too small; resize 80x24; wait Quit; wait Help; key q; exit 0; restored' -- "$AVXTOP"
shot "says what it has and what it needs" -g 20x6 'wait have 20; expect need 40; snap small; key q; exit 0; restored' -- "$AVXTOP"
is "in words that fit" "$(screen small | tr -s ' \n' ' ')" "Terminal too small: have 20×6, need 40×8 "
shot "the smallest that works" -g 40x8 'wait Quit; key ?; wait What is shown; key \e; key q; exit 0' -- "$AVXTOP"
shot "the smallest that asks" -g 40x14 'wait Quit; key b; wait Enter start; key \e; key q; exit 0; restored' -- "$AVXTOP" --readonly
shot "no question is answered that cannot be seen" -g 40x8 \
	'wait Quit; key b; wait needs a terminal; key \n; sleep 300; resize 100x30; wait Enter start; reject Not started; key q; exit 0; restored' -- "$AVXTOP" --readonly
shot "one cell" -g 1x1 'stable 200; key q; exit 0' -- "$AVXTOP"
storm=
for size in 90x20 30x5 120x40 1x1 80x24 200x60 41x9 3x50 100x30; do
	storm="$storm resize $size;"
done
shot "a storm" -g 100x30 "wait Quit; $storm $storm $storm wait Quit; stable 100; wait Quit; key q; exit 0; restored" -- "$AVXTOP"
shot "a storm over every panel" -g 100x30 "wait Quit; key ?; $storm key \\ei; $storm key b; $storm wait Expect; key q; exit 0; restored" -- "$AVXTOP"
done_testing
