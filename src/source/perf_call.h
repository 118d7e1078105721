/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of the kernel that count events: the only place of them, so that tests can stand in. */
#ifndef AVXTOP_SOURCE_PERF_CALL_H
#define AVXTOP_SOURCE_PERF_CALL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What one event counts. */
struct perf_what {
	uint32_t type; /* of the PMU */
	uint64_t config;
};

/* Opens an event that counts at once, in the group of the descriptor `leader` (-1: leads one): all
 * that runs on a CPU (by its number in the kernel; task -1), or one task wherever it runs, in user
 * mode only (cpu -1). A descriptor or -errno. */
int perf_call_open(const struct perf_what *what, pid_t task, int cpu, int leader);
/* What a leader's descriptor tells of its group: how many, nanoseconds enabled, nanoseconds
 * running, and their counts in the order of opening. Bytes or -errno. */
ssize_t perf_call_read(int leader, uint64_t *buf, size_t size);
void perf_call_close(int fd);

#endif
