/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load must not outlive whoever asked for it. */
#ifndef AVXTOP_CMD_PARENT_H
#define AVXTOP_CMD_PARENT_H

#include "base/problem.h"

struct hostfs;

/* SIGTERM for this process when its parent ends, however it ends; unless that is init or a service
 * manager, whose children are meant to outlive it. -ECANCELED: the parent has ended already. */
int cmd_tie_to_parent(struct hostfs *fs, struct problem *ret_problem);

#endif
