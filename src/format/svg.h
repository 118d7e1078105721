/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures as SVG, each a whole document: text is escaped, numbers are as in the C locale, nothing
 * comes from elsewhere, readable on white and on black. */
#ifndef AVXTOP_FORMAT_SVG_H
#define AVXTOP_FORMAT_SVG_H

#include <stdio.h>

/* A table of numbers as colored cells with their texts. */
struct svg_heat {
	const char *title, *subtitle;
	const char *const *rows, *const *columns; /* their names */
	const char *rows_title, *columns_title;
	unsigned n_rows, n_columns;
	const double *values;	  /* row by row; NAN: absent */
	const char *const *texts; /* in the cells; row by row; of absent ones NULL is fine */
	double low, high;	  /* ends of the scale; both 0: least and greatest value */
	const char *low_text, *high_text; /* at these ends */
	const char *const *notes;	  /* paragraphs below it */
	unsigned n_notes;
};

/* 0 or -errno of writing. */
int svg_heat_write(FILE *out, const struct svg_heat *heat);

#endif
