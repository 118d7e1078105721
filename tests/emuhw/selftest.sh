#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The emulated machine itself, without the help of others' tools: the kernel's rules, exact counts, faults, hot-plug.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq
programs=$BUILDDIR/tests/emuhw/accept

# checks NAME COMMAND [ARG…]: one test; the program's own checks all pass.
checks() {
	exits 0 "$@"
	[ "$rc" = 0 ] || diag "$(grep -v '^ok' <<<"$out")"
}

# The same questions to the real kernel, where it can be asked, and to the emulated one.
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] && [ "$(nproc --all)" -gt 1 ]; then
	checks "perf events as the emulation has them are the real kernel's" "$programs/perf" sw
else
	skip "perf events of the real kernel" "it has one CPU, or refuses all events"
fi
checks "perf events" emulate skylake-2s "$programs/perf" hw
if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$programs/perf" 2>/dev/null; then
	checks "perf events of an ordinary user" emulate -u nobody skylake-2s "$programs/perf" user
else
	skip "perf events of an ordinary user" "nobody may not enter the build folder"
fi
checks "registers" emulate skylake-2s "$programs/msr"

locked() { variant skylake-2s "s/^name.*/&\nlockdown = $1/"; }
for level in none integrity confidentiality; do
	run emulate "$(locked $level)" cat /sys/kernel/security/lockdown
	like "the lockdown file says $level" "$out" "\\[$level\\]"
	is "and the other levels" "$(tr -d '[]' <<<"$out")" "none integrity confidentiality"
done
exits 1 "no such file, as before Linux 5.4" emulate "$(locked absent)" cat /sys/kernel/security/lockdown
checks "lockdown: registers can be read, not written" emulate "$(locked integrity)" "$programs/msr" locked
checks "lockdown: counting goes on, samples with registers are refused" \
	emulate "$(locked confidentiality)" "$programs/perf" lockdown
run emulate "$(locked none)" "$programs/perf" lockdown
like "not without lockdown" "$out" '^FAIL .*EPERM'

# Exact counts, by the clock that is moved by hand.
begin manual sleep 60
before=$(machine_file /proc/stat | awk '$1 == "cpu1"')
step 2.5
after=$(machine_file /proc/stat | awk '$1 == "cpu1"')
is "time stands still between steps" "$(machine_file /.emu/time) $(sleep 0.2; machine_file /.emu/time)" \
	"2.500000000 2.500000000"
is "ticks of 2.5 s at 25 %" \
	"$(awk '{ print $2 + $4 - u, $5 - i; u = $2 + $4; i = $5 }' <<<"$before"$'\n'"$after" | tail -n 1)" "62 187"
is "cycles" "$(truth '.cpus[1].cum.aperf')" 1250000000
ctl 'cpu 1 busy=100 mhz=3000'
step 1
is "a change from outside" "$(truth '.cpus[1].cum.aperf')" 4250000000
is "and in a file" "$(machine_file /sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq)" 3000000
not_ok "a command that does not exist" ctl nonsense
not_ok "nor a key" ctl 'cpu 1 speed=5'
not_ok "nor a CPU" ctl 'cpu 99 busy=1'

# Faults and hot-plug.
policy=/sys/devices/system/cpu/cpufreq/policy2/scaling_cur_freq
ctl "fault read=$policy errno=EBUSY"
not_ok "a read that fails" machine_file $policy
ctl clear
ok "and no longer" machine_file $policy
ctl "fault read=$policy delay_ms=300"
began=$(date +%s%N)
ok "a read that is late" machine_file $policy
ok "by as much as said" [ $(($(date +%s%N) - began)) -gt 300000000 ]
# The kernel has looked at these, and remembers.
own_files=(/sys/devices/system/cpu/cpu3/{topology,topology/core_id,cpufreq,cpufreq/scaling_cur_freq,cpuidle/state1/time})
there() { stat -L -c %a "${own_files[@]/#/$machine_root}" 2>/dev/null | wc -l; }
is "the files of a CPU" "$(there)" 5
ctl clear 'offline 3,11'
is "CPUs that left" "$(machine_file /sys/devices/system/cpu/online)" 0-2,4-10,12-15
not_ok "and their files" machine_file /sys/devices/system/cpu/cpu3/topology/core_id
is "and nothing else of theirs" "$(there)" 0
unlike "and their line" "$(machine_file /proc/stat)" '^cpu3 '
ctl 'online 3'
like "one that is back" "$(machine_file /proc/stat)" '^cpu3 '
is "and has its files" "$(there)" 5
finish

small=$(variant manual 's/^clock.*/clock = real\nsockets = 1\ncores = 4\nthreads = 1\npossible = 8/')
run emulate "$small" "$programs/hotplug" hw
is "perf events and files of a CPU that leaves and returns, as on Linux 6.1" "$out" "before: counts go on
write 0: ok
offline: counts stand still
open on cpu1: ENODEV
enable offline: 0
write 1: ok
online again: counts stand still
enabled again: counts stand still
a new event: counts go on
open on cpu3: ok
open on cpu5: ENODEV
open on cpu7: ENODEV
open on cpu9000: EINVAL
write 0: ok
topology, open before: ENODEV
write 2: EINVAL
write 0: ok
write 1: ok"
done_testing
