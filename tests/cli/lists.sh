#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# avxtop metrics and avxtop kernels: for people, and as CSV and JSON that other programs read.
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
needs jq

man=$("$AVXTOP" docs man)
for list in metrics kernels; do
	exits 0 "$list as table" "$AVXTOP" "$list"
	is "$list: nothing on stderr" "$err" ""
	like "$list: a heading" "$out" "^NAME "
	ok "$list: fits 80 columns" test "$(wc -L <<<"$out")" -le 80
	table=$out

	exits 0 "$list as JSON" "$AVXTOP" "$list" --format json
	json=$out
	is "$list: its schema" "$(jq -r .schema <<<"$json")" "avxtop.$list/1"
	ok "$list: all have name and help" jq -e ".$list | length > 4 and all(.[]; (.name | length) > 0 and (.help | length) > 0)" <<<"$json"
	is "$list: each name once" "$(jq -r ".${list}[].name" <<<"$json" | sort | uniq -d)" ""
	is "$list: the table has the same names" "$(awk 'NR > 1 && /^[^ ]/ { print $1 }' <<<"$table")" \
		"$(jq -r ".${list}[].name" <<<"$json")"

	exits 0 "$list as CSV" "$AVXTOP" "$list" --format csv
	is "$list: one row each, after the heading" "$(wc -l <<<"$out")" "$(($(jq ".$list | length" <<<"$json") + 1))"
	like "$list: the heading of CSV" "$out" "^name,"

	LC_ALL=C run "$AVXTOP" "$list"
	ok "$list: only ASCII in the C locale" test -z "$(LC_ALL=C tr -d '\n -~' <<<"$out")"
	run "$AVXTOP" "$list" --ascii
	ok "$list: only ASCII with --ascii" test -z "$(LC_ALL=C tr -d '\n -~' <<<"$out")"

	missing=
	for name in $(jq -r ".${list}[].name" <<<"$json"); do
		grep -q "^\\\\fB${name//-/\\\\-}\\\\fR" <<<"$man" || missing="$missing $name"
	done
	is "$list: the manual has all of them" "$missing" ""
done

run "$AVXTOP" metrics --format json
is "a metric without source says why" "$(jq -c '[.metrics[] | select(.source == null and (.why // "") == "") | .name]' <<<"$out")" "[]"
is "a metric with source has no reason against it" "$(jq -c '[.metrics[] | select(.source != null and .why != null) | .name]' <<<"$out")" "[]"
is "os_busy_ratio is from procfs" "$(jq -r '.metrics[] | select(.name == "os_busy_ratio") | .source' <<<"$out")" procfs
run "$AVXTOP" metrics --format json --source -procfs
is "without procfs it is not" "$(jq -r '.metrics[] | select(.name == "os_busy_ratio") | .source' <<<"$out")" null
like "and that is the reason" "$(jq -r '.metrics[] | select(.name == "os_busy_ratio") | .why' <<<"$out")" "procfs"

run "$AVXTOP" kernels --format json
is "from narrow to wide" "$(jq -r '[.kernels[].name] | join(" ")' <<<"$out")" "scalar sse-fma avx2-int avx2-fma avx512-int avx512-fma avx512-vnni amx-bf16 amx-int8 copy-libc copy-movsb copy-movsq copy-unrolled copy-avx2 copy-avx512 copy-avx512-nt"
is "scalar runs everywhere" "$(jq -c '.kernels[] | select(.name == "scalar") | [.usable, .why]' <<<"$out")" "[true,null]"
is "a kernel that cannot run says why" "$(jq -c '[.kernels[] | select(.usable == false and (.why // "") == "") | .name]' <<<"$out")" "[]"
for pair in sse-fma:sse2 avx2-int:avx2 avx2-fma:avx2 avx512-fma:avx512f avx512-int:avx512f avx512-vnni:avx512_vnni amx-bf16:amx_bf16 amx-int8:amx_int8 \
	copy-avx2:avx copy-avx512:avx512f copy-avx512-nt:avx512f; do
	flag=$(grep -qw "${pair#*:}" /proc/cpuinfo && echo true || echo false)
	is "${pair%:*} is usable where the kernel shows ${pair#*:}" \
		"$(jq -r ".kernels[] | select(.name == \"${pair%:*}\") | .usable" <<<"$out")" "$flag"
done

# A machine of which only files are known.
mkdir -p "$T/root/proc" "$T/root/sys/devices/system/cpu"
echo 0-1 | tee "$T/root/sys/devices/system/cpu/present" >"$T/root/sys/devices/system/cpu/online"
exits 0 "kernels of a machine that tells little" "$AVXTOP" kernels --sysroot "$T/root" --format json
is "what it can run is not known" "$(jq -c '.kernels[] | select(.name == "avx2-fma") | .usable' <<<"$out")" null
like "and that is said" "$(jq -r '.kernels[] | select(.name == "avx2-fma") | .why' <<<"$out")" "not known"
is "scalar needs nothing" "$(jq -c '.kernels[] | select(.name == "scalar") | .usable' <<<"$out")" true
cat >"$T/root/proc/cpuinfo" <<'END'
processor	: 0
vendor_id	: GenuineIntel
cpu family	: 6
model		: 143
model name	: Intel(R) Xeon(R) Platinum 8480+
stepping	: 6
flags		: fpu sse2 avx fma avx2 avx512f amx_bf16 amx_tile amx_int8
END
exits 0 "kernels of a recorded machine" "$AVXTOP" kernels --sysroot "$T/root" --format json
is "it could run AMX" "$(jq -c '.kernels[] | select(.name == "amx-bf16") | .usable' <<<"$out")" true
run "$AVXTOP" kernels --sysroot "$T/nowhere"
is "a sysroot that is not there: status 1" "$rc" 1
one_sentence "and one sentence" "$err"

nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if [ "$(id -u)" = 0 ] && "${nobody[@]}" test -x "$AVXTOP" 2>/dev/null; then
	exits 0 "nobody may list the metrics" "${nobody[@]}" "$AVXTOP" metrics
	exits 0 "nobody may list the kernels" "${nobody[@]}" "$AVXTOP" kernels
else
	skip "nobody may list the metrics" "not root, or nobody may not enter the build folder"
	skip "nobody may list the kernels" "not root, or nobody may not enter the build folder"
fi

done_testing
