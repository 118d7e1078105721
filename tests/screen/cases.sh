#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The dashboard on hosts that broke other monitors: a test or more for each of these cases.
# 40 htop 997, 435: 104 CPUs crashed it, 256 filled the screen    52 s-tui 154: a virtual machine without cpufreq
# 56 htop 471, PR 932: reading took most of a second, keys waited
# shellcheck source=tests/screen/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/hosts/hosts.sh
. "$(dirname "$0")/../hosts/hosts.sh"

# --- 40
look() { # SHOWN HOST-OPTION…
	local shown=$1
	shift
	make_host "$H/$shown" "$@"
	shot "case 40: $shown at three sizes" -g 80x24 \
		"wait $shown; resize 40x10; wait Help; wait recorded; resize 200x60; wait Pause; wait $shown; key q; exit 0; restored" -- \
		"$AVXTOP" --sysroot "$H/$shown" -i 0.5
}
look '1 CPU'
look '2 CPUs' threads=2 order=first
look '8 CPUs' cores='*4' threads=2
look '104 CPUs' packages=2 cores='*26' threads=2
look '256 CPUs' packages=2 cores='*64' threads=2
look '512 CPUs' packages=2 cores='*128' threads=2
look '1149 CPUs' packages=6 cores='*96' threads=2 offline=7,9-10
for size in 80x24 40x10 200x60; do
	shot "case 40: 1,149 rows at $size: unfold, last, filter, fold, sort" -g $size \
		"wait Pkg; wait recorded; key g; wait /1149; key <END>; wait 1149/1149; wait 1151; key <HOME>; wait 1-; wait 0/3;
		key /1148-1151\\n; wait /1148-1151; wait 5/92; wait 5/95; stable 100; snap filtered; key \\e; wait /1149;
		key g; wait /576; key s; wait ▲; key s; stable 100; key g; wait Pkg; key q; exit 0; restored" -- \
		"$AVXTOP" --sysroot "$H/1149 CPUs" -i 0.5
	is "case 40: four rows pass the filter" "$(screen filtered | grep -cE '^.5/9[0-9] ')" 4
done

# --- 52
make_host "$H/vm" cores='*2'
shot "case 52: a virtual machine without cpufreq" -g 80x24 \
	'wait 2 CPUs; wait License; wait on the live machine only; key i; wait why the rest is absent; key q; exit 0; restored' -- "$AVXTOP" --sysroot "$H/vm"

# --- 56
shot "case 56: what looking costs is on the screen" -g 100x30 'wait own cost; key q; exit 0; restored' -- "$AVXTOP" -i 0.5

done_testing
