/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the few AMX instructions of kernel_amx.c on a CPU that has none, for tests only. */
#ifndef AVXTOP_TESTS_UNIT_AMX_EMULATOR_H
#define AVXTOP_TESTS_UNIT_AMX_EMULATOR_H

#include <stdbool.h>
#include <stdint.h>

/* Takes over SIGILL: the kernel runs as it is built, and each AMX instruction that the CPU rejects
 * is decoded at its address and carried out in memory. */
void amx_emulator_start(void);
/* Gives SIGILL back. */
void amx_emulator_stop(void);

/* How many instructions of each kind were carried out since the start. */
struct amx_counts {
	uint64_t configs, releases, zeros, loads, stores, products;
};
struct amx_counts amx_emulator_counts(void);
/* Are all tiles released now? */
bool amx_emulator_clean(void);
/* Plants a fault: the product with this number (from 1) has one wrong bit; 0: none. */
void amx_emulator_fault(uint64_t product);

#endif
