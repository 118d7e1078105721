/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A physical core: its threads' schedules merged, for what is counted by core. */
#include "config.h"

#include "core.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "machine.h"
#include "schedule.h"

/* the license is that of the busier thread; of two equally busy ones the higher */
static bool busier(const double *a, const double *b)
{
	if (a[Q_APERF] != b[Q_APERF])
		return a[Q_APERF] > b[Q_APERF];
	return a[Q_L2] != b[Q_L2] ? a[Q_L2] > b[Q_L2] : a[Q_L1] > b[Q_L1];
}

/* a thread's part when n threads, of which the less busy run inside the busier one's time, share
 * each moment evenly */
static double shared(const double *const *th, int n, int self, int q)
{
	double sum = 0, lo = 0;
	for (;;) {
		double hi = INFINITY;
		int k = 0;
		for (int i = 0; i < n; i++)
			if (th[i][q] > lo) {
				k++;
				if (th[i][q] < hi)
					hi = th[i][q];
			}
		if (!k || th[self][q] < hi)
			return sum;
		sum += (hi - lo) / k;
		lo = hi;
	}
}

static void add_rates(int lead, double t, double d, double (*acc)[NK])
{
	static const double none[NQ];
	const double *th[MAXSMT], *top = none;
	int n = 0;
	for (int i = lead; i >= 0; i = cpus[i].sib) {
		const struct seg *g = sched_active(&cpus[i].sch, t);
		th[n] = g ? g->rate : none;
		if (busier(th[n], top))
			top = th[n];
		n++;
	}
	for (int i = 0; i < n; i++) {
		double *k = acc[i], own = top[Q_APERF] > 0 ? th[i][Q_APERF] / top[Q_APERF] : 0;
		k[K_CYC] += top[Q_APERF] * d;
		k[K_C0] += top[Q_C0] * d;
		for (int l = 0; l < 4; l++) {
			k[K_L0 + l] += top[Q_L0 + l] * d;
			k[K_H0 + l] += top[Q_L0 + l] * own * d;
		}
		k[K_DIST] += shared(th, n, i, Q_APERF) * d;
		k[K_RDIST] += shared(th, n, i, Q_C0) * d;
	}
}

/* integrals of the core's threads up to t; only edges of the schedules (and "fix") move what is
 * kept, so that the last stretch is one product, as in integral() */
static void core_integral(int lead, double t, bool fix, double (*acc)[NK])
{
	int n = 0;
	for (int i = lead; i >= 0; i = cpus[i].sib)
		memcpy(acc[n++], cpus[i].kacc, sizeof cpus[i].kacc);
	double at = cpus[lead].kt;
	while (at < t) {
		double e = INFINITY;
		for (int i = lead; i >= 0; i = cpus[i].sib)
			e = fmin(e, sched_next_edge(&cpus[i].sch, at));
		if (e <= at)
			e = nextafter(at, INFINITY);
		bool last = e >= t;
		if (last)
			e = t;
		add_rates(lead, (at + e) / 2, e - at, acc);
		at = e;
		if (last && !fix)
			break;
		n = 0;
		for (int i = lead; i >= 0; i = cpus[i].sib)
			memcpy(cpus[i].kacc, acc[n++], sizeof cpus[i].kacc);
		cpus[lead].kt = at;
	}
}

/* before the schedule of a CPU changes at t */
void core_settle(int cpu, double t)
{
	double acc[MAXSMT][NK];
	core_integral(cpus[cpu].lead, t, true, acc);
}

void core_q(int cpu, double t, double k[NK])
{
	double acc[MAXSMT][NK];
	core_integral(cpus[cpu].lead, t, false, acc);
	memcpy(k, acc[cpus[cpu].thread], sizeof acc[0]);
}

void core_rates(int lead, double t, double k[NK])
{
	double acc[MAXSMT][NK] = { 0 };

	add_rates(lead, t, 1, acc);
	memcpy(k, acc[0], sizeof(acc[0]));
}
