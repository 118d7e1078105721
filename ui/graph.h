/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values as pictures made of characters. Values that are NAN leave a gap. */
#ifndef AVXTOP_UI_GRAPH_H
#define AVXTOP_UI_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/canvas.h"

/* One line of blocks of eight heights; values[0] stands leftmost. */
void graph_spark(struct canvas *canvas, int x, int y, enum role role, const double *values, int n,
		 double low, double high);

/* Block of one cell: its height is the value. */
const char *graph_block(double value, double low, double high);

struct graph {
	int x, y, width, height; /* cells */
	double low, high;	 /* at the lower and upper edge */
	bool dashed; /* every other cell only: told apart from another line without color */
};

/* Chooses low and high (hertz) for the values: at least a tenth apart, or noise would look like an event.
 * False without any value. */
bool graph_fit(struct graph *graph, const double *values, int n);

/* A line of braille dots, two values a cell: values[2 * width]; roles[width] by cell. Cells without a
 * dot are left as they are. */
void graph_line(struct canvas *canvas, const struct graph *graph, const double *values,
		const uint8_t *roles);

/* Scale left of the graph, in GHz, in `width` cells: at the upper and lower edge and between. */
void graph_scale(struct canvas *canvas, const struct graph *graph, int x, int width);

#endif
