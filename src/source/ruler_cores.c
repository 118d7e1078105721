/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calibrates the ruler, once for each kind of core. */
#include "config.h"

#include "source/ruler_cores.h"

#include <errno.h>

#include "base/errand.h"
#include "base/nls.h"
#include "base/problem.h"
#include "burst/gauge.h"
#include "model/host.h"
#include "model/state.h"
#include "source/pin.h"

#define CALIBRATE_CPUS 3u

struct calibration {
	const struct host *host;
	const struct core_table *table;
	struct gauge_core *cores;
	struct pin *pin;
	struct problem *problem;
};

/* One kind of core, on the first CPU of it that may be disturbed and answers: an SMT sibling that
 * is busy all the time, on this machine or in another guest, spoils one CPU and not the next. */
static int calibrate_kind(const struct calibration *calibration, unsigned kind)
{
	const struct host *host = calibration->host;
	unsigned tried = 0;

	for (unsigned i = 0; i < host->n_cpus && tried < CALIBRATE_CPUS; i++) {
		if (host->cpus[i].kind != kind || host_cpu_state(host, i) != STATE_OK ||
		    pin_to(calibration->pin, host->cpus[i].id) < 0)
			continue;
		if (gauge_core_calibrate(calibration->table, host->kinds[kind].uarch,
					 &calibration->cores[kind], calibration->problem) == 0)
			return 0;
		tried++;
	}
	return -ENOTSUP;
}

/* The thread ends here, so its affinity needs no way back. */
static int calibrate(void *of)
{
	const struct calibration *const calibration = of;
	int r = -ENOTSUP;

	pin_begin(calibration->pin);
	for (unsigned kind = 0; kind < calibration->host->n_kinds; kind++)
		if (calibrate_kind(calibration, kind) == 0)
			r = 0;
	return r;
}

int ruler_cores(const struct host *host, const struct core_table *table, struct gauge_core *ret,
		struct problem *ret_problem)
{
	struct calibration calibration = {
		.host = host,
		.table = table,
		.cores = ret,
		.pin = pin_new(host->cpus[host->n_cpus - 1].id),
		.problem = ret_problem,
	};
	int r;

	if (!calibration.pin)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	(void)problem_set(ret_problem, ENOTSUP, "",
			  _("the ruler is not calibrated: no CPU could be run on"));
	r = errand_run(calibrate, &calibration);
	pin_free(calibration.pin);
	return r;
}
