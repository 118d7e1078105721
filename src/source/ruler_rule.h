/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which CPUs the ruler may probe now: pure, so that every case is a test. */
#ifndef AVXTOP_SOURCE_RULER_RULE_H
#define AVXTOP_SOURCE_RULER_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "model/state.h"

struct host;

/* 0 if the ruler can be used on this machine at all; -errno with the reason. */
int ruler_refusal(const struct host *host, struct problem *ret);

/* What is known of one CPU. */
struct ruler_look_at {
	enum state may;	 /* host_cpu_state() */
	double os_busy;	 /* ratio in the last interval; NAN not known (yet) */
	bool accounted;	 /* the kernel's accounting is read at all, or may be: none was read so far */
	bool probe_idle; /* idle CPUs may be woken */
	bool calibrated; /* the ruler knows this kind of core */
};

/* STATE_OK: probe it. Else why not: a CPU under 5 % busy is not woken (STATE_IDLE), and neither is
 * one of which that is not known yet (STATE_FIRST). Where nobody accounts, all are probed. */
enum state ruler_rule(const struct ruler_look_at *cpu);

/* Busy share of what the kernel accounted between two readings of its busy and idle ticks; `last`
 * where it did not account anything (an interval shorter than a tick). */
double ruler_busy(uint64_t busy_before, uint64_t busy_now, uint64_t idle_before, uint64_t idle_now,
		  double last);

/* Nanoseconds that probing may take out of an interval: 5 %, at least 1 ms. */
uint64_t ruler_budget_ns(uint64_t interval_ns);

#endif
