/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A grid of cells, text and role, that views draw into; pure, so every view is testable as text. */
#ifndef AVXTOP_UI_CANVAS_H
#define AVXTOP_UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ONE ROW A ROLE: what a cell means; theme.c turns it into color or attribute. */
enum role {
#define ROLE(id, ...) ROLE_##id,
#include "ui/role_rows.h"
#undef ROLE
	ROLE_N
};

struct cell {
	char text[15]; /* one character cell in UTF-8, with combining marks; "" = right half of a wide one */
	uint8_t role;
};

struct canvas {
	int width, height;
	bool ascii; /* text is drawn in ASCII look-alikes of the same width */
	struct cell *cells;
};

int canvas_resize(struct canvas *canvas, int width, int height); /* 0 or -ENOMEM; blanks all */
void canvas_free(struct canvas *canvas);
void canvas_clear(struct canvas *canvas);
/* Draws text from (x, y), cut at `width` cells and at the edge; returns the cells used. Out of range
 * is not an error: nothing is drawn. Control characters and invalid UTF-8 become '?'. */
int canvas_text(struct canvas *canvas, int x, int y, int width, enum role role, const char *text);
int canvas_textf(struct canvas *canvas, int x, int y, int width, enum role role, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
/* The same, but what does not fit ends in an ellipsis. */
int canvas_elide(struct canvas *canvas, int x, int y, int width, enum role role, const char *text);
/* Draws text so that it ends before x + width. */
int canvas_right(struct canvas *canvas, int x, int y, int width, enum role role, const char *text);
/* Takes the next line of at most `width` (>= 2) cells off *text, broken at a space where there is one;
 * false, and nothing is done, at its end. Lines longer than buf are broken where it is full. */
bool canvas_wrap_next(const char **text, int width, char *buf, size_t size);
/* Breaks text at spaces into lines of `width` cells, at most `height` of them; returns the lines used. */
int canvas_wrap(struct canvas *canvas, int x, int y, int width, int height, enum role role,
		const char *text);
/* Blanks an area. */
void canvas_fill(struct canvas *canvas, int x, int y, int width, int height, enum role role);
/* A blank area of role `inside` in a frame, with a title in its upper edge. */
void canvas_box(struct canvas *canvas, int x, int y, int width, int height, enum role frame,
		enum role inside, const char *title);
/* Cells that canvas_text() would use for the text without a limit. */
int canvas_measure(const char *text);
/* Whole canvas as text, lines ended by newline, trailing spaces cut; caller frees. */
char *canvas_to_text(const struct canvas *canvas);

#endif
