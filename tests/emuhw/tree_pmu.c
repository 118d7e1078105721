/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PMUs in sysfs. */
#include "config.h"

#include <linux/perf_event.h>

#include "event.h"
#include "machine.h"
#include "tree.h"

static void pmu(struct node *sys, const char *name, int type, int set_or_none, const char *const *fmt,
		const char *const *ev)
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
		static const char *FE[] = { "event", "config:0-63", NULL };
		static const char *EM[] = { "tsc",   "event=0x00", "aperf", "event=0x01",
					    "mperf", "event=0x02", "pperf", "event=0x03",
					    "smi",   "event=0x04", NULL },
				  *EMA[] = { "tsc",	   "event=0x00", "aperf",
					     "event=0x01", "mperf",	 "event=0x02",
					     "irperf",	   "event=0x05", NULL };
		pmu(sys, "msr", T_MSR, -1, FE, in ? EM : EMA);
		if (in) {
			const char *e[12];
			int k = 0;
			if (machine.cstates & 4)
				e[k++] = "c3-residency", e[k++] = "event=0x01";
			if (machine.cstates & 8)
				e[k++] = "c6-residency", e[k++] = "event=0x02";
			if (machine.cstates & 16)
				e[k++] = "c7-residency", e[k++] = "event=0x03";
			e[k] = NULL;
			pmu(sys, "cstate_core", T_CCORE, COREMASK, FE, e);
			k = 0;
			if (machine.pcstates & 1)
				e[k++] = "c2-residency", e[k++] = "event=0x00";
			if (machine.pcstates & 2)
				e[k++] = "c3-residency", e[k++] = "event=0x01";
			if (machine.pcstates & 4)
				e[k++] = "c6-residency", e[k++] = "event=0x02";
			if (machine.pcstates & 8)
				e[k++] = "c7-residency", e[k++] = "event=0x03";
			e[k] = NULL;
			pmu(sys, "cstate_pkg", T_CPKG, PKGMASK, FE, e);
		}
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
