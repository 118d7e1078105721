/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules of CPUs and packages: what holds when, and the exact integral since the start. */
#include "config.h"

#include "schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "fs.h"
#include "machine.h"
#include "perf.h"

static void partial(const struct sched *s, double dt, double *out, int nq)
{
	for (int i = 0; i < s->n; i++) {
		double a = s->s[i].at, b = i + 1 < s->n ? s->s[i + 1].at : INFINITY;
		if (dt <= a)
			break;
		double d = (dt < b ? dt : b) - a;
		for (int k = 0; k < nq; k++)
			out[k] += s->s[i].rate[k] * d;
	}
}

static void integral(const struct sched *s, double t, double *out, int nq)
{
	memcpy(out, s->acc, sizeof(double) * (size_t)nq);
	double dt = t - s->t0;
	if (s->frozen || dt <= 0 || !s->n)
		return;
	if (s->loop > 0) {
		double n = floor(dt / s->loop), one[NQ] = { 0 };
		partial(s, s->loop, one, nq);
		for (int k = 0; k < nq; k++)
			out[k] += n * one[k];
		dt -= n * s->loop;
	}
	partial(s, dt, out, nq);
}

const struct seg *sched_at(const struct sched *s, double t)
{
	double dt = t - s->t0;
	if (dt < 0)
		dt = 0;
	if (s->loop > 0)
		dt = fmod(dt, s->loop);
	int i = 0;
	while (i + 1 < s->n && s->s[i + 1].at <= dt)
		i++;
	return &s->s[i];
}

void cpu_q(int cpu, double t, double q[NQ])
{
	integral(&cpus[cpu].sch, t, q, NQ);
}

void pkg_q(int pkg, double t, double q[NP])
{
	integral(&packages[pkg].sch, t, q, NP);
	q[P_T] = t;
}

const struct seg *sched_active(const struct sched *s,
			       double t) /* the segment that counts at t, or NULL */
{
	double dt = t - s->t0;
	if (s->frozen || !s->n || dt < 0)
		return NULL;
	return (s->loop > 0 ? fmod(dt, s->loop) : dt) < s->s[0].at ? NULL : sched_at(s, t);
}

double sched_next_edge(const struct sched *s, double t)
{
	double dt = t - s->t0, from = s->t0;
	if (s->frozen || !s->n)
		return INFINITY;
	if (dt < 0)
		return s->t0;
	if (s->loop > 0) {
		from += floor(dt / s->loop) * s->loop;
		dt = t - from;
	}
	for (int i = 0; i < s->n; i++)
		if (s->s[i].at > dt && (s->loop <= 0 || s->s[i].at < s->loop))
			return from + s->s[i].at;
	return s->loop > 0 ? from + s->loop : INFINITY;
}

const struct cpustate *cpu_s(int cpu, double t)
{
	return &sched_at(&cpus[cpu].sch, t)->c;
}

const struct pkgstate *pkg_s(int pkg, double t)
{
	return &sched_at(&packages[pkg].sch, t)->p;
}

/* What has been accumulated until t is kept; from then on there is this one segment. */
static void replace(struct sched *s, const struct seg *g, double t, int nq)
{
	double acc[NQ];

	integral(s, t, acc, nq);
	memcpy(s->acc, acc, sizeof(*acc) * (size_t)nq);
	s->t0 = t;
	s->loop = 0;
	s->s[0] = *g;
	s->s[0].at = 0;
	s->n = 1;
}

int cpu_change(int cpu, const char *keys, double t, char *err, size_t n)
{
	struct seg g = *sched_at(&cpus[cpu].sch, t);
	char k[900];

	snprintf(k, sizeof(k), "%s", keys);
	if (set_keys(k, &g, 1, err, n))
		return -1;
	core_settle(cpu, t);
	replace(&cpus[cpu].sch, &g, t, NQ);
	return 0;
}

int pkg_change(int pkg, const char *keys, double t, char *err, size_t n)
{
	struct seg g = *sched_at(&packages[pkg].sch, t);
	char k[900];

	snprintf(k, sizeof(k), "%s", keys);
	if (set_keys(k, &g, 0, err, n))
		return -1;
	replace(&packages[pkg].sch, &g, t, NP);
	return 0;
}

static struct seg *saved[MAXCPU];

void cpu_override(int cpu, const char *keys, double t)
{
	char err[200];

	if (!saved[cpu]) {
		saved[cpu] = malloc(sizeof(struct seg));
		*saved[cpu] = *sched_at(&cpus[cpu].sch, t);
	}
	if (cpu_change(cpu, keys, t, err, sizeof(err)))
		fprintf(stderr, "emuhw: %s\n", err);
}

void cpu_restore(int cpu, double t)
{
	if (!saved[cpu])
		return;
	core_settle(cpu, t);
	replace(&cpus[cpu].sch, saved[cpu], t, NQ);
	free(saved[cpu]);
	saved[cpu] = NULL;
}

void cpu_set_online(int cpu, bool on, double t)
{
	if (cpus[cpu].online == on)
		return;
	struct sched *s = &cpus[cpu].sch;
	double acc[NQ];
	core_settle(cpu, t);
	if (!on) {
		integral(s, t, acc, NQ);
		memcpy(s->acc, acc, sizeof acc);
		s->frozen = true;
		pev_cpu_offline(cpu, t);
	} else {
		s->t0 = t;
		s->frozen = false;
		cpus[cpu].nw = 0;
		memset(cpus[cpu].fen, 0, sizeof cpus[cpu].fen);
	}
	cpus[cpu].online = on;
	fs_forget_cpu(cpu);
	emu_log("cpu %d %s", cpu, on ? "online" : "offline");
}
