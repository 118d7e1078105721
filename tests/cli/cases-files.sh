#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files of /sys and /proc whose content, or absence, broke other monitors: a test or more for each of these cases.
# 52 s-tui 154: no cpufreq    53 s-tui 298, cpupower-gui 100: a read yields nothing    54 s-tui 222: a policy for each of
# 88 threads    55 node_exporter 644: no scaling_cur_freq    57 linux-pm b9f4ea5: optional files    58 b5e5f9a: no capget
# 59 702ca09: noise for what nobody asked    60 0f1ea6f: unknown code    61 a397e28: one vendor decoded as another
# 62 LKML 2025-10-27: arch_status    63 btop d1df8c7: keys in capitals    64 btop 1183: decimal comma
# 56, slow files, is in tests/unit/cpufreq.c, tests/unit/reader.c and tests/screen/cases.sh.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/hosts/hosts.sh
. "$(dirname "$0")/../hosts/hosts.sh"
needs jq

refuse=$BUILDDIR/tests/cli/refuse
cpus=sys/devices/system/cpu

# holds NAME FILTER: the filter is true of all records in $out together, as an array.
holds() { is "$1" "$(jq -s "$2" <<<"$out" 2>&1)" true; }
# once NAME HOST [OPTION…]: one record of that host, exit status 0, nothing on stderr.
once() {
	local name=$1 host=$2
	shift 2
	exits 0 "$name" "$AVXTOP" log --sysroot "$H/$host" -n 1 -i 0.1 --format json "$@"
	is "$name: silently" "$err" ""
}
# nobody COMMAND…: 65534 without any capability; a copy that it may reach.
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$@"; }
may_be_nobody() { [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; }
if may_be_nobody; then
	cp "$AVXTOP" "$refuse" "$H/" && chmod 755 "$H" "$H/avxtop" "$H/refuse"
fi

# --- 52
make_host "$H/vm" cores='*2'
once "case 52: a virtual machine without cpufreq" vm
absent='.[0].metrics | .os_hertz, .cap_hertz, .floor_hertz, .idle_ratio | .source == null and (.why | length > 20)'
holds "case 52: each value is absent with a reason" "[$absent] | all"
holds "case 52: none is 0" '[.[1].cpus[] | .os_hertz, .cap_hertz, .floor_hertz, .idle_ratio | values] == []'
mkdir "$H/vm/$cpus/cpufreq" "$H/vm/$cpus/cpuidle"
once "case 52: empty folders of cpufreq and cpuidle" vm
holds "case 52: are none" "[$absent] | all"

# --- 53: of CPU 1 the clock is empty, of CPU 2 a folder, of CPU 3 no number, of CPU 4 gone, of CPU 5 zero
make_host "$H/bad" cores='*4' threads=2 freq=own idle=POLL,C1,C6
clock() { echo "$H/bad/$cpus/cpu$1/cpufreq/scaling_cur_freq"; }
: >"$(clock 1)"
rm "$(clock 2)" && mkdir "$(clock 2)"
echo '<unsupported>' >"$(clock 3)"
rm "$(clock 4)"
echo 0 >"$(clock 5)"
once "case 53: five of eight clocks cannot be read" bad --metrics os_hertz,cap_hertz,idle_ratio
holds "case 53: they are absent, the others there" '.[1].cpus | map(.os_hertz) ==
	[2000000000, null, null, null, null, null, 2000006000, 2000007000]'
holds "case 53: for a reason" '.[1].cpus[1:6] | map(.why.os_hertz) ==
	["failed", "failed", "failed", "unsupported", "failed"]'
holds "case 53: the other files of these CPUs are read" '.[1].cpus | all(.cap_hertz == 3700000000)'
: >"$H/bad/$cpus/cpu0/cpuidle/state1/name"
once "case 53: a state without a name" bad --metrics idle_ratio
holds "case 53: leaves the deeper ones" '.[1].cpus[0].idle_ratio | keys == ["C6", "POLL"]'
rm "$H/bad/$cpus/cpu0/cpuidle/state1/name" && mkdir "$H/bad/$cpus/cpu0/cpuidle/state1/name"
once "case 53: or whose name cannot be read" bad --metrics idle_ratio
holds "case 53: does so, too" '.[1].cpus[0].idle_ratio | keys == ["C6", "POLL"]'
for file in online possible isolated; do
	rm -rf "${H:?}/bad/$cpus/$file" && mkdir "$H/bad/$cpus/$file"
	once "case 53: $file cannot be read" bad --metrics os_hertz
	holds "case 53: all CPUs are there" '.[1].cpus | length == 8'
done
sed -i 's/^cpu3 .*/cpu3 12 x/' "$H/bad/proc/stat"
once "case 53: a line of proc/stat is cut" bad --metrics os_busy_ratio
holds "case 53: costs that CPU its value" '.[1].cpus | map(.why.os_busy_ratio == "failed") ==
	[false, false, false, true, false, false, false, false]'
rm "$H/bad/proc/stat" && mkdir "$H/bad/proc/stat"
once "case 53: proc/stat cannot be read" bad
holds "case 53: the clocks are there" '.[1].cpus | map(.os_hertz | numbers) | length == 3'

# --- 54: two Xeon E5-2696 v4
for freq in policy own; do
	make_host "$H/88$freq" packages=2 threads=2 freq=$freq model=79 cores=0,1,2,3,4,5,8,9,10,11,12,16,17,18,19,20,21,24,25,26,27,28
	exits 0 "case 54: a $freq for each of 88 threads" "$AVXTOP" log --sysroot "$H/88$freq" -n 3 -i 0.3 --format json --metrics os_hertz,cap_hertz
	is "case 54: a $freq for each of 88 threads: silently" "$err" ""
	holds "case 54: each has the clock of its own" \
		'.[1:] | all(.cpus | length == 88 and all((.os_hertz == 1000 * (2000000 + .cpu) and .cap_hertz == 3700000000) or .why.os_hertz))'
	# A loaded machine has no time for all of them in each sample.
	holds "case 54: so have most, in some sample" '[.[1:][].cpus[] | select(.os_hertz) | .cpu] | unique | length > 40'
done
make_host "$H/shared" cores='*4' threads=2 freq=shared
once "case 54: a policy for both threads of a core" shared --metrics os_hertz
holds "case 54: they show the same clock" '.[1].cpus | map(.os_hertz) == ([range(4), range(4)] | map(2000000000 + . * 1000))'

# --- 55
make_host "$H/rhel7" cores='*4' freq=rhel7
once "case 55: no scaling_cur_freq, but cpuinfo_cur_freq" rhel7 --metrics os_hertz,cap_hertz
holds "case 55: the next file serves" '.[1].cpus | map(.os_hertz) == ([range(4)] | map(2000000000 + . * 1000))'
holds "case 55: and is named" '.[0].metrics.os_hertz.note | test("cpuinfo_cur_freq")'
if may_be_nobody; then
	chmod 400 "$H"/rhel7/$cpus/cpu*/cpufreq/cpuinfo_cur_freq # as in the kernel
	exits 0 "case 55: as nobody" nobody "$H/avxtop" log --sysroot "$H/rhel7" -n 1 -i 0.1 --format json --metrics os_hertz,cap_hertz
	holds "case 55: it is refused, which is told" \
		'.[0].metrics.os_hertz | .source == null and (.why | test("refused"))'
	holds "case 55: the limits are there" '.[1].cpus | all(.cap_hertz == 3700000000)'
else
	skip "case 55: as nobody" "needs root and setpriv"
fi
rm "$H"/rhel7/$cpus/cpu*/cpufreq/cpuinfo_cur_freq
once "case 55: neither of them" rhel7 --metrics os_hertz,cap_hertz
holds "case 55: is told, and the limits are there" '(.[0].metrics.os_hertz | .source == null and (.why | test("no such file"))) and
	(.[1].cpus | all(.cap_hertz == 3700000000))'

# --- 52, 54 and 57 on machines of all sizes: a large one may need several samples for all of its files
for n in 1 2 8 112 512 1152; do
	make_host "$H/own" "cores=*$n" freq=own
	once "case 54: $n CPUs with clocks" own --metrics os_hertz,cap_hertz
	holds "case 54: $n rows, each with the clock of its own" ".[1].cpus | length == $n and (map(.os_hertz | numbers) | length > 0) and
		all(.os_hertz == null or .os_hertz == 1000 * (2000000 + .cpu))"
	rm -r "$H/own"
	mkdir -p "$H/own/$cpus"
	echo "0-$((n - 1))" >"$H/own/$cpus/present"
	once "case 52, 57: $n CPUs without any other file" own
	holds "case 52, 57: $n rows without a value" "(.[1].cpus | length == $n) and ([.[1].cpus[] | .os_hertz, .cap_hertz, .idle_ratio,
		.os_busy_ratio, .busy_hertz | values] == [])"
	rm -r "$H/own"
