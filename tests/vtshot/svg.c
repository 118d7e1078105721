/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The screen of vtshot as a picture. Each cell is placed on its own, so that a font of another width cannot shift
 * columns; blocks, lines, triangles and Braille are drawn, since fonts leave gaps between them or lack them. */
#include "config.h"

#include "screen.h"

#include <string.h>

/* A cell in pixels: DejaVu Sans Mono of 14 pixels is 8.43 wide. */
static const double cell_w = 8.43, cell_h = 17, baseline = 13;

struct rgb {
	uint8_t red, green, blue;
};

static const struct rgb default_fore = { 0xd0, 0xd0, 0xd0 }, default_back = { 0x10, 0x10, 0x10 };

struct ink {
	FILE *out;
	double x, y; /* upper left corner of the cell */
	struct rgb fore;
};

static struct rgb color_rgb(const struct screen *screen, VTermColor color, bool back)
{
	if (back ? VTERM_COLOR_IS_DEFAULT_BG(&color) : VTERM_COLOR_IS_DEFAULT_FG(&color))
		return back ? default_back : default_fore;
	vterm_screen_convert_color_to_rgb(screen->cells, &color);
	return (struct rgb){ color.rgb.red, color.rgb.green, color.rgb.blue };
}

static void put_fill(FILE *out, struct rgb color)
{
	fprintf(out, " fill=\"#%02x%02x%02x\"", color.red, color.green, color.blue);
}

/* A rectangle inside the cell, in fractions of it. At the right edge it reaches a little into the next
 * cell: edges are rounded to pixels, and lines across cells would show gaps. */
static void draw_box(const struct ink *ink, double left, double top, double right, double bottom,
		     double opacity)
{
	if (right >= 1)
		right = 1.04;
	fprintf(ink->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
		ink->x + left * cell_w, ink->y + top * cell_h, (right - left) * cell_w,
		(bottom - top) * cell_h);
	put_fill(ink->out, ink->fore);
	if (opacity < 1)
		fprintf(ink->out, " opacity=\"%.2f\"", opacity);
	fputs("/>\n", ink->out);
}

/* U+2580 to U+259F: eighths, halves, shades, quadrants. */
static void draw_block(const struct ink *ink, uint32_t c)
{
	/* Upper left, upper right, lower left, lower right as bits 1, 2, 4, 8. */
	static const uint8_t quadrants[] = { 4, 8, 1, 13, 9, 7, 11, 2, 6, 14 };

	if (c == 0x2580)
		draw_box(ink, 0, 0, 1, 0.5, 1);
	else if (c <= 0x2588)
		draw_box(ink, 0, 1 - (c - 0x2580) / 8.0, 1, 1, 1);
	else if (c <= 0x258f)
		draw_box(ink, 0, 0, (0x2590 - c) / 8.0, 1, 1);
	else if (c == 0x2590)
		draw_box(ink, 0.5, 0, 1, 1, 1);
	else if (c <= 0x2593)
		draw_box(ink, 0, 0, 1, 1, (c - 0x2590) / 4.0);
	else if (c == 0x2594)
		draw_box(ink, 0, 0, 1, 0.125, 1);
	else if (c == 0x2595)
		draw_box(ink, 0.875, 0, 1, 1, 1);
	else
		for (int i = 0; i < 4; i++)
			if (quadrants[c - 0x2596] >> i & 1)
				draw_box(ink, i % 2 * 0.5, i / 2 * 0.5, i % 2 * 0.5 + 0.5,
					 i / 2 * 0.5 + 0.5, 1);
}

/* U+2800 to U+28FF: eight dots, numbered down the left column, down the right, then the lowest row. */
static void draw_braille(const struct ink *ink, uint32_t c)
{
	static const uint8_t column[] = { 0, 0, 0, 1, 1, 1, 0, 1 }, row[] = { 0, 1, 2, 0, 1, 2, 3, 3 };

	for (int i = 0; i < 8; i++) {
		if (!(c >> i & 1))
			continue;
		fprintf(ink->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"1.3\"",
			ink->x + cell_w * (0.28 + 0.44 * column[i]), ink->y + cell_h * (0.14 + 0.24 * row[i]));
		put_fill(ink->out, ink->fore);
		fputs("/>\n", ink->out);
	}
}

