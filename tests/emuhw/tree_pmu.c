/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMUs in sysfs. */
#include "config.h"

#include <linux/perf_event.h>

#include "event.h"
#include "machine.h"
#include "tree.h"

static void pmu(struct node *sys, const char *name, int type, int set_or_none,
		const char *const *fmt, const char *const *ev)
{
	struct node *d = dir(sys, "devices/%s", name);
	link_to(dir(sys, "bus/event_source/devices"), name, "../../../devices/%s", name);
	text(d, "type", "%d\n", type);
	text(d, "perf_event_mux_interval_ms", "4\n");
	link_to(d, "subsystem", "../../bus/event_source");
	if (set_or_none >= 0)
		sets(d, "cpumask", NULL, (enum cpu_set)set_or_none, 0);
	for (; fmt && *fmt; fmt += 2)
		text(dir(d, "format"), fmt[0], "%s\n", fmt[1]);
	for (; ev && *ev; ev += 2) {
		struct node *e = dir(d, "events");
		const char *v = ev[1];
		text(e, ev[0], "%s\n", v);
	}
}

static const char *pmu_name(bool intel)
{
	if (!intel || machine.ecores)
		return intel ? "alderlake_hybrid" : "zen4";
	return machine.model == 0x8f   ? "sapphire_rapids"
	       : machine.model == 0xad ? "granite_rapids"
				       : "skylake";
}

static const char *const whole_config[] = { "event", "config:0-63", NULL };

/* Events of registers that are there (arch/x86/events/msr.c). */
static void build_msr_pmu(struct node *sys)
{
	bool intel = machine.vendor == INTEL;
	const char *e[16] = { "tsc", "event=0x00" };
	int k = 2;

	if (machine.aperfmperf) {
		e[k++] = "aperf", e[k++] = "event=0x01";
		e[k++] = "mperf", e[k++] = "event=0x02";
	}
	if (intel && machine.have_hwp)
		e[k++] = "pperf", e[k++] = "event=0x03";
	e[k++] = intel ? "smi" : "irperf";
	e[k++] = intel ? "event=0x04" : "event=0x06";
	pmu(sys, "msr", T_MSR, -1, whole_config, e);
}

/* Residencies that the model counts, of N states that are numbered by their bits. */
static void build_cstate_pmu(struct node *sys, const char *name, int type, enum cpu_set set,
			     const char *const *states, int n, int have)
{
	static const char *const numbers[] = { "event=0x00", "event=0x01", "event=0x02",
					       "event=0x03", "event=0x04", "event=0x05",
					       "event=0x06" };
	const char *e[16] = { NULL };
	int k = 0;

	for (int i = 0; i < n; i++)
		if (have >> i & 1) {
			e[k++] = states[i];
			e[k++] = numbers[i];
		}
	pmu(sys, name, type, (int)set, whole_config, e);
}

static void build_cstate_pmus(struct node *sys)
{
	static const char *const core[] = { "c1-residency", "c3-residency", "c6-residency",
					    "c7-residency" };
	static const char *const package[] = { "c2-residency", "c3-residency", "c6-residency",
					       "c7-residency", "c8-residency", "c9-residency",
					       "c10-residency" };
	int have = machine.have_c1_res ? 1 : 0;

	/* C1, C3, C6, C7 of the machine's C1, C1E, C3, C6, C7 */
	have |= (machine.cstates >> 2 & 1) << 1 | (machine.cstates >> 3 & 1) << 2 |
		(machine.cstates >> 4 & 1) << 3;
	build_cstate_pmu(sys, "cstate_core", T_CCORE, COREMASK, core, 4, have);
	build_cstate_pmu(sys, "cstate_pkg", T_CPKG, PKGMASK, package, 7, machine.pcstates);
}

void build_pmus(struct node *sys)
{
	/* PMUs */
	dir(sys, "bus/event_source/devices")->pass = "sys/bus/event_source/devices";
	bool in = machine.vendor == INTEL;
	if (machine.have_perf) {
		static const char *F[] = { "event", "config:0-7",   "umask", "config:8-15",
					   "edge",  "config:18",    "inv",   "config:23",
					   "cmask", "config:24-31", "any",   "config:21",
					   "pc",    "config:19",    NULL },
				  *FA[] = { "event", "config:0-7,32-35", "umask", "config:8-15",
					    "edge",  "config:18",	 "inv",	  "config:23",
					    "cmask", "config:24-31",	 NULL };
		static const char *E[] = { "cpu-cycles",
					   "event=0x3c",
					   "instructions",
					   "event=0xc0",
					   "ref-cycles",
					   "event=0x00,umask=0x03",
					   "branch-instructions",
					   "event=0xc4",
					   "branch-misses",
					   "event=0xc5",
					   "cache-references",
					   "event=0x2e,umask=0x4f",
					   "cache-misses",
					   "event=0x2e,umask=0x41",
					   "bus-cycles",
					   "event=0x3c,umask=0x01",
					   NULL },
				  *EA[] = { "cpu-cycles", "event=0x76", "instructions",
					    "event=0xc0", NULL };
		for (int k = 0; k < (machine.ecores ? 2 : 1);
		     k++) { /* hybrid machines have cpu_core and cpu_atom instead of cpu */
			const char *nm = !machine.ecores ? "cpu" : k ? "cpu_atom" : "cpu_core";
			pmu(sys, nm, k ? T_ATOM : PERF_TYPE_RAW, -1, in ? F : FA, in ? E : EA);
			struct node *d = dir(sys, "devices/%s", nm);
			text(dir(d, "caps"), "max_precise", "3\n");
			text(dir(d, "caps"), "pmu_name", "%s\n", pmu_name(in));
			rw(text(d, "rdpmc", "1\n"));
			if (machine.ecores)
				sets(d, "cpus", NULL, k ? ATOMS : BIGS, 0);
		}
		build_msr_pmu(sys);
		if (ev_has_cstates())
			build_cstate_pmus(sys);
		if (machine.have_rapl) {
			static const char *sc = "2.3283064365386962890625e-10",
					  *FP[] = { "event", "config:0-7", NULL };
			const char *e[32];
			int k = 0;
#define EN(n, c)                                                                            \
	e[k++] = n, e[k++] = c, e[k++] = n ".unit", e[k++] = "Joules", e[k++] = n ".scale", \
	e[k++] = sc
			EN("energy-pkg", "event=0x02");
			if (machine.have_dram) {
				EN("energy-ram", "event=0x03");
			}
			if (machine.have_pp0) {
				EN("energy-cores", "event=0x01");
			}
			if (machine.have_pp1) {
				EN("energy-gpu", "event=0x04");
			}
			e[k] = NULL;
			pmu(sys, "power", T_POWER, PKGMASK, FP, e);
		}
	}
}
