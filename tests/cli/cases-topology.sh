#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Hosts whose numbers of CPUs, cores, dies and packages broke other monitors: a test or more for each of these cases.
# 34 linux-pm 9e3be9c: 1,152 CPUs, "0-1151" was a malformed list    35 126382b: more files than descriptors
# 36 0e984fc: die ids with holes    37 5cad5fe: ids beyond the count    38 13d2158: core ids repeat in each package
# 39 563cd5a: columns lost on two packages    41 i7z.h: limits by macros
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/hosts/hosts.sh
. "$(dirname "$0")/../hosts/hosts.sh"
needs jq

# holds NAME FILTER: the filter is true of all records in $out together, as an array; truth: the busy share of ticks.awk.
holds() {
	is "$1" "$(jq -s 'def truth: (.cpu * 7 % 101) / 100; def near($a; $b): $a != null and (($a - $b) | fabs) < 1e-6;
		'"$2" <<<"$out" 2>&1)" true
}
# What must hold of every host after lived(): each CPU has its own value, and cores and packages the mean of theirs.
all_true() { # NAME CPUS CORES PACKAGES
	is "$1: it runs, silently" "$rc$err" 0
	holds "$1: $2 CPUs, $3 cores, $4 packages" \
		"[.[2].cpus, .[2].cores, .[2].packages | length] == [$2, $3, $4]"
	holds "$1: each CPU has its own value" '.[2].cpus | all(near(.os_busy_ratio; truth))'
	holds "$1: each core the mean of its threads" '.[2] as $r | $r.cores | all(. as $c |
		[$r.cpus[] | select([.package, .die, .core] == [$c | .package, .die, .core]) | truth] |
		length > 0 and near($c.os_busy_ratio; add / length))'
	holds "$1: each package the mean of its CPUs" '.[2] as $r | $r.packages | all(. as $p |
		[$r.cpus[] | select(.package == $p.package) | truth] | near($p.os_busy_ratio; add / length))'
	holds "$1: no core twice" '.[2].cores | map([.package, .die, .core]) | length == (unique | length)'
}


# --- the hosts, all at once: most of their time is waiting
make_host "$H/1" cores=0
make_host "$H/2" threads=2 order=first
make_host "$H/8" cores='*4' threads=2
make_host "$H/hybrid" cores=0,4,8,12,16,20,24,28 threads=2 order=first ecores=8 model=151
make_host "$H/dies" packages=2 dies=0,3 cores='*4' threads=2 lists=no
make_host "$H/twins" packages=2 cores='*4' threads=2 lists=no
make_host "$H/holes" packages=2 package_step=7 cores=0,1,8,9,64 threads=2
make_host "$H/huge" packages=2 package_step=2147483647 cores=0,2147483647
make_host "$H/112" packages=2 cores=0,1,2,3,4,5,6,8,9,10,11,12,13,14,16,17,18,19,20,21,22,24,25,26,27,28,29,30 threads=2
make_host "$H/512" packages=2 cores='*128' threads=2 freq=own idle=POLL,C1,C6
make_host "$H/1152" packages=6 cores='*96' threads=2 freq=own idle=POLL,C1,C6 cpuset=0-1151 isolated=1000-1001 offline=7,9-10
make_host "$H/wide" cores='*576' threads=2
for host in 1 2 8 hybrid dies twins holes huge 112 wide; do
	start "$host" --metrics os_busy_ratio
done
descriptors=1024 start 1152
descriptors=32 start 512

