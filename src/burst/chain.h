/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chains of dependent instructions: each link must wait for the one before, so a chain of n links
 * takes n × latency core cycles, whatever else the core could do in parallel. */
#ifndef AVXTOP_BURST_CHAIN_H
#define AVXTOP_BURST_CHAIN_H

#define CHAIN_LINKS 24u /* dependent instructions in one pass of every chain */

/* Runs `passes` (≥ 1) passes. These two hold no vector instruction, so they cost nothing after an
 * AVX kernel and wake no vector unit. */
typedef void chain_fn(unsigned passes);

chain_fn chain_imul; /* imul r32,r32: 3 cycles on most cores; the ruler */
chain_fn chain_add;  /* add r64,r64: 1 cycle on all 30 cores tabulated; the witness and the unit */

#endif
