/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why something can be seen on a machine or cannot: which kind of reason it is, so that a user knows
 * whether rights, a driver, the CPU, a hypervisor or an option is to be looked at. */
#ifndef AVXTOP_MODEL_CAUSE_H
#define AVXTOP_MODEL_CAUSE_H

struct host;

enum cause {
#define CAUSE(id, ...) CAUSE_##id,
#include "model/cause_rows.h"
#undef CAUSE
	CAUSE_N
};

struct cause_row {
	const char *name;   /* ASCII key */
	const char *title;  /* untranslated, at most 15 cells */
	const char *remedy; /* untranslated sentence without period; "" there is nothing to do */
};

const struct cause_row *cause_row(enum cause cause); /* never NULL */

/* The kind of a failure with this positive errno on this host; 0 is CAUSE_FOUND. A kernel gives no
 * file where there is no driver, and in a virtual machine there is none since the hypervisor shows no
 * such hardware. ENOTSUP is our own judgment about the CPU, or that the host is not this machine. Pure. */
enum cause cause_of(int err, const struct host *host);

#endif
