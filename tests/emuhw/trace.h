/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUID and RDTSC of the program: they fault, and are answered here. */
#ifndef AVXTOP_TESTS_EMUHW_TRACE_H
#define AVXTOP_TESTS_EMUHW_TRACE_H

#include <stdbool.h>
#include <sys/types.h>

/* Attaches; 0 or -1. QUIET: does not tell where CPUID cannot be answered. */
int trace_attach(pid_t child, bool quiet);
/* Until the child ends: its exit status, as a shell has it. */
int trace_run(pid_t child);

#endif
