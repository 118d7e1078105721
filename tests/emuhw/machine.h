/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated machine: what it is, and what of it has been touched. */
#ifndef AVXTOP_TESTS_EMUHW_MACHINE_H
#define AVXTOP_TESTS_EMUHW_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core.h"
#include "schedule.h"

#define MAXCPU 4096
#define MAXPKG 64
#define MAXSMT 8

/* A register that was written, or pinned to a value. */
struct pmsr {
	uint32_t n;
	uint64_t v;
};

struct cpu {
	int pkg, core, thread, node, apicid, core_id;
	int lead, sib; /* the core's first thread; the next one or -1 */
	bool online;
	bool atom; /* an E-core of a hybrid machine */
	struct sched sch;
	double kacc[NK], kt; /* integrals up to time kt, which is the lead's */
	int64_t mjump;	     /* added to MPERF by "mperfjump" */
	struct pmsr *w;
	int nw;
	double fbase[3], fq0[3]; /* fixed counters: base + (q - q0) while enabled */
	bool fen[3];
	double thr_ms;
	uint64_t thr_count;
	uint64_t n_msr_open, n_msr_read, n_msr_write, n_perf_open, n_perf_read, n_affinity,
		n_file_open; /* accesses */
};

struct pkg {
	struct sched sch;
};

enum vendor { INTEL, AMD };
enum lockdown {
	LOCKDOWN_ABSENT,
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
	LOCKDOWNS
};
enum lic_scope { LIC_CORE, LIC_THREAD, LIC_HALTED_STOPS, LIC_SCOPES };

struct machine {
	char name[64], preset[32], brand[64], cpufreq[24], cpuidle[24], clock[16], isolated[256],
		nohz_full[256];
	enum vendor vendor;
	int family, model, stepping;
	int sockets, cores, threads, nodes;
	int ncpu;
	int possible; /* CPUs possible, at least ncpu */
	double tsc_mhz, base_mhz, min_mhz, bus_mhz, xtal_mhz;
	int turbo[32], nturbo;
	int turbo_avx2, turbo_avx512;
	int ecores, emax_mhz; /* hybrid: E-cores after the P-cores, one thread each */
	double tjmax, tdp, esu, dram_esu;
	bool have_msr, have_perf, have_dram, have_pp0, have_pp1, have_hwp, have_avx512, have_amx,
		have_lic, have_rapl, have_powercap, have_hwmon, have_thermal;
	bool have_c1_res; /* residency of cores in C1 (MSR 0x660) */
	bool sparse_core_ids, tsc_host, base_host, hypervisor;
	bool aperfmperf; /* CPUID promises APERF and MPERF, and they are there */
	bool zeros;	 /* each register reads 0, also those that do not exist: QEMU does so */
	bool lic_zero; /* CORE_POWER opens but counts 0 */
	bool react;    /* the CPUs follow what the program's pinned threads execute */
	int cstates;   /* bits: 1 C1, 2 C1E, 4 C3, 8 C6, 16 C7 */
	int pcstates;  /* bits: 1 PC2, 2 PC3, 4 PC6, 8 PC7, 16 PC8, 32 PC9, 64 PC10 */
	int gp_counters, nmi_watchdog, paranoid;
	int other_events; /* of other programs, on each CPU, that share its general counters */
	int tcc_offset;	  /* degrees below tjmax at which it throttles */
	int no_turbo;
	int lockdown;  /* what the kernel's lockdown says; absent: no such file */
	int lic_scope; /* what a CORE_POWER event of a thread counts */
	double speed;
	uint64_t tsc_base;
	uint64_t energy_base; /* what energy registers began with, in their units */
};

extern struct machine machine;
extern struct cpu cpus[MAXCPU];
extern struct pkg packages[MAXPKG];
extern const char *const lic_scopes[LIC_SCOPES];
extern const char *const lockdowns[LOCKDOWNS];

/* How often the program touched what. */
extern struct counts {
	uint64_t msr_open, msr_read, msr_write, msr_err, perf_open, perf_err, perf_read, perf_ioctl,
		file_open, file_read, cpuid_trap, tsc_trap, affinity;
} counts;

/* Makes the machine one of a known model; 0, or -1 when there is none of that name. */
int machine_preset(const char *name);
/* A line KEY = VALUE of [machine]; 0 or -1. */
int machine_key(const char *key, const char *value);
/* Numbers the CPUs; 0, or -1 when there are too many. */
int machine_topology(void);
/* The highest clock of a CPU, as cpufreq has it. */
int machine_cap_mhz(int cpu);
/* The first CPU of the package (-1: of any) that is online, or -1. */
int first_online(int pkg);
/* The thread whose schedule the residencies of this CPU's core follow: the first, while it is online. */
int core_thread(int cpu);

#endif
