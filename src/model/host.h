/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the machine is: CPUs, cores, packages, kinds of core; fixed while a session lasts.
 * Arrays are indexed densely; ids (cpu numbers, core ids, package ids) may be sparse. */
#ifndef AVXTOP_MODEL_HOST_H
#define AVXTOP_MODEL_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/registers.h"

struct list;

struct host_cpu {
	unsigned id;		/* number of the CPU in the kernel */
	unsigned core, package; /* indices into host->cores, host->packages */
	unsigned kind;		/* index into host->kinds */
	bool online;   /* when the host was described; since then see the samples */
	bool allowed;  /* this process may run there: affinity and cpuset */
	bool isolated; /* isolcpus, nohz_full or an isolated cpuset partition */
	bool wanted;   /* shown: named by -c, or all online */
	bool named;    /* -c names it explicitly: lifts `isolated` */
};

struct host_core {
	int core_id, die_id; /* as the kernel says; sparse, repeated per package */
	unsigned package;
	unsigned *cpus; /* indices into host->cpus, SMT siblings, ascending */
	unsigned n_cpus;
};

struct host_package {
	int package_id; /* -1 unknown */
	unsigned *cores;
	unsigned n_cores;
};

/* Does the CPU have events that count the cycles at each turbo license? */
enum license_events { LICENSE_EVENTS_UNKNOWN, LICENSE_EVENTS_NONE, LICENSE_EVENTS_SOME };

/* One kind of core ("P", "E", or the only one) identified by /proc/cpuinfo, and by CPUID of one allowed
 * CPU of it. */
struct host_kind {
	char name[16]; /* "core", "P-core", "E-core", "LP-core" */
	unsigned family, model, stepping;
	char uarch[48];	   /* core name from our own table, as in data/cores ("Zen 5"); "" unknown */
	char codename[48]; /* of the product ("Granite Rapids"), from the same table; "" unknown */
	enum license_events license_events; /* from the same table */
	struct registers registers; /* from data/cpu */
	double base_hertz; /* clock without turbo, at which MPERF counts; 0 unknown */
	uint32_t isa;	/* bits of enum isa that CPUID *and* XCR0 allow (AMX: before permission) */
};

/* Instruction sets that a kernel may need. */
enum isa {
	ISA_SSE2 = 1 << 0,
	ISA_AVX = 1 << 1,
	ISA_AVX2 = 1 << 2,
	ISA_FMA = 1 << 3,
	ISA_AVX512F = 1 << 4,
	ISA_AVX512BW = 1 << 5,
	ISA_AVX512VNNI = 1 << 6,
	ISA_AMX_TILE = 1 << 7,
	ISA_AMX_BF16 = 1 << 8,
	ISA_AMX_INT8 = 1 << 9,
	ISA_ERMS = 1 << 10, /* fast rep movsb */
	ISA_FSRM = 1 << 11, /* and of few bytes too */
};

struct host {
	bool live;	      /* false for --sysroot, replay, simulation: never touch this CPU */
	char vendor[16];      /* "GenuineIntel", "AuthenticAMD" */
	char brand[64];	      /* brand string, spaces folded */
	char hypervisor[32];  /* "" bare metal; else "KVM", "VMware", …, or "unknown" */
	char os_release[96];  /* kernel version */
	uint64_t possible;    /* number of possible CPUs, offline ones too */
	struct host_cpu *cpus; /* ascending id; possible CPUs that are present */
	struct host_core *cores;
	struct host_package *packages;
	struct host_kind *kinds;
	unsigned n_cpus, n_cores, n_packages, n_kinds;
	double tsc_hertz; /* calibrated; 0 unknown or the TSC is trapped */
	char **idle_states; /* cpuidle state names in order of depth; union over kinds and packages */
	unsigned n_idle_states;
	double release_s; /* how long the low clock outlasts a burst; NAN unknown */
};

/* Index of the CPU with this number, or -1. */
int host_cpu_index(const struct host *host, unsigned id);
/* How many of each are online; offline: by CPU index, which are not now, NULL as they were when the host
 * was described. Where an offline CPU sits the kernel does not tell, so that its package
 * and core are not known to be there. */
struct host_online {
	unsigned packages, cores, cpus;
};
struct host_online host_online(const struct host *host, const bool *offline);
/* Role of `other` as seen from `driven` (indices): 0 same CPU, else see enum. */
enum relation { RELATION_SELF, RELATION_SIBLING, RELATION_SAME_PACKAGE, RELATION_OTHER_PACKAGE };
enum relation host_relation(const struct host *host, unsigned driven, unsigned other);
const char *relation_name(enum relation relation); /* "driven", "sibling", "same-package", "other-package" */
/* May avxtop disturb (pin to, probe) this CPU? If not, why. */
enum state; /* model/state.h */
int host_cpu_state(const struct host *host, unsigned index); /* an enum state: OK or the reason */

/* It is known of each kind of core that it has none. */
bool host_lacks_license_events(const struct host *host);

void host_free(struct host *host); /* NULL and half-built are fine */

#endif
