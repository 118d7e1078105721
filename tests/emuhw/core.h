/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A physical core: its threads' schedules merged, for what is counted by core. */
#ifndef AVXTOP_TESTS_EMUHW_CORE_H
#define AVXTOP_TESTS_EMUHW_CORE_H

/*
 * Quantities of a core that accumulate, of the union of its threads' unhalted time (K_CYC to
 * K_LTHR), and of a thread as a part of it: the core's license cycles while this thread is unhalted
 * (K_H0 to K_HTHR), cycles and unhalted seconds shared out evenly among the active threads.
 */
enum core_quantity {
	K_CYC,
	K_C0,
	K_L0,
	K_L1,
	K_L2,
	K_LTHR,
	K_H0,
	K_H1,
	K_H2,
	K_HTHR,
	K_DIST,
	K_RDIST,
	NK
};

/* Of the CPU's core, and of the CPU in it. */
void core_q(int cpu, double t, double k[NK]);
/* What the core of LEAD does at t, per second, as its first thread sees it. */
void core_rates(int lead, double t, double k[NK]);
/* Must be called before the schedule of a CPU changes at t. */
void core_settle(int cpu, double t);

#endif
