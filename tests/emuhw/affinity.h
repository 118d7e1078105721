/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each thread of the program believes it is bound to. */
#ifndef AVXTOP_TESTS_EMUHW_AFFINITY_H
#define AVXTOP_TESTS_EMUHW_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The first CPU that the thread may run on: the one that it is taken to run on. */
int affinity_cpu(pid_t tid);
/* 0 and the length of the mask in VAL, or -errno. */
int affinity_call(pid_t caller, const uint64_t args[], bool set, int64_t *val);
/* Calls for each thread that is bound: its one CPU, or -1. */
void affinity_each(void (*f)(pid_t tid, int cpu));

#endif