/* U+2500 to U+257F as four arms from the middle of the cell: two bits each for left, right, up and down; 1 is light,
 * 2 is heavy. From the names in the Unicode standard; 0 (double lines, arcs, diagonals) is left to the font. */
static const uint8_t line_arms[0x80] = {
	0x50, 0xa0, 0x05, 0x0a, 0x50, 0xa0, 0x05, 0x0a, 0x50, 0xa0, 0x05, 0x0a, 0x11, 0x21, 0x12, 0x22,
	0x41, 0x81, 0x42, 0x82, 0x14, 0x24, 0x18, 0x28, 0x44, 0x84, 0x48, 0x88, 0x15, 0x25, 0x19, 0x16,
	0x1a, 0x29, 0x26, 0x2a, 0x45, 0x85, 0x49, 0x46, 0x4a, 0x89, 0x86, 0x8a, 0x51, 0x91, 0x61, 0xa1,
	0x52, 0x92, 0x62, 0xa2, 0x54, 0x94, 0x64, 0xa4, 0x58, 0x98, 0x68, 0xa8, 0x55, 0x95, 0x65, 0xa5,
	0x59, 0x56, 0x5a, 0x99, 0x69, 0x96, 0x66, 0xa9, 0xa6, 0x9a, 0x6a, 0xaa, 0x50, 0xa0, 0x05, 0x0a,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x40, 0x04, 0x10, 0x01, 0x80, 0x08, 0x20, 0x02, 0x60, 0x06, 0x90, 0x09,
};

/* Half the thickness of a light and a heavy line, in fractions of the cell. */
static const double half_w[] = { 0, 0.07, 0.15 }, half_h[] = { 0, 0.035, 0.075 };

/* U+2504 to U+250B and U+254C to U+254F: three, four or two dashes; bit 1 of the code is set for upright lines, bit 0
 * for heavy ones. */
static bool draw_dashes(const struct ink *ink, uint32_t c)
{
	int n = c >= 0x254c && c <= 0x254f ? 2 : c >= 0x2508 && c <= 0x250b ? 4 : 3;
	int heavy = c & 1 ? 2 : 1;

	if (!(c >= 0x2504 && c <= 0x250b) && n != 2)
		return false;
	for (int i = 0; i < n; i++) {
		double from = (i + 0.2) / n, to = (i + 0.8) / n;

		if (c & 2)
			draw_box(ink, 0.5 - half_w[heavy], from, 0.5 + half_w[heavy], to, 1);
		else
			draw_box(ink, from, 0.5 - half_h[heavy], to, 0.5 + half_h[heavy], 1);
	}
	return true;
}

static void draw_lines(const struct ink *ink, uint32_t c)
{
	unsigned arms = line_arms[c - 0x2500];
	unsigned left = arms >> 6, right = arms >> 4 & 3, up = arms >> 2 & 3, down = arms & 3;

	if (left)
		draw_box(ink, 0, 0.5 - half_h[left], 0.5, 0.5 + half_h[left], 1);
	if (right)
		draw_box(ink, 0.5, 0.5 - half_h[right], 1, 0.5 + half_h[right], 1);
	if (up)
		draw_box(ink, 0.5 - half_w[up], 0, 0.5 + half_w[up], 0.5, 1);
	if (down)
		draw_box(ink, 0.5 - half_w[down], 0.5, 0.5 + half_w[down], 1, 1);
}

/* Corners of the filled triangles, in fractions of the cell. */
static const struct triangle {
	uint32_t c;
	double corner[6];
} triangles[] = {
	{ 0x25b2, { 0.5, 0.25, 0.98, 0.8, 0.02, 0.8 } },  /* up */
	{ 0x25b6, { 0.05, 0.25, 0.98, 0.52, 0.05, 0.8 } }, /* right */
	{ 0x25bc, { 0.02, 0.25, 0.98, 0.25, 0.5, 0.8 } }, /* down */
	{ 0x25c0, { 0.95, 0.25, 0.95, 0.8, 0.02, 0.52 } }, /* left */
};

static bool draw_triangle(const struct ink *ink, uint32_t c)
{
	for (size_t i = 0; i < sizeof(triangles) / sizeof(*triangles); i++) {
		if (triangles[i].c != c)
			continue;
		fputs("<polygon points=\"", ink->out);
		for (int k = 0; k < 6; k += 2)
			fprintf(ink->out, "%s%.2f,%.2f", k ? " " : "",
				ink->x + triangles[i].corner[k] * cell_w,
				ink->y + triangles[i].corner[k + 1] * cell_h);
		fputc('"', ink->out);
		put_fill(ink->out, ink->fore);
		fputs("/>\n", ink->out);
		return true;
	}
	return false;
}

