/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a row of the overview shows, gathered once: its values, and what is to be said of its clock.
 */
#ifndef AVXTOP_UI_SHOWN_H
#define AVXTOP_UI_SHOWN_H

#include <stdbool.h>

#include "ui/license.h"
#include "ui/lost.h"
#include "ui/view.h"

struct shown {
	const struct value *clock, *busy, *steal;
	const struct mark *mark;
	struct lost lost;
	struct license license;
	unsigned cpu;	     /* index of the CPU that the mark is about */
	double before_hertz; /* what the clock has fallen from; NAN unknown */
	bool idle;	     /* nothing runs there that a low clock could hurt */
	bool idle_probed;    /* the clock is one that the probe itself woke */
	bool behind;	     /* by the ledger: far below its turbo limit, and not idle */
	bool single;	     /* about one CPU only */
	bool throttled;	     /* by heat, in this interval */
	enum role role;	     /* of the clock */
};

/* cpus: of the row, n > 0. */
void shown_gather(const struct ui *ui, const struct row *row, const unsigned *cpus, unsigned n,
		  struct shown *ret);
/* The words at the end of the row. */
void shown_draw_note(const struct ui *ui, struct canvas *canvas, const struct column *column, int y,
		     const struct row *row, const struct shown *shown);

#endif
