/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One panel of a plot: its axes, and curves in it. Time goes right, in seconds; ratios go up. */
#ifndef AVXTOP_FORMAT_SVG_FRAME_H
#define AVXTOP_FORMAT_SVG_FRAME_H

#include <stdbool.h>
#include <stdio.h>

struct svg_curve;

struct svg_frame {
	double x, y, width, height; /* pixels */
	double from, to;	    /* at the left and the right edge */
	double low, high;	    /* at the lower and the upper one */
};

/* Pixels of a time (a ratio), those outside at the edge. */
double svg_frame_x(const struct svg_frame *frame, double t_s);
double svg_frame_y(const struct svg_frame *frame, double ratio);
/* The part of it that lies between two times. */
void svg_frame_shade(FILE *out, const struct svg_frame *frame, double from, double to);
/* Lines, and what they stand for: times below, percent at the left, and where unity_hertz is known,
 * clocks at the right. */
void svg_frame_grid(FILE *out, const struct svg_frame *frame, bool percent, double unity_hertz);
/* Its band and its line. 0 or -ENOMEM. */
int svg_frame_curve(FILE *out, const struct svg_frame *frame, const struct svg_curve *curve);

#endif
