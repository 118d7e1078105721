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
	if (!machine.have_lic || machine.lic_zero)
		return 0; /* the kernel takes any raw code */
	core_q(cpu, t, k);
	if (machine.lic_scope == LIC_CORE || ev_anythread(cfg))
		return k[K_L0 + level];
	if (machine.lic_scope == LIC_HALTED_STOPS)
		return k[K_H0 + level];
	cpu_q(cpu, t, q);
	return q[Q_L0 + level];
}

/* Core cycles, all or those in user mode. */
static double cycles(const double *q, enum ev_mode mode)
{
	return mode == EV_ALL	 ? q[Q_APERF]
	       : mode == EV_USER ? q[Q_UAPERF]
				 : q[Q_APERF] - q[Q_UAPERF];
}

/* What is counted evenly over the time that is not halted. */
static double spread(double all, const double *q, enum ev_mode mode)
{
	double user = q[Q_C0] > 0 ? q[Q_USER] / q[Q_C0] : 0;

	return all * (mode == EV_ALL ? 1 : mode == EV_USER ? user : 1 - user);
}

static double hardware_q(uint64_t cfg, int cpu, const double *q, enum ev_mode mode)
{
	bool intel = machine.vendor == INTEL;

	if (cfg >> 32 && cfg >> 32 != (cpus[cpu].atom ? T_ATOM : PERF_TYPE_RAW))
		return NOEV; /* extended type: names the PMU */
	switch (cfg & 0xffffffff) {
	case 0:
		return cycles(q, mode);
	case 1:
		return spread(q[Q_INST], q, mode);
	case 2:
		return spread(q[Q_INST] * .01, q, mode);
	case 3:
		return spread(q[Q_INST] * .001, q, mode);
	case 4:
		return spread(q[Q_INST] * .2, q, mode);
	case 5:
		return spread(q[Q_INST] * .002, q, mode);
	case 6:
		return spread(q[Q_C0] * 25e6, q, mode);
	case 9:
		return intel ? spread(q[Q_C0] * machine.tsc_mhz * 1e6, q, mode) : NOEV;
	}
	return NOEV;
}

static double software_q(uint64_t cfg, const double *q, double t)
{
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
}

/* FP_ARITH_INST_RETIRED: a bit of the mask for each width and precision, half of it each. */
static double fp_arith(unsigned umask, const double *q)
{
	double sum = 0;

	sum += q[Q_FP128] * (!!(umask & 0x04) + !!(umask & 0x08));
	sum += q[Q_FP256] / 2 * (!!(umask & 0x10) + !!(umask & 0x20));
	if (machine.have_avx512)
		sum += q[Q_FP512] / 2 * (!!(umask & 0x40) + !!(umask & 0x80));
	return sum;
}

static double intel_raw_q(uint64_t cfg, int cpu, double t, const double *q, enum ev_mode mode)
{
	double tsc = machine.tsc_mhz * 1e6, k[NK];
	unsigned umask = cfg >> 8 & 0xff;

	if (cfg & (1ULL << 18 | 1ULL << 23) || cfg >> 24 > 0xff)
		return 0; /* edge/inv/cmask: counted as 0 */
	core_q(cpu, t, k);
	switch (cfg & 0xffff) {
	case 0x003c:
		return ev_anythread(cfg) ? k[K_CYC] : cycles(q, mode);
	case 0x00c0:
		return spread(q[Q_INST], q, mode);
	case 0x0300:
		return ev_anythread(cfg) ? k[K_C0] * tsc : spread(q[Q_C0] * tsc, q, mode);
	case 0x013c:
		return spread((ev_anythread(cfg) ? k[K_C0] : q[Q_C0]) * 25e6, q, mode);
	case 0x02ec:
		return core_icelake() ? k[K_DIST] : 0;
	case 0x083c:
		return core_icelake() ? k[K_RDIST] * machine.xtal_mhz * 1e6 : 0;
	case 0x0728:
		return spread(lic_q(cfg, 0, cpu, t), q, mode);
	case 0x1828:
		return spread(lic_q(cfg, 1, cpu, t), q, mode);
	case 0x2028:
		return spread(lic_q(cfg, 2, cpu, t), q, mode);
	case 0x4028:
		return spread(lic_q(cfg, 3, cpu, t), q, mode);
	case 0x02b7:
		return machine.have_amx ? spread(q[Q_AMX], q, mode) : 0;
	}
	if ((cfg & 0xff) == 0xc7)
		return spread(fp_arith(umask, q), q, mode);
	return 0; /* the PMU counts nothing for an undefined code */
}

/* An E-core has other events: 0x28 are prefetches there. */
static double atom_raw_q(uint64_t cfg, const double *q, enum ev_mode mode)
{
	switch (cfg & 0xffff) {
	case 0x003c:
		return cycles(q, mode);
	case 0x0300:
		return spread(q[Q_C0] * machine.tsc_mhz * 1e6, q, mode);
	case 0x00c0:
		return spread(q[Q_INST], q, mode);
	}
	return (cfg & 0xff) == 0x28 ? spread(q[Q_INST] * .1, q, mode) : 0;
}

