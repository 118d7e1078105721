# SPDX-License-Identifier: GPL-2.0-or-later
# The next proc/stat of a made-up machine: each CPU that has a line lives another 100 ticks, and is busy in
# (id × 7) mod 101 of them. Numbers keep their width, so that the file can be written in place.
/^cpu[0-9]/ {
	id = substr($1, 4) + 0
	busy = (id * 7) % 101
	printf "cpu%d %012d 0 0 %012d 0 0 0 0 0 0\n", id, $2 + busy, $5 + 100 - busy
	next
}
{ print }
