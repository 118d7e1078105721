/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks and braille. ASCII look-alikes come from the canvas. */
#include "config.h"

#include "ui/graph.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "format/braille.h"

const char *graph_block(double value, double low, double high)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };

	if (isnan(value) || !(high > low))
		return " ";
	double step = floor((value - low) / (high - low) * 8);

	return blocks[step < 0 ? 0 : step > 7 ? 7 : (int)step];
}

void graph_spark(struct canvas *canvas, int x, int y, enum role role, const double *values, int n,
		 double low, double high)
{
	for (int i = 0; i < n; i++)
		canvas_text(canvas, x + i, y, 1, role, graph_block(values[i], low, high));
}

bool graph_fit(struct graph *graph, const double *values, int n)
{
	const double step = 2e8; /* the scale's labels, quarters of it, are round too */
	double low = INFINITY, high = -INFINITY;

	for (int i = 0; i < n; i++) {
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	if (!(high >= low))
		return false;
	graph->high = ceil(high / 5e7 + 0.5) * 5e7;
	low = fmin(low - 2.5e7, graph->high * 0.9);
	graph->low = fmax(0, graph->high - ceil((graph->high - low) / step) * step);
	return true;
}

void graph_line(struct canvas *canvas, const struct graph *graph, const double *values,
		const uint8_t *roles)
{
	const struct braille grid = { .width = graph->width, .height = graph->height,
				      .low = graph->low, .high = graph->high, .values = values };
	char text[4];

	if (!(graph->high > graph->low))
		return;
	for (int x = 0; x < graph->width; x++) {
		for (int y = 0; y < graph->height && !(graph->dashed && x % 2); y++) {
			const unsigned dots = braille_cell(&grid, x, y);

			if (dots)
				canvas_text(canvas, graph->x + x, graph->y + y, 1,
					    (enum role)roles[x], braille_utf8(dots, text));
		}
	}
}

void graph_scale(struct canvas *canvas, const struct graph *graph, int x, int width)
{
	int steps = graph->height >= 9 ? 4 : graph->height >= 5 ? 2 : 1;

	for (int i = 0; i <= steps; i++) {
		double hertz = graph->high - (graph->high - graph->low) * i / steps;
		int row = graph->height * i / steps; /* where graph_line() has this value */
		int y = graph->y + (row < graph->height ? row : graph->height - 1);

		canvas_textf(canvas, x, y, width, ROLE_DIM, "%*.2f", width - 1, hertz / 1e9);
	}
	for (int y = 0; y < graph->height; y++)
		canvas_text(canvas, x + width - 1, graph->y + y, 1, ROLE_TICK, "│");
}
