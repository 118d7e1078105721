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
#include "register.h"

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

uint64_t wr_or(int cpu, uint32_t n, uint64_t dflt)
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

uint64_t fixed_read(int cpu, int i, double t)
{
	double v = cpus[cpu].fbase[i];
	if (cpus[cpu].fen[i])
		v += fixed_q(cpu, i, t) - cpus[cpu].fq0[i];
	return (uint64_t)v & ((1ULL << 48) - 1);
}

uint64_t energy_count(double joule, double esu)
{
	return (uint64_t)(joule * exp2(esu)) + machine.energy_base;
}

uint64_t power_units(void)
{
	return 0xa0003 | (uint64_t)machine.esu << 8;
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

int msr_read(int cpu, uint32_t n, double t, uint64_t *v)
{
	int e = msr_fault(n, cpu);
	uint64_t *w;

	if (e)
		return e;
	if (!cpus[cpu].online)
		return ENXIO;
	if (machine.zeros) { /* a hypervisor that answers for what it does not know */
		*v = 0;
		return 0;
	}
	w = written(cpu, n, false);
	/* These count on from what was written; any other register is what was. */
	if (w && n != 0xe7 && n != 0xe8 && (n < 0x309 || n > 0x30b) && n != 0x19c && n != 0x1b1) {
		*v = *w;
		return 0;
	}
	if (machine.vendor == AMD ? amd_register(cpu, n, t, v) : intel_register(cpu, n, t, v))
		return 0;
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
