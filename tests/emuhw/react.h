/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated CPUs follow the program's own pinned threads. */
#ifndef AVXTOP_TESTS_EMUHW_REACT_H
#define AVXTOP_TESTS_EMUHW_REACT_H

#include <sys/types.h>

/* Begins to look ten times a second; the calling thread traces. */
void react_start(void);
void react_tick(void);
/* A thread that was asked to stop for a moment has. */
void react_sample(pid_t tid);

#endif
