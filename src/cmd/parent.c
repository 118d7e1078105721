/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PR_SET_PDEATHSIG (prctl(2)), with the race closed: a parent that ends before the call sends
 * nothing, but then getppid() has changed. */
#include "config.h"
#include "cmd/parent.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/nls.h"

/* Process 1, a parent outside of this PID namespace (0), or systemd for a user. */
static bool is_manager(struct hostfs *fs, pid_t pid)
{
	char comm[32];

	if (pid <= 1)
		return true;
	return hostfs_read_line(fs, comm, sizeof(comm), "proc/%d/comm", (int)pid) == 0 &&
	       strcmp(comm, "systemd") == 0;
}

int cmd_tie_to_parent(struct hostfs *fs, struct problem *ret_problem)
{
	const pid_t parent = getppid();

	if (is_manager(fs, parent))
		return 0;
	/* A parent that ignores it hands that down, and the load would outlive it. */
	(void)signal(SIGTERM, SIG_DFL);
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0)
		return problem_set(ret_problem, errno, "", _("this load could outlive its parent"));
	if (getppid() != parent)
		return problem_set(ret_problem, ECANCELED, "", _("the parent process has ended"));
	return 0;
}
