#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The test terminal itself, with tiny programs of the shell.
# Plain: the same C runs in all tests of screens.
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

[ -x "$VTSHOT" ] || skip_all "vtshot was not built: libvterm is not installed"

# try STATUS NAME [OPTION…] SCRIPT -- COMMAND…
try() {
	local want=$1 name=$2
	shift 2
	exits "$want" "$name" timeout 30 "$VTSHOT" -d "$T" "$@"
}

try 0 "waits for text and takes a snapshot" 'wait ready; snap a; key x; exit 0' -- \
	sh -c 'echo ready; stty -icanon; dd bs=1 count=1 2>/dev/null'
is "the text is what was drawn" "$(head -n 1 "$T/a.txt")" ready
is "as many rows as the window" "$(wc -l <"$T/a.txt")" 24
try 1 "text that never comes" -T 0.3 'wait never' -- sh -c 'echo here; sleep 9'
like "the screen is shown then" "$err" '^here$'
try 1 "text that never comes because the program ended" -T 20 'wait never' -- echo bye
try 0 "gone" 'wait one; gone one; wait two; reject one; exit 0' -- sh -c 'echo one; sleep 0.2; clear; echo two'
try 1 "expect fails" 'wait one; expect two' -- sh -c 'echo one; sleep 9'
try 1 "reject fails" 'wait one; reject one' -- sh -c 'echo one; sleep 9'

try 0 "exit status" 'exit 7' -- sh -c 'exit 7'
try 1 "another exit status" 'exit 0' -- sh -c 'exit 7'
like "says which" "$err" 'exit status 7'
try 1 "a program that does not end" -T 0.3 'exit 0' -- sleep 9
try 0 "exit while a child holds the terminal" -T 3 'wait x; exit 3' -- bash -c 'trap "" HUP; sleep 4 & echo x; exit 3'
try 0 "ended by a signal" 'wait x; signal TERM; exit 143' -- sh -c 'echo x; exec sleep 9'
try 0 "signal by number" 'wait x; signal 9; exit 137' -- sh -c 'echo x; exec sleep 9'
try 0 "hangup" 'wait x; hangup; exit 129' -- sh -c 'echo x; exec sleep 9'
try 0 "the last words are on the screen" 'exit 0; expect 20000; snap last' -- seq 20000

# Prints the next ten bytes, whatever they are, as octal numbers.
keys='stty raw -echo; echo ready; dd bs=10 count=1 iflag=fullblock 2>/dev/null | od -An -to1; stty sane'
try 0 "keys as xterm's terminfo has them" 'wait ready; key <UP><HOME><F1>\x41; wait 101; snap k; exit 0' -- sh -c "$keys"
like "up, home, F1, A" "$(cat "$T/k.txt")" '033 117 101 033 117 110 033 117 120 101'
try 0 "escapes and spaces" 'wait ready; key  a\e\n\t\\<SPACE>\x3b~<x ; exit 0; snap k' -- sh -c "$keys"
like "as typed" "$(cat "$T/k.txt")" '141 033 015 011 134 040 073 176 074 170'
try 0 "keys of another TERM" -t linux 'wait ready; key <F1><HOME>ab; exit 0; snap k' -- sh -c "$keys"
like "as the Linux console sends them" "$(cat "$T/k.txt")" '033 133 133 101 033 133 061 176 141 142'
try 1 "a key that TERM lacks" -t dumb 'wait ready; key <F1>' -- sh -c "$keys"
try 0 "TERM is set" -t vt220 'wait vt220; exit 0' -- sh -c "echo \$TERM"

try 0 "size and resize" -g 60x20 'wait 20 60; resize 100x30; wait 30 100; stable 100; resize 40x10; wait 10 40; snap s' -- \
	bash -c 'trap "stty size" WINCH; stty size; while :; do read -t 0.05; done'
is "as many rows as the last size" "$(wc -l <"$T/s.txt")" 10
try 0 "stable" 'stable 150; expect 5' -- sh -c 'for i in 1 2 3 4 5; do echo $i; sleep 0.05; done; sleep 9'
try 1 "never stable" -T 0.5 'stable 480' -- sh -c 'while echo x; do sleep 0.02; done'
try 0 "time" 'wait late; time drawn; exit 0' -- sh -c 'sleep 0.2; echo late; sleep 0.3'
ok "when it was drawn" awk '$1 == "drawn" && $2 >= 200 && $2 < 490 { good = 1 } END { exit !good }' "$T/.out"
try 0 "click" 'wait ready; click 4x2; exit 0; snap k' -- \
	sh -c "printf '\033[?1000h\033[?1006h'; ${keys/bs=10/bs=9}; printf '\033[?1000l'"
like "mouse press in the SGR form, counted from 1" "$(cat "$T/k.txt")" '033 133 074 060 073 065 073 063 115'

try 0 "restored" 'wait x; exit 0; restored' -- sh -c 'modes=$(stty -g); tput smcup; tput civis; stty raw; echo x; stty $modes; tput cnorm; tput rmcup'
left() { try 1 "left behind: $1" 'exit 0; restored' -- sh -c "$2"; }
left "alternate screen" 'tput smcup'
left "hidden cursor" 'tput civis'
left "line modes" 'stty -echo'
left "reverse" 'tput rev'
left "color" 'tput setaf 1'
left "mouse" 'printf "\033[?1000h"'

try 0 "all kinds of cells" 'exit 0; snap p' -- printf '\033[1;31mA\033[0m<>&\033[7mR\033[0m▀▁█▌▐░▙⠿─━│┼╭▲▼中é\n'
like "text" "$(cat "$T/p.txt")" '^A<>&R▀▁█▌▐░▙⠿─━│┼╭▲▼中é$'
like "colors in the .ans" "$(cat "$T/p.ans")" $'^\e\\[0;1;38;5;1mA\e\\[0m<>&'
like "red in the picture" "$(cat "$T/p.svg")" 'fill="#e00000" font-weight="bold">A<'
like "escaped" "$(cat "$T/p.svg")" '>&lt;<'
like "a triangle is drawn" "$(cat "$T/p.svg")" '<polygon points='
like "half a block" "$(cat "$T/p.svg")" '<rect x="42.15" y="0.00" width="8.77" height="8.50"'
unlike "no block is left to a font" "$(cat "$T/p.svg")" '>[▀▁█▌▐░▙⠿─━│┼▲▼]<'
if command -v xmllint >/dev/null; then
	ok "the picture is XML" xmllint --noout "$T/p.svg"
else
	skip "the picture is XML" "xmllint is not installed"
fi

try 2 "no script" -- true
try 2 "unknown step" 'fly away' -- true
try 2 "step without its argument" 'wait' -- true
try 2 "size that is none" -g 80 'exit' -- true
try 2 "number that is none" 'sleep long' -- true
try 0 "help" -h
done_testing