done

# --- 57: nothing but a list of CPUs
mkdir -p "$H/bare/$cpus"
echo 0-3 >"$H/bare/$cpus/present"
once "case 57: no optional file at all" bare
holds "case 57: each metric is absent for a reason" '.[0].metrics | length > 30 and all(.[]; .source == null and (.why | length > 10))'
holds "case 57: no value" '[.[1] | .. | numbers] - [.[1] | .elapsed_s, (.cpus[], .cores[] | .cpu, .core, .die, .package)] == []'
for command in 'log -n 1 -i 0.1' 'log -n 1 -i 0.1 --format csv' metrics kernels; do
	# shellcheck disable=SC2086 # words of a command
	exits 0 "case 57: avxtop $command" "$AVXTOP" $command --sysroot "$H/bare"
	is "case 57: silently" "$err" ""
done

# --- 58
if "$refuse" capget=38 -- true; then
	for command in 'log -n 1 -i 0.1' metrics doctor; do
		# shellcheck disable=SC2086
		exits 0 "case 58: avxtop $command in a kernel without capget" "$refuse" capget=38 -- "$AVXTOP" $command
	done
	level=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 0)
	perf() { jq -r '.. | objects | select(.name? == "perf_paranoid") | .state' <<<"$out"; }
	if may_be_nobody && [ "$level" -gt 0 ]; then
		run nobody "$H/avxtop" doctor --format json
		is "case 58: who has no capability may not count" "$(perf)" refused
		run nobody "$H/refuse" capget=38 -- "$H/avxtop" doctor --format json
		is "case 58: where there are no capabilities all may" "$(perf)" found
	else
		skip "case 58: where there are no capabilities all may" "needs root, setpriv and perf_event_paranoid above 0"
	fi
