/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks and braille. ASCII look-alikes come from the canvas. */
#include "config.h"

#include "ui/graph.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "ui/glyph.h"

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

/* Dot row of a value from above: 0 … 4 × height - 1. */
static int dot_row(const struct graph *graph, double value)
{
	int dots = graph->height * 4;
	double row = floor((graph->high - value) / (graph->high - graph->low) * dots);

	return row < 0 ? 0 : row > dots - 1 ? dots - 1 : (int)row;
}

/* Bits of a braille cell: Unicode 2800 + dots 1-3, 4-6, 7, 8. */
static uint32_t dot_bit(int column, int row)
{
	static const uint8_t bits[2][4] = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } };

	return bits[column][row];
}

/* Dots of one column from one row to another, so that a step is seen as a line. */
static uint32_t column_dots(int column, int cell_row, int from, int to)
{
	uint32_t dots = 0;

	for (int row = 0; row < 4; row++) {
		int at = cell_row * 4 + row;

		if (at >= from && at <= to)
			dots |= dot_bit(column, row);
	}
	return dots;
}

struct span {
	int from, to; /* dot rows; from > to: nothing */
};

static struct span value_span(const struct graph *graph, const double *values, int i)
{
	if (isnan(values[i]))
		return (struct span){ 1, 0 };
	int row = dot_row(graph, values[i]);
	int before = i > 0 && !isnan(values[i - 1]) ? dot_row(graph, values[i - 1]) : row;

	/* The column of a value holds the way from its predecessor, without that one's own dot. */
	if (before < row)
		return (struct span){ before + 1, row };
	if (before > row)
		return (struct span){ row, before - 1 };
	return (struct span){ row, row };
}

void graph_line(struct canvas *canvas, const struct graph *graph, const double *values,
		const uint8_t *roles)
{
	if (!(graph->high > graph->low))
		return;
	for (int x = 0; x < graph->width; x++) {
		struct span left = value_span(graph, values, 2 * x);
		struct span right = value_span(graph, values, 2 * x + 1);

		for (int y = 0; y < graph->height; y++) {
			uint32_t dots = column_dots(0, y, left.from, left.to) |
					column_dots(1, y, right.from, right.to);
			char text[8];

			if (!dots)
				continue;
			glyph_encode(0x2800 + dots, text);
			canvas_text(canvas, graph->x + x, graph->y + y, 1, (enum role)roles[x], text);
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
