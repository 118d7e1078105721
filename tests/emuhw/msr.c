/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Model-specific registers. */
#include "config.h"

#include "msr.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <x86intrin.h>

#include "clock.h"
#include "fault.h"
#include "machine.h"

uint64_t tsc_now(double t)
{
	if (machine.tsc_host)
		return __rdtsc();
	return machine.tsc_base + (uint64_t)(t * machine.tsc_mhz * 1e6);
}

static uint64_t *written(int cpu, uint32_t n, bool make)
{
	struct cpu *c = &cpus[cpu];
	for (int i = 0; i < c->nw; i++)
		if (c->w[i].n == n)
			return &c->w[i].v;
	if (!make)
		return NULL;
	c->w = realloc(c->w, sizeof *c->w * (size_t)(c->nw + 1));
	c->w[c->nw].n = n;
	c->w[c->nw].v = 0;
	return &c->w[c->nw++].v;
}

static uint64_t wr_or(int cpu, uint32_t n, uint64_t dflt)
{
	uint64_t *w = written(cpu, n, false);
	return w ? *w : dflt;
}

static double fixed_q(int cpu, int i, double t)
{
	double q[NQ];
	cpu_q(cpu, t, q);
	return i == 0 ? q[Q_INST] : i == 1 ? q[Q_APERF] : q[Q_C0] * machine.tsc_mhz * 1e6;
}

/* fixed counters run only while enabled in both 0x38D (per counter) and 0x38F (global) */
static void fixed_update(int cpu, double t)
{
	uint64_t ctl = wr_or(cpu, 0x38d, 0), glb = wr_or(cpu, 0x38f, 0);
	for (int i = 0; i < 3; i++) {
		bool en = ((ctl >> (4 * i)) & 3) && (glb >> (32 + i) & 1);
		struct cpu *c = &cpus[cpu];
		if (c->fen[i])
			c->fbase[i] += fixed_q(cpu, i, t) - c->fq0[i];
		c->fq0[i] = fixed_q(cpu, i, t);
		c->fen[i] = en;
	}
}

static uint64_t fixed_read(int cpu, int i, double t)
{
	double v = cpus[cpu].fbase[i];
	if (cpus[cpu].fen[i])
		v += fixed_q(cpu, i, t) - cpus[cpu].fq0[i];
	return (uint64_t)v & ((1ULL << 48) - 1);
}

static unsigned ratio(double mhz)
{
	return (unsigned)lround(mhz / machine.bus_mhz);
}

static uint64_t turbo_pack(double scale)
{
	uint64_t v = 0;
	int last = machine.nturbo ? machine.turbo[machine.nturbo - 1] : (int)machine.base_mhz;
	for (int i = 0; i < 8; i++)
		v |= (uint64_t)(ratio((i < machine.nturbo ? machine.turbo[i] : last) * scale) &
				0xff)
		     << (8 * i);
	return v;
}

static uint64_t therm(double temp, int prochot, int plimit, uint64_t sticky)
{
	int dr = (int)lround(machine.tjmax - temp);
	if (dr < 0)
		dr = 0;
	if (dr > 127)
		dr = 127;
	uint64_t v = (1ULL << 31) | ((uint64_t)dr << 16) | (1ULL << 27);
	if (prochot)
		v |= 3; /* status + log */
	if (plimit)
		v |= 3ULL << 10;
	return v | (sticky & 0xaaa);
}

static uint32_t energy(double joule, double esu)
{
	return (uint32_t)(uint64_t)(joule * exp2(esu));
}

uint64_t aperf_reg(int cpu, double t)
{
	double q[NQ];
	cpu_q(cpu, t, q);
	return wr_or(cpu, 0xe8, 0) + (uint64_t)q[Q_AREG];
}

uint64_t mperf_reg(int cpu, double t)
{
	double q[NQ];
	cpu_q(cpu, t, q);
	return wr_or(cpu, 0xe7, 0) + (uint64_t)(q[Q_MREG] * machine.base_mhz * 1e6) +
	       (uint64_t)cpus[cpu].mjump;
}

#define RET(x)                      \
	do {                        \
		*v = (uint64_t)(x); \
		return 0;           \
	} while (0)

