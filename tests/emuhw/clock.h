/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated clock, the lock that all of the model is used under, and the log. */
#ifndef AVXTOP_TESTS_EMUHW_CLOCK_H
#define AVXTOP_TESTS_EMUHW_CLOCK_H

#include <stdbool.h>
#include <stdio.h>

void emu_lock(void);
void emu_unlock(void);
/* Emulated seconds; runs the commands of the timeline that have become due. */
double emu_now(void);
void clock_start(bool manual);
void clock_manual(bool on);
/* By hand, and only while the clock is manual. */
void clock_step(double seconds);
int timeline_add(double at, const char *line);
double host_tsc_mhz(void);
/* Host seconds, monotonic. */
double wall(void);

extern FILE *emu_logf;
void emu_log(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
