/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers of Intel's CPUs: the SDM's layouts, and what turbostat 6.12 and dumps of InstLatx64 say
 * of which model has which. */
#include "config.h"

#include "register.h"

#include <math.h>

#include "leaf.h"
#include "machine.h"
#include "msr.h"

static unsigned ratio(double mhz)
{
	return (unsigned)lround(mhz / machine.bus_mhz);
}

static bool old(void) /* Sandy Bridge */
{
	return machine.model == 0x2a;
}

/* Where the value is Q seconds, it counts at the TSC's rate. */
static uint64_t ticks(double seconds)
{
	return (uint64_t)(seconds * machine.tsc_mhz * 1e6);
}

static bool clock_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	const struct cpustate *s = cpu_s(cpu, t);
	double q[NQ];

	cpu_q(cpu, t, q);
	switch (n) {
	case 0x10:
		*v = tsc_now(t);
		return true;
	case 0x34:
		*v = (uint64_t)q[Q_SMI];
		return true;
	case 0xce:
		*v = (uint64_t)ratio(machine.min_mhz) << 40 |
		     (uint64_t)ratio(machine.base_mhz) << 8 | 0x70000000;
		return true;
	case 0xe7:
		*v = mperf_reg(cpu, t);
		return machine.aperfmperf;
	case 0xe8:
		*v = aperf_reg(cpu, t);
		return machine.aperfmperf;
	case 0x198:
		*v = (uint64_t)lround(s->volt * 8192) << 32 | (uint64_t)ratio(s->mhz) << 8;
		return true;
	case 0x199:
		*v = (uint64_t)ratio(s->mhz) << 8;
		return true;
	case 0x1a0:
		*v = 0x850089 | (machine.no_turbo ? 1ULL << 38 : 0);
		return true;
	case 0x309:
	case 0x30a:
	case 0x30b:
		*v = fixed_read(cpu, (int)n - 0x309, t);
		return true;
	case 0x64e:
		*v = (uint64_t)(q[Q_APERF] * .95);
		return machine.have_hwp;
	}
	return false;
}

/* Ratios for FIRST and more active cores, a byte each. */
static uint64_t turbo_bytes(int first)
{
	int last = machine.nturbo ? machine.turbo[machine.nturbo - 1] : (int)machine.base_mhz;
	uint64_t v = 0;

	for (int i = 0; i < 8; i++) {
		int mhz = first + i < machine.nturbo ? machine.turbo[first + i] : last;

		v |= (uint64_t)(ratio(mhz) & 0xff) << (8 * i);
	}
	return v;
}

/* The groups have the same number of cores each, as near as can be. */
static uint64_t group_counts(void)
{
	uint64_t v = 0;

	for (int i = 0; i < 8; i++) {
		int count = machine.cores * (i + 1) / 8;

		v |= (uint64_t)((count ? count : 1) & 0xff) << (8 * i);
	}
	return v;
}

/* Three forms: ratios by active cores (clients, Haswell-EP with more registers), and ratios of
 * groups with their core counts (Skylake-SP and later). Hybrid clients show counts, too: 1 to 8. */
static bool turbo_register(uint32_t n, uint64_t *v)
{
	bool haswell = machine.model == 0x3f;

	switch (n) {
	case 0x1ad:
		*v = turbo_bytes(0);
		return true;
	case 0x1ae:
		*v = haswell	      ? turbo_bytes(8)
		     : machine.ecores ? 0x0807060504030201
				      : group_counts();
		return haswell || machine.ecores || machine.model == 0x55 || core_icelake();
	case 0x1af:
		*v = turbo_bytes(16) & 0xffff;
		return haswell;
	case 0x650:
		*v = ratio(machine.emax_mhz) * 0x0101010101010101;
		return machine.ecores > 0;
	case 0x648:
		*v = ratio(machine.base_mhz);
		return !old();
	case 0x649:
	case 0x64a:
	case 0x64b:
	case 0x64c:
		*v = 0;
		return !old();
	}
	return false;
}

