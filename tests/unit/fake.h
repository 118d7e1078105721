/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machines made up for tests: any shape, sparse ids, no hardware looked at. */
#ifndef AVXTOP_TESTS_UNIT_FAKE_H
#define AVXTOP_TESTS_UNIT_FAKE_H

#include "unit.h"

struct host;

#define assert_near(a, b, epsilon) \
	assert_true((a) - (b) <= (epsilon) && (b) - (a) <= (epsilon))

/* Threads of a core have neighboring indices. CPU ids are 2 × index, core ids 8 × number in the
 * package and so repeat, package ids are 3 × index. All CPUs online, allowed and wanted; one kind;
 * TSC 2 GHz; release time unknown; no idle states. host_free() frees it. */
struct host *fake_host(unsigned packages, unsigned cores, unsigned threads);
/* NULL-terminated names. */
void fake_idle_states(struct host *host, const char *const *names);

#endif
