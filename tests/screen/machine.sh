#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dashboard on another machine's tree: 1,024 CPUs in two packages on one screen. Nothing is measured there.
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"

root=$T/machine
cpu=$root/sys/devices/system/cpu
mkdir -p "$root/proc" "$cpu"/cpu{0..1023}/topology
for name in possible present online; do
	echo 0-1023 >"$cpu/$name"
done
# Second threads come after all cores, as Linux numbers them.
{
	printf 'cpu  1 0 0 1 0 0 0 0 0 0\n'
	for ((i = 0; i < 1024; i++)); do
		core=$((i % 512))
		cd "$cpu/cpu$i/topology" || exit 1
		echo $((core % 256)) >core_id
		echo $((core / 256)) >physical_package_id
		echo 0 >die_id
		echo "$core,$((core + 512))" >thread_siblings_list
		printf 'cpu%d 100 0 0 100 0 0 0 0 0 0\n' "$i"
	done
	echo 'ctxt 1'
} >"$root/proc/stat"
cd "$BUILDDIR" || exit 1
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Sample CPU\nstepping\t: 4\nflags\t\t: fpu tsc avx2 avx512f\n\n' >"$root/proc/cpuinfo"
echo "Linux version 6.1.0-sample" >"$root/proc/version"

shot "1,024 CPUs fold to packages, all on one screen; a filter on them; no burst there" -g 100x30 \
	'wait Quit; sleep 300; wait 1024 CPUs; wait recorded; snap packages; key g; wait 1/1024; key g; wait 1-21/512; key <END>; wait 512/512; key g; wait Pkg; key /1000-1010\n; wait /1000; key g; wait 1000; key b; wait Expect; key \n; wait Not started; key q; exit 0; restored' -- \
	"$AVXTOP" --sysroot "$root"
is "a package has 512 CPUs" "$(screen packages | grep -c '512 CPUs')" 2
is "one cell a CPU" "$(screen packages | grep -v Core | tr -cd '·' | wc -m | awk '{ print ($1 >= 1024) }')" 1
done_testing
