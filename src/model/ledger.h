/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger of lost clock: from the limit of license 0 down to what was measured, step by step. Pure. */
#ifndef AVXTOP_MODEL_LEDGER_H
#define AVXTOP_MODEL_LEDGER_H

#include <stdbool.h>

/* All in hertz; NAN unknown. */
struct ledger_in {
	double reference; /* limit of license 0 for the cores active now */
	double cap;	  /* what software allows */
	double limit[3];  /* by license */
	double share[3];  /* of the unhalted cycles at each */
	double busy;	  /* the clock that was measured */
	bool power, heat; /* the registers name this as what limits */
};

/* Each step is its own, and they sum to reference - busy. */
struct ledger {
	double cap, license, power, thermal, other; /* license NAN: no limit of another license is known */
};

/* Constraints in the order cap, license, clock; the last step is power's or heat's where the registers
 * name it, else `other`, and so is what was measured above the limits. */
void ledger_split(const struct ledger_in *in, struct ledger *ret);

#endif
