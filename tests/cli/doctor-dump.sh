#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# avxtop doctor --dump: the text of a machine makes a tree by which that machine is told again, and holds nothing that
# tells whose it is.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/hosts/hosts.sh
. "$SRCDIR/tests/hosts/hosts.sh"
needs jq awk

# who [OPTION…]: what doctor says of the machine, but for what only a live one has; its brand may be told by CPUID there.
who() { "$AVXTOP" doctor --format json "$@" | jq -cS '.host | del(.live, .brand, .tsc_hertz, .release_s, .kernel, .hypervisor, .cpus.allowed)'; }
entries() { grep -v '^#' "$1"; }

# again NAME: the dump $T/NAME.txt, unpacked and dumped once more.
again() {
	ok "$1: it can be unpacked" bash -c 'bash "$0" "$1" <"$2"' "$hosts/unpack.sh" "$H/$1.again" "$T/$1.txt"
	exits 0 "$1: and dumped again" "$AVXTOP" doctor --dump --sysroot "$H/$1.again"
	printf '%s\n' "$out" >"$T/$1.2"
	is "$1: which has the same files" "$(entries "$T/$1.2" | cksum)" "$(entries "$T/$1.txt" | cksum)"
}

# This machine.
exits 0 "this machine" "$AVXTOP" doctor --dump -o "$T/here.txt"
is "nothing on the standard streams" "$out$err" ""
again here
is "it is the same machine" "$(who --sysroot "$H/here.again")" "$(who)"
is "by the same kernel" "$("$AVXTOP" doctor --sysroot "$H/here.again" --format json | jq -r .host.kernel)" \
	"$(uname -r | sed -E 's/^([0-9.]+(-[0-9.]+)?)([^0-9.].*)?$/\1/')"
is "its names of kernels are the same" "$("$AVXTOP" kernels --sysroot "$H/here.again" --format csv | cut -d , -f 1)" \
	"$("$AVXTOP" kernels --format csv | cut -d , -f 1)"
like "CPUID is told as a comment" "$(cat "$T/here.txt")" '^# cpuid [0-9]+ 0x00000000 0x00( 0x[0-9a-f]{8}){4}$'
unlike "but no serial number" "$(cat "$T/here.txt")" '^# (cpuid [0-9]+ 0x00000003|msr [0-9]+ 0x(4e|4f|c00102f[01])[ :])'
unlike "only printable ASCII" "$(cat "$T/here.txt")" "[^ -~$(printf '\t')]"
is "each line is of an entry, or a comment" "$(awk -v folders=1 -f "$hosts/unpack.awk" "$T/here.txt" | grep -c ' ')" 0

# secrets: what tells whose machine it is, a line each, as far as this one has it.
secrets() {
	uname -n
	cat /sys/class/net/*/address /sys/class/dmi/id/*serial /sys/class/dmi/id/product_uuid /proc/sys/kernel/random/boot_id
	cat /etc/machine-id
	awk '$2 != "/" && length($2) > 5 { print $2 }' /proc/mounts | grep -v '^/\(proc\|sys\|dev\|run\|tmp\|etc\|var\|usr\|home\)'
	getent passwd | awk -F : '$3 >= 1000 && $3 < 60000 && length($1) > 4 { print $1 }'
	echo "$USER_NAME"
}
told=$(USER_NAME=${LOGNAME:-} secrets 2>/dev/null | grep -v '^00:00:00:00:00:00$' | awk 'length > 4' | sort -u | while read -r word; do
	grep -qwF -- "$word" "$T/here.txt" && echo "$word"
done)
is "nothing tells whose it is" "$told" ""

# Made-up ones: many packages, dies, kinds of core, an offline CPU, links, files to be left out.
make_host "$H/server" packages=2 cores=0,1,8,9 threads=2 order=last freq=policy idle=POLL,C1,C6 offline=3 isolated=5
make_host "$H/hybrid" cores='*4' threads=2 order=first ecores=4 model=151 stepping=2 freq=shared idle=POLL
mkdir -p "$H"/server/sys/class/{dmi/id,net/eth0} "$H"/server/sys/class/hwmon/hwmon{0,1} "$H/server/proc/self"
echo "SECRET-SERIAL" | tee "$H/server/sys/class/dmi/id/product_serial" "$H/server/proc/self/mounts" \
	"$H/server/proc/cmdline" "$H/server/sys/class/hwmon/hwmon1/temp1_label" >"$H/server/sys/class/net/eth0/address"
echo "6.1.0-13-of-SECRET" >"$H/server/proc/sys/kernel/osrelease"
sed -i '1i Serial : SECRET' "$H/server/proc/cpuinfo"
echo coretemp >"$H/server/sys/class/hwmon/hwmon0/name"
echo nvme >"$H/server/sys/class/hwmon/hwmon1/name"
printf 'Package id 0\033[2J' >"$H/server/sys/class/hwmon/hwmon0/temp1_label"
for name in server hybrid; do
	exits 0 "$name" "$AVXTOP" doctor --dump --sysroot "$H/$name"
	printf '%s\n' "$out" >"$T/$name.txt"
	again $name
	is "$name: it is the same machine" "$(who --sysroot "$H/$name.again")" "$(who --sysroot "$H/$name")"
	unlike "$name: no CPUID or register of this machine" "$out" '^# (cpuid|msr)'
done
unlike "server: what is not listed is not told" "$(cat "$T/server.txt")" "SECRET|nvme|hwmon1"
like "server: but the sensor of the CPU is" "$(cat "$T/server.txt")" "^Path: sys/class/hwmon/hwmon0/temp1_label$"
unlike "server: and does no harm in a terminal" "$(cat "$T/server.txt")" $'\033'

exits 2 "it has one form" "$AVXTOP" doctor --dump --format json
one_sentence "which is said" "$err"
exits 2 "only doctor dumps" "$AVXTOP" log --dump
printf 'Path: ../out\nLines: 1\nx\n' >"$T/hostile.txt"
not_ok "a text that leads out of its folder is refused" bash -c 'bash "$0" "$1" <"$2"' "$hosts/unpack.sh" "$H/hostile" "$T/hostile.txt"
not_ok "and nothing was written there" test -e "$H/out"
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$AVXTOP" 2>/dev/null; then
	exits 0 "as nobody" setpriv --reuid 65534 --regid 65534 --clear-groups "$AVXTOP" doctor --dump
	is "nobody: it is the same machine" "$(printf '%s\n' "$out" | bash "$hosts/unpack.sh" "$H/nobody.again" && who --sysroot "$H/nobody.again")" "$(who)"
else
	skip "as nobody" "only root can become somebody else"
fi
done_testing
