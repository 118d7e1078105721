# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests of the program as a user runs it: . "$(dirname "$0")/lib.sh"
# Functions: ../tap.sh (ok, not_ok, is, like, unlike, run, exits, skip, skip_all, needs, done_testing).
# shellcheck source=tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"

[ -x "$AVXTOP" ] || { echo "Bail out! no program at $AVXTOP"; exit 99; }

# one_sentence NAME TEXT: an error as users should see it: one line that names the program, no period.
one_sentence() {
	local status=1
	[[ $2 != *$'\n'* ]] && [[ $2 == avxtop:\ ?* ]] && [[ $2 != *. ]] && status=0
	tap_result $status "$1"
	[ $status = 0 ] || diag "text:" "$2"
}
