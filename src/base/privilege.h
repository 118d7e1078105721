/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rights that the program does not need, given back before it does anything. */
#ifndef AVXTOP_BASE_PRIVILEGE_H
#define AVXTOP_BASE_PRIVILEGE_H

#include "base/problem.h"

/* Becomes, for good, the user who called: under sudo the one that SUDO_UID names, with a set-user-ID bit
 * the real one. Nothing read here needs root, and files are written as that user. Root without sudo
 * stays root. Call it before other threads exist and before a file is opened. 0 or -errno with a
 * problem: the caller must end then. */
int privilege_drop(struct problem *ret_problem);

#endif
