/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers what a row shows. */
#include "config.h"

#include "ui/shown.h"

#include <math.h>

#include "model/host.h"
#include "model/snapshot.h"

/* Of its turbo limit: what is lost by less is no news; the steps of a license are larger. */
#define BEHIND 0.10

static enum role clock_role(const struct shown *shown)
{
	if (!state_usable(shown->clock->state))
		return ROLE_ABSENT;
	if (shown->mark->dropped && shown->mark->kind != MARK_AFTER)
		return ROLE_DROPPED;
	if (shown->mark->kind == MARK_BURST)
		return ROLE_BURST;
	if (shown->behind)
		return ROLE_DROPPED;
	return shown->idle_probed || shown->idle ? ROLE_CLOCK_IDLE : ROLE_CLOCK;
}

/* What counters say of a core that idles is said more quietly; without counters only what a probe
 * has woken is. */
static bool is_idle(const struct ui *ui, const struct shown *shown)
{
	return view_served(ui, METRIC_BUSY_RATIO) && state_usable(shown->busy->state) &&
	       shown->busy->v < VIEW_IDLE_BUSY;
}

void shown_gather(const struct ui *ui, const struct row *row, const unsigned *cpus, unsigned n,
		  struct shown *ret)
{
	*ret = (struct shown) { .clock = view_value(ui, METRIC_BUSY_HERTZ, row, 0),
				.busy = view_value(ui, METRIC_OS_BUSY_RATIO, row, 0),
				.steal = view_value(ui, METRIC_STEAL_RATIO, row, 0),
				.single = n == 1,
				.throttled = view_heat_throttled(ui, row) };
	ret->mark = history_worst(&ui->history, cpus, n, &ret->cpu);
	ret->before_hertz = ret->mark->before_hertz;
	ret->idle = is_idle(ui, ret);
	ret->idle_probed = state_usable(ret->clock->state) && state_usable(ret->busy->state) &&
			   ret->busy->v < VIEW_IDLE_BUSY && ret->clock->sees == SEES_SCALAR;
	if (row->kind == ROW_STRIP)
		return;
	lost_gather(ui, row, &ret->lost);
	license_gather(ui, row, &ret->license);
	if (!ret->idle && ret->lost.ratio > BEHIND) { /* not where it is NAN */
		ret->behind = true;
		if (!ret->mark->dropped && row->kind != ROW_PACKAGE)
			ret->before_hertz = ret->clock->v + ret->lost.sum;
		if (row->kind == ROW_PACKAGE && ret->mark->kind == MARK_NONE)
			ret->cpu = ui->host->cores[ret->lost.core].cpus[0];
	}
	ret->role = clock_role(ret);
}