else
	skip "case 58: a kernel without capget" "no seccomp filters"
fi

# --- 59
if may_be_nobody; then
	for command in 'log -n 1 -i 0.1' 'log -n 1 -i 0.1 --format csv' metrics kernels doctor; do
		# shellcheck disable=SC2086
		exits 0 "case 59: avxtop $command as nobody" nobody env HOME=/nonexistent "$H/avxtop" $command
		is "case 59: complains of nothing" "$err" ""
	done
else
	skip "case 59: as nobody" "needs root and setpriv"
fi

# --- 60
make_host "$H/known" cores='*4' freq=own idle=POLL,C1,C6
make_host "$H/unknown" cores='*4' freq=own idle=POLL,C1_ACPI,X99Z model=250 vendor=UnheardOfCPU
metrics_of() { "$AVXTOP" metrics --sysroot "$H/$1" --format json | jq -c '[.metrics[] | {name, source}]'; }
is "case 60: a CPU that nobody knows hides no metric" "$(metrics_of unknown)" "$(metrics_of known)"
once "case 60: idle states that nobody knows" unknown
holds "case 60: have their columns" '.[1].cpus | all(.idle_ratio | keys == ["C1_ACPI", "POLL", "X99Z"])'
holds "case 60: and it is given no name" '.[0].host.kinds[0] | .uarch == null or .uarch == ""'

