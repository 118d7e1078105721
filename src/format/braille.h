/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line of values as braille dots, two values and four heights a cell; values that are NAN leave a
 * gap. */
#ifndef AVXTOP_FORMAT_BRAILLE_H
#define AVXTOP_FORMAT_BRAILLE_H

struct braille {
	int width, height;    /* cells */
	double low, high;     /* at the lower and upper edge; low < high */
	const double *values; /* [2 * width] */
};

/* Dots of a cell, counted from the upper left one: U+2800 plus them is the character; 0: none. */
unsigned braille_cell(const struct braille *grid, int x, int y);
/* The same as one ASCII character: dots above, below or both. */
char braille_ascii(unsigned dots);
/* And as UTF-8; buf is returned. */
const char *braille_utf8(unsigned dots, char buf[4]);

#endif
