#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every key of the dashboard does what the help says.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

keys() { # NAME SCRIPT: on a fresh dashboard of 100x30
	shot "$1" -g 100x30 "wait Quit; $2" -- "$AVXTOP" top -i 0.5
}

keys "first frame, and quit by q" 'wait avxtop; wait What happens; wait Help; key q; exit 0; restored'
keys "quit by F10" 'key <F10>; exit 0; restored'
keys "quit by Ctrl-C" 'key \x03; exit 0; restored'
keys "help by F1, back by Esc" 'key <F1>; wait What is shown; wait Moving; key \e; gone Moving; wait Events; key q; exit 0'
keys "help by ? and h" 'key ?; wait Moving; key h; gone Moving; key q; exit 0'
keys "help scrolls" 'resize 100x16; stable 100; key ?; wait What is shown; key <END>; wait disturbed; key <HOME>; wait Views; key jjk<PGDN><PGUP>; key q; exit 0'
keys "group: CPUs, cores, packages, CPUs" 'key g; stable 50; key g; wait Pkg; key g; gone Pkg; key q; exit 0'
keys "sort by clock, by load, by number" 'key s; wait ▲; key s; gone ▲; key s; key q; exit 0'
keys "filter by list, kept by Enter" 'key /; wait Filter:; key 0\n; wait /0; key q; exit 0'
keys "filter that matches nothing, undone by Esc" 'key /; wait Filter:; key zz; wait no CPU matches; key \e; gone no CPU matches; key q; exit 0'
keys "Esc clears a kept filter" 'key /zz\n; wait no CPU matches; key \e; gone no CPU matches; key q; exit 0'
keys "filter text can be taken back" 'key /zz<BACKSPACE><BACKSPACE>; sleep 100; reject no CPU matches; key q; wait Filter: q; key \e; key q; exit 0'
keys "pause and on" 'key <SPACE>; wait paused; key <SPACE>; wait live; key q; exit 0'
keys "interval" 'key +; wait 1 s; key -; key -; wait 0.2 s; key ---; wait 0.1 s; key ++++++++++; wait 10 s; key q; exit 0'
keys "redraw" 'key \x0c; stable 100; wait Events; key q; exit 0'
keys "views: scope and overview" 'key 6; wait A scope fires; key 1; wait Events; key <F3>; wait A scope fires; key s?; wait Moving; key ?; wait A scope fires; key 6; wait Events; key q; exit 0'
keys "why" 'key i; wait the rest is absent; key i; gone the rest is absent; key i; wait the rest is absent; key \e; gone the rest is absent; key q; exit 0'
keys "moving around never fails" 'key <DOWN><DOWN><UP><PGDN><PGUP><END><HOME>jG<LEFT><RIGHT>\t\n; stable 100; key q; exit 0'
keys "a click on the key bar presses the key" 'click 3x29; wait Moving; key q; exit 0; restored'
shot "without mouse, clicks mean nothing" -g 100x30 'wait Quit; click 3x29; stable 100; reject Moving; key q; exit 0' -- "$AVXTOP" --no-mouse
shot "keys that mean nothing" -g 100x30 'wait Quit; key xXyY~<F12>\xff\x80; stable 100; key q; exit 0' -- "$AVXTOP"
shot "ends after a count" -g 100x30 'wait Quit; exit 0; restored' -- "$AVXTOP" -n 2 -i 0.1
done_testing