/* PMCx008 (packed operations by width), 076, 0C0 and 120 of the PPRs; instructions of FP here. */
static double amd_raw_q(uint64_t cfg, const double *q, enum ev_mode mode)
{
	switch (cfg & 0xf0000ffff) {
	case 0x76:
		return cycles(q, mode);
	case 0xc0:
		return spread(q[Q_INST], q, mode);
	case 0x100000120:
		return spread(q[Q_C0] * machine.base_mhz * 1e6, q, mode);
	case 0x1008:
		return spread(q[Q_FP256], q, mode);
	case 0x2008:
		return machine.have_avx512 ? spread(q[Q_FP512], q, mode) : 0;
	}
	return 0;
}

static double raw_q(uint32_t type, uint64_t cfg, int cpu, double t, const double *q,
		    enum ev_mode mode)
{
	if ((type == T_ATOM) != cpus[cpu].atom)
		return NOEV; /* the other kind of core */
	if (machine.vendor == AMD)
		return amd_raw_q(cfg, q, mode);
	return cpus[cpu].atom ? atom_raw_q(cfg, q, mode) : intel_raw_q(cfg, cpu, t, q, mode);
}

static double msr_q(uint64_t cfg, int cpu, double t, const double *q)
{
	bool intel = machine.vendor == INTEL;

	switch (cfg) {
	case 0:
		return t * machine.tsc_mhz * 1e6;
	case 1:
		return machine.aperfmperf ? q[Q_AREG] : NOEV;
	case 2:
		return machine.aperfmperf
			       ? q[Q_MREG] * machine.base_mhz * 1e6 + (double)cpus[cpu].mjump
			       : NOEV;
	case 3:
		return intel && machine.have_hwp ? q[Q_APERF] * .95 : NOEV;
	case 4:
		return intel ? q[Q_SMI] : NOEV;
	case 6:
		return intel ? NOEV : q[Q_INST];
	}
	return NOEV;
}

/* Of the core: counted by its first thread, whichever was asked for. */
static double core_state_q(uint64_t cfg, int cpu, double t)
{
	static const int states[] = { 0, 4, 8, 16 }, of[] = { 0, Q_C3, Q_C6, Q_C7 };
	double q[NQ], tsc = machine.tsc_mhz * 1e6;

	cpu_q(core_thread(cpu), t, q);
	if (cfg == 0)
		return machine.have_c1_res ? (q[Q_C1] + q[Q_C1E]) * tsc : NOEV;
	return cfg <= 3 && machine.cstates & states[cfg] ? q[of[cfg]] * tsc : NOEV;
}

static double package_state_q(uint64_t cfg, const double *p)
{
	static const int of[] = { P_PC2, P_PC3, P_PC6, P_PC7, P_PC8, P_PC9, P_PC10 };

	return cfg <= 6 && machine.pcstates >> cfg & 1 ? p[of[cfg]] * machine.tsc_mhz * 1e6 : NOEV;
}

static double power_q(uint64_t cfg, const double *p)
{
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
}

double ev_q(uint32_t type, uint64_t cfg, int cpu, double t, enum ev_mode mode)
{
	double q[NQ], p[NP];

	cpu_q(cpu, t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	switch (type) {
	case PERF_TYPE_HARDWARE:
		return hardware_q(cfg, cpu, q, mode);
	case PERF_TYPE_SOFTWARE:
		return software_q(cfg, q, t);
	case PERF_TYPE_HW_CACHE:
		return (cfg & 0xff) <= 2 ? spread(q[Q_INST] * (cfg >> 16 ? .001 : .3), q, mode)
					 : NOEV;
	case T_ATOM:
	case PERF_TYPE_RAW:
		return raw_q(type, cfg, cpu, t, q, mode);
	case T_MSR:
		return msr_q(cfg, cpu, t, q);
	case T_CCORE:
		return ev_has_cstates() ? core_state_q(cfg, cpu, t) : NOEV;
	case T_CPKG:
		return ev_has_cstates() ? package_state_q(cfg, p) : NOEV;
	case T_POWER:
		return power_q(cfg, p);
	case T_UNC:
		return cfg == 0 && machine.have_dram ? p[P_UNC] : NOEV;
	}
	return NOEV;
}

bool ev_has_cstates(void)
{
	return machine.vendor == INTEL && !machine.hypervisor;
}

bool ev_is_fixed(uint32_t type, uint64_t cfg)
{
	if (machine.vendor == AMD)
		return false;
	if (type == PERF_TYPE_HARDWARE) {
		cfg &= 0xffffffff; /* less the PMU of a hybrid machine */
		return cfg == 0 || cfg == 1 || cfg == 9;
	}
	if (type == PERF_TYPE_RAW)
		cfg &= ~ANYTHREAD;
	return (type == PERF_TYPE_RAW || type == T_ATOM) &&
	       (cfg == 0x3c || cfg == 0xc0 || cfg == 0x300);
}

bool ev_is_counting_only(uint32_t type)
{
	return type >= T_MSR && type <= T_UNC;
}
