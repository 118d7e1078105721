/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a line of a schedule says of a CPU or a package: the truth of an instant, and the rates that
 * follow. */
#include "config.h"

#include "state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"

void cpu_rates(struct seg *g)
{
	struct cpustate *c = &g->c;
	double *r = g->rate, b = c->busy / 100, hz = c->mhz * 1e6, acct = c->acct / 100;
	double lic = c->l0 + c->l1 + c->l2;
	if (lic <= 0) {
		c->l0 = 100;
		lic = 100;
	}
	double idle = 100 - c->busy, given = c->c1 + c->c1e + c->c3 + c->c6 + c->c7;
	double c1 = c->c1 + (idle > given ? idle - given : 0); /* unassigned idle time is C1 */
	memset(r, 0, sizeof g->rate);
	r[Q_T] = 1;
	r[Q_C0] = b;
	r[Q_APERF] = b * hz;
	r[Q_INST] = b * hz * c->ipc;
	r[Q_L0] = b * hz * c->l0 / 100 * acct;
	r[Q_L1] = b * hz * c->l1 / 100 * acct;
	r[Q_L2] = b * hz * c->l2 / 100 * acct;
	r[Q_LTHR] = b * hz * c->thr / 100;
	r[Q_C1] = c1 / 100;
	r[Q_C1E] = c->c1e / 100;
	r[Q_C3] = c->c3 / 100;
	r[Q_C6] = c->c6 / 100;
	r[Q_C7] = c->c7 / 100;
	r[Q_WAKES] = c->busy >= 100 ? 0 : c->wakes;
	r[Q_FP128] = c->fp128 * 1e6;
	r[Q_FP256] = c->fp256 * 1e6;
	r[Q_FP512] = c->fp512 * 1e6;
	r[Q_SMI] = c->smi;
	r[Q_JOULE] = c->watts;
	r[Q_CSW] = c->csw;
	r[Q_USER] = b * c->user / 100;
	r[Q_AMX] = b * hz * c->amx / 100;
	r[Q_AREG] = c->freeze & 1 ? 0 : b * hz;
	r[Q_MREG] = c->freeze & 2 ? 0 : b;
	r[Q_UAPERF] = b * hz * c->user / 100;
	c->c1 = c1;
}

void pkg_rates(struct seg *g)
{
	struct pkgstate *p = &g->p;
	double *r = g->rate;
	memset(r, 0, sizeof g->rate);
	r[P_T] = 1;
	r[P_PKGJ] = p->pkg_w;
	r[P_DRAMJ] = p->dram_w;
	r[P_PP0J] = p->pp0_w;
	r[P_PP1J] = p->pp1_w;
	r[P_PC2] = p->pc2 / 100;
	r[P_PC3] = p->pc3 / 100;
	r[P_PC6] = p->pc6 / 100;
	r[P_PC7] = p->pc7 / 100;
	r[P_PC8] = p->pc8 / 100;
	r[P_PC9] = p->pc9 / 100;
	r[P_PC10] = p->pc10 / 100;
	r[P_PTHR] = p->pthr / 100;
	r[P_UNC] = p->unc_mhz * 1e6;
}

void cpu_defaults(struct cpustate *c)
{
	memset(c, 0, sizeof *c);
	c->busy = 1;
	c->mhz = machine.min_mhz;
	c->ipc = 1;
	c->temp = 40;
	c->watts = 1;
	c->volt = 0.9;
	c->wakes = 100;
	c->csw = 50;
	c->user = 90;
	c->acct = 100;
}

void pkg_defaults(struct pkgstate *p)
{
	memset(p, 0, sizeof *p);
	p->pkg_w = 30;
	p->dram_w = machine.have_dram ? 5 : 0;
	p->pp0_w = 20;
	p->unc_mhz = 1200;
	p->temp = 42;
}

#define KEY(type, x)                         \
	{                                    \
#x, offsetof(struct type, x) \
	}
