#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# CPUs that leave, return and come while the unmodified program looks.
# Alone: numbers are compared with the truth by the tick.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq

# Every CPU is half busy and 40 % in C6; CPU 6 is offline from the start; nothing happens by itself.
machine=$(variant hotplug '/^\[timeline\]/,$d')
log=("$AVXTOP" log --source -ruler --metrics "os_busy_ratio,idle_ratio,cap_hertz")

# seen JQ-CONDITION: waits until a record of the log is so.
seen() {
	local tries=0
	until tail -n 3 "$T/out" | jq -es "any(.[] | select(.cpus); $1)" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return 1
		sleep 0.3
	done
}

# A one-shot: the rest is printed.
begin "$machine" "${log[@]}" -n 1 -i 2
sleep 0.8
ctl "offline 1"
await
is "case 47: a CPU leaves in the only interval: done" "$rc" 0
is "case 47: its row says so, for each metric" "$(awk '$2 == 0 && $4 == 1 { $1 = ""; print }' "$T/out")" " 0 1 1 off off off off off off"
is "case 47: the others have numbers" "$(grep -cE '^[0-9:]+ +[01] +[0-9]+ +[0-9]+ +(49|50|51)\.' "$T/out")" 14
is "case 47: nothing is complained of" "$(cat "$T/err")" ""

begin "$machine" "${log[@]}" -i 0.5 --format json
ok "case 48: starts with a CPU offline" seen '.cpus | length == 15'
ctl "offline 3,11"
ok "case 48: rows say that their CPUs are offline" seen '[.cpus[] | select(.cpu == 3 or .cpu == 11) | .why.os_busy_ratio, .why.idle_ratio, .why.cap_hertz] == ["offline", "offline", "offline", "offline", "offline", "offline"]'
ctl "online 3"
ok "case 48: back, it has numbers again" seen '.cpus[] | select(.cpu == 3) | .why.os_busy_ratio == "first-sample"'
ctl "online 6"
ok "case 48: what was offline at the start appears in full" seen '.cpus[] | select(.cpu == 6) | .os_busy_ratio != null and .idle_ratio.C6 != null and .cap_hertz == 3.7e9 and .package == 1 and .core == 2'
ctl "online 11"
ok "case 48: so does one that was away then" seen '(.cpus | length == 16) and ([.cpus[] | .os_busy_ratio, .idle_ratio.C6] | all(. != null))'
ctl "offline 0-6,8-15"
ok "all but one leave, CPU 0 too" seen '[.cpus[] | select(.os_busy_ratio != null) | .cpu] == [7]'
ctl "online 0-15"
ok "and return" seen '([.cpus[] | .os_busy_ratio] | all(. != null)) and (.cpus[0].why == null)'
finish
is "ends as asked" "$rc" 0
jq -s '[.[] | select(.cpus)]' "$T/out" >"$T/records"
# The truth. A tick of the kernel is 10 ms, and busy time is made of two fields, each of which is one off at most: 3 ticks
# of those that an interval has, which is half as long as asked for at least.
ok "no number is wrong, whatever came and went" jq -e '
	[.[] | (0.005 + 0.02 / .elapsed_s) as $ticks | .cpus[] |
		select((.os_busy_ratio != null and (.os_busy_ratio - 0.5 | fabs) > $ticks) or
			(.idle_ratio.C6 != null and (.idle_ratio.C6 - 0.4 | fabs) > 0.03) or
			(.cap_hertz != null and .cap_hertz != 3.7e9))] == []' "$T/records"
ok "a machine with other CPUs is described again" jq -es '
	[.[] | select(.metrics)] | length >= 2 and .[0].host.cpus.online != .[1].host.cpus.online' "$T/out"
is "nothing is complained of" "$(cat "$T/err")" ""

# What looks at each CPU meets one whose files are not there: it is left out, nothing else is.
run emulate "$machine" "${log[@]}" -n 4 -i 0.4 --format json
is "case 49: log where CPU 6 is offline ends in peace" "$rc:$err" 0:
for metric in os_busy_ratio idle_ratio.C6 cap_hertz; do # in some sample: files are slow here
	is "case 49: the others have $metric" "$(jq -cs "[.[].cpus[]? | select(.$metric) | .cpu] | unique" <<<"$out")" \
		"[0,1,2,3,4,5,7,8,9,10,11,12,13,14,15]"
done
run emulate "$machine" "$AVXTOP" doctor --format json
is "case 49: doctor misses no counter for it" "$err $(jq -c '[.sources[].counters[] |
	select(.name | IN("os_busy", "idle_time", "cap_hertz")) | .name, .state]' <<<"$out")" ' ["os_busy","found","idle_time","found","cap_hertz","found"]'
run emulate "$machine" "$AVXTOP" log -n 1 -c 6
is "case 49: named by -c, it is said to be offline" "$rc:$err" "3:avxtop: CPU 6 is offline: CPUs 0-5,7-15 are online"

# Isolated and tickless CPUs are shown as such and left alone; -c names them.
begin isolated "$AVXTOP" log -i 0.3 -n 100 --format json
ok "isolated CPUs have rows that say so" seen '[.cpus[] | select(.why.busy_hertz == "isolated") | .cpu] == [2, 3, 6, 7]'
ok "and what disturbs nobody" seen '[.cpus[] | select(.os_busy_ratio != null) | .cpu] == [0, 1, 2, 3, 4, 5, 6, 7]'
is "nobody ran on one, nor asked it for a register or an event" \
	"$(machine_file /.emu/stats | grep -cE '^cpu[2367] msr_open 0 msr_read 0 msr_write 0 perf_open 0 perf_read 0 affinity 0 ')" 4
finish
begin isolated "$AVXTOP" log -c 2-3 -i 0.3 -n 100 --format json --source -perf,-msr
ok "named, they are probed" seen '.cpus | length == 2 and any(.[]; .busy_hertz != null)'
like "by a thread that goes there" "$(machine_file /.emu/stats | grep '^cpu3')" 'affinity [1-9]'
like "and nowhere else" "$(machine_file /.emu/stats | grep '^cpu6')" 'affinity 0 '
finish

# Started under taskset: all are shown, and where it may not run is said.
begin skylake-2s taskset -c 0-3 "$AVXTOP" log -i 0.3 -n 100 --format json
ok "case 42: all CPUs have rows, under taskset too" seen '[.cpus[] | select(.os_busy_ratio != null)] | length == 16'
finish
begin skylake-2s taskset -c 0-3 "$AVXTOP" log -i 0.3 -n 100 --format json --source -perf,-msr
ok "case 44: where it may not run the row says so" seen '[.cpus[] | select(.why.busy_hertz == "not-allowed") | .cpu] == [range(4; 16)]'
finish
done_testing
