#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs a cmocka program: unit.sh PROGRAM. cmocka 1.1.5 writes "not ok 2 # SKIP name" for a skipped test, which in TAP
# is a failure; the name then belongs in front.
set -o pipefail
"$@" | sed -u 's/^\(not \)\?ok \([0-9]*\) # SKIP \(.*\)/ok \2 - \3 # SKIP cannot run here/'
