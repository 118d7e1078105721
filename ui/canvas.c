/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The grid of cells: drawing text into it, cutting, framing, and reading it back as text. */
#include "config.h"

#include "ui/canvas.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/text.h"
#include "ui/glyph.h"

static struct cell *cell_at(struct canvas *canvas, int x, int y)
{
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

static bool inside(const struct canvas *canvas, int x, int y)
{
	return x >= 0 && y >= 0 && x < canvas->width && y < canvas->height;
}

int canvas_resize(struct canvas *canvas, int width, int height)
{
	if (width < 1 || height < 1)
		width = height = 1;
	struct cell *cells = calloc((size_t)width * (size_t)height, sizeof(*cells));

	if (!cells)
		return -ENOMEM;
	free(canvas->cells);
	canvas->cells = cells;
	canvas->width = width;
	canvas->height = height;
	canvas_clear(canvas);
	return 0;
}

void canvas_free(struct canvas *canvas)
{
	if (!canvas)
		return;
	free(canvas->cells);
	*canvas = (struct canvas){ 0 };
}

void canvas_clear(struct canvas *canvas)
{
	canvas_fill(canvas, 0, 0, canvas->width, canvas->height, ROLE_NORMAL);
}

/* Cells of a code point; a locale that does not know it gets one, as most terminals would. */
static int glyph_width(uint32_t point)
{
	if (point < 0x80)
		return 1;
	int width = wcwidth((wchar_t)point);

	return width < 0 ? 1 : width;
}

/* A combining mark joins the cell before it while there is room. */
static void put_combining(struct canvas *canvas, int x, int y, const char *text)
{
	if (!inside(canvas, x, y))
		return;
	struct cell *cell = cell_at(canvas, x, y);
	size_t used = strlen(cell->text); /* bytes */

	if (used + 4 < sizeof(cell->text))
		strcat(cell->text, text);
}

/* Whoever overwrites one half of a wide character leaves a space in place of the other. */
static void put_cell(struct canvas *canvas, int x, int y, enum role role, const char *text, int width)
{
	struct cell *cell = cell_at(canvas, x, y);

	if (!cell->text[0] && x > 0)
		strcpy(cell[-1].text, " ");
	if (x + width < canvas->width && !cell[width].text[0])
		strcpy(cell[width].text, " ");
	strcpy(cell->text, text);
	cell->role = (uint8_t)role;
	if (width == 2) {
		cell[1].text[0] = '\0';
		cell[1].role = (uint8_t)role;
	}
}

int canvas_text(struct canvas *canvas, int x, int y, int width, enum role role, const char *text)
{
	int used = 0;

	if (y < 0 || y >= canvas->height)
		return 0;
	while (*text) {
		uint32_t point;
		char glyph[8];
		size_t len = glyph_next(text, &point);
		int cells = glyph_width(point);

		text += len;
		if (canvas->ascii && point >= 0x80 && cells > 0)
			snprintf(glyph, sizeof(glyph), "%c%s", glyph_ascii(point), cells == 2 ? " " : "");
		else
			glyph_encode(point, glyph);
		if (cells == 0) {
			if (!canvas->ascii && used > 0)
				put_combining(canvas, x + used - 1, y, glyph);
			continue;
		}
		if (cells > width - used || x + used + cells > canvas->width)
			break;
		if (x + used >= 0 && canvas->ascii && cells == 2) {
			put_cell(canvas, x + used, y, role, "?", 1);
			put_cell(canvas, x + used + 1, y, role, " ", 1);
		} else if (x + used >= 0) {
			put_cell(canvas, x + used, y, role, glyph, cells);
		}
		used += cells;
	}
	return used;
}

int canvas_textf(struct canvas *canvas, int x, int y, int width, enum role role, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return canvas_text(canvas, x, y, width, role, text);
}

int canvas_measure(const char *text)
{
	int used = 0;

	while (*text) {
		uint32_t point;

		text += glyph_next(text, &point);
		used += glyph_width(point);
	}
	return used;
}

int canvas_elide(struct canvas *canvas, int x, int y, int width, enum role role, const char *text)
{
	if (width > canvas->width - x)
		width = canvas->width - x;
	if (canvas_measure(text) <= width)
		return canvas_text(canvas, x, y, width, role, text);
	if (width < 2)
		return canvas_text(canvas, x, y, width, role, "…");
	int used = canvas_text(canvas, x, y, width - 1, role, text);

	return used + canvas_text(canvas, x + used, y, 1, role, "…");
}

int canvas_right(struct canvas *canvas, int x, int y, int width, enum role role, const char *text)
{
	int cells = canvas_measure(text);

	if (cells < width)
		x += width - cells;
	return canvas_text(canvas, x, y, width, role, text);
}

/* Bytes of the longest run of whole words that fits; at least one glyph. */
static size_t wrap_length(const char *text, int width)
{
	size_t at = 0, fit = 0;
	int used = 0;

	while (text[at]) {
		uint32_t point;
		size_t len = glyph_next(text + at, &point);

		if (point == ' ')
			fit = at;
		used += glyph_width(point);
		if (used > width)
			return fit ? fit : at ? at : len;
		at += len;
	}
	return at;
}

bool canvas_wrap_next(const char **text, int width, char *buf, size_t size)
{
	size_t len = wrap_length(*text, width); /* bytes */

	if (len == 0)
		return false;
	if (len >= size)
		len = size - 1;
	memcpy(buf, *text, len);
	buf[len] = '\0';
	for (*text += len; **text == ' '; (*text)++)
		;
	return true;
}

int canvas_wrap(struct canvas *canvas, int x, int y, int width, int height, enum role role,
		const char *text)
{
	int lines = 0;

	while (*text && lines < height && width > 0) {
		char line[512];

		if (lines == height - 1) {
			canvas_elide(canvas, x, y + lines++, width, role, text);
			break;
		}
		(void)canvas_wrap_next(&text, width, line, sizeof(line));
		canvas_text(canvas, x, y + lines++, width, role, line);
	}
	return lines;
}

static void clip(const struct canvas *canvas, int *from, int *to, int limit)
{
	(void)canvas;
	if (*from < 0)
		*from = 0;
	if (*to > limit)
		*to = limit;
}

void canvas_fill(struct canvas *canvas, int x, int y, int width, int height, enum role role)
{
	int right = x + width, bottom = y + height;

	clip(canvas, &x, &right, canvas->width);
	clip(canvas, &y, &bottom, canvas->height);
	for (; y < bottom; y++)
		for (int i = x; i < right; i++)
			put_cell(canvas, i, y, role, " ", 1);
}

void canvas_box(struct canvas *canvas, int x, int y, int width, int height, enum role frame,
		enum role inner, const char *title)
{
	if (width < 2 || height < 2)
		return;
	canvas_fill(canvas, x, y, width, height, inner);
	for (int i = 1; i < width - 1; i++) {
		canvas_text(canvas, x + i, y, 1, frame, "─");
		canvas_text(canvas, x + i, y + height - 1, 1, frame, "─");
	}
	for (int i = 1; i < height - 1; i++) {
		canvas_text(canvas, x, y + i, 1, frame, "│");
		canvas_text(canvas, x + width - 1, y + i, 1, frame, "│");
	}
	canvas_text(canvas, x, y, 1, frame, "┌");
	canvas_text(canvas, x + width - 1, y, 1, frame, "┐");
	canvas_text(canvas, x, y + height - 1, 1, frame, "└");
	canvas_text(canvas, x + width - 1, y + height - 1, 1, frame, "┘");
	if (title && *title && width > 6)
		canvas_elide(canvas, x + 2, y, width - 4, frame, title);
}

char *canvas_to_text(const struct canvas *canvas)
{
	struct text out = { 0 };

	for (int y = 0; y < canvas->height; y++) {
		const struct cell *row = &canvas->cells[(size_t)y * (size_t)canvas->width];
		int end = canvas->width;

		while (end > 0 && strcmp(row[end - 1].text, " ") == 0)
			end--;
		for (int x = 0; x < end; x++)
			text_add(&out, row[x].text);
		text_add(&out, "\n");
	}
	if (out.failed) {
		text_free(&out);
		return NULL;
	}
	return out.data;
}