static const struct key {
	const char *name;
	size_t at;
} cpu_keys[] = {
	KEY(cpustate, busy), KEY(cpustate, mhz), KEY(cpustate, ipc), KEY(cpustate, l0),
	KEY(cpustate, l1), KEY(cpustate, l2), KEY(cpustate, thr), KEY(cpustate, c1),
	KEY(cpustate, c1e), KEY(cpustate, c3), KEY(cpustate, c6), KEY(cpustate, c7),
	KEY(cpustate, temp), KEY(cpustate, watts), KEY(cpustate, volt), KEY(cpustate, wakes),
	KEY(cpustate, fp128), KEY(cpustate, fp256), KEY(cpustate, fp512), KEY(cpustate, smi),
	KEY(cpustate, csw), KEY(cpustate, user), KEY(cpustate, acct), KEY(cpustate, amx),
}, pkg_keys[] = {
	KEY(pkgstate, pkg_w), KEY(pkgstate, dram_w), KEY(pkgstate, pp0_w), KEY(pkgstate, pp1_w),
	KEY(pkgstate, pc2), KEY(pkgstate, pc3), KEY(pkgstate, pc6), KEY(pkgstate, pc7),
	KEY(pkgstate, pc8), KEY(pkgstate, pc9), KEY(pkgstate, pc10), KEY(pkgstate, pthr),
	KEY(pkgstate, unc_mhz), KEY(pkgstate, temp),
};

/* The keys that are no plain numbers; 0 when it was one of them. */
static int set_special(const char *name, const char *value, struct seg *g, int is_cpu)
{
	static const char *const frozen[] = { "none", "aperf", "mperf", "both" };
	int *prochot = is_cpu ? &g->c.prochot : &g->p.prochot;
	int *plimit = is_cpu ? &g->c.plimit : &g->p.plimit;

	if (!strcmp(name, "prochot"))
		return *prochot = atoi(value), 0;
	if (!strcmp(name, "plimit"))
		return *plimit = atoi(value), 0;
	for (int i = 0; is_cpu && !strcmp(name, "freeze") && i < 4; i++)
		if (!strcmp(value, frozen[i]))
			return g->c.freeze = i, 0;
	return -1;
}

static int set_key(char *word, struct seg *g, int is_cpu, char *err, size_t n)
{
	const struct key *keys = is_cpu ? cpu_keys : pkg_keys;
	size_t count = is_cpu ? sizeof(cpu_keys) / sizeof(*keys) : sizeof(pkg_keys) / sizeof(*keys);
	char *eq = strchr(word, '='), *end;
	double v;

	if (!eq) {
		snprintf(err, n, "expected key=value, got '%s'", word);
		return -1;
	}
	*eq = 0;
	if (!set_special(word, eq + 1, g, is_cpu))
		return 0;
	v = strtod(eq + 1, &end);
	if (*end || end == eq + 1) {
		snprintf(err, n, "bad number '%s' for %s", eq + 1, word);
		return -1;
	}
	for (size_t i = 0; i < count; i++) {
		if (strcmp(word, keys[i].name))
			continue;
		memcpy((is_cpu ? (char *)&g->c : (char *)&g->p) + keys[i].at, &v, sizeof(v));
		return 0;
	}
	snprintf(err, n, "unknown key '%s'", word);
	return -1;
}

/* What a line leaves open is as before, but shares that are said anew are said completely. */
int set_keys(char *keys, struct seg *g, int is_cpu, char *err, size_t n)
{
	char *rest;

	if (is_cpu) {
		g->c.c1 = 0;
		if (strstr(keys, "l0=") || strstr(keys, "l1=") || strstr(keys, "l2="))
			g->c.l0 = g->c.l1 = g->c.l2 = 0;
		if (strstr(keys, "busy="))
			g->c.c1e = g->c.c3 = g->c.c6 = g->c.c7 = 0;
	}
	for (char *word = strtok_r(keys, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		if (set_key(word, g, is_cpu, err, n))
			return -1;
	if (is_cpu)
		cpu_rates(g);
	else
		pkg_rates(g);
	return 0;
}
