/* SPDX-License-Identifier: GPL-2.0-or-later */
/* States of readings and values: whether a number is one, and if not, why. */
#ifndef AVXTOP_MODEL_STATE_H
#define AVXTOP_MODEL_STATE_H

#include <stdbool.h>

enum state {
#define STATE(id, ...) STATE_##id,
#include "model/state_rows.h"
#undef STATE
	STATE_N
};

struct state_row {
	const char *name; /* ASCII key */
	const char *mark; /* what a cell shows, at most 4 cells */
	const char *text; /* untranslated sentence; pass through _() */
	/* Which state tells most, the higher: a value made of several inputs takes the highest of
	 * theirs, one made of several CPUs the lowest (that CPU is nearest to having a value). */
	unsigned rank;
};

const struct state_row *state_row(enum state state); /* never NULL */
/* A number may be used: OK, STALE or SCALED. */
bool state_usable(enum state state);

#endif
