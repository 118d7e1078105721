/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a scope's time line as a picture: clock and rate as lines, the burst as a bar below
 * them, the phases by their numbers above. */
#ifndef AVXTOP_UI_SCOPE_PLOT_H
#define AVXTOP_UI_SCOPE_PLOT_H

#include "cmd/scope_show.h"
#include "ui/canvas.h"

#define SCOPE_PLOT_SCALE 7 /* cells left of it */
#define SCOPE_PLOT_LEAST 8 /* lines: title, numbers, four of lines, bar, times */

struct scope_plot {
	int x, y, width, height; /* cells, with everything */
	bool scale;		 /* the ratios stand left of it */
	bool legend;		 /* what the lines are stands in the title */
	const char *title;
	struct scope_window window;
	double zero_s; /* where times are counted from */
};

/* 0 or -ENOMEM. */
int scope_plot_draw(const struct scope_plot *plot, const struct timeline *timeline,
		    struct canvas *canvas);

#endif
