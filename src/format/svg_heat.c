/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A heat map: one colored cell a number, its text in it. */
#include "config.h"
#include "format/svg.h"

#include <math.h>
#include <stdio.h>

#include "format/row.h"
#include "format/svg_draw.h"

#define MARGIN 24.0
#define PADDING 8.0
#define CELL_WIDTH_LEAST 64.0
#define CELL_HEIGHT 28.0
#define HEAD 104.0 /* title, subtitle, title and names of the columns */
#define LEADING 18.0
#define WIDTH_LEAST 560.0
#define SCALE_STEPS 48
#define SCALE_WIDTH 240.0

struct plan {
	double cell_width, names_width, width, height, scale_y, notes_y;
	unsigned columns; /* characters of a line of notes */
};

/* Cividis (Nunez, Anderton, Renslow, PLoS ONE 13(7), 2018): even steps of lightness, the same with
 * color-blind eyes. */
static const unsigned char cividis[][3] = {
	{ 0x00, 0x20, 0x4d }, { 0x31, 0x44, 0x6b }, { 0x66, 0x69, 0x70 },
	{ 0x95, 0x8f, 0x78 }, { 0xcb, 0xba, 0x69 }, { 0xff, 0xea, 0x46 },
};

#define STOPS (sizeof(cividis) / sizeof(cividis[0]))

/* at: 0 to 1. Returns the class of a text that is readable on it. */
static const char *color(double at, char ret[8])
{
	const double position = fmin(fmax(at, 0), 1) * (STOPS - 1);
	const size_t stop = position >= STOPS - 1 ? STOPS - 2 : (size_t)position;
	const double share = position - (double)stop;
	unsigned c[3];

	for (int i = 0; i < 3; i++)
		c[i] = (unsigned)lround(cividis[stop][i] * (1 - share) +
					cividis[stop + 1][i] * share) &
		       0xff;
	(void)snprintf(ret, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
	/* weights of luma (ITU-R BT.601) */
	return 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 128 ? "dark" : "light";
}

static double widest(const char *const *texts, size_t n)
{
	double width = 0;

	for (size_t i = 0; i < n; i++)
		if (texts[i])
			width = fmax(width, svg_text_width(texts[i]));
	return width;
}

static void lay_out(const struct svg_heat *heat, struct plan *plan)
{
	const size_t n = (size_t)heat->n_rows * heat->n_columns;
	double lines = 0;

	plan->names_width =
		fmax(widest(heat->rows, heat->n_rows), svg_text_width(heat->rows_title)) +
		2 * PADDING;
	plan->cell_width = fmax(
		fmax(widest(heat->texts, n), widest(heat->columns, heat->n_columns)) + 2 * PADDING,
		CELL_WIDTH_LEAST);
	plan->width = fmax(plan->names_width + plan->cell_width * heat->n_columns, WIDTH_LEAST) +
		      2 * MARGIN;
	plan->columns = (unsigned)((plan->width - 2 * MARGIN) / svg_text_width("n"));
	plan->scale_y = HEAD + CELL_HEIGHT * heat->n_rows + 20;
	plan->notes_y = plan->scale_y + 44;
	for (unsigned i = 0; i < heat->n_notes; i++)
		lines += svg_wrap(NULL, 0, 0, 0, plan->columns, "", heat->notes[i]);
	plan->height = plan->notes_y + LEADING * lines + MARGIN / 2;
}

static void range(const struct svg_heat *heat, double *ret_low, double *ret_high)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < (size_t)heat->n_rows * heat->n_columns; i++) {
		if (!isfinite(heat->values[i]))
			continue;
		low = fmin(low, heat->values[i]);
		high = fmax(high, heat->values[i]);
	}
	*ret_low = heat->low < heat->high ? heat->low : low;
	*ret_high = heat->low < heat->high ? heat->high : high;
}