static int amd_msr(int cpu, uint32_t n, double t, uint64_t *v)
{
	double q[NQ], p[NP];
	cpu_q(cpu, t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	const struct cpustate *s = cpu_s(cpu, t);
	switch (n) {
	case 0xc00000e7:
	case 0xe7:
		RET(mperf_reg(cpu, t));
	case 0xc00000e8:
	case 0xe8:
		RET(aperf_reg(cpu, t));
	case 0xc00000e9:
		RET(q[Q_INST]);
	case 0xc0010015:
		RET(0); /* HWCR: CPB enabled */
	case 0xc0010061:
		RET(2 << 4); /* pstate limits: P0..P2 */
	case 0xc0010062:
		RET(0);
	case 0xc0010063:
		RET(s->mhz >= machine.base_mhz ? 0 : 2);
	case 0xc0010064:
		RET(1ULL << 63 | 8 << 8 |
		    (unsigned)(machine.base_mhz * 8 / 200)); /* fid*25 / (did/8) */
	case 0xc0010065:
		RET(1ULL << 63 | 8 << 8 |
		    (unsigned)((machine.base_mhz + machine.min_mhz) / 2 * 8 / 200));
	case 0xc0010066:
		RET(1ULL << 63 | 8 << 8 | (unsigned)(machine.min_mhz * 8 / 200));
	case 0xc0010299:
		if (!machine.have_rapl)
			return EIO;
		RET(0xa0003 | (unsigned)machine.esu << 8);
	case 0xc001029a:
		if (!machine.have_rapl)
			return EIO;
		RET(energy(q[Q_JOULE], machine.esu));
	case 0xc001029b:
		if (!machine.have_rapl)
			return EIO;
		RET(energy(p[P_PKGJ], machine.esu));
	case 0x10:
		RET(tsc_now(t));
	case 0x8b:
		RET(0x0a101144);
	}
	uint64_t *w = written(cpu, n, false);
	if (w)
		RET(*w);
	return EIO;
}

int msr_read(int cpu, uint32_t n, double t, uint64_t *v)
{
	int e = msr_fault(n, cpu);
	if (e)
		return e;
	if (!cpus[cpu].online)
		return ENXIO;
	if (machine.vendor == AMD)
		return amd_msr(cpu, n, t, v);
	double q[NQ], p[NP];
	cpu_q(cpu, t, q);
	pkg_q(cpus[cpu].pkg, t, p);
	const struct cpustate *s = cpu_s(cpu, t);
	const struct pkgstate *k = pkg_s(cpus[cpu].pkg, t);
	/* core-scope residencies are those of the core's first thread */
	int c0 = cpu;
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].pkg == cpus[cpu].pkg && cpus[i].core == cpus[cpu].core) {
			c0 = i;
			break;
		}
	double qc[NQ];
	cpu_q(c0, t, qc);
	double hz = machine.tsc_mhz * 1e6;
	switch (n) {
	case 0x10:
		RET(tsc_now(t));
	case 0x17:
		RET(0);
	case 0x34:
		RET(q[Q_SMI]);
	case 0x35:
		RET((unsigned)(machine.cores << 16 | machine.cores * machine.threads));
	case 0x3a:
		RET(5);
	case 0x8b:
		RET(0x2000065ULL << 32);
	case 0xce:
		RET((uint64_t)ratio(machine.min_mhz) << 40 |
		    (uint64_t)ratio(machine.base_mhz) << 8 | 0x70000000);
	case 0xe2:
		RET(wr_or(cpu, n, 0x8 | 1 << 15));
	case 0xe7:
		RET(mperf_reg(cpu, t));
	case 0xe8:
		RET(aperf_reg(cpu, t));
	case 0x198:
		RET((uint64_t)(s->volt * 8192) << 32 | (uint64_t)ratio(s->mhz) << 8);
	case 0x199:
		RET(wr_or(cpu, n, (uint64_t)ratio(s->mhz) << 8));
	case 0x19a:
		RET(wr_or(cpu, n, 0));
	case 0x19b:
		RET(wr_or(cpu, n, 0));
	case 0x19c:
		RET(therm(s->temp, s->prochot, s->plimit, wr_or(cpu, n, 0)));
	case 0x1a0:
		RET(wr_or(cpu, n, 0x850089 | (machine.no_turbo ? 1ULL << 38 : 0)));
	case 0x1a2:
		RET((uint64_t)machine.tjmax << 16);
	case 0x1a4:
		RET(wr_or(cpu, n, 0));
	case 0x1aa:
		RET(0x400000);
	case 0x1ad:
		RET(machine.have_avx512 && machine.model != 0x2a ? turbo_pack(1) : turbo_pack(1));
	case 0x1ae:
		if (!machine.have_lic)
			return EIO;
		{
			uint64_t x = 0;
			for (int i = 0; i < 8; i++)
				x |= (uint64_t)(machine.cores * (i + 1) / 8
							? machine.cores * (i + 1) / 8
							: 1)
				     << (8 * i);
			RET(x);
		}
	case 0x1b0:
		RET(wr_or(cpu, n, 6));
	case 0x1b1:
		RET(therm(k->temp, k->prochot, k->plimit, wr_or(cpu, n, 0)));
	case 0x1b2:
		RET(wr_or(cpu, n, 0));
	case 0x1fc:
		RET(wr_or(cpu, n, 0x2904005b));
	case 0x309:
	case 0x30a:
	case 0x30b:
		RET(fixed_read(cpu, (int)n - 0x309, t));
	case 0x38d:
	case 0x38e:
	case 0x38f:
	case 0x390:
		RET(wr_or(cpu, n, 0));
	case 0x3f8:
		if (!(machine.pcstates & 2))
			return EIO;
		RET(p[P_PC3] * hz);
	case 0x3f9:
		if (!(machine.pcstates & 4))
			return EIO;
		RET(p[P_PC6] * hz);
	case 0x3fa:
		if (!(machine.pcstates & 8))
			return EIO;
		RET(p[P_PC7] * hz);
	case 0x3fc:
		if (!(machine.cstates & 4))
			return EIO;
		RET(qc[Q_C3] * hz);
	case 0x3fd:
		if (!(machine.cstates & 8))
			return EIO;
		RET(qc[Q_C6] * hz);
	case 0x3fe:
		if (!(machine.cstates & 16))
			return EIO;
		RET(qc[Q_C7] * hz);
	case 0x60d:
		if (!(machine.pcstates & 1))
			return EIO;
		RET(p[P_PC2] * hz);
	case 0x601:
		if (machine.model == 0x2a)
			return EIO;
		RET(wr_or(cpu, n, 0x1200));
	case 0x6b0:
	case 0x6b1:
	case 0x65c:
		if (!machine.have_hwp)
			return EIO;
		RET(wr_or(cpu, n, 0));
	case 0x606:
		if (!machine.have_rapl)
			return EIO;
		RET(0xa0003 | (unsigned)machine.esu << 8);
	case 0x610:
		if (!machine.have_rapl)
			return EIO;
		{
			uint64_t pl = (uint64_t)(machine.tdp * 8) | 1 << 15;
			RET(wr_or(cpu, n,
				  (pl | 0xa << 17) |
					  (uint64_t)((uint64_t)(machine.tdp * 1.2 * 8) | 1 << 15)
						  << 32));
		}
	case 0x611:
		if (!machine.have_rapl)
			return EIO;
		RET(energy(p[P_PKGJ], machine.esu));
	case 0x60a:
	case 0x60b:
	case 0x60c:
	case 0x633:
	case 0x634:
	case 0x635:
		RET(wr_or(cpu, n, 0));
	case 0x613:
		if (!machine.have_rapl)
			return EIO;
		RET(0);
	case 0x614:
		if (!machine.have_rapl)
			return EIO;
		RET((uint64_t)(machine.tdp * 8) | (uint64_t)(machine.tdp * 8 / 2) << 16 |
		    (uint64_t)(machine.tdp * 8 * 2) << 32);
	case 0x618:
		if (!machine.have_dram)
			return EIO;
		RET(0);
	case 0x619:
		if (!machine.have_dram)
			return EIO;
		RET(energy(p[P_DRAMJ], machine.dram_esu > 0 ? machine.dram_esu : machine.esu));
	case 0x61b:
	case 0x61c:
		if (!machine.have_dram)
			return EIO;
		RET(0);
	case 0x638:
	case 0x63a:
		if (!machine.have_pp0 || !machine.have_rapl)
			return EIO;
		RET(0);
	case 0x639:
		if (!machine.have_pp0 || !machine.have_rapl)
			return EIO;
		RET(energy(p[P_PP0J], machine.esu)); /* no PP0 on servers */
	case 0x640:
	case 0x642:
		if (!machine.have_pp1)
			return EIO;
		RET(0);
	case 0x641:
		if (!machine.have_pp1)
			return EIO;
		RET(energy(p[P_PP1J], machine.esu));
	case 0x620:
		if (!machine.have_dram)
			return EIO;
		RET(24 | 12 << 8);
	case 0x621:
		if (!machine.have_dram)
			return EIO;
		RET((unsigned)ratio(k->unc_mhz));
	case 0x64d:
		if (machine.model == 0x2a)
			return EIO;
		RET(t * machine.xtal_mhz * 1e6);
	case 0x64e:
		if (!machine.have_hwp)
			return EIO;
		RET(q[Q_APERF] * .95);
	case 0x64f:
	case 0x690:
		if (machine.model == 0x2a)
			return EIO;
		RET((s->prochot ? 0x10001 : 0) | (s->plimit ? 0xc000c00 : 0) |
		    (s->thr > 0 ? 0x20002000 : 0));
	case 0x770:
		if (!machine.have_hwp)
			return EIO;
		RET(wr_or(cpu, n, 1));
	case 0x771:
		if (!machine.have_hwp)
			return EIO;
		RET((unsigned)(machine.nturbo ? ratio(machine.turbo[0]) : ratio(machine.base_mhz)) |
		    ratio(machine.base_mhz) << 8 | ratio(machine.min_mhz) << 16 |
		    ratio(machine.min_mhz) << 24);
	case 0x774:
		if (!machine.have_hwp)
			return EIO;
		RET(wr_or(cpu, n,
			  0x80000000 | ratio(machine.turbo[0]) << 8 | ratio(machine.min_mhz)));
	case 0x772:
	case 0x773:
	case 0x775:
	case 0x777:
		if (!machine.have_hwp)
			return EIO;
		RET(wr_or(cpu, n, 0));
	case 0x648:
	case 0x649:
	case 0x64a:
	case 0x64b:
	case 0x64c:
		if (machine.model == 0x2a)
			return EIO;
		RET(n == 0x648 ? ratio(machine.base_mhz) : 0);
	}
	uint64_t *w = written(cpu, n, false);
	if (w)
		RET(*w);
	return EIO;
}

