/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a CPU says it is: by the CPUID instruction, or by the text of /proc/cpuinfo. */
#ifndef AVXTOP_SOURCE_IDENTITY_H
#define AVXTOP_SOURCE_IDENTITY_H

#include <stdint.h>

struct cpu_raw_data_t; /* libcpuid */
struct list;

struct identity {
	char vendor[16], brand[64]; /* safe for a terminal, "" unknown */
	char hypervisor[32];	    /* "" none seen */
	unsigned family, model, stepping;
	double base_hertz; /* 0 unknown */
	uint32_t isa; /* bits of enum isa */
};

/* Runs CPUID on this CPU, in a thread that visits it. cpu < 0: where the calling thread is now.
 * 0 or -errno (-EINVAL: the CPU cannot be pinned to). */
int identity_read(int cpu, struct identity *ret);

/* Meaning of raw CPUID data and of XCR0 (0 where OSXSAVE is off). Pure; hypervisor is set to
 * "unknown" where leaf 1 tells of one. */
void identity_decode(const struct cpu_raw_data_t *raw, uint64_t xcr0, struct identity *ret);
/* Name for the 12 characters of leaf 0x40000000; of an unknown one, itself, made safe. Pure. */
void identity_hypervisor(const char signature[static 12], char *buf, unsigned long size);
/* A base clock in hertz; 0 where it cannot be one. */
double identity_base_hertz(uint64_t khz);

/* The block of "processor : cpu" in the text of /proc/cpuinfo; -ENOENT: there is none. Pure. */
int identity_from_cpuinfo(const char *text, unsigned cpu, struct identity *ret);
/* Adds all "processor" numbers to the list. 0 or -errno. */
int identity_cpuinfo_cpus(const char *text, struct list *list);

#endif
