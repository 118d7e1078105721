/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ledger of lost clock asks of the limits; only derive*.c include it. */
#ifndef AVXTOP_MODEL_DERIVE_LIMITS_H
#define AVXTOP_MODEL_DERIVE_LIMITS_H

#include "model/derive_own.h"

/* The words of limit_reasons, in the order of its row. */
enum reason_bit {
	REASON_THERMAL = 1 << 0,
	REASON_PROCHOT = 1 << 1,
	REASON_POWER_PL1 = 1 << 2,
	REASON_POWER_PL2 = 1 << 3,
	REASON_CURRENT = 1 << 4,
	REASON_TURBO_LIMIT = 1 << 5,
	REASON_RING = 1 << 6,
	REASON_OTHER = 1 << 7,
};

/* What is said of a package to limit its clock now, and of what it would be said. */
struct reasons {
	unsigned set; /* bits of enum reason_bit */
	bool tells_power, tells_heat;
	enum state state; /* of the set, where it is empty */
	uint8_t source;
};
/* Cores of a package that were active. */
struct active derive_active(const struct interval *at, unsigned package);
struct reasons derive_reasons(const struct interval *at, unsigned package);

#endif
