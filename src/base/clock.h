/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time of this process: monotonic for intervals, real for labels. */
#ifndef AVXTOP_BASE_CLOCK_H
#define AVXTOP_BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#define NS_PER_S 1000000000ull
#define NS_PER_MS 1000000ull
#define NS_PER_US 1000ull

uint64_t clock_mono_ns(void);	 /* CLOCK_MONOTONIC */
uint64_t clock_raw_ns(void);	 /* CLOCK_MONOTONIC_RAW: not slewed; for rates */
uint64_t clock_real_ns(void);	 /* CLOCK_REALTIME */
/* CLOCK_BOOTTIME − CLOCK_MONOTONIC: how long the machine has been suspended so far (clock_gettime(2)),
 * right to within a millisecond unless this thread is held up each time it looks. Only its growth means
 * something, in 64 bits: in a time namespace it may have any value. */
uint64_t clock_suspended_ns(void);
uint64_t clock_process_ns(void); /* CPU time of all threads of this process */

/* "2026-11-30T12:00:00.250000Z"; returns buf (size >= 32). */
const char *clock_format_utc(uint64_t real_ns, char *buf, size_t size);

#endif
