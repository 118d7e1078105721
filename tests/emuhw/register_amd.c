/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of AMD's Zen (CoreFreq 5c04f2a and dumps of InstLatx64 for layouts). */
#include "config.h"

#include "register.h"

#include "machine.h"
#include "msr.h"

/* FID and DID of a clock, of Zen 1 to 4: FID / DID * 200 MHz. */
static uint64_t pstate(double mhz)
{
	return 8 << 8 | (unsigned)(mhz * 8 / 200);
}

static bool clock_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	const uint64_t enabled = 1ULL << 63;
	double q[NQ];

	cpu_q(cpu, t, q);
	switch (n) {
	case 0x10:
		*v = tsc_now(t);
		return true;
	case 0xc00000e7:
	case 0xe7:
		*v = mperf_reg(cpu, t);
		return machine.aperfmperf;
	case 0xc00000e8:
	case 0xe8:
		*v = aperf_reg(cpu, t);
		return machine.aperfmperf;
	case 0xc00000e9:
		*v = (uint64_t)q[Q_INST];
		return true;
	case 0xc0010064:
		*v = enabled | pstate(machine.base_mhz);
		return true;
	case 0xc0010065:
		*v = enabled | pstate((machine.base_mhz + machine.min_mhz) / 2);
		return true;
	case 0xc0010066:
		*v = enabled | pstate(machine.min_mhz);
		return true;
	case 0xc0010293: /* VID 0x48: 1.1 V */
		*v = 0x48ULL << 14 | pstate(cpu_s(cpu, t)->mhz);
		return true;
	}
	return false;
}

/* Package energy has bits above the 32 that count, as a dump of a 9654 shows: Linux masks them. */
static bool power_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	double q[NQ], p[NP];

	cpu_q(cpu, t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	switch (n) {
	case 0xc0010299:
		*v = power_units();
		return machine.have_rapl;
	case 0xc001029a:
		*v = (uint32_t)energy_count(q[Q_JOULE], machine.esu);
		return machine.have_rapl;
	case 0xc001029b:
		*v = 0xb00000000ULL + energy_count(p[P_PKGJ], machine.esu);
		return machine.have_rapl;
	}
	return false;
}

bool amd_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	switch (n) {
	case 0x8b:
		*v = 0x0a101144;
		return true;
	case 0xc0010015: /* HWCR: IrPerfEn, CpbDis */
		*v = 1ULL << 30 | (machine.no_turbo ? 1ULL << 25 : 0);
		return true;
	case 0xc0010061: /* limits: P0 to P2 */
		*v = 2 << 4;
		return true;
	case 0xc0010062:
		*v = 0;
		return true;
	case 0xc0010063:
		*v = cpu_s(cpu, t)->mhz >= machine.base_mhz ? 0 : 2;
		return true;
	}
	return clock_register(cpu, n, t, v) || power_register(cpu, n, t, v);
}