static void draw_text(const struct ink *ink, const VTermScreenCell *cell)
{
	fprintf(ink->out, "<text x=\"%.2f\" y=\"%.1f\"", ink->x, ink->y + baseline);
	put_fill(ink->out, ink->fore);
	fprintf(ink->out, "%s%s%s>", cell->attrs.bold ? " font-weight=\"bold\"" : "",
		cell->attrs.italic ? " font-style=\"italic\"" : "",
		cell->attrs.underline ? " text-decoration=\"underline\"" : "");
	if (cell->chars[0] == '<')
		fputs("&lt;", ink->out);
	else if (cell->chars[0] == '>')
		fputs("&gt;", ink->out);
	else if (cell->chars[0] == '&')
		fputs("&amp;", ink->out);
	else
		screen_put_cell(ink->out, cell);
	fputs("</text>\n", ink->out);
}

static void draw_fore(const struct ink *ink, const VTermScreenCell *cell)
{
	uint32_t c = cell->chars[0];

	if (c >= 0x2580 && c <= 0x259f)
		draw_block(ink, c);
	else if (c >= 0x2800 && c <= 0x28ff)
		draw_braille(ink, c);
	else if (draw_dashes(ink, c))
		return;
	else if (c >= 0x2500 && c <= 0x257f && line_arms[c - 0x2500])
		draw_lines(ink, c);
	else if (c != ' ' && !draw_triangle(ink, c))
		draw_text(ink, cell);
}

static void cell_colors(const struct screen *screen, const VTermScreenCell *cell, struct rgb *ret_fore,
			struct rgb *ret_back)
{
	struct rgb fore = color_rgb(screen, cell->fg, false), back = color_rgb(screen, cell->bg, true);

	*ret_fore = cell->attrs.reverse ? back : fore;
	*ret_back = cell->attrs.reverse ? fore : back;
}

static void draw_run(FILE *out, int row, int from, int to, struct rgb color)
{
	if (from == to || !memcmp(&color, &default_back, sizeof(color)))
		return;
	fprintf(out, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\"", from * cell_w,
		row * cell_h, (to - from) * cell_w, cell_h);
	put_fill(out, color);
	fputs("/>\n", out);
}

/* Backgrounds first, one rectangle a run of equal color, so that no gap shows between cells. */
static void draw_back(const struct screen *screen, FILE *out, int row)
{
	struct rgb fore, back, run = default_back;
	VTermScreenCell cell;
	int from = 0;

	for (int col = 0; col < screen->cols; col += screen_width(&cell)) {
		screen_cell(screen, row, col, &cell);
		cell_colors(screen, &cell, &fore, &back);
		if (!memcmp(&back, &run, sizeof(back)))
			continue;
		draw_run(out, row, from, col, run);
		run = back;
		from = col;
	}
	draw_run(out, row, from, screen->cols, run);
}

void screen_write_svg(const struct screen *screen, FILE *out)
{
	VTermScreenCell cell;
	struct rgb back;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		"font-family=\"DejaVu Sans Mono,FreeMono,Unifont,monospace\" font-size=\"14\" "
		"shape-rendering=\"crispEdges\">\n<rect width=\"100%%\" height=\"100%%\"",
		screen->cols * cell_w, screen->rows * cell_h);
	put_fill(out, default_back);
	fputs("/>\n", out);
	for (int row = 0; row < screen->rows; row++) {
		draw_back(screen, out, row);
		for (int col = 0; col < screen->cols; col += screen_width(&cell)) {
			struct ink ink = { .out = out, .x = col * cell_w, .y = row * cell_h };

			screen_cell(screen, row, col, &cell);
			cell_colors(screen, &cell, &ink.fore, &back);
			draw_fore(&ink, &cell);
		}
	}
	if (screen->cursor_visible && screen->cursor.row < screen->rows && screen->cursor.col < screen->cols)
		fprintf(out,
			"<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%.0f\" fill=\"none\" "
			"stroke=\"#888888\"/>\n",
			screen->cursor.col * cell_w, screen->cursor.row * cell_h, cell_w, cell_h);
	fputs("</svg>\n", out);
}
