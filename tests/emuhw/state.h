/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a line of a schedule says of a CPU or a package: the truth of an instant, and the rates that follow. */
#ifndef AVXTOP_TESTS_EMUHW_STATE_H
#define AVXTOP_TESTS_EMUHW_STATE_H

#include <stddef.h>

/*
 * Quantities of a CPU that accumulate. Every counter a program can read is a linear function of
 * them, so that the truth has a closed form.
 */
enum cpu_quantity {
	Q_T, /* seconds online */
	Q_C0,
	Q_APERF,
	Q_INST,
	Q_L0,
	Q_L1,
	Q_L2,
	Q_LTHR,
	Q_C1,
	Q_C1E,
	Q_C3,
	Q_C6,
	Q_C7,
	Q_WAKES,
	Q_FP128,
	Q_FP256,
	Q_FP512,
	Q_SMI,
	Q_JOULE,
	Q_CSW,
	Q_USER,
	Q_AMX,
	Q_AREG, /* what the APERF register counts: Q_APERF less the frozen time */
	Q_MREG, /* the same for MPERF, in unhalted seconds */
	Q_UAPERF, /* cycles in user mode */
	NQ
};

/* Quantities of a package that accumulate. */
enum package_quantity {
	P_T,
	P_PKGJ,
	P_DRAMJ,
	P_PP0J,
	P_PP1J,
	P_PC2,
	P_PC3,
	P_PC6,
	P_PC7,
	P_PC8,
	P_PC9,
	P_PC10,
	P_PTHR, /* throttled to keep the power limit */
	P_UNC,
	NP
};

/* Shares in percent, times in seconds, frequencies in MHz; the keys of the scenario file. */
struct cpustate {
	double busy, mhz, ipc, l0, l1, l2, thr, c1, c1e, c3, c6, c7, temp, watts, volt, wakes,
		fp128, fp256, fp512, smi, csw, user, acct, amx;
	int prochot, plimit;
	int freeze; /* 1: APERF stands still, 2: MPERF does, 3: both */
};

struct pkgstate {
	double pkg_w, dram_w, pp0_w, pp1_w, pc2, pc3, pc6, pc7, pc8, pc9, pc10, pthr, unc_mhz, temp;
	int prochot, plimit;
};

/* From AT seconds on this holds, and this accumulates per second. */
struct seg {
	double at;
	double rate[NQ];
	union {
		struct cpustate c;
		struct pkgstate p;
	};
};

void cpu_defaults(struct cpustate *c);
void pkg_defaults(struct pkgstate *p);
void cpu_rates(struct seg *g);
void pkg_rates(struct seg *g);
/* Sets the keys of "key=value ..."; 0, or -1 with a message in ERR. Changes KEYS. */
int set_keys(char *keys, struct seg *g, int is_cpu, char *err, size_t n);

#endif
