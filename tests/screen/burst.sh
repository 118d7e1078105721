#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The burst panel: asks, runs, shows, stops; and refuses where SAFETY says so.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

shot "b asks, and b again closes" -g 100x30 'wait Quit; key b; wait Expect; key b; gone Expect; key q; exit 0' -- "$AVXTOP" --force
shot "k asks too; Esc closes" -g 100x30 'wait Quit; key k; wait Expect; key \e; gone Expect; key q; exit 0' -- "$AVXTOP" --force
shot "the fields" -g 100x30 \
	'wait Quit; key b; wait Expect; key \t<BACKSPACE><BACKSPACE><BACKSPACE>0-1; wait 0-1; key \t<LEFT>; wait 5 s; key <RIGHT><RIGHT>; wait 20 s; key \t<RIGHT>; wait 100 %; wait no gaps; key q; exit 0' -- "$AVXTOP" --force
shot "a list that is none" -g 100x30 'wait Quit; key b; wait Expect; key \t<BACKSPACE><BACKSPACE><BACKSPACE>--\n; wait Not started; key q; exit 0' -- "$AVXTOP" --force
shot "--readonly refuses" -g 100x30 'wait Quit; key b; wait Expect; key \n; wait Not started; wait readonly; key q; exit 0; restored' -- "$AVXTOP" --readonly

# The machine may be too busy for a burst, or have no ruler: said as a sentence, and no failure of the panel.
start='wait Quit; sleep 600; key b; wait Expect; key <UP><UP><UP><UP><UP>'
first='key \t\t<LEFT><LEFT><LEFT><LEFT>; wait 1 s'
"$VTSHOT" -d "$T" -g 100x34 -T 5 "$start; key \\n; sleep 300; snap try; key b; sleep 300; key q; exit 0" -- "$AVXTOP" --force >/dev/null 2>&1
if grep -q 'Not started' "$T/try.txt" 2>/dev/null; then
	skip "a burst from the panel" "$(grep -A1 'Not started' "$T/try.txt" | tr -d '│' | tr -s ' \n' ' ')"
else
	shot "a burst runs, is shown, and ends by itself" -g 100x34 \
		"$start; $first; key \\n; wait before; wait during; wait ended after; key \\e; wait Quit; wait started on CPU; wait ended on CPU; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "b stops it" -g 100x34 "$start; key \\n; wait Stop burst; wait driven; sleep 500; key b; wait ended after; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "Esc hides the panel, the burst goes on" -g 100x34 "$start; key \\n; wait Stop burst; key \\e; gone before; wait Stop burst; key p; wait before; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "quitting ends it" -g 100x34 "$start; key \\n; wait Stop burst; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "a crash ends it and gives the terminal back" -g 100x34 "$start; key \\n; wait Stop burst; signal SEGV; exit 139; restored" -- "$AVXTOP" --force
fi
done_testing
