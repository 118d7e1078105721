/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up results of scopes: one with every phase, as long as T. Downs measured them on a Xeon W-2104
 * ("Gathering Intel on Intel AVX-512 Transitions", 2020), and one where nothing happens. */
#ifndef AVXTOP_TESTS_UNIT_SCOPE_FIXTURE_H
#define AVXTOP_TESTS_UNIT_SCOPE_FIXTURE_H

#include "burst/microscope.h"

/* A burst of 200 us of avx512-fma on CPU index 0 with CPU index 1 as victim (-1: none): throttled to a
 * quarter for 9 us, halted for 11 us, 12.5 % lower until 650 us after its end, halted again. */
struct microscope_result *scope_fixture(int victim);
/* The same burst without any of that, and with its limits of detection. */
struct microscope_result *scope_fixture_flat(void);

#endif
