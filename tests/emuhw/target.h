/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's memory and rights. */
#ifndef AVXTOP_TESTS_EMUHW_TARGET_H
#define AVXTOP_TESTS_EMUHW_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

bool target_memory(pid_t pid, uint64_t addr, void *b, size_t n, bool write);
/* Of any of the bits of MASK. */
bool target_capable(pid_t pid, uint64_t mask);
/* A number of /proc/TID/status, 0 when there is none. */
int target_status(pid_t tid, const char *key);

#endif