static void put(int cpu, uint32_t n, uint64_t v, double t)
{
	switch (n) {
	case 0x309:
	case 0x30a:
	case 0x30b:
		fixed_update(cpu, t);
		cpus[cpu].fbase[n - 0x309] = (double)v;
		return;
	case 0xe7:
		*written(cpu, n, true) += v - mperf_reg(cpu, t);
		return;
	case 0xe8:
		*written(cpu, n, true) += v - aperf_reg(cpu, t);
		return;
	}
	*written(cpu, n, true) = v;
	if (n == 0x38d || n == 0x38f)
		fixed_update(cpu, t);
}

void msr_pin(int cpu, uint32_t n, uint64_t v, double t)
{
	put(cpu, n, v, t);
}

int msr_write(int cpu, uint32_t n, uint64_t v, double t)
{
	static const uint32_t read_only[] = { 0xce, 0x606, 0x611, 0x614, 0x619, 0x639 };
	uint64_t old;

	if (!cpus[cpu].online)
		return ENXIO;
	if (machine.lockdown >= LOCKDOWN_INTEGRITY)
		return EPERM; /* LOCKDOWN_MSR: reading stays possible */
	if (msr_read(cpu, n, t, &old))
		return EIO;
	for (size_t i = 0; i < sizeof(read_only) / sizeof(*read_only); i++)
		if (n == read_only[i])
			return EIO; /* #GP */
	put(cpu, n, v, t);
	return 0;
}
