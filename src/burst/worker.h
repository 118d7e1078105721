/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread that loads or watches a CPU does to itself first. */
#ifndef AVXTOP_BURST_WORKER_H
#define AVXTOP_BURST_WORKER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "burst/gauge.h"

struct core_table;
struct host;

/* As pthread_create(), with all signals blocked: they are for the thread that waits for them, never
 * for one that loads a CPU. 0 or -errno. */
int worker_create(pthread_t *ret, void *(*run)(void *), void *argument);
/* The calling thread runs on this CPU (by its number in the kernel) only. 0 or -errno with a
 * problem. */
int worker_pin(unsigned id, struct problem *ret_problem);
/* Calibrates the ruler on the CPU `cpu` (index in host), to which the calling thread is pinned; a
 * busy machine disturbs one attempt now and then. 0 or -errno with a problem. */
int worker_calibrate(const struct host *host, unsigned cpu, const struct core_table *table,
		     struct gauge_core *ret, struct problem *ret_problem);
/* Lets others of the calling thread's CPU go first. */
void worker_be_nice(void);
/* No microcode assists for denormal numbers, in the calling thread. */
void worker_flush_to_zero(void);
/* The kernel moves a thread whose CPU goes offline: is it still on this one, as far as can be told?
 */
bool worker_is_on(unsigned id);
/* CPU time of the calling thread so far; 0 unknown. */
uint64_t worker_cpu_time_ns(void);

#endif
