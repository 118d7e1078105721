/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open and its descriptors. */
#ifndef AVXTOP_TESTS_EMUHW_PERF_H
#define AVXTOP_TESTS_EMUHW_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_event_attr;

/* Who asks, and by which rights: CAP_PERFMON or more, CAP_SYS_ADMIN. */
struct pev_caller {
	bool perfmon, admin;
	uid_t uid;
};

/* An identity above 0, or -errno. */
int pev_open(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags,
	     const struct pev_caller *caller, double t);
/* Bytes, or -errno. */
int pev_read(int id, void *buf, size_t n, double t);
int pev_ioctl(int id, unsigned cmd, uintptr_t arg, void *data, double t);
void pev_close(int id, double t);
void pev_cpu_offline(int cpu, double t);

#endif
