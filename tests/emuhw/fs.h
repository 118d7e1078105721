/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree as a file system. */
#ifndef AVXTOP_TESTS_EMUHW_FS_H
#define AVXTOP_TESTS_EMUHW_FS_H

/* Mounts it and starts the threads that serve it; 0 or -1. */
int fs_start(const char *mnt);
void fs_stop(void);

/* The kernel asks anew whether the files of this CPU are there: it went, or came back. */
void fs_forget_cpu(int cpu);
/* Waits, 2 ms at most, for closes of perf descriptors that have returned but not arrived. */
void perf_wait_closes(void);

#endif
