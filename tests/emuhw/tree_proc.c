/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated files of /proc. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "leaf.h"
#include "machine.h"
#include "scenario.h"
#include "tree.h"

static const char flags_any[] = "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat "
				"pse36 clflush mmx fxsr sse sse2 "
				"ht syscall nx rdtscp lm constant_tsc rep_good nopl nonstop_tsc "
				"cpuid pni pclmulqdq monitor ssse3 "
				"cx16 sse4_1 sse4_2 popcnt aes xsave avx lahf_lm arat";
static const char flags_intel[] =
	"acpi ss tm pbe arch_perfmon pebs bts xtopology dtes64 est tm2 x2apic "
	"tsc_deadline_timer epb dtherm ida pln pts";
static const char flags_amd[] = "cr8_legacy svm extapic topoext perfctr_core cpb hw_pstate rapl";

/* Flags that the host's CPUID has, too: what they name can be executed. */
static void newer_flags(FILE *f)
{
	static const struct {
		int reg, bit;
		const char *name;
	} newer[] = { { 0, 4, "avx_vnni" },  { 0, 5, "avx512_bf16" },  { 0, 21, "amx_fp16" },
		      { 3, 22, "amx_bf16" }, { 3, 23, "avx512_fp16" }, { 3, 24, "amx_tile" },
		      { 3, 25, "amx_int8" } };
	uint32_t r[4];

	for (size_t i = 0; i < sizeof(newer) / sizeof(*newer); i++) {
		emu_cpuid(7, newer[i].reg == 0, 0, r);
		if (r[newer[i].reg] >> newer[i].bit & 1)
			fprintf(f, " %s", newer[i].name);
	}
}

static void flags(FILE *f)
{
	bool intel = machine.vendor == INTEL;

	fprintf(f, "flags\t\t: %s %s", flags_any, intel ? flags_intel : flags_amd);
	if (machine.aperfmperf)
		fputs(" aperfmperf", f);
	if (machine.model != 0x2a)
		fputs(" fma f16c movbe avx2 bmi1 bmi2 erms", f);
	if (machine.have_avx512)
		fputs(" avx512f avx512dq rdseed adx avx512cd avx512bw avx512vl", f);
	newer_flags(f);
	if (machine.have_hwp)
		fputs(" hwp hwp_act_window hwp_epp hwp_pkg_req", f);
	if (machine.hypervisor)
		fputs(" hypervisor", f);
	fputs("\nbugs\t\t:\n", f);
}

static int online_of(int package)
{
	int n = 0;

	for (int i = 0; i < machine.ncpu; i++)
		n += cpus[i].online && cpus[i].pkg == package;
	return n;
}

static void g_cpuinfo(FILE *f, const struct node *n, double t)
{
	(void)n;
	for (int i = 0; i < machine.ncpu; i++) {
		const struct cpu *c = &cpus[i];

		if (!c->online)
			continue;
		fprintf(f, "processor\t: %d\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\n", i,
			machine.vendor == AMD ? "AuthenticAMD" : "GenuineIntel", machine.family,
			machine.model);
		fprintf(f, "model name\t: %s\nstepping\t: %d\nmicrocode\t: 0x2000065\n",
			machine.brand, machine.stepping);
		fprintf(f, "cpu MHz\t\t: %.3f\ncache size\t: 28160 KB\nphysical id\t: %d\n",
			cpu_s(i, t)->mhz, c->pkg);
		fprintf(f, "siblings\t: %d\ncore id\t\t: %d\ncpu cores\t: %d\n", online_of(c->pkg),
			c->core_id, machine.cores);
		fprintf(f, "apicid\t\t: %d\ninitial apicid\t: %d\n", c->apicid, c->apicid);
		fputs("fpu\t\t: yes\nfpu_exception\t: yes\ncpuid level\t: 22\nwp\t\t: yes\n", f);
		flags(f);
		fprintf(f, "bogomips\t: %.2f\nclflush size\t: 64\ncache_alignment\t: 64\n",
			machine.tsc_mhz * 2);
		fputs("address sizes\t: 46 bits physical, 48 bits virtual\npower management:\n\n",
		      f);
	}
}

