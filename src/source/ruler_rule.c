/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ruler may disturb, and for how long. */
#include "config.h"

#include "source/ruler_rule.h"

#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/nls.h"
#include "model/host.h"

#define IDLE_BELOW 0.05
#define BUDGET_SHARE 20 /* one part in … */
#define BUDGET_LEAST_NS NS_PER_MS

static bool has_probable_cpu(const struct host *host)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host_cpu_state(host, i) == STATE_OK)
			return true;
	return false;
}

int ruler_refusal(const struct host *host, struct problem *ret)
{
	if (!host->live)
		return problem_set(ret, ENOTSUP, "",
				   _("a recorded or foreign machine cannot be timed"));
	if (!(host->tsc_hertz > 0))
		return problem_set(ret, ENOTSUP, "",
				   _("the ruler is not calibrated: the time-stamp counter is "
				     "intercepted or not steady here"));
	if (!has_probable_cpu(host))
		return problem_set(ret, EPERM, _("name a CPU by -c, or widen the cpuset"),
				   _("no CPU shown here may be disturbed by a probe"));
	return 0;
}

enum state ruler_rule(const struct ruler_look_at *cpu)
{
	if (cpu->may != STATE_OK)
		return cpu->may;
	if (!cpu->calibrated)
		return STATE_UNCALIBRATED;
	if (cpu->probe_idle)
		return STATE_OK;
	if (isnan(cpu->os_busy))
		return cpu->accounted ? STATE_FIRST : STATE_OK;
	return cpu->os_busy < IDLE_BELOW ? STATE_IDLE : STATE_OK;
}

double ruler_busy(uint64_t busy_before, uint64_t busy_now, uint64_t idle_before, uint64_t idle_now,
		  double last)
{
	/* Idle time may step back by a tick (proc(5), iowait): that is no time. */
	double busy = busy_now > busy_before ? (double)(busy_now - busy_before) : 0;
	double idle = idle_now > idle_before ? (double)(idle_now - idle_before) : 0;

	return busy + idle > 0 ? busy / (busy + idle) : last;
}

uint64_t ruler_budget_ns(uint64_t interval_ns)
{
	uint64_t budget = interval_ns / BUDGET_SHARE;

	return budget > BUDGET_LEAST_NS ? budget : BUDGET_LEAST_NS;
}
