#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Root under sudo becomes the user who called; nobody else is told who they are by a variable.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

USER_ID=65534 # nobody; any user but root

# ids COMMAND [ARG…]: real, effective, saved and file-system user and group of the program, and its groups.
ids() {
	rm -f "$T/log"
	"$@" "$AVXTOP" log -i 0.2 >"$T/log" 2>"$T/err" &
	local pid=$!
	for _ in {1..100}; do
		[ -s "$T/log" ] && break
		sleep 0.1
	done
	sed -n 's/^\(Uid\|Gid\|Groups\|CapEff\):[[:space:]]*//p' /proc/$pid/status | xargs
	kill $pid
	wait $pid 2>/dev/null
}

if [ "$(id -u)" != 0 ]; then
	exits 0 "not root: SUDO_UID means nothing" env SUDO_UID=$USER_ID SUDO_GID=$USER_ID "$AVXTOP" kernels -o "$T/list"
	is "the file is ours" "$(stat -c %u "$T/list")" "$(id -u)"
	skip "root under sudo" "only root can become somebody else"
	done_testing
	exit
fi
if ! setpriv --reuid $USER_ID --regid $USER_ID --clear-groups test -x "$AVXTOP" 2>/dev/null; then
	skip_all "this folder is closed to user $USER_ID, or this root cannot become it"
fi

is "root without sudo stays root" "$(ids env | cut -d ' ' -f 1-8)" "0 0 0 0 0 0 0 0"
is "so does root that root called" "$(ids env SUDO_UID=0 SUDO_GID=0 | cut -d ' ' -f 1-8)" "0 0 0 0 0 0 0 0"
u=$USER_ID
like "under sudo: no id or group of root is left, nor a capability but CAP_PERFMON" "$(ids env SUDO_UID=$u SUDO_GID=$u)" \
	"^$u $u $u $u $u $u $u $u ($u )?(0{16}|0{6}40{9})\$"

mkdir "$T/theirs" "$T/roots"
chmod 755 "$T"
chown $u "$T/theirs"
exits 0 "under sudo: -o" env SUDO_UID=$u SUDO_GID=$u "$AVXTOP" kernels -o "$T/theirs/list"
is "the file is the user's" "$(stat -c %u:%g "$T/theirs/list")" "$u:$u"
exits 1 "under sudo: -o where only root may write" env SUDO_UID=$u SUDO_GID=$u "$AVXTOP" kernels -o "$T/roots/list"
like "says so" "$err" "Permission denied"
ok "and leaves nothing there" test ! -e "$T/roots/list"
echo kept >"$T/theirs/roots"
for command in 'kernels' 'log -n 1 -i 0.05'; do
	read -ra words <<<"$command"
	exits 1 "$command -o names a file of another user" env SUDO_UID=$u SUDO_GID=$u "$AVXTOP" "${words[@]}" -o "$T/theirs/roots"
	is "it is untouched" "$(cat "$T/theirs/roots")" kept
	echo theirs >"$T/theirs/own"
	chown $u "$T/theirs/own"
	exits 1 "root: $command -o names a file of another user" "$AVXTOP" "${words[@]}" -o "$T/theirs/own"
	is "it is untouched, too" "$(cat "$T/theirs/own")" theirs
done
for bad in abc -1 4294967295 ""; do
	exits 1 "under sudo: SUDO_UID is \"$bad\"" env SUDO_UID="$bad" SUDO_GID=$u "$AVXTOP" kernels
	one_sentence "it says so" "$err"
done
exits 1 "under sudo: SUDO_GID is missing" env SUDO_UID=$u "$AVXTOP" kernels

# The bit makes a program that anybody runs root's: it must not stay that.
if cp "$AVXTOP" "$T/suid" && chmod 4755 "$T/suid" &&
	[ "$(findmnt -no OPTIONS -T "$T" | grep -c nosuid)" = 0 ]; then
	AVXTOP=$T/suid
	like "set-user-ID: the real user is what is left" \
		"$(ids setpriv --reuid $u --regid $u --clear-groups)" "^$u $u $u $u $u $u $u $u 0{16}\$"
else
	skip "set-user-ID" "not on this file system"
fi

done_testing
