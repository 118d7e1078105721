# SPDX-License-Identifier: GPL-2.0-or-later
# What was reported against the truth: awk -v OFFSET=S -v SLACK=S -v GAP=S -f soak.awk TRUTH EVENTS SAMPLES SAMPLES; lines of fields
# with tabs between.
#   TRUTH    time kind id metric value                   what held then (emulated seconds), polled
#   EVENTS   from to kind id metric                      a file failed all that time; id may be *
#   SAMPLES  time elapsed kind id metric value remark    time + SLACK - OFFSET is not before the sample began; remark: state, or why
#                                                        there is no value
# A sample is read after it begins and before the next one does. A reading of now must have held then; a rate lies between the
# least and the most that held from the sample that it counts from until then. What is marked as older must be what was told
# before. Where all that held was offline, or a fault lasted, there must be no new number. Where the truth was not looked at for
# longer than GAP nothing is compared.
BEGIN {
	FS = "\t"
}
function is_new_file() {
	return FNR == 1 ? ++file : file
}
{ is_new_file() }
file == 1 {
	if ($1 != last) {
		last = $1
		time[++polls] = $1 + 0
	}
	held[polls, $2, $3, $4] = $5
	next
}
file == 2 {
	from[++events] = $1 + 0; to[events] = $2 + 0; kind[events] = $3; id[events] = $4; metric[events] = $5
	next
}
file == 3 {
	if ($1 != was) {
		was = $1
		at[++samples] = $1 - OFFSET
	}
	next
}
# The truth from `since` until `until` into least, most, there, away; 0: it is not known.
function look(since, until,    p, first, value) {
	least = most = ""
	there = away = 0
	for (first = 1; first < polls && time[first + 1] <= since; first++)
		;
	if (time[first] > since || time[polls] < until)
		return 0
	for (p = first; p <= polls && (p == first || time[p - 1] < until); p++) {
		if (p > first && time[p] - time[p - 1] > GAP)
			return 0
		if (!((p, $3, $4, $5) in held))
			return 0
		if (held[p, $3, $4, "online"] == "0") {
			away++
			continue
		}
		there++
		value = held[p, $3, $4, $5] + 0
		if (least == "" || value < least)
			least = value
		if (most == "" || value > most)
			most = value
	}
	return 1
}
function failed_all_the_time(    e) {
	for (e = 1; e <= events; e++)
		if (kind[e] == $3 && (id[e] == "*" || id[e] == $4) && metric[e] == $5 && from[e] <= begun && ended <= to[e])
			return 1
	return 0
}
function wrong(why) {
	if (++failures <= 20)
		printf "%.2f s (until %.2f), over %.2f s: %s %s %s is %s, %s\n", begun, ended, $2, $3, $4, $5, $6, why
}
# How far a number may be from the truth.
function room() {
	if ($5 ~ /hertz/)
		return 1000 # the files have kHz
	if ($5 ~ /celsius/)
		return 0.01
	if ($5 ~ /^(os_busy|steal)/)
		return 0.01 + 0.03 / $2 # ticks of 10 ms, in three fields
	if ($5 ~ /watts/)
		return 0.05 * most # what a slow file may be off by: source/powercap.c
	return 0.02
}
{
	if ($1 != now) {
		now = $1
		k++
	}
	begun = at[k] - SLACK
	ended = (k < samples ? at[k + 1] : at[k]) + SLACK
	key = $3 SUBSEP $4 SUBSEP $5
	before = begun - $2
	if (k > 1 && at[k - 1] - SLACK < before)
		before = at[k - 1] - SLACK
	if ((key in base) && base[key] < before)
		before = base[key]
	# It counts from the last time that its source was read; why there is no value is told of one label only.
	if ($6 != "null" || $7 == "first-sample")
		base[key] = begun
	if ($6 == "null") {
		absent[$7 == "" ? "-" : $7]++
		absents++
		next
	}
	rate = $5 !~ /hertz|celsius/
	if ($7 == "stale" && (key in fresh) && fresh[key] == $6) {
		stale++
		next
	}
	if ($7 != "stale") {
		fresh[key] = $6
		if (failed_all_the_time())
			wrong("while its file failed")
	}
	if (k == samples)
		next # when its reading ended is not known
	if (!look(begun, ended)) {
		unknown++
		next
	}
	if (away && !there) {
		numbers++
		wrong("of a CPU that was offline")
		next
	}
	if ((rate || $7 == "stale") && !look(before, ended)) {
		unknown++
		next
	}
	numbers++
	seen[$5]++
	fresh[key] = $6 # of a sample that was not written, too
	# A share of the interval, of which it was offline for a part.
	if (away && $5 ~ /^idle/)
		least = 0
	if ($6 < least - room() || $6 > most + room())
		wrong("not between " least " and " most)
}
END {
	printf "%d samples, %d numbers compared, %d wrong; %d older ones as told before, %d without a truth, %d absent", \
		samples, numbers, failures, stale, unknown, absents
	for (name in absent)
		printf " %s %d", name, absent[name]
	printf ";"
	for (name in seen)
		printf " %s %d", name, seen[name]
	print ""
	exit failures > 0 || numbers == 0
}
