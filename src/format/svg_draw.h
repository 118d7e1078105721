/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What pictures are made of: shapes and texts as SVG, in pixels from the upper left corner. Classes
 * are those of the style in svg_draw.c, several by a space; colors follow the reader's light or
 * dark scheme on a ground of the picture's own. Errors of writing stay in the stream: row_flush()
 * tells. */
#ifndef AVXTOP_FORMAT_SVG_DRAW_H
#define AVXTOP_FORMAT_SVG_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct svg_point {
	double x, y;
};

/* title: of the document, for readers that do not see. */
void svg_begin(FILE *out, double width, double height, const char *title);
void svg_end(FILE *out);

/* Escaped for XML: what is no UTF-8 or not allowed there becomes U+FFFD. */
void svg_escape(FILE *out, const char *text);
/* NULL for text: nothing, of no width. */
void svg_text(FILE *out, double x, double y, const char *class, const char *text);
/* Words broken into lines of at most `columns` characters, `leading` apart; how many lines, which
 * with NULL for out are only counted. */
unsigned svg_wrap(FILE *out, double x, double y, double leading, unsigned columns,
		  const char *class, const char *text);
/* fill: "#rrggbb", NULL: by class. hint: shown where the pointer rests; NULL none. */
void svg_rect(FILE *out, double x, double y, double width, double height, const char *class,
	      const char *fill, const char *hint);
void svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *class);
/* Through all points; closed: and back. Nothing for fewer than two. */
void svg_path(FILE *out, const struct svg_point *points, size_t n, bool closed, const char *class);

/* Pixels that a text of the common size takes, about: whose fonts are not known. */
double svg_text_width(const char *text);

#endif
