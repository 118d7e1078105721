/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each fuzzer is: one function that takes any bytes and ends the program when something is wrong. */
#ifndef AVXTOP_TESTS_FUZZ_FUZZ_H
#define AVXTOP_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* the name that libFuzzer calls; 0 */

/* Both libFuzzer and the sanitizers report an abort with the input that led to it. */
#define FUZZ_MUST(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

#endif