# --- 34
for pair in 0-7: 5:5 0-3,8-9:8 0-1151:1151 0-8191:8191; do
	present=${pair%:*}
	last=${pair#*:}
	mkdir -p "$H/list/sys/devices/system/cpu"
	printf '%s\n' "$present" >"$H/list/sys/devices/system/cpu/present"
	exits 0 "case 34: CPUs $present" "$AVXTOP" log --sysroot "$H/list" -n 1 -i 0.1 --format json --metrics os_busy_ratio
	is "case 34: all of $present have a row" "$(tail -n 1 <<<"$out" | jq -r '.cpus | length')" \
		"$(tr , '\n' <<<"$present" | awk -F- '{ n += NF == 2 ? $2 - $1 + 1 : 1 } END { print n }')"
	[ -z "$last" ] ||
		exits 0 "case 34: -c $last" "$AVXTOP" log --sysroot "$H/list" -n 1 -i 0.1 --metrics os_busy_ratio -c "$last"
done
printf '0-1\n' >"$H/list/sys/devices/system/cpu/online"
for empty in '' '\n'; do
	printf '%b' "$empty" >"$H/list/sys/devices/system/cpu/present"
	exits 0 "case 34: an empty list '$empty'" "$AVXTOP" log --sysroot "$H/list" -n 1 -i 0.1 --format json --metrics os_busy_ratio
	is "case 34: gives way to the next one" "$(tail -n 1 <<<"$out" | jq -r '.cpus | length')" 2
done
lived 1152
all_true "case 34: 1,152 CPUs, three offline" 1149 576 6
# On a slow machine the turn of some is still to come.
own_clock='.os_hertz == 1000 * (2000000 + .cpu) or .why.os_hertz == "first-sample"'
holds "case 34: each with the clock of its own" ".[2].cpus | (map(.os_hertz | numbers) | length > 20) and
	all(if .cpu == 1000 or .cpu == 1001 then .why.os_hertz == \"isolated\" else $own_clock end)"

# --- 35: 3,447 files of idle states
# A loaded machine may have no time to read all of them in each sample, but none may fail; the first two it reads.
read_true='[.[1:][].cpus[] | .why.idle_ratio // "read"] |
	all(. == "read" or . == "no-ticks" or . == "skipped" or . == "late") and any(. != "skipped")'
out=$(cat "$T/1152.out")
holds "case 35: 1,152 CPUs and 1,024 descriptors: no idle state fails" "$read_true"
lived 512
all_true "case 35: 512 CPUs and 32 descriptors" 512 256 2
holds "case 35: the clocks are read" ".[2].cpus | all($own_clock)"
out=$(cat "$T/512.out")
holds "case 35: no idle state fails" "$read_true"

# --- 36
lived dies
all_true "case 36: dies 0 and 3" 32 16 2
holds "case 36: each core says its die" '.[2].cores | map(.die) | unique == [0, 3]'
holds "case 36: the same core id in both dies is two cores" \
	'.[2].cores | map(select(.package == 0 and .core == 1)) | length == 2 and .[0].os_busy_ratio != .[1].os_busy_ratio'

# --- 37
lived holes
all_true "case 37: core ids 0, 1, 8, 9, 64" 20 10 2
holds "case 37: ids stay as they are" \
	'(.[2].cores | map(.core) | unique) == [0, 1, 8, 9, 64] and (.[2].packages | map(.package)) == [0, 7]'
lived huge
all_true "case 37: ids as large as they can be" 4 4 2

# --- 38
lived 112
all_true "case 38: core ids of two packages, as on two Xeon 8180" 112 56 2
lived twins
all_true "case 38: the same without lists of siblings" 16 8 2
lived 112
holds "case 38: each id is in both" '[.[2].cores[] | .core] | group_by(.) | all(length == 2)'
holds "case 38: the packages do not show the same" '.[2].packages | .[0].os_busy_ratio != .[1].os_busy_ratio'

# --- 39
make_host "$H/one" cores='*2'
make_host "$H/two" packages=2 cores='*2'
for host in one two; do
	rows=$'0 0 0\n0 1 1'
	[ $host = one ] || rows+=$'\n1 0 2\n1 1 3'
	exits 0 "case 39: csv of $host package(s)" "$AVXTOP" log --sysroot "$H/$host" -n 1 -i 0.1 --format csv --metrics os_busy_ratio,cap_hertz
	is "case 39: package, core and CPU are there" "$(cut -d, -f3- <<<"$out")" \
		"$(printf '%s\n' package,core,cpu,os_busy_ratio,cap_hertz "$(sed 's/ /,/g; s/$/,,/' <<<"$rows")")"
	exits 0 "case 39: table of $host package(s)" "$AVXTOP" log --sysroot "$H/$host" -n 1 -i 0.1 --metrics os_busy_ratio
	# A single package has no column.
	is "case 39: they are there, too" "$(awk '/^Time/ { head = 1 } head { $1 = ""; print }' <<<"$out")" "$(
		[ $host = one ] && printf ' %s\n' 'Core CPU OS_Bsy%' '- - –' '0 0 –' '1 1 –'
		[ $host = two ] && printf ' %s\n' 'Package Core CPU OS_Bsy%' '- - - –' '0 0 0 –' '0 1 1 –' '1 0 2 –' '1 1 3 –'
	)"
done

# --- 41
lived wide
all_true "case 41: 1,152 CPUs in one package" 1152 576 1
lived 1
all_true "case 41: one CPU" 1 1 1
lived 2
all_true "case 41: two CPUs of one core" 2 1 1
lived 8
all_true "case 41: eight CPUs" 8 4 1
lived hybrid
all_true "case 41: eight cores of two threads and eight of one" 24 16 1

done_testing
