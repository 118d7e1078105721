#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# View 6: asks, looks at bursts, tells what it saw; every way out ends the load and gives the terminal back.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

ask='wait Quit; key 6; wait A scope fires; key b; wait Expect: about'
shot "6 shows it, b asks, and b again closes" -g 100x30 "$ask; key b; gone Expect; key 6; wait Events; key q; exit 0; restored" -- "$AVXTOP" --force
shot "F3 shows it, k asks too; Esc closes, then leaves" -g 100x30 \
	'wait Quit; key <F3>; wait A scope fires; key k; wait Expect: about; key \e; gone Expect; wait A scope fires; key \e; wait Events; key q; exit 0' -- "$AVXTOP" --force
shot "the fields" -g 100x30 \
	"$ask; key \\t<BACKSPACE><BACKSPACE><BACKSPACE><BACKSPACE>77; wait CPU 77; key <RIGHT>; gone CPU 77; key \\t<RIGHT>; wait 1000; key \\t<LEFT>; wait 100 us; key q; exit 0" -- "$AVXTOP" --force
shot "a CPU that is not there" -g 100x30 "$ask; key \\t<BACKSPACE><BACKSPACE><BACKSPACE><BACKSPACE>999999\\n; wait Not started: there is no such CPU; key q; exit 0" -- "$AVXTOP" --force
shot "--readonly refuses" -g 100x30 'wait Quit; key 6; wait only read; key b; wait Expect; key \n; wait Not started; wait readonly; key q; exit 0; restored' -- "$AVXTOP" --readonly

# The CPU may be refused to us, or there is no ruler for it: said as a sentence, and no failure of the view.
few='key \t\t<LEFT><LEFT><LEFT>; wait 50 '
"$VTSHOT" -d "$T" -g 100x30 -T 8 "$ask; key \\n; sleep 700; snap try; key b; sleep 300; key q; exit 0" -- "$AVXTOP" --force >/dev/null 2>&1
if grep -q 'Not started' "$T/try.txt" 2>/dev/null; then
	skip "a scope" "$(grep -A1 'Not started' "$T/try.txt" | tr -d '│' | tr -s ' \n' ' ')"
else
	shot "a scope runs, grows, and ends by itself" -g 100x30 -T 30 \
		"$ask; $few; key \\n; wait The burst begins; wait b Start; wait throttled; wait lower clock; snap end; key 1; wait started on CPU; wait ended on CPU; key 6; wait The burst ends; key q; exit 0; restored" -- "$AVXTOP" --force
	ok "and tells how many bursts it was made of" grep -Eq '(^| )[0-9]+ bursts? of [0-9.]+ us' "$T/end.txt"
	shot "b stops it" -g 100x30 -T 30 "$ask; key \\n; wait of 500 bursts; key b; wait stopped early; wait b Start; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "small and large while it runs; quitting ends it" -g 100x30 -T 30 \
		"$ask; key \\n; wait of 500 bursts; resize 20x6; wait too small; resize 40x10; wait bursts; resize 200x60; wait The burst ends; key q; exit 0; restored" -- "$AVXTOP" --force
	shot "no burst beside it; SIGTERM ends it" -g 100x34 -T 30 \
		"$ask; key \\n; wait of 500 bursts; key 1; wait Events; key b; wait Expect: full; key \\n; wait a scope is running; key \\e6; wait of 500 bursts; signal TERM; exit 0; restored" -- "$AVXTOP" --force
	shot "a crash gives the terminal back" -g 100x30 "$ask; key \\n; wait of 500 bursts; signal SEGV; exit 139; restored" -- bash -c "ulimit -c 0; exec \"$AVXTOP\" --force"
	shot "Ctrl-Z stops it and gives the terminal back; fg brings it again" -g 100x30 -T 30 \
		"$ask; key \\n; wait of 500 bursts; key \\x1a; wait STOPPED; restored; key \\n; wait Scope: one burst; stable 100; key q; wait OVER; exit 0; restored" -- \
		bash -c "set -m; \"$AVXTOP\" --force; echo STOPPED; read -r line; fg >/dev/null; echo OVER"
fi
done_testing
