/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID: the host's leaves made those of the emulated CPU. */
#include "config.h"

#include "leaf.h"

#include <cpuid.h>
#include <math.h>
#include <string.h>

#include "machine.h"

bool core_sapphire(void)
{
	return machine.model == 0x8f || machine.model == 0xad;
} /* and Granite Rapids */

bool core_icelake(void)
{
	return machine.vendor == INTEL && (machine.model == 0x6a || core_sapphire());
} /* or newer, servers */

void emu_cpuid(uint32_t leaf, uint32_t sub, int cpu, uint32_t r[4])
{
	__cpuid_count(leaf, sub, r[0], r[1], r[2], r[3]);
	int tb = 0;
	while ((1 << tb) < machine.threads)
		tb++;
	int cb = 0,
	    maxid = machine.sparse_core_ids ? machine.cores + machine.cores / 3 : machine.cores;
	while ((1 << cb) < maxid)
		cb++;
	switch (leaf) {
	case 0:
		r[0] = machine.vendor == AMD   ? 0x10
		       : machine.model == 0x2a ? 0xd
		       : core_sapphire()       ? 0x20
		       : core_icelake()	       ? 0x1b
					       : 0x16;
		memcpy(&r[1], machine.vendor == AMD ? "Auth" : "Genu", 4);
		memcpy(&r[3], machine.vendor == AMD ? "enti" : "ineI", 4);
		memcpy(&r[2], machine.vendor == AMD ? "cAMD" : "ntel", 4);
		break;
	case 1: {
		int f = machine.family, m = machine.model;
		r[0] = (uint32_t)((f > 15 ? f - 15 : 0) << 20 | (m >> 4) << 16 |
				  (f > 15 ? 15 : f) << 8 | (m & 15) << 4 | machine.stepping);
		r[1] = (r[1] & 0x0000ffff) | (uint32_t)(machine.cores * machine.threads) << 16 |
		       (uint32_t)cpus[cpu].apicid << 24;
		if (!machine.hypervisor)
			r[2] &= ~(1u << 31);
		r[2] |= 1u << 7; /* EST */
		r[2] &= ~(1u << 8);
		r[3] |= 1u << 22 | 1u << 28 | 1u << 29; /* ACPI, HT, TM */
		if (machine.model == 0x2a)
			r[2] &= ~(1u << 12 | 1u << 29); /* no FMA, F16C */
		break;
	}
	case 4:
		if (machine.vendor == AMD)
			memset(r, 0, 16);
		else {
			r[0] &= 0x3fff;
			r[0] |= (uint32_t)((1 << cb) - 1) << 26 | (uint32_t)(machine.threads - 1)
									  << 14;
		}
		break;
	case 6:
		if (machine.vendor == AMD) {
			r[0] = 4;
			r[1] = 0;
			r[2] = machine.aperfmperf;
			r[3] = 0;
			break;
		}
		r[0] = 0x1 | (machine.no_turbo ? 0 : 2) | 4 | 0x10 | 0x40 |
		       (machine.have_hwp ? 0xf80 : 0);
		r[1] = 2;
		r[2] = machine.aperfmperf | 8;
		r[3] = 0;
		break;
	case 7:
		if (sub == 0) {
			if (machine.model == 0x2a)
				r[1] = r[2] = r[3] = 0;
			if (!machine.have_avx512) {
				r[1] &= ~0xdc230000u;
				r[2] &= ~0x5842u;
				r[3] &= ~(3u << 2 | 1u << 23);
			}
			r[3] &= ~(1u << 15);
			if (!core_sapphire())
				r[3] &= ~(1u << 23); /* AVX512_FP16 */
			if (!machine.have_amx)
				r[3] &= ~(1u << 22 | 3u << 24);
			if (machine.ecores)
				r[3] |= 1u << 15;
		} else if (sub == 1 && core_sapphire()) { /* AVX_VNNI, AVX512_BF16, FZRM, FSRS,
							     FSRC; AMX_FP16 */
			r[0] &= 1u << 4 | 1u << 5 | 7u << 10 |
				(machine.have_amx && machine.model == 0xad ? 1u << 21 : 0);
			if (!machine.have_avx512)
				r[0] &= ~(1u << 5);
			r[1] = r[2] = r[3] = 0;
		} else
			memset(r, 0, 16);
		break;
	case 0x1d:
	case 0x1e:
		if (!machine.have_amx)
			memset(r, 0, 16);
		break;
	case 0xa:
		if (machine.vendor == AMD) {
			memset(r, 0, 16);
			break;
		}
		r[0] = (core_icelake() ? 5 : 4) | (uint32_t)machine.gp_counters << 8 | 48 << 16 |
		       7 << 24;
		r[1] = 0;
		r[2] = 0;
		r[3] = 3 | 48 << 5 | (core_icelake() ? 1u << 15 : 0); /* AnyThread deprecated */
		break;
	case 0xb:
	case 0x1f:
		if (leaf == 0x1f && !core_icelake()) {
			memset(r, 0, 16);
			break;
		}
		r[0] = sub == 0 ? (uint32_t)tb : sub == 1 ? (uint32_t)(tb + cb) : 0;
		r[1] = sub == 0	  ? (uint32_t)machine.threads
		       : sub == 1 ? (uint32_t)(machine.cores * machine.threads)
				  : 0;
		r[2] = sub | (sub == 0 ? 1u << 8 : sub == 1 ? 2u << 8 : 0);
		r[3] = (uint32_t)cpus[cpu].apicid;
		break;
	case 0x15:
		if (machine.model == 0x2a || machine.vendor == AMD) {
			memset(r, 0, 16);
			break;
		}
		r[0] = 2;
		r[1] = (uint32_t)lround(machine.tsc_mhz * 2 / machine.xtal_mhz);
		r[2] = (uint32_t)(machine.xtal_mhz * 1e6);
		r[3] = 0;
		break;
	case 0x16:
		if (machine.model == 0x2a || machine.vendor == AMD) {
			memset(r, 0, 16);
			break;
		}
		r[0] = (uint32_t)machine.base_mhz;
		r[1] = (uint32_t)(machine.nturbo ? machine.turbo[0] : machine.base_mhz);
		r[2] = (uint32_t)machine.bus_mhz;
		r[3] = 0;
		break;
	case 0x1a:
		memset(r, 0, 16);
		if (machine.ecores)
			r[0] = (cpus[cpu].atom ? 0x20u : 0x40u) << 24 | 1;
		break;
	case 0x40000000:
	case 0x40000001:
		if (!machine.hypervisor)
			memset(r, 0, 16);
		break;
	case 0x80000001:
		r[0] = 0;
		break;
	case 0x80000002:
	case 0x80000003:
	case 0x80000004: {
		char b[48] = { 0 };
		memcpy(b, machine.brand, strlen(machine.brand) < 47 ? strlen(machine.brand) : 47);
		memcpy(r, b + 16 * (leaf - 0x80000002), 16);
		break;
	}
	case 0x80000007:
		r[3] |= 1u << 8;
		if (machine.vendor == AMD)
			r[3] |= 1u << 7 | 1u << 9 | 1u << 10 | 1u << 14;
		break;
	}
}
