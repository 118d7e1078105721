# SPDX-License-Identifier: GPL-2.0-or-later
# What was reported against the truth: awk -v OFFSET=S -v SLACK=S -f soak.awk TRUTH EVENTS SAMPLES; tab-separated lines.
#   TRUTH    time kind id metric value     what held then (emulated seconds), polled
#   EVENTS   from to kind id metric how    how: fault, or slow; id and metric may be *
#   SAMPLES  time elapsed kind id metric value
# A rate lies between the least and the most that held during its interval, within SLACK of the instants; so does a reading of
# now around its instant. Where all that held was offline, or a fault lasted, there must be no number.
BEGIN {
	FS = "\t"
	TURNS = 10
}
FILENAME == ARGV[1] {
	if ($1 != last) {
		last = $1
		time[++polls] = $1
	}
	held[polls, $2, $3, $4] = $5
	next
}
FILENAME == ARGV[2] {
	from[++events] = $1; to[events] = $2; kind[events] = $3; id[events] = $4; metric[events] = $5; how[events] = $6
	next
}
function touches(e) {
	return (kind[e] == "*" || kind[e] == $3) && (id[e] == "*" || id[e] == $4) && (metric[e] == "*" || metric[e] == $5)
}
function wrong(why) {
	if (++failures <= 20)
		printf "%.2f s, over %.2f s: %s %s %s is %s, %s\n", now, $2, $3, $4, $5, $6, why
}
{
	now = $1 - OFFSET
	rate = $5 !~ /hertz|celsius/
	# Sources take turns where files are slow: a reading of now may be one of before.
	since = now - (rate ? $2 : TURNS) - SLACK
	until = now + SLACK
	forbidden = 0
	for (e = 1; e <= events; e++) {
		if (!touches(e))
			continue
		if (how[e] == "fault" && from[e] + SLACK <= now && now <= to[e] - SLACK)
			forbidden = 1
		# The value may be of before a fault, or of a file that was late.
		if (from[e] - SLACK <= now && now <= to[e] + $2 + 2 * SLACK && from[e] - $2 - SLACK < since)
			since = from[e] - $2 - SLACK
	}
	first = 1
	while (first < polls && time[first + 1] <= since)
		first++
	least = most = ""
	there = away = 0
	for (p = first; p <= polls && (p == first || time[p - 1] < until); p++) {
		if (!((p, $3, $4, $5) in held))
			continue
		if (held[p, $3, $4, "online"] == "0") {
			if (time[p] >= now - SLACK)
				away++
			continue
		}
		if (time[p] >= now - SLACK)
			there++
		value = held[p, $3, $4, $5] + 0
		if (least == "" || value < least)
			least = value
		if (most == "" || value > most)
			most = value
	}
	if ($6 == "null") {
		absent++
		next
	}
	numbers++
	seen[$5]++
	if (forbidden)
		wrong("while its file failed")
	else if (away && !there)
		wrong("of a CPU that was offline")
	else if (least == "")
		unknown++
	else {
		# Ticks of 10 ms, and files that are not read at the very instant.
		room = 0.01
		if (rate)
			room = ($5 ~ /watts/ ? most : 1) * (0.02 + 0.04 / $2)
		if ($6 < least - room || $6 > most + room)
			wrong("not between " least " and " most)
	}
}
END {
	printf "%d numbers compared, %d absent, %d without a truth, %d wrong:", numbers, absent, unknown, failures
	for (name in seen)
		printf " %s %d", name, seen[name]
	print ""
	exit failures > 0
}