# --- 61: each number means another CPU with each vendor
name_of() { # VENDOR FAMILY MODEL
	make_host "$H/vendor" "vendor=$1" "family=$2" "model=$3"
	"$AVXTOP" log --sysroot "$H/vendor" -n 1 -i 0.1 --format json | jq -r '.host.kinds[0].uarch // empty | select(. != "")'
	rm -r "$H/vendor"
}
is "case 61: Intel 6/85" "$(name_of GenuineIntel 6 85)" "Skylake-X"
is "case 61: AMD 6/85 is not Intel's" "$(name_of AuthenticAMD 6 85)" ""
is "case 61: Zhaoxin 6/85 neither" "$(name_of CentaurHauls 6 85)" ""
is "case 61: AMD 25/17" "$(name_of AuthenticAMD 25 17)" "Zen 4"
is "case 61: Hygon 25/17 is not AMD's" "$(name_of HygonGenuine 25 17)" ""
is "case 61: Hygon 24/0 has its own" "$(name_of HygonGenuine 24 0)" "Zen"

# --- 62: the file that tells of AVX-512 is a weak hint, inherited and empty for kernel threads
is "case 62: nothing reads arch_status yet; what does needs its tests here" \
	"$(grep -rl arch_status "$SRCDIR/src" "$SRCDIR/ui")" ""

# --- 63
make_host "$H/keys" cores='*2'
once "case 63: cpuinfo as x86 writes it" keys
want=$(jq -cs '.[0].host | [.vendor, .brand, .kinds]' <<<"$out")
sed -i -E 's/^processor\t/Processor\t\t/; s/^vendor_id\t/Vendor_ID /; s/^cpu family\t/CPU Family /; s/^model\t\t/MODEL/
	s/^model name\t/Model Name /; s/^stepping\t/Stepping/; s/^flags\t\t/Flags /; s/: /:   /' "$H/keys/proc/cpuinfo"
once "case 63: and with other capitals and blanks" keys
is "case 63: is read the same" "$(jq -cs '.[0].host | [.vendor, .brand, .kinds]' <<<"$out")" "$want"
like "case 63: and tells what it should" "$want" 'Sample CPU.*Skylake-X.*"family":6,"model":85,"stepping":4'

# --- 64
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$T/de_DE.UTF-8" 2>/dev/null; then
	german=(env LOCPATH="$T" LC_ALL=de_DE.UTF-8)
	is "case 64: here is a decimal comma" "$("${german[@]}" locale decimal_point)" ,
	numbers() { # FORMAT COMMAND…: without times, which differ
		local format=$1
		shift
		"$@" "$AVXTOP" log --sysroot "$H/known" -n 1 -i 0.1 --format "$format" --metrics os_hertz,cap_hertz |
			sed -E 's/[0-9-]+T[0-9:.]+Z//; s/"elapsed_s":[0-9.]+//; s/^,[0-9.]+,/,,/; s/[0-9]{2}:[0-9]{2}:[0-9]{2}//'
	}
	for format in csv json table; do
		is "case 64: $format of a host is the same in a locale with a decimal comma" \
			"$(numbers $format "${german[@]}")" "$(numbers $format env)"
	done
	run "${german[@]}" "$AVXTOP" log --sysroot "$H/known" -n 1 -i 0.25 --format csv
	is "case 64: the fraction of an option is read" "$rc$err" 0
	like "case 64: and the numbers written have points" "$(tail -n 1 <<<"$out")" '^[^,]*,0\.[23][0-9]*,'
else
	skip "case 64: a locale with a decimal comma" "localedef or its sources are not installed"
fi

done_testing
