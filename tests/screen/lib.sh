# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of the dashboard in the test terminal: . "$(dirname "$0")/lib.sh"
# Functions: ../tap.sh, and shot.
# shellcheck source=tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

[ -x "$AVXTOP" ] || { echo "Bail out! no program at $AVXTOP"; exit 99; }
[ -x "$VTSHOT" ] || skip_all "vtshot was not built: libvterm is not installed"

# shot NAME [-g COLSxROWS] [-t TERM] … SCRIPT -- COMMAND [ARG…]: one test, passes when each step of the script does.
# What `snap X` keeps is in $T/X.txt, $T/X.ans and $T/X.svg.
shot() {
	local name=$1
	shift
	ok "$name" "$VTSHOT" -d "$T" "$@"
}

# screen X: the text of `snap X`.
screen() { cat "$T/$1.txt"; }
