/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Long sleeps, told at the pace of time. */
#include "config.h"

#include "source/idle_told.h"

#include <stddef.h>

#include "model/host.h"
#include "model/sample.h"

void idle_hold_back(struct idle_told *all, const struct host *host, unsigned cpu, uint64_t elapsed_us,
		    struct sample *into)
{
	unsigned n = host->n_idle_states;

	for (unsigned label = n; label-- > 0;) {
		struct idle_told *told = &all[(size_t)cpu * n + label];
		struct reading *reading = sample_at(into, COUNTER_IDLE_TIME, cpu, label);
		uint64_t more;

		if (reading->state != STATE_OK && reading->state != STATE_RESET) {
			told->ok = false;
			continue;
		}
		if (!told->ok)
			reading->state = STATE_OK; /* nothing was told that it could be added to */
		if (reading->state == STATE_OK && told->ok && reading->raw >= told->us) {
			more = reading->raw - told->us;
			if (more > elapsed_us)
				more = elapsed_us;
			elapsed_us -= more;
			reading->raw = told->us + more;
		}
		told->us = reading->raw;
		told->ok = true;
	}
}
