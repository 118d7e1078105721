/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults: what fails, how, or how late. */
#ifndef AVXTOP_TESTS_EMUHW_FAULT_H
#define AVXTOP_TESTS_EMUHW_FAULT_H

#include <stddef.h>
#include <stdint.h>

/* "read=PATH errno=E delay_ms=N ..."; 0, or -1 with a message in ERR. Changes ARGS. */
int fault_add(char *args, char *err, size_t n);
void fault_clear(void);
/* The errno that the access is to fail with, or 0. Sleeps without the lock when there is a delay. */
int file_fault(const char *kind, const char *path);
int msr_fault(int64_t msr, int cpu);
int perf_fault(int64_t type, int64_t config, int cpu);

#endif