static void draw_cell(FILE *out, const struct svg_heat *heat, const struct plan *plan, unsigned row,
		      unsigned column, double low, double high)
{
	const size_t i = (size_t)row * heat->n_columns + column;
	const double x = MARGIN + plan->names_width + plan->cell_width * column;
	const double y = HEAD + CELL_HEIGHT * row;
	const double value = heat->values[i];
	char fill[8], class[24], hint[256];

	if (!isfinite(value)) {
		svg_rect(out, x + 2, y + 2, plan->cell_width - 4, CELL_HEIGHT - 4, "absent", NULL,
			 NULL);
		svg_text(out, x + plan->cell_width / 2, y + CELL_HEIGHT / 2 + 4, "dim middle",
			 heat->texts[i] ? heat->texts[i] : "\xe2\x80\x93");
		return;
	}
	(void)snprintf(class, sizeof(class), "%s middle",
		       color(high > low ? (value - low) / (high - low) : 1, fill));
	(void)snprintf(hint, sizeof(hint), "%s, %s: %s", heat->rows[row], heat->columns[column],
		       heat->texts[i] ? heat->texts[i] : "");
	svg_rect(out, x + 1, y + 1, plan->cell_width - 2, CELL_HEIGHT - 2, NULL, fill, hint);
	svg_text(out, x + plan->cell_width / 2, y + CELL_HEIGHT / 2 + 4, class,
		 heat->texts[i] ? heat->texts[i] : "");
}

static void draw_names(FILE *out, const struct svg_heat *heat, const struct plan *plan)
{
	const double left = MARGIN + plan->names_width;

	svg_text(out, MARGIN, 34, "title", heat->title);
	svg_text(out, MARGIN, 54, "dim", heat->subtitle);
	svg_text(out, left - PADDING, HEAD - PADDING, "dim end", heat->rows_title);
	svg_text(out, left + PADDING, HEAD - PADDING - LEADING, "dim", heat->columns_title);
	for (unsigned i = 0; i < heat->n_columns; i++)
		svg_text(out, left + plan->cell_width * (i + 0.5), HEAD - PADDING, "strong middle",
			 heat->columns[i]);
	for (unsigned i = 0; i < heat->n_rows; i++)
		svg_text(out, left - PADDING, HEAD + CELL_HEIGHT * (i + 0.5) + 4, "strong end",
			 heat->rows[i]);
}

static void draw_scale(FILE *out, const struct svg_heat *heat, const struct plan *plan)
{
	const double x = MARGIN + svg_text_width(heat->low_text) + PADDING;
	const double step = SCALE_WIDTH / SCALE_STEPS;
	char fill[8];

	svg_text(out, MARGIN, plan->scale_y + 12, "dim", heat->low_text);
	for (int i = 0; i < SCALE_STEPS; i++) {
		(void)color((i + 0.5) / SCALE_STEPS, fill);
		svg_rect(out, x + step * i, plan->scale_y, step + 0.5, 16, NULL, fill, NULL);
	}
	svg_text(out, x + SCALE_WIDTH + PADDING, plan->scale_y + 12, "dim", heat->high_text);
}

int svg_heat_write(FILE *out, const struct svg_heat *heat)
{
	struct plan plan;
	double low, high, y;

	lay_out(heat, &plan);
	range(heat, &low, &high);
	svg_begin(out, plan.width, plan.height, heat->title);
	draw_names(out, heat, &plan);
	for (unsigned row = 0; row < heat->n_rows; row++)
		for (unsigned column = 0; column < heat->n_columns; column++)
			draw_cell(out, heat, &plan, row, column, low, high);
	draw_scale(out, heat, &plan);
	y = plan.notes_y;
	for (unsigned i = 0; i < heat->n_notes; i++)
		y += LEADING *
		     svg_wrap(out, MARGIN, y, LEADING, plan.columns, "dim", heat->notes[i]);
	svg_end(out);
	return row_flush(out);
}
