/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the name of a hardware event to its code, by libpfm4. Whether the kernel counts it here is
 * another question, which only opening it answers: libpfm4 goes by the model of the CPU. */
#ifndef AVXTOP_SOURCE_PERF_ENCODE_H
#define AVXTOP_SOURCE_PERF_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

struct event;

/* Begins with libpfm4; before there is a second thread, for it changes the environment. */
int perf_encode_init(struct problem *ret_problem);

/* name: with the PMU of libpfm4 before it, "skx::CORE_POWER:THROTTLE"; several that are counted
 * together: "a | b". 0, or -errno with libpfm4's reason. */
int perf_encode(const char *name, uint64_t *ret, struct problem *ret_problem);
/* The code of an event of data/cpu/events: libpfm4's, or where that does not know the name the code
 * of the maker's list. */
uint64_t perf_encode_event(const struct event *event);

#endif
