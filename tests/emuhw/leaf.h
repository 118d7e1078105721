/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID: the host's leaves made those of the emulated CPU. */
#ifndef AVXTOP_TESTS_EMUHW_LEAF_H
#define AVXTOP_TESTS_EMUHW_LEAF_H

#include <stdbool.h>
#include <stdint.h>

void emu_cpuid(uint32_t leaf, uint32_t sub, int cpu, uint32_t r[4]);
/* A server core of the generation of Sapphire Rapids; of Ice Lake, or later. */
bool core_sapphire(void);
bool core_icelake(void);

#endif
