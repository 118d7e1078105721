/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scenario file. */
#ifndef AVXTOP_TESTS_EMUHW_SCENARIO_H
#define AVXTOP_TESTS_EMUHW_SCENARIO_H

/* An emulated process: a number in /proc. */
struct proc {
	int pid, cpu, threads, uid;
	char comm[16];
	double busy, avx_at;
	int avx; /* AVX-512: -1 never, 0 last at avx_at, 1 all the time */
	struct proc *next;
};
extern struct proc *procs;

/* The process of which this is a thread, or NULL. */
struct proc *process_of(int tid);
/* 0, or -1 with a message on stderr. */
int scenario_load(const char *file);

#endif
