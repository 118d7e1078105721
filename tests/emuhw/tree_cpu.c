/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated files of one CPU. */
#include "config.h"

#include "tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "tree.h"

static void g_online(FILE *f, const struct node *n, double t)
{
	(void)t;
	fprintf(f, "%d\n", cpus[n->cpu].online);
}

static int p_online(struct node *n, const char *s, double t)
{
	int on = atoi(s);
	if (on != 0 && on != 1)
		return -EINVAL;
	if (!on && n->cpu == 0)
		return -EPERM;
	cpu_set_online(n->cpu, on, t);
	return 0;
}

static void g_khz(FILE *f, const struct node *n, double t)
{
	(void)n;
	fprintf(f, "%.0f\n", cpu_s(n->cpu, t)->mhz * 1000);
}

enum { I_TIME = 100, I_USAGE = 200 };

static void g_idle(FILE *f, const struct node *n, double t)
{
	double q[NQ];
	cpu_q(n->cpu, t, q);
	static const int Q[] = { Q_C1, Q_C1E, Q_C3, Q_C6, Q_C7 };
	int st = n->arg % 100;
	double res = st ? q[Q[st - 1]] : 0, all = q[Q_C1] + q[Q_C1E] + q[Q_C3] + q[Q_C6] + q[Q_C7];
	fprintf(f, "%.0f\n",
		n->arg >= I_USAGE ? (all > 0 ? floor(q[Q_WAKES] * res / all) : 0) : res * 1e6);
}

static void g_thr(FILE *f, const struct node *n, double t)
{
	(void)t;
	switch (n->arg) {
	case 0:
		fprintf(f, "%llu\n", (unsigned long long)cpus[n->cpu].thr_count);
		break;
	case 1:
		fprintf(f, "%.0f\n", cpus[n->cpu].thr_ms);
		break;
	case 2: {
		uint64_t s = 0;
		for (int i = 0; i < machine.ncpu; i++)
			if (cpus[i].pkg == cpus[n->cpu].pkg)
				s += cpus[i].thr_count;
		fprintf(f, "%llu\n", (unsigned long long)s);
		break;
	}
	case 3: {
		double s = 0;
		for (int i = 0; i < machine.ncpu; i++)
			if (cpus[i].pkg == cpus[n->cpu].pkg)
				s += cpus[i].thr_ms;
		fprintf(f, "%.0f\n", s);
	}
	}
}

