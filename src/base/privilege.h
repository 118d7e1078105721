/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights of root under sudo: lowered before anything else, raised to open what only root may read,
 * and given back for good before the first thread. */
#ifndef AVXTOP_BASE_PRIVILEGE_H
#define AVXTOP_BASE_PRIVILEGE_H

#include <stdbool.h>

#include "base/problem.h"

/* Becomes the user who called: under sudo the one that SUDO_UID names, of whose options, files and
 * output all that follows is; only the saved user id stays root's, for privilege_raise(). A
 * set-user-ID bit, which whoever calls has not asked for, is given back for good here. Root without
 * sudo stays root. Call it before a file is opened. 0 or -errno with a problem: the caller must end
 * then. */
int privilege_lower(struct problem *ret_problem);
/* Effective root until privilege_unraise(), where privilege_lower() has kept it: true. The ids of
 * all threads change (setxid of glibc), so none may exist that works for the user. */
bool privilege_raise(void);
/* A failure, which no kernel has a reason for, ends the program: it would go on as root. */
void privilege_unraise(void);
/* Gives back for good what privilege_lower() has kept, and all capabilities but CAP_PERFMON. Does nothing where
 * nothing was kept. 0 or -errno with a problem: the caller must end then. */
int privilege_drop(struct problem *ret_problem);

#endif
