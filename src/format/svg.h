/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures as SVG, each a whole document: text is escaped, numbers are as in the C locale, nothing
 * comes from elsewhere, readable on white and on black. */
#ifndef AVXTOP_FORMAT_SVG_H
#define AVXTOP_FORMAT_SVG_H

#include <stdbool.h>
#include <stddef.h>
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

/* One step of a curve; NAN for y: nothing there, for low and high: no band. */
struct svg_step {
	double x, width; /* its middle */
	double y, low, high;
};

struct svg_curve {
	const char *name;
	bool second; /* in the second color */
	const struct svg_step *steps;
	size_t n;
};

/* What happened from here to there, in words; deep: the curve stands out against a ground of its
 * own. */
struct svg_mark {
	double from, to;
	const char *text;
	bool deep;
};

/* A part of the x axis. */
struct svg_panel {
	const char *title;
	double from, to;
};

#define SVG_PANELS 3 /* two side by side, and one below that is as wide as both */

/* Curves over an axis in seconds of which some parts are seen closer than others. */
struct svg_plot {
	const char *title, *subtitle;
	const char *x_title;
	double low, high;   /* of the y axis, a ratio that is shown in percent */
	double unity_hertz; /* the clock at 100 %, for the axis at the right; NAN unknown */
	const struct svg_curve *curves;
	unsigned n_curves;
	const struct svg_mark *marks;
	unsigned n_marks;
	double shade_from, shade_to; /* what the plot is about, and its name */
	const char *shade_text;
	struct svg_panel panels[SVG_PANELS];
	const char *const *notes;
	unsigned n_notes;
};

/* 0 or -errno of writing, or -ENOMEM. */
int svg_plot_write(FILE *out, const struct svg_plot *plot);

#endif
