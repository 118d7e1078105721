# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Trees of other machines for --sysroot: sourced by tests after their lib.sh.
hosts=$SRCDIR/tests/hosts

# Where the trees go: in memory if possible, since they are thousands of small files.
H=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "$T")/avxtop-hosts.XXXXXX") || exit 1
trap 'rm -rf "$T" "$H"' EXIT

# unpack FOLDER < TEXT: makes what the text describes (unpack.awk) below a new folder.
unpack() { bash "$hosts/unpack.sh" "$1"; }

# make_host FOLDER [NAME=VALUE…]: a made-up machine; the names are in host.awk.
make_host() {
	local folder=$1 options=() option
	shift
	for option; do
		options+=(-v "$option")
	done
	awk "${options[@]}" -f "$hosts/host.awk" </dev/null | unpack "$folder"
}

# tick FOLDER: 100 ticks pass on that machine. In place and in one write: a reader keeps the file open.
tick() {
	awk -f "$hosts/ticks.awk" "$1/proc/stat" >"$1.stat" && dd if="$1.stat" of="$1/proc/stat" bs=16M conv=notrunc status=none
}

# start NAME [OPTION…]: in the background, log of $H/NAME. Once it has written a record, 100 ticks pass, so that what
# is true of the next one is known exactly.
# $descriptors: how many it may have open.
declare -A lives
start() {
	: >"$T/$1.out"
	live "$@" &
	lives[$1]=$!
}

live() {
	local name=$1 pid
	shift
	(
		ulimit -n "${descriptors:-20000}"
		exec "$AVXTOP" log --sysroot "$H/$name" -i 0.5 --format json "$@" >"$T/$name.out" 2>"$T/$name.err"
	) &
	pid=$!
	records "$name" 2
	tick "$H/$name"
	records "$name" $(($(wc -l <"$T/$name.out") + 2))
	kill -TERM $pid
	wait $pid
	echo $? >"$T/$name.rc"
}

# records NAME N: until that many are written, 30 s at most.
records() {
	local i
	for ((i = 0; i < 300; i++)); do
		[ "$(wc -l <"$T/$1.out")" -ge "$2" ] && return
		sleep 0.1
	done
}

# lived NAME: waits for its end. $rc and $err; in $out the host record, a sample, and those in which ticks passed.
# shellcheck disable=SC2034
lived() {
	wait "${lives[$1]}"
	rc=$(cat "$T/$1.rc")
	err=$(cat "$T/$1.err")
	out=$(jq -cs '.[0], .[1], (.[2:][] | select(.cpus | any(.os_busy_ratio != null)))' "$T/$1.out")
}
