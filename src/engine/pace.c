/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A read that took t is followed by 19 t of rest. */
#include "config.h"

#include "engine/pace.h"

#include "source/ruler_rule.h"

#define SHARE 20u

/* A tick that comes a little early is still its tick: a tenth of an interval is forgiven. */
bool pace_due(const struct pace *pace, uint64_t now_ns, uint64_t interval_ns)
{
	uint64_t took_ns = pace->took_ns[0] < pace->took_ns[1] ? pace->took_ns[0] : pace->took_ns[1];

	return took_ns <= ruler_budget_ns(interval_ns) ||
	       now_ns + interval_ns / 10 >= pace->begin_ns + SHARE * took_ns;
}

void pace_note(struct pace *pace, uint64_t begin_ns, uint64_t end_ns)
{
	pace->took_ns[1] = pace->took_ns[0];
	pace->took_ns[0] = end_ns - begin_ns;
	pace->begin_ns = begin_ns;
}
