/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a performance event counts, by its type and configuration. */
#include "config.h"

#include "event.h"

#include <linux/perf_event.h>

#include "leaf.h"
#include "machine.h"

bool ev_anythread(uint64_t cfg)
{
	return (cfg & ANYTHREAD) != 0 && machine.vendor == INTEL && machine.model == 0x55;
}

static double lic_q(uint64_t cfg, int level, int cpu, double t)
{
	double q[NQ], k[NK];
	if (!machine.have_lic)
		return NOEV;
	if (machine.lic_zero)
		return 0;
	core_q(cpu, t, k);
	if (machine.lic_scope == LIC_CORE || ev_anythread(cfg))
		return k[K_L0 + level];
	if (machine.lic_scope == LIC_HALTED_STOPS)
		return k[K_H0 + level];
	cpu_q(cpu, t, q);
	return q[Q_L0 + level];
}

/* cumulative event count for (type, config) on a CPU, or NOEV */
double ev_q(uint32_t type, uint64_t cfg, int cpu, double t)
{
	double q[NQ], p[NP];
	cpu_q(cpu, t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	double tsc = machine.tsc_mhz * 1e6, ref = q[Q_C0] * tsc;
	bool intel = machine.vendor == INTEL;
	switch (type) {
	case PERF_TYPE_HARDWARE:
		if (cfg >> 32 && cfg >> 32 != (cpus[cpu].atom ? T_ATOM : PERF_TYPE_RAW))
			return NOEV; /* extended type: names the PMU */
		switch (cfg & 0xffffffff) {
		case 0:
			return q[Q_APERF];
		case 1:
			return q[Q_INST];
		case 2:
			return q[Q_INST] * .01;
		case 3:
			return q[Q_INST] * .001;
		case 4:
			return q[Q_INST] * .2;
		case 5:
			return q[Q_INST] * .002;
		case 6:
			return q[Q_C0] * 25e6;
		case 9:
			return intel ? ref : NOEV;
		}
		return NOEV;
	case PERF_TYPE_SOFTWARE:
		switch (cfg) {
		case 0:
		case 1:
			return t * 1e9;
		case 3:
			return q[Q_CSW];
		case 2:
		case 4:
		case 5:
		case 6:
		case 9:
			return 0;
		}
		return NOEV;
	case PERF_TYPE_HW_CACHE:
		return (cfg & 0xff) <= 1 || (cfg & 0xff) == 2 ? q[Q_INST] * (cfg >> 16 ? .001 : .3)
							      : NOEV;
	case T_ATOM:
	case PERF_TYPE_RAW:
		if ((type == T_ATOM) != cpus[cpu].atom)
			return NOEV; /* the other kind of core */
		if (!intel) {
			switch (cfg & 0xffff) {
			case 0x76:
				return q[Q_APERF];
			case 0xc0:
				return q[Q_INST];
			}
			return NOEV;
		}
		if (cfg & (1ULL << 18 | 1ULL << 23) || cfg >> 24 > 0xff)
			return 0; /* edge/inv/cmask: counted as 0 */
		double k[NK];
		core_q(cpu, t, k);
		switch (cfg & 0xffff) {
		case 0x003c:
			return ev_anythread(cfg) ? k[K_CYC] : q[Q_APERF];
		case 0x00c0:
			return q[Q_INST];
		case 0x0300:
			return ev_anythread(cfg) ? k[K_C0] * tsc : ref;
		case 0x013c:
			return (ev_anythread(cfg) ? k[K_C0] : q[Q_C0]) * 25e6;
		case 0x02ec:
			return core_icelake() ? k[K_DIST] : 0;
		case 0x083c:
			return core_icelake() ? k[K_RDIST] * machine.xtal_mhz * 1e6 : 0;
		case 0x0728:
			return lic_q(cfg, 0, cpu, t);
		case 0x1828:
			return lic_q(cfg, 1, cpu, t);
		case 0x2028:
			return lic_q(cfg, 2, cpu, t);
		case 0x4028:
			return lic_q(cfg, 3, cpu, t);
		case 0x02b7:
			return machine.have_amx ? q[Q_AMX] : 0;
		case 0x04c7:
		case 0x08c7:
			return q[Q_FP128];
		case 0x10c7:
		case 0x20c7:
			return q[Q_FP256] / 2;
		case 0x40c7:
		case 0x80c7:
			return machine.have_avx512 ? q[Q_FP512] / 2 : 0;
		}
		return 0; /* the PMU counts nothing for an undefined code */
	case T_MSR:
		switch (cfg) {
		case 0:
			return t * tsc;
		case 1:
			return q[Q_AREG];
		case 2:
			return q[Q_MREG] * machine.base_mhz * 1e6 + (double)cpus[cpu].mjump;
		case 3:
			return intel && machine.have_hwp ? q[Q_APERF] * .95 : NOEV;
		case 4:
			return intel ? q[Q_SMI] : NOEV;
		case 5:
			return intel ? NOEV : q[Q_INST];
		}
		return NOEV;
	case T_CCORE:
		switch (cfg) {
		case 1:
			return machine.cstates & 4 ? q[Q_C3] * tsc : NOEV;
		case 2:
			return machine.cstates & 8 ? q[Q_C6] * tsc : NOEV;
		case 3:
			return machine.cstates & 16 ? q[Q_C7] * tsc : NOEV;
		}
		return NOEV;
	case T_CPKG:
		switch (cfg) {
		case 0:
			return machine.pcstates & 1 ? p[P_PC2] * tsc : NOEV;
		case 1:
			return machine.pcstates & 2 ? p[P_PC3] * tsc : NOEV;
		case 2:
			return machine.pcstates & 4 ? p[P_PC6] * tsc : NOEV;
		case 3:
			return machine.pcstates & 8 ? p[P_PC7] * tsc : NOEV;
		}
		return NOEV;
	case T_POWER:
		if (!machine.have_rapl)
			return NOEV;
		switch (cfg) {
		case 1:
			return !machine.have_pp0 ? NOEV : p[P_PP0J] * 4294967296.;
		case 2:
			return p[P_PKGJ] * 4294967296.;
		case 3:
			return machine.have_dram ? p[P_DRAMJ] * 4294967296. : NOEV;
		case 4:
			return machine.have_pp1 ? p[P_PP1J] * 4294967296. : NOEV;
		}
		return NOEV;
	case T_UNC:
		return cfg == 0 && machine.have_dram ? p[P_UNC] : NOEV;
	}
	return NOEV;
}

bool ev_is_fixed(uint32_t type, uint64_t cfg)
{
	if (type == PERF_TYPE_RAW)
		cfg &= ~ANYTHREAD;
	return machine.vendor == INTEL &&
	       ((type == 0 && (cfg == 0 || cfg == 1 || cfg == 9)) ||
		(type == PERF_TYPE_RAW && (cfg == 0x3c || cfg == 0xc0 || cfg == 0x300)));
}

bool ev_is_counting_only(uint32_t type)
{
	return type >= T_MSR && type <= T_UNC;
}