void build_cpu(struct node *parent, int i)
{
	struct node *c = dir(parent, "cpu%d", i);
	c->cpu = i;
	if (i > 0) {
		struct node *o = gen(c, "online", g_online, i, 0);
		o->put = p_online;
		o->mode = 0644;
	}
	struct node *t = dir(c, "topology");
	t->vis = i;
	text(t, "physical_package_id", "%d\n", cpus[i].pkg);
	text(t, "die_id", "0\n");
	text(t, "core_id", "%d\n", cpus[i].core_id);
	text(t, "cluster_id", "%d\n", cpus[i].core_id);
	sets(t, "thread_siblings_list", "thread_siblings", SIB, i);
	sets(t, "core_cpus_list", "core_cpus", SIB, i);
	sets(t, "core_siblings_list", "core_siblings", PKG, i);
	sets(t, "package_cpus_list", "package_cpus", PKG, i);
	sets(t, "die_cpus_list", "die_cpus", PKG, i);
	static const struct {
		const char *ty, *sz;
		int lv;
		enum cpu_set set;
	} L[] = { { "Data", "32K", 1, SIB },
		  { "Instruction", "32K", 1, SIB },
		  { "Unified", "1024K", 2, SIB },
		  { "Unified", "28160K", 3, PKG } };
	struct node *cache = dir(c, "cache");
	cache->vis = i;
	for (int k = 0; k < 4; k++) {
		struct node *x =
			node_add(cache, (char[]) { 'i', 'n', 'd', 'e', 'x', (char)('0' + k), 0 },
				 NODE_DIR, 0755);
		x->vis = i;
		text(x, "level", "%d\n", L[k].lv);
		text(x, "type", "%s\n", L[k].ty);
		text(x, "size", "%s\n", L[k].sz);
		text(x, "id", "%d\n",
		     L[k].set == PKG ? cpus[i].pkg : cpus[i].pkg * machine.cores + cpus[i].core);
		text(x, "coherency_line_size", "64\n");
		text(x, "ways_of_associativity", "8\n");
		text(x, "number_of_sets", "64\n");
		sets(x, "shared_cpu_list", "shared_cpu_map", L[k].set, i);
	}
	link_to(c,
		cpus[i].node >= 10 ? "node10"
				   : (char[]) { 'n', 'o', 'd', 'e', (char)('0' + cpus[i].node), 0 },
		"../../node/node%d", cpus[i].node);
	link_to(c, "subsystem", "../../../../bus/cpu");
	if (machine.cstates && strcmp(machine.cpuidle, "none")) {
		static const char *N[] = { "POLL", "C1", "C1E", "C3", "C6", "C7" };
		int lat[] = { 0, 2, 10, 40, 133, 166 }, st = 0;
		struct node *id = dir(c, "cpuidle");
		id->vis = i;
		bool acpi = !strcmp(machine.cpuidle, "acpi_idle");
		for (int k = 0; k < 6; k++)
			if (!k || machine.cstates & 1 << (k - 1)) {
				struct node *s = dir(id, "state%d", st);
				if (acpi && k) {
					text(s, "name", "C%d\n", st);
					text(s, "desc", "ACPI FFH MWAIT 0x0\n");
				} else {
					text(s, "name", "%s\n", N[k]);
					if (k)
						text(s, "desc", "MWAIT 0x%02x\n", (k - 1) * 16);
					else
						text(s, "desc", "CPUIDLE CORE POLL IDLE\n");
				}
				text(s, "latency", "%d\n", lat[k]);
				text(s, "residency", "%d\n", lat[k] * 3);
				text(s, "power", "0\n");
				gen(s, "time", g_idle, i, k + I_TIME);
				gen(s, "usage", g_idle, i, k + I_USAGE);
				text(s, "above", "0\n");
				text(s, "below", "0\n");
				text(s, "rejected", "0\n");
				rw(text(s, "disable", "0\n"));
				text(s, "default_status", "enabled\n");
				st++;
			}
	}
	if (strcmp(machine.cpufreq, "none")) {
		link_to(c, "cpufreq", "../cpufreq/policy%d", i)->vis = i;
		struct node *p = dir(parent, "cpufreq/policy%d", i);
		p->vis = i;
		p->cpu = i;
		int max = machine_cap_mhz(i);
		text(p, "affected_cpus", "%d\n", i);
		text(p, "related_cpus", "%d\n", i);
		text(p, "cpuinfo_max_freq", "%d000\n", max);
		text(p, "cpuinfo_min_freq", "%.0f000\n", machine.min_mhz);
		text(p, "cpuinfo_transition_latency", "0\n");
		rw(text(p, "scaling_max_freq", "%d000\n", max));
		rw(text(p, "scaling_min_freq", "%.0f000\n", machine.min_mhz));
		text(p, "scaling_driver", "%s\n", machine.cpufreq);
		gen(p, "scaling_cur_freq", g_khz, i, 0);
		text(p, "scaling_available_governors", "%s\n",
		     !strcmp(machine.cpufreq, "intel_pstate")
			     ? "performance powersave"
			     : "performance schedutil powersave ondemand userspace");
		rw(text(p, "scaling_governor", "%s\n",
			!strcmp(machine.cpufreq, "intel_pstate") ? "powersave" : "schedutil"));
		text(p, "scaling_setspeed", "<unsupported>\n");
		if (!strcmp(machine.cpufreq, "intel_pstate")) {
			text(p, "base_frequency", "%.0f\n", machine.base_mhz * 1000);
			if (machine.have_hwp) {
				rw(text(p, "energy_performance_preference",
					"balance_performance\n"));
				text(p, "energy_performance_available_preferences",
				     "default performance balance_performance balance_power "
				     "power\n");
			}
		} else {
			struct node *q = gen(p, "cpuinfo_cur_freq", g_khz, i, 0);
			q->mode = 0400;
			text(p, "scaling_available_frequencies", "%.0f000 %.0f000\n",
			     machine.base_mhz, machine.min_mhz);
		}
	}
	if (machine.vendor == INTEL && machine.have_thermal) {
		struct node *h = dir(c, "thermal_throttle");
		h->vis = i;
		gen(h, "core_throttle_count", g_thr, i, 0);
		gen(h, "core_throttle_total_time_ms", g_thr, i, 1);
		gen(h, "core_throttle_max_time_ms", g_thr, i, 1);
		gen(h, "package_throttle_count", g_thr, i, 2);
		gen(h, "package_throttle_total_time_ms", g_thr, i, 3);
		gen(h, "package_throttle_max_time_ms", g_thr, i, 3);
	}
}