static void g_stat(FILE *f, const struct node *n, double t)
{
	(void)n;
	double u = 0, s = 0, id = 0, cs = 0;
	char *b;
	size_t z;
	FILE *g = open_memstream(&b, &z);
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online) {
			double q[NQ];
			cpu_q(i, t, q);
			double us = q[Q_USER] * 100, sy = (q[Q_C0] - q[Q_USER]) * 100,
			       il = (q[Q_T] - q[Q_C0]) * 100; /* no time passes offline */
			if (il < 0)
				il = 0;
			u += us;
			s += sy;
			id += il;
			cs += q[Q_CSW];
			fprintf(g, "cpu%d %.0f 0 %.0f %.0f 0 0 0 0 0 0\n", i, floor(us), floor(sy),
				floor(il));
		}
	fclose(g);
	fprintf(f,
		"cpu  %.0f 0 %.0f %.0f 0 0 0 0 0 0\n%sintr 0\nctxt %.0f\nbtime "
		"1700000000\nprocesses 4242\nprocs_running "
		"1\nprocs_blocked 0\nsoftirq 0 0 0 0 0 0 0 0 0 0 0\n",
		floor(u), floor(s), floor(id), b, floor(cs));
	free(b);
}

static void g_intr(FILE *f, const struct node *n, double t)
{
	(void)n;
	fprintf(f, "    ");
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online)
			fprintf(f, "       CPU%d", i);
	fprintf(f, "\n LOC:");
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online) {
			double q[NQ];
			cpu_q(i, t, q);
			fprintf(f, " %10.0f", q[Q_WAKES]);
		}
	fprintf(f, "   Local timer interrupts\n");
}

static void g_paranoid(FILE *f, const struct node *n, double t)
{
	(void)n;
	(void)t;
	fprintf(f, "%d\n", machine.paranoid);
}

static void g_nmi(FILE *f, const struct node *n, double t)
{
	(void)n;
	(void)t;
	fprintf(f, "%d\n", machine.nmi_watchdog);
}

static void g_arch(FILE *f, const struct node *n, double t)
{
	struct proc *p = process_of(n->cpu);
	long ms = p->avx < 0 ? -1 : p->avx ? 4 : (long)((t - p->avx_at) * 1000);
	fprintf(f, "AVX512_elapsed_ms:\t%ld\n", ms);
}

static void g_pstat(FILE *f, const struct node *n, double t)
{
	struct proc *p = process_of(n->cpu);
	double j = t * p->busy; /* busy% of one CPU = busy jiffies per second */
	fprintf(f,
		"%d (%s) R 1 %d %d 0 -1 4194304 100 0 0 0 %.0f 0 0 0 20 0 %d 0 100 10000000 500 "
		"18446744073709551615 1 1 0 0 0 "
		"0 0 0 0 0 0 0 17 %d 0 0 0 0 0 0 0 0 0 0 0 0 0\n",
		n->arg, p->comm, p->pid, p->pid, floor(j / (n->arg == p->pid ? 1 : p->threads)),
		p->threads, p->cpu);
}

static void g_pstatus(FILE *f, const struct node *n, double t)
{
	(void)t;
	struct proc *p = process_of(n->cpu);
	fprintf(f,
		"Name:\t%s\nState:\tR "
		"(running)\nTgid:\t%d\nPid:\t%d\nPPid:\t1\nUid:\t%d\t%d\t%d\t%d\nGid:"
		"\t0\t0\t0\t0\nThreads:\t%d\nCpus_allowed_list:"
		"\t0-%d\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t1\n",
		p->comm, p->pid, n->arg, p->uid, p->uid, p->uid, p->uid, p->threads,
		machine.ncpu - 1);
}

void build_proc(struct node *pr)
{
	pr->pass = "proc";
	gen(pr, "cpuinfo", g_cpuinfo, 0, 0);
	gen(pr, "stat", g_stat, 0, 0);
	gen(pr, "interrupts", g_intr, 0, 0);
	struct node *s = dir(pr, "sys"), *k = dir(pr, "sys/kernel");
	s->pass = "proc/sys";
	k->pass = "proc/sys/kernel";
	rw(gen(k, "perf_event_paranoid", g_paranoid, 0, 0));
	gen(k, "nmi_watchdog", g_nmi, 0, 0);
	for (struct proc *p = procs; p; p = p->next) {
		struct node *d = dir(pr, "%d", p->pid);
		for (int i = -1; i < p->threads; i++) {
			struct node *x = i < 0 ? d : dir(d, "task/%d", p->pid + i);
			int tid = i < 0 ? p->pid : p->pid + i;
			text(x, "comm", "%s\n", p->comm);
			struct node *c = text(x, "cmdline", "%s", p->comm);
			(void)c;
			gen(x, "stat", g_pstat, p->pid, tid);
			gen(x, "status", g_pstatus, p->pid, tid);
			text(x, "statm", "2441 500 100 10 0 300 0\n");
			gen(x, "arch_status", g_arch, p->pid, tid);
		}
	}
}
