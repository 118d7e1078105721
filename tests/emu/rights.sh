#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Root under sudo: what only root may open is opened as root, all else is done as the user, and nothing of root is left
# once the sources are open. On emulated machines, whose energy counters are for root as since Linux 5.10.
# Alone: looks for its program by name.
# shellcheck source=tests/emu/lib.sh
. "$(dirname "$0")/../emu/lib.sh"
needs jq setpriv
u=65534 # nobody; any user but root
setpriv --reuid $u --regid $u --clear-groups test -x "$AVXTOP" 2>/dev/null ||
	skip_all "this folder is closed to user $u, or this root cannot become it"
chmod 755 "$T"
mkdir "$T/theirs" "$T/roots"
chown $u "$T/theirs"
sudo=(env SUDO_UID="$u" SUDO_GID="$u")

# Are the watts of package 1 right in each sample of the log that has them; or why there are none.
watts() { jq -c 'select(.packages) | .packages[1] | if .package_watts then .package_watts > 28 and .package_watts < 34.5 else .why.package_watts end' "$1" | grep -vE 'first|skipped' | sort -u | xargs; }

# started: the program runs and has written its first sample; its number in $program.
started() {
	local tries=0
	until [ -s "$1" ] && program=$(pgrep -f -n "^$AVXTOP log"); do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || return 1
		sleep 0.05
	done
}

begin "$(as_host skylake-2s)" "${sudo[@]}" "$AVXTOP" log -i 0.3 -n 6 --format json --source -ruler -o "$T/theirs/log"
started "$T/theirs/log"
status=$(cat "/proc/$program/status")
is "no id of root is left" "$(grep -E '^(Uid|Gid):' <<<"$status" | cut -f 2- | xargs)" "$u $u $u $u $u $u $u $u"
is "no group of root is left" "$(sed -n 's/^Groups:[[:space:]]*//p' <<<"$status" | xargs | tr -d ' ' | sed "s/^$u$//")" ""
is "no capability is left but CAP_PERFMON" "$(sed -n -E 's/^Cap[^B]..:[[:space:]]*0*(40{9})?//p' <<<"$status" | xargs)" ""
is "nor in any of its threads" "$(cat "/proc/$program"/task/*/status | grep -E '^(Uid|CapPrm|CapEff):' | cut -f 2- | sed -E 's/^0{6}40{9}$/0000000000000000/' | sort -u | xargs)" \
	"0000000000000000 $u $u $u $u"
await
is "under sudo: it ends" "$rc" 0
is "under sudo: watts are the machine's" "$(watts "$T/theirs/log")" true
is "the file is the user's" "$(stat -c %u:%g "$T/theirs/log")" "$u:$u"

run emulate skylake-2s setpriv --reuid $u --regid $u --clear-groups env SUDO_UID=$u SUDO_GID=$u \
	"$AVXTOP" log -i 0.1 -n 2 --format json --source procfs,powercap
like "a user who only says to be sudo's has none, and is told why" "$out" '"package_watts":"denied"|root only'
unlike "and no number" "$out" '"package_watts":[0-9]'

# Each file that the user names is opened as the user, whatever command.
mkdir -m 700 "$T/roots/closed"
echo kept >"$T/roots/file"
for command in 'log -n 1 -i 0.05' 'doctor' 'metrics' 'kernels'; do
	read -ra words <<<"$command"
	run "${sudo[@]}" "$AVXTOP" "${words[@]}" -o "$T/roots/new"
	is "${words[0]} -o where only root may write" "$rc:$(compgen -G "$T/roots/new*")" "1:"
	run "${sudo[@]}" "$AVXTOP" "${words[@]}" -o "$T/roots/file"
	is "${words[0]} -o names a file of root" "$rc:$(cat "$T/roots/file")" "1:kept"
done
for command in 'log -n 1' 'doctor' 'kernels'; do
	read -ra words <<<"$command"
	run "${sudo[@]}" "$AVXTOP" "${words[@]}" --sysroot "$T/roots/closed"
	is "${words[0]} --sysroot into a folder of root" "$rc" 1
done

# A folder of the user is not this machine: no rights of root are for files in it.
zone=$T/tree/sys/class/powercap/intel-rapl:0
mkdir -p "$zone" "$T/tree/proc" "$T/tree/sys/devices/system/cpu/cpu0/topology"
echo 0 | tee "$T/tree/sys/devices/system/cpu/cpu0/topology/"{physical_package_id,core_id,die_id} >/dev/null
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nflags\t\t: fpu tsc\n\n' >"$T/tree/proc/cpuinfo"
echo 0 | tee "$T/tree/sys/devices/system/cpu/"{possible,present} >"$T/tree/sys/devices/system/cpu/online"
printf 'cpu  1 1 1 1 1 1 1 1 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n' >"$T/tree/proc/stat"
echo package-0 >"$zone/name"
echo 1 >"$zone/enabled"
echo 4242 >"$zone/energy_uj"
run "${sudo[@]}" "$AVXTOP" doctor --format json --sysroot "$T/tree"
energy='.sources[] | select(.name == "powercap") | .counters[] | select(.name == "package_energy") | .state'
is "a tree's energy is found" "$(jq -r "$energy" <<<"$out")" found
chmod 400 "$zone/energy_uj"
run "${sudo[@]}" "$AVXTOP" doctor --format json --sysroot "$T/tree"
is "of root: it is refused under sudo" "$(jq -r "$energy" <<<"$out")" refused

# The data of the program are not opened as root, though the ruler needs some of them while it is opened.
mkdir "$T/data"
cp -r "$SRCDIR/data/"{cpu,cores} "$T/data"
chmod -R u=rwX,go=rX "$T/data"
ruler() {
	run "${sudo[@]}" AVXTOP_DATADIR="$T/data" "$AVXTOP" doctor --format json
	jq -c '.sources[] | select(.name == "ruler") | [.state, .error]' <<<"$out"
}
if [ "$(ruler)" = '["found",null]' ]; then
	chmod 700 "$T/data/cores"
	is "data of root that the user names are refused" "$(ruler)" '["refused","Permission denied"]'
else
	skip "data of root that the user names" "the ruler cannot be used on this machine"
fi

# A driver whose only figure is in a file of root, of each CPU.
old=$(variant skylake-2s 's/^name = .*/&\ncpufreq = acpi-cpufreq/')
{
	echo '[fault]'
	for cpu in {0..15}; do
		echo "open=/sys/devices/system/cpu/cpufreq/policy$cpu/scaling_cur_freq errno=ENOENT"
	done
} >>"$old"
for user in "" "-u nobody"; do
	# shellcheck disable=SC2086 # words
	run emulate $user "$old" "${sudo[@]}" "$AVXTOP" log -i 0.1 -n 2 --format json --source procfs,cpufreq
	is "figures of root's file${user:+ without its rights}" \
		"$(jq -s 'any(.[].cpus[]?; .os_hertz != null)' <<<"$out")" "$([ -z "$user" ] && echo true || echo false)"
done
done_testing
