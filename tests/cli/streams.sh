#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Closed and full standard streams, and -o FILE.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# status COMMAND: its exit status, by a shell that may close streams.
status() { bash -c "$1" >"$T/out" 2>"$T/err"; echo $?; }
q=${AVXTOP@Q}

is "stdin closed" "$(status "$q --help <&-")" 0
is "stderr closed" "$(status "$q --help 2>&-")" 0
is "all closed: fails quietly" "$(status "$q --help <&- >&- 2>&-")" 1
is "stdout closed: fails" "$(status "$q --help >&-")" 1
one_sentence "stdout closed: says so" "$(cat "$T/err")"
is "stdout closed, kernels" "$(status "$q kernels >&-")" 1
one_sentence "stdout closed, kernels: says so once" "$(cat "$T/err")"
is "wrong use with stderr closed" "$(status "$q --bogus 2>&-")" 2
is "closed streams: -o gets the text all the same" "$(status "$q kernels -o ${T@Q}/closed <&- >&- 2>&-")" 0
like "and nothing else is in it" "$(head -1 "$T/closed")" "^NAME "
# While it runs with all three closed, nothing that it opened may have their numbers.
bash -c "exec $q log -i 0.2 -o ${T@Q}/running <&- >&- 2>&-" &
running=$!
for _ in {1..100}; do
	[ -s "$T/running" ] && break
	sleep 0.1
done
is "descriptors 0 to 2 are filled with nothing" "$(readlink /proc/$running/fd/{0,1,2} | xargs)" "/dev/null /dev/null /dev/null"
kill $running
wait $running 2>/dev/null
if [ -w /dev/full ]; then
	for command in --help --version kernels 'kernels --format json' 'kernels --format csv' \
		'log -n 1 -i 0.05' 'log -n 1 -i 0.05 --format csv' 'log -n 1 -i 0.05 --format json' 'docs man'; do
		is "full disk: $command" "$(status "$q $command >/dev/full")" 1
		one_sentence "full disk: $command: says so" "$(cat "$T/err")"
	done
else
	skip "full disk" "/dev/full is not here"
fi

# -o FILE: whole documents appear complete or not at all.
umask 027
exits 0 "-o FILE" "$AVXTOP" kernels -o "$T/list"
is "nothing on stdout" "$out" ""
like "the list is in the file" "$(cat "$T/list")" "^scalar "
is "the file's mode is that of umask" "$(stat -c %a "$T/list")" 640
chmod 604 "$T/list"
exits 0 "-o over a file" "$AVXTOP" kernels -o "$T/list" --format csv
like "it has the new text only" "$(head -1 "$T/list")" "^name,"
is "it keeps its mode" "$(stat -c %a "$T/list")" 604
is "no temporary file stays" "$(find "$T" -name 'list.*')" ""
echo "longer than what comes" >"$T/short"
exits 0 "log -o over a file" "$AVXTOP" log -n 1 -i 0.05 --format csv --metrics self_ratio --scope host -o "$T/short"
unlike "nothing of what it held is left" "$(cat "$T/short")" "longer|comes"
exits 1 "-o into a folder that is not there" "$AVXTOP" kernels -o "$T/nowhere/list"
one_sentence "says so" "$err"
exits 1 "-o names a folder" "$AVXTOP" kernels -o "$T"
ln -s list "$T/link"
exits 1 "-o names a symbolic link" "$AVXTOP" kernels -o "$T/link"
like "the file behind it is untouched" "$(head -1 "$T/list")" "^name,"
exits 1 "log -o names a symbolic link" "$AVXTOP" log -n 1 -i 0.05 -o "$T/link"
like "the file behind it is still untouched" "$(head -1 "$T/list")" "^name,"
# A pipe of our own stands for all that is no regular file. Never a real device: run by root, a program
# that got this wrong would replace it.
mkfifo "$T/fifo"
timeout 20 cat "$T/fifo" >"$T/through" &
exits 0 "-o into a pipe" "$AVXTOP" kernels -o "$T/fifo"
wait $!
like "the list went through it" "$(cat "$T/through")" "^scalar "
ok "the pipe is still one" test -p "$T/fifo"
exits 0 "-o - is standard output" "$AVXTOP" kernels -o -
like "and the list is there" "$out" "^scalar "

done_testing
