/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains whose latencies differ from core to core: they tell cores apart where CPUID is masked.
 * Kept out of the ruler: these use scalar SSE, and the last one AVX encoding. */
#ifndef AVXTOP_BURST_FINGERPRINT_H
#define AVXTOP_BURST_FINGERPRINT_H

#include <stdbool.h>

#include "burst/chain.h"

chain_fn chain_addsd;
chain_fn chain_mulsd;
chain_fn chain_load;   /* L1 pointer chase, mov r64,[r64] */
chain_fn chain_popcnt; /* popcnt r64,r64; only where chain_has_popcnt() */
chain_fn chain_bswap;  /* bswap r64 */
chain_fn chain_fma;    /* vfmadd213sd xmm; only where chain_has_fma() */

/* What CPUID and XCR0 allow on the CPU that runs this. */
bool chain_has_popcnt(void);
bool chain_has_fma(void);

#endif
