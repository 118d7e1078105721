/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where things stand on the screen: terminal size and content in, lines and columns out. Pure. */
#ifndef AVXTOP_UI_LAYOUT_H
#define AVXTOP_UI_LAYOUT_H

#include <stdbool.h>

/* The smallest terminal that still tells which CPU is slow. */
#define LAYOUT_MIN_WIDTH 40
#define LAYOUT_MIN_HEIGHT 8

/* Columns of metrics and of idle states; what there is more of is left out. */
#define LAYOUT_MAX_METRICS 8
/* Lines of a panel that asks or shows a burst; and the lowest terminal that has them. */
#define LAYOUT_PANEL_MIN 8
#define LAYOUT_PANEL_HEIGHT 14

#define LAYOUT_MAX_IDLE 8

/* Lines; a count of 0 means that the part is not there. */
struct layout {
	int width, height;
	bool fits;
	int title_y, clock_y, license_y; /* the last -1: no room */
	int heat_y, heat_n;		 /* lines on packages */
	int heading_y;
	int rows_y, rows_n;
	int graph_y, graph_n;	/* its rule included */
	int panel_y, panel_n;
	int events_y, events_n; /* its rule included */
	int bar_y;
};

/* rows: how many there are; panel: lines that an open panel wants, 0 none; heat: lines that there
 * are to tell of packages, of which it is one where there is not the room. */
void layout_screen(int width, int height, unsigned rows, int panel, int heat, struct layout *ret);

struct column {
	int x, width; /* width 0: not there */
};

struct columns {
	struct column core, cpu, mark, clock, sees, bar, busy, license, lost, note;
	struct column metrics[LAYOUT_MAX_METRICS], idle[LAYOUT_MAX_IDLE];
	int n_metrics, n_idle;
	unsigned first_idle; /* where not all fit, the deepest states are shown */
};

/* What the host has. */
struct columns_need {
	int cpu_width;	    /* of the longest CPU number or list */
	int metric_width;   /* of each column of a metric */
	unsigned n_metrics, n_idle; /* idle states */
	bool core, license, lost;
	bool vectors; /* the metrics are those that were asked for: before words */
};

void layout_columns(int width, const struct columns_need *need, struct columns *ret);

#endif
