/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lost-clock ledger of a row: how far below its turbo limit a core is, and what to. */
#ifndef AVXTOP_UI_LOST_H
#define AVXTOP_UI_LOST_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/view.h"

#define LOST_PARTS 5

struct lost {
	const struct value *parts[LOST_PARTS]; /* in the order of the table */
	unsigned n, core;		       /* index of the core that they are of */
	double sum;			       /* hertz; NAN: nothing is known of it */
	double ratio;			       /* of the clock without losses; NAN likewise */
	enum state state;		       /* why nothing is */
};

/* Of the core of a CPU; of a package: of that core which loses most. */
void lost_gather(const struct ui *ui, const struct row *row, struct lost *ret);
/* The part that costs most; METRIC_N: none costs anything. */
enum metric lost_most(const struct lost *lost);
/* "−1800 lic −200 pwr", most first and as many as have room, in MHz; "0" where nothing was lost. */
void lost_describe(const struct lost *lost, int width, char *buf, size_t size);
bool lost_served(const struct ui *ui);

#endif
