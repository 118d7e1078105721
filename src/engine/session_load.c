/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What loads CPUs for a session: a burst or a microscope, one at a time; see session.h. */
#include "config.h"

#include "engine/session_own.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/nls.h"
#include "engine/release.h"
#include "model/host.h"

/* The rule that both have first; busy: of each CPU with other work, caller frees. */
static int may_load(const struct session *session, double **ret_busy, struct problem *ret_problem)
{
	if (session->readonly)
		return problem_set(ret_problem, EPERM, "",
				   _("no burst: --readonly forbids to load the machine"));
	if (session_burst_running(session) || session_microscope_running(session))
		return problem_set(ret_problem, EBUSY, _("stop it first"),
				   _("a burst is running already"));
	*ret_busy = own_burst_busy(&session->burst, &session->microscope,
				   session->have_snapshot ? session->snapshot : NULL);
	return *ret_busy ? 0
			 : problem_set(ret_problem, ENOMEM, "", _("the burst cannot be started"));
}

int session_burst_start(struct session *session, const struct burst_plan *plan,
			const struct thermal_state *thermal, struct problem *ret_problem,
			struct problem *ret_note)
{
	double *busy = NULL;
	int r = may_load(session, &busy, ret_problem);

	if (r == 0)
		r = own_burst_start(&session->burst, plan, busy, thermal, ret_problem, ret_note);
	free(busy);
	return r;
}

bool session_burst_running(const struct session *session)
{
	return own_burst_running(&session->burst);
}

void session_burst_stop(struct session *session)
{
	own_burst_stop(&session->burst);
}

const struct burst_result *session_burst_result(struct session *session)
{
	const struct burst_result *result = own_burst_result(&session->burst);

	if (result && session->burst.final && isfinite(result->release_s) &&
	    isnan(session->host->release_s)) {
		session->host->release_s = result->release_s;
		release_save(session->host, session->fs, result->release_s);
	}
	return result;
}

int session_microscope_start(struct session *session, const struct microscope_plan *plan,
			     bool force, const struct thermal_state *thermal,
			     struct problem *ret_problem, struct problem *ret_note)
{
	double *busy = NULL;
	int r = may_load(session, &busy, ret_problem);

	if (r == 0)
		r = own_microscope_start(&session->microscope, plan, force, busy, thermal,
					 ret_problem, ret_note);
	free(busy);
	return r;
}

bool session_microscope_running(const struct session *session)
{
	return own_microscope_running(&session->microscope);
}

void session_microscope_stop(struct session *session)
{
	own_microscope_stop(&session->microscope);
}

const struct microscope_result *session_microscope_result(struct session *session)
{
	return own_microscope_result(&session->microscope);
}
