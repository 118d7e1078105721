/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal's screen in memory (libvterm): bytes of a program in, cells, text and pictures out. */
#ifndef AVXTOP_TESTS_VTSHOT_SCREEN_H
#define AVXTOP_TESTS_VTSHOT_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <vterm.h>

struct screen {
	VTerm *vt;
	VTermScreen *cells;
	int rows, cols;
	VTermPos cursor;
	bool cursor_visible, altscreen, mouse;
};

void screen_open(struct screen *screen, int rows, int cols); /* ends the program when out of memory */
void screen_close(struct screen *screen);
void screen_resize(struct screen *screen, int rows, int cols);
void screen_feed(struct screen *screen, const char *bytes, size_t n);
/* NULL when the terminal is as a shell expects it; else what is not. Borrowed. */
const char *screen_left_behind(struct screen *screen);

/* A cell; an empty one reads as a space. Step through a row by screen_width(). */
void screen_cell(const struct screen *screen, int row, int col, VTermScreenCell *ret);
int screen_width(const VTermScreenCell *cell); /* 1 or 2 columns */
void screen_put_cell(FILE *out, const VTermScreenCell *cell); /* its characters in UTF-8 */

/* Rows ended by newline, trailing spaces cut; the caller frees. */
char *screen_text(const struct screen *screen);
void screen_write_ansi(const struct screen *screen, FILE *out); /* text with SGR sequences */
void screen_write_svg(const struct screen *screen, FILE *out);	/* svg.c */

#endif
