#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The emulated machine itself, without the help of others' tools: the kernel's rules, exact counts, faults, hot-plug.
# Alone: the real kernel counts the time of tasks, too.
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
checks "too few counters" emulate shortage "$programs/perf" shortage
if setpriv --reuid=65534 --clear-groups --inh-caps=+perfmon --ambient-caps=+perfmon test -x "$programs/perf" 2>/dev/null; then
	for level in 2:open 3:closed; do
		checks "CAP_PERFMON at level ${level%:*}: ${level#*:}" \
			emulate "$(variant skylake-2s "s/^name.*/&\nparanoid = ${level%:*}/")" \
			setpriv --reuid=65534 --clear-groups --inh-caps=+perfmon --ambient-caps=+perfmon \
			"$programs/perf" "${level#*:}"
	done
	checks "nobody at level 3: nothing of its own either" emulate -u nobody \
		"$(variant skylake-2s "s/^name.*/&\nparanoid = 3/")" "$programs/perf" closed
else
	skip "CAP_PERFMON" "nobody may not enter the build folder, or setpriv cannot give it"
fi

checks "registers" emulate skylake-2s "$programs/msr"

# registers NAME SCENARIO CPU ADDRESS=VALUE…: of the registers each has that value, or error.
registers() {
	is "$1" "$(emulate "$2" "$programs/msr" -r "$3" "${@/=*/}" | tail -n +4 | tr ' ' =)" "$(printf '%s\n' "${@:4}")"
}
registers "Cascade Lake: turbo limits by groups of cores, no C1, no C3 or C7, energy of cores not counted" \
	"$(variant cascadelake 's/^name.*/&\ntcc_offset = 3/')" 0 \
	0x1ad=0x2222222223232525 0x1ae=0x201010101010101 0x1af=EIO 0x650=EIO 0xce=0xa0070001900 0x198=0x1c0000001a00 \
	0x1a2=0x35f0a00 0x690=0 0x64f=0x20002000 0x660=EIO 0x3fc=EIO 0x3fe=EIO 0x3f8=EIO 0x632=EIO \
	0x606=0xa0e03 0x639=0 0x641=EIO 0x621=0x18
registers "Haswell-EP: by active cores in three registers, limit reasons in 0x690" haswell 0 \
	0x1ad=0x1d1e1f2021222424 0x1ae=0x1c1c1c1c1c1c1c1c 0x1af=0x1b1c 0x64f=EIO 0x690=0xc000c00 0x1b1=0x88070c00 0x64e=EIO
registers "Alder Lake: E-cores of their own, C8 and C10" alderlake 0 \
	0x1ad=0x3131313132323434 0x1ae=0x807060504030201 0x650=0x2727272727272727 0x3fa=EIO 0x632=0 0x690=EIO
registers "Sapphire Rapids" sapphire-rapids 0 0x690=EIO 0x621=0x21990016 0x1af=EIO
registers "AMD's, and none of Intel's" epyc 2 \
	0xc0010299=0xa1003 0xc0010064=0x8000000000000882 0xc0010293=0x120894 0xc0010015=0x40000000 0x611=EIO 0xce=EIO
registers "a hypervisor that says 0" vm-zeros 0 0xce=0 0xe7=0 0x606=0 0xdead=0
registers "one that passes little on" vm-eio 0 0xce=EIO 0x611=EIO 0x1ad=EIO 0x3fd=EIO 0x3f9=EIO 0x1a2=EIO

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

finish
begin "$(variant cascadelake 's/^name.*/&\nclock = manual\nenergy_base = 0xfffff000/')" sleep 60
step 1
is "energy that has wrapped: 140 J from 4096 units below on" \
	"$(dd if="$machine_root/dev/cpu/0/msr" bs=8 count=1 skip=$((0x611)) iflag=skip_bytes status=none | od -An -t x8)" \
	" 000000000022f000"
is "throttled by power for 3 % of it" "$(truth '.packages[0].cum.pthr')" 0.03
finish

# Faults and hot-plug.
begin manual sleep 60
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
