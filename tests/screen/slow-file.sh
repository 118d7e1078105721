#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A file of the kernel that takes a second never blocks keys or screen, nor the way out: on an emulated machine whose
# temperature and energy take that long to read.
# Alone: tells how long a key waits.
# Plain: the same C runs in the unit test reader, and screens of other tests.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
[ -x "$VTSHOT" ] || skip_all "vtshot was not built: libvterm is not installed"
needs jq

# What is read before there is a machine to draw: the screen says at once what it is waiting for, and Ctrl-C ends it.
late=$T/late.emu
{
	cat "$SCENARIOS/skylake-2s.emu"
	echo '[fault]'
	echo 'read=/sys/devices/system/cpu/cpu0/topology/core_id delay_ms=3000'
} >"$late"
ok "a machine that is slow to read is no empty screen" \
	"$VTSHOT" -g 100x30 -d "$T" "within 2500 wait reading 16 CPUs; reject Quit; wait Quit; reject reading; key q; exit 0; restored" -- \
	"$EMUHW" -q -C "$late" -- "$AVXTOP"
later=$T/later.emu
sed 's/delay_ms=3000/delay_ms=9000/' "$late" >"$later"
ok "and can be left long before that" \
	"$VTSHOT" -g 100x30 -d "$T" 'wait reading 16; key \x03; within 4000 wait status 130; exit 0; restored' -- \
	bash -c 'trap : INT; "$@"; echo "status $?"' - "$EMUHW" -q -C "$later" -- "$AVXTOP"

slow=$T/slow.emu
{
	cat "$SCENARIOS/skylake-2s.emu"
	echo '[fault]'
	echo 'read=/sys/devices/platform/coretemp.0/hwmon/hwmon1/temp1_input delay_ms=1000'
	echo 'read=/sys/devices/virtual/powercap/intel-rapl/intel-rapl:1/energy_uj delay_ms=1000'
} >"$slow"

# Until the first sample, which these files hold up for two seconds, no package has a temperature: as long as that is so at
# the end, every key before was answered while a read was blocked. A blocked key would take a second. Without the ruler,
# which says nothing at first on a machine too busy to calibrate it.
keys='key i; within 500 wait the rest is absent; key i; within 500 gone the rest is absent'
keys="$keys; key ?; within 500 wait Moving; key ?; within 500 gone Moving"
keys="$keys; key +; within 500 wait 2 s; key s; within 500 wait ▲; key s; within 500 gone ▲"
keys="$keys; key /; within 500 wait Filter:; key \\e; within 500 gone Filter:; key <SPACE>; within 500 wait paused"
ok "keys are answered, options change and the screen is given back while files block" \
	bash -c 'out=$0; "$@" >"$out"' "$T/times" "$VTSHOT" -g 100x30 -d "$T" \
	"wait – °C; $keys; expect – °C; key q; within 500 gone paused; exit 0; restored" -- \
	"$EMUHW" -q -C "$slow" -- "$AVXTOP" --source -ruler
diag "milliseconds from key to screen: $(cut -f2 "$T/times" | sort -n | tr '\n' ' ')"
is "half of the keys within 50 ms" "$(cut -f2 "$T/times" | sort -n | awk '{ t[NR] = $1 } END { print (NR >= 10 && t[int(NR / 2)] <= 50) }')" 1

# A burst asks these sensors, too, before it starts: no key waits for that, and who takes it back has it taken back. The
# first Enter is answered by a sentence alone; the burst, or why there is none, comes after the sensors.
ask='key b; within 500 wait Expect; key \n; within 500 wait as soon as'
ok "no key waits for the sensors that a burst asks first" \
	bash -c 'out=$0; "$@" >"$out"' "$T/times" "$VTSHOT" -g 100x40 -d "$T" \
	"wait – °C; $ask; key <DOWN>; within 500 gone as soon as; key <UP>; key \n; within 500 wait as soon as; \
	key b; within 500 gone as soon as; $ask; gone as soon as; key q; exit 0; restored" -- \
	"$EMUHW" -q -C "$slow" -- "$AVXTOP"
is "most of them within 50 ms" "$(cut -f2 "$T/times" | sort -n | awk '{ t[NR] = $1 } END { print (NR >= 7 && t[int(NR / 2)] <= 50) }')" 1
diag "milliseconds from key to screen: $(cut -f2 "$T/times" | sort -n | tr '\n' ' ')"

# The temperature is read twice, then it rests for 20 s. The energy takes more than a twentieth of the interval, too, so it
# is left out of samples, but not so long that the moment of the reading is unknown.
paced=$T/paced.emu
sed '/energy_uj/s/delay_ms=.*/delay_ms=60/' "$slow" >"$paced"
begin "$paced" "$AVXTOP" log -i 0.5 -n 8 --format json --source procfs,thermal,powercap
await
is "the log ends" "$rc" 0
watts() { jq -c 'select(.packages) | .packages[1] | [.package_watts != null, .why.package_watts]' "$T/out"; }
is "what is not read says so, and is no number" "$(watts | sort -u | grep -v true)" '[false,"skipped"]'
is "watts over the time between two readings are the machine's" \
	"$(jq '.packages[1]?.package_watts | select(. != null) | . > 30.5 and . < 32' "$T/out" | sort -u)" true
is "other files are read each time" \
	"$(jq -c 'select(.packages) | .cpus[1].os_busy_ratio != null' "$T/out" | sort | uniq -c | tr -s ' ')" ' 8 true'

# The way out of a log, in the middle of a read: the first one is.
begin "$slow" "$AVXTOP" log -i 0.5 --source thermal
for _ in {1..200}; do # it is there, and has SIGINT answered
	program=$(pgrep -f -n "^$AVXTOP log -i 0.5 --source thermal") &&
		grep -qE '^Sig(Blk|Cgt):.*[2367abef]$' "/proc/$program/status" && break
	sleep 0.05
done
sleep 0.2
started=$(date +%s%N)
kill -INT "$program"
await
is "a log is ended by SIGINT" "$rc" 0
diag "$((($(date +%s%N) - started) / 1000000)) ms"
is "at once" "$((($(date +%s%N) - started) < 900000000))" 1
done_testing
