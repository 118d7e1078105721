#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Manual and completion: well-formed, the same in every locale, and the completion completes.
# Plain: it runs man and the shell.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$AVXTOP" docs man >"$T/avxtop.1"
if command -v man >/dev/null && man --version 2>&1 | grep -q '^man 2'; then
	is "man has no warnings" "$(LC_ALL=C.UTF-8 man --warnings -l "$T/avxtop.1" 2>&1 >/dev/null)" ""
elif command -v mandoc >/dev/null; then
	is "mandoc has no warnings" "$(mandoc -T lint -W warning "$T/avxtop.1" 2>&1)" ""
elif command -v groff >/dev/null; then
	is "groff has no warnings" "$(groff -man -Tutf8 -ww "$T/avxtop.1" 2>&1 >/dev/null)" ""
else
	skip "the manual is well-formed" "neither man-db nor mandoc nor groff is installed"
fi
unlike "no mark of the template is left" "$(cat "$T/avxtop.1")" '@[A-Z]+@'
unlike "it says nothing of the machine where it was made" "$(cat "$T/avxtop.1")" 'none here|offers no .* here'
unlike "no file's name gets a capital" "$(cat "$T/avxtop.1")" 'Scaling_'
unlike "no empty lines" "$(cat "$T/avxtop.1")" '^$'
for document in man completion markdown; do
	is "docs $document is the same in every locale" "$(LC_ALL=C "$AVXTOP" docs $document | cksum)" \
		"$(LC_ALL=C.UTF-8 LANGUAGE=de "$AVXTOP" docs $document | cksum)"
done
if [ -e "$BUILDDIR/data/man/avxtop.1" ]; then
	is "the built manual is up to date" "$(cksum <"$BUILDDIR/data/man/avxtop.1")" "$(cksum <"$T/avxtop.1")"
else
	skip "the built manual is up to date" "the tarball's own is used"
fi

"$AVXTOP" docs completion >"$T/completion"
ok "bash can read the completion" bash -n "$T/completion"
if command -v shellcheck >/dev/null; then
	ok "shellcheck finds nothing in it" shellcheck -s bash "$T/completion"
else
	skip "shellcheck finds nothing in it" "shellcheck is not installed"
fi
# shellcheck source=/dev/null
. "$T/completion"
# shellcheck disable=SC2317  # called by the completion
compopt() { :; }
# complete_words WORD…: what is offered for the last word, as one line.
complete_words() {
	COMP_WORDS=("$@")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_avxtop
	echo "${COMPREPLY[*]}"
}
is "a command" "$(complete_words avxtop me)" "metrics"
is "an option of the command" "$(complete_words avxtop burst --du)" "--duration --duty"
is "not that of another" "$(complete_words avxtop log --du)" ""
is "an option before the command" "$(complete_words avxtop --interv)" "--interval"
is "a kernel" "$(complete_words avxtop burst --kernel avx2-f)" "avx2-fma"
is "one more of a list" "$(complete_words avxtop burst --kernel scalar,avx2-f)" "scalar,avx2-fma"
is "after a sign of equality" "$(complete_words avxtop log --format = js)" "json"
is "right after that sign" "$(complete_words avxtop scope --format =)" "table csv json svg"
is "the argument of an option is no command" "$(complete_words avxtop -i log metrics --fo)" "--format"
is "a document" "$(complete_words avxtop docs ma)" "man markdown"
is "nothing where a number stands" "$(complete_words avxtop log -n '')" ""
touch "$T/there"
is "a file" "$(complete_words avxtop log -o "$T/the")" "$T/there"

done_testing
