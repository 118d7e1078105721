/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls that are answered here: perf_event_open, affinity, limits. */
#ifndef AVXTOP_TESTS_EMUHW_SUPERVISE_H
#define AVXTOP_TESTS_EMUHW_SUPERVISE_H

/* In the child, before it executes the program: the descriptor to listen at, or -1. */
int supervise_filter(void);
/* In the parent, from then on; MNT is where the tree is mounted. */
void supervise_start(int listener, const char *mnt);

#endif