/* PROCHOT is the CPU's own heat here: both bits and their logs, as a hot CPU drives the signal. */
static uint64_t therm(double temp, int prochot, int plimit, uint64_t sticky)
{
	long margin = lround(machine.tjmax - temp);
	uint64_t v = 1ULL << 31 | 1ULL << 27;

	v |= (uint64_t)(margin < 0 ? 0 : margin > 127 ? 127 : margin) << 16;
	if (prochot)
		v |= 0xf;
	if (plimit)
		v |= 3ULL << 10;
	return v | (sticky & 0xaaa);
}

/* PROCHOT, and PL1 and PL2, each with its log; more than the turbo limits where licenses throttle.
 */
static uint64_t limit_reasons(const struct cpustate *s, const struct pkgstate *k)
{
	return (s->prochot || k->prochot ? 0x10001ULL : 0) |
	       (s->plimit || k->plimit ? 0x0c000c00ULL : 0) | (s->thr > 0 ? 0x20002000ULL : 0);
}

static bool thermal_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	const struct cpustate *s = cpu_s(cpu, t);
	const struct pkgstate *k = pkg_s(cpus[cpu].pkg, t);

	switch (n) {
	case 0x19c:
		*v = therm(s->temp, s->prochot, s->plimit, wr_or(cpu, n, 0));
		return true;
	case 0x1a2: /* Tcontrol is 10 degrees below */
		*v = (uint64_t)machine.tcc_offset << 24 | (uint64_t)machine.tjmax << 16 | 10 << 8;
		return true;
	case 0x1b1:
		*v = therm(k->temp, k->prochot, k->plimit, wr_or(cpu, n, 0));
		return true;
	case 0x64f:
		*v = limit_reasons(s, k);
		return !old() && machine.model != 0x3f;
	case 0x690: /* dumps: 0 from Skylake-SP to Ice Lake-SP, none later */
		*v = machine.model == 0x3f ? limit_reasons(s, k) : 0;
		return machine.model == 0x3f || machine.model == 0x55 || machine.model == 0x6a;
	}
	return false;
}

static bool idle_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	/* of the core: those of its first thread */
	static const struct {
		uint32_t n;
		int state, q;
	} cores[] = { { 0x3fc, 4, Q_C3 }, { 0x3fd, 8, Q_C6 }, { 0x3fe, 16, Q_C7 } },
	  of_package[] = { { 0x60d, 1, P_PC2 },	 { 0x3f8, 2, P_PC3 },  { 0x3f9, 4, P_PC6 },
			   { 0x3fa, 8, P_PC7 },	 { 0x630, 16, P_PC8 }, { 0x631, 32, P_PC9 },
			   { 0x632, 64, P_PC10 } };
	double q[NQ], p[NP];

	cpu_q(core_thread(cpu), t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	if (n == 0x660) {
		*v = ticks(q[Q_C1] + q[Q_C1E]);
		return machine.have_c1_res;
	}
	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++)
		if (cores[i].n == n) {
			*v = ticks(q[cores[i].q]);
			return machine.cstates & cores[i].state;
		}
	for (size_t i = 0; i < sizeof(of_package) / sizeof(*of_package); i++)
		if (of_package[i].n == n) {
			*v = ticks(p[of_package[i].q]);
			return machine.pcstates & of_package[i].state;
		}
	return false;
}

static bool energy_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	double p[NP];

	pkg_q(cpus[cpu].pkg, t, p);
	switch (n) {
	case 0x611:
		*v = (uint32_t)energy_count(p[P_PKGJ], machine.esu);
		return machine.have_rapl;
	case 0x619:
		*v = (uint32_t)energy_count(p[P_DRAMJ],
					    machine.dram_esu > 0 ? machine.dram_esu : machine.esu);
		return machine.have_rapl && machine.have_dram;
	case 0x639: /* servers have it and count nothing */
		*v = machine.have_pp0 ? (uint32_t)energy_count(p[P_PP0J], machine.esu) : 0;
		return machine.have_rapl;
	case 0x641:
		*v = (uint32_t)energy_count(p[P_PP1J], machine.esu);
		return machine.have_rapl && machine.have_pp1;
	case 0x613: /* in units of 1/1024 s */
		*v = (uint32_t)(p[P_PTHR] * 1024);
		return machine.have_rapl && !old();
	}
	return false;
}

