/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of braille dots. */
#include "config.h"
#include "format/braille.h"

#include <math.h>
#include <stdint.h>

/* Dot row of a value from above: 0 … 4 × height - 1. */
static int dot_row(const struct braille *grid, double value)
{
	int dots = grid->height * 4;
	double row = floor((grid->high - value) / (grid->high - grid->low) * dots);

	return row < 0 ? 0 : row > dots - 1 ? dots - 1 : (int)row;
}

/* Bits of a braille cell: Unicode 2800 + dots 1-3, 4-6, 7, 8. */
static unsigned dot_bit(int column, int row)
{
	static const uint8_t bits[2][4] = { { 0x01, 0x02, 0x04, 0x40 },
					    { 0x08, 0x10, 0x20, 0x80 } };

	return bits[column][row];
}

struct span {
	int from, to; /* dot rows; from > to: nothing */
};

/* A column holds the way from its predecessor, without that one's own dot, so that a step is seen
 * as a line. */
static struct span value_span(const struct braille *grid, int i)
{
	const double *values = grid->values;

	if (isnan(values[i]))
		return (struct span) { 1, 0 };
	int row = dot_row(grid, values[i]);
	int before = i > 0 && !isnan(values[i - 1]) ? dot_row(grid, values[i - 1]) : row;

	if (before < row)
		return (struct span) { before + 1, row };
	if (before > row)
		return (struct span) { row, before - 1 };
	return (struct span) { row, row };
}

unsigned braille_cell(const struct braille *grid, int x, int y)
{
	unsigned dots = 0;

	for (int column = 0; column < 2; column++) {
		struct span span = value_span(grid, 2 * x + column);

		for (int row = 0; row < 4; row++)
			if (y * 4 + row >= span.from && y * 4 + row <= span.to)
				dots |= dot_bit(column, row);
	}
	return dots;
}

char braille_ascii(unsigned dots)
{
	const unsigned rows_above = 0x1b, rows_below = 0xe4; /* rows 1 and 2; 3 and 4 */

	return dots & rows_above ? dots & rows_below ? ':' : '\'' : dots & rows_below ? '.' : ' ';
}

const char *braille_utf8(unsigned dots, char buf[4])
{
	buf[0] = (char)0xe2;
	buf[1] = (char)(0xa0 | dots >> 6);
	buf[2] = (char)(0x80 | (dots & 0x3f));
	buf[3] = '\0';
	return buf;
}
