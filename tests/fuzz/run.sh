#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs the fuzzers under libFuzzer (make fuzz): run.sh NAME… , each for FUZZ_SECONDS (30), in the folder fuzz of the
# build: its own build by clang with sanitizers, what was learned in corpus-NAME, an input that fails beside it.
set -eu

command -v clang >/dev/null || { echo "clang is not installed: ./bootstrap install clang"; exit 1; }
flags="-g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all"
mkdir -p "$BUILDDIR/fuzz"
cd "$BUILDDIR/fuzz"
[ -e Makefile ] || "$SRCDIR/configure" -q CC=clang CFLAGS="$flags -fsanitize=fuzzer-no-link,address,undefined" >configure.log
make -s -j"$(nproc)" >make.log
for name; do
	# shellcheck disable=SC2086 # lists of words
	clang $flags -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. -I"$SRCDIR/src" -I"$SRCDIR" \
		"$SRCDIR/tests/fuzz/$name.c" "$SRCDIR/tests/unit/tree.c" $FUZZ_LIBS -o "$name"
	mkdir -p "corpus-$name"
	echo "== $name"
	"./$name" -max_total_time="${FUZZ_SECONDS:-30}" -max_len=4096 -timeout=10 -print_final_stats=1 -verbosity=1 \
		"corpus-$name" "$SRCDIR/tests/fuzz/corpus/$name" >"$name.log" 2>&1 || { tail -n 40 "$name.log"; exit 1; }
	grep -E '^(Done|stat::number_of_executed_units)' "$name.log"
done