static bool power_register(uint32_t n, uint64_t *v)
{
	uint64_t pl1 = (uint64_t)(machine.tdp * 8) | 1 << 15 | 0xa << 17;
	uint64_t pl2 = (uint64_t)(machine.tdp * 1.2 * 8) | 1 << 15;

	switch (n) {
	case 0x606:
		*v = power_units();
		return machine.have_rapl;
	case 0x610:
		*v = pl1 | pl2 << 32;
		return machine.have_rapl;
	case 0x614:
		*v = (uint64_t)(machine.tdp * 8) | (uint64_t)(machine.tdp * 8 / 2) << 16 |
		     (uint64_t)(machine.tdp * 8 * 2) << 32;
		return machine.have_rapl;
	case 0x618:
	case 0x61b:
	case 0x61c:
		*v = 0;
		return machine.have_rapl && machine.have_dram;
	case 0x638:
	case 0x63a:
		*v = 0;
		return machine.have_rapl && machine.have_pp0;
	case 0x640:
	case 0x642:
		*v = 0;
		return machine.have_rapl && machine.have_pp1;
	case 0x601:
		*v = 0x1200;
		return !old();
	}
	return false;
}

/* Granite Rapids has these registers and says 0: its uncore is told of by TPMI. */
static bool uncore_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	bool tpmi = machine.model == 0xad;

	switch (n) {
	case 0x620:
		*v = tpmi ? 0 : 24 | 12 << 8;
		return !old();
	case 0x621: /* Ice Lake-SP and later: its voltage above */
		*v = tpmi ? 0 : ratio(pkg_s(cpus[cpu].pkg, t)->unc_mhz);
		if (core_icelake() && !tpmi)
			*v |= (uint64_t)(1.05 * 8192) << 16;
		return !old();
	}
	return false;
}

static bool hwp_register(uint32_t n, uint64_t *v)
{
	unsigned most = ratio(machine.nturbo ? machine.turbo[0] : machine.base_mhz);
	unsigned least = ratio(machine.min_mhz);

	switch (n) {
	case 0x770:
		*v = 1;
		return machine.have_hwp;
	case 0x771:
		*v = most | ratio(machine.base_mhz) << 8 | least << 16 | least << 24;
		return machine.have_hwp;
	case 0x774:
		*v = 0x80000000ULL | most << 8 | least;
		return machine.have_hwp;
	case 0x772:
	case 0x773:
	case 0x775:
	case 0x777:
	case 0x65c:
	case 0x6b1:
		*v = 0;
		return machine.have_hwp;
	case 0x6b0: /* no graphics in servers */
		*v = 0;
		return machine.have_pp1 && !old();
	}
	return false;
}

/* What other tools read at their start. */
static bool plain_register(uint32_t n, uint64_t *v)
{
	static const struct {
		uint32_t n;
		uint64_t v;
	} plain[] = {
		{ 0x17, 0 },
		{ 0x3a, 5 },
		{ 0x8b, 0x2000065ULL << 32 },
		{ 0xe2, 0x8 | 1 << 15 },
		{ 0x19a, 0 },
		{ 0x19b, 0 },
		{ 0x1a4, 0 },
		{ 0x1aa, 0x400000 },
		{ 0x1b0, 6 },
		{ 0x1b2, 0 },
		{ 0x1fc, 0x2904005b },
		{ 0x38d, 0 },
		{ 0x38e, 0 },
		{ 0x38f, 0 },
		{ 0x390, 0 },
		{ 0x60a, 0 },
		{ 0x60b, 0 },
		{ 0x60c, 0 },
		{ 0x633, 0 },
		{ 0x634, 0 },
		{ 0x635, 0 },
	};

	if (n == 0x35) {
		*v = (unsigned)(machine.cores << 16 | machine.cores * machine.threads);
		return true;
	}
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		if (plain[i].n == n) {
			*v = plain[i].v;
			return true;
		}
	return false;
}

bool intel_register(int cpu, uint32_t n, double t, uint64_t *v)
{
	return clock_register(cpu, n, t, v) || turbo_register(n, v) ||
	       thermal_register(cpu, n, t, v) || idle_register(cpu, n, t, v) ||
	       energy_register(cpu, n, t, v) || power_register(n, v) ||
	       uncore_register(cpu, n, t, v) || hwp_register(n, v) || plain_register(n, v);
}
