/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece of work in a thread of its own. */
#ifndef AVXTOP_BASE_ERRAND_H
#define AVXTOP_BASE_ERRAND_H

/* Runs errand(argument), which visits a CPU, in a thread of its own and waits for it. The calling
 * thread keeps its affinity meanwhile, and so do the children that it has: a visit by the thread
 * itself is seen from outside, and lasts where the process is stopped amid it. All signals are
 * blocked in the thread. What the errand returned (0 or -errno), or -errno where no thread could be
 * had. */
int errand_run(int (*errand)(void *argument), void *argument);

#endif
