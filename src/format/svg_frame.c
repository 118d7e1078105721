/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Axes and curves of one panel. */
#include "config.h"
#include "format/svg_frame.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "format/svg.h"
#include "format/svg_draw.h"

#define TICK_PIXELS 64.0 /* between labels below, at least */
#define ROW_PIXELS 34.0	 /* and at the sides */
#define JOIN 3.0	 /* steps without a value that a line goes over */

static double clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

double svg_frame_x(const struct svg_frame *frame, double t_s)
{
	const double share =
		frame->from < frame->to ? (t_s - frame->from) / (frame->to - frame->from) : 0;

	return frame->x + frame->width * clamp(share, 0, 1);
}

double svg_frame_y(const struct svg_frame *frame, double ratio)
{
	const double share =
		frame->low < frame->high ? (ratio - frame->low) / (frame->high - frame->low) : 0;

	return frame->y + frame->height * (1 - clamp(share, 0, 1));
}

void svg_frame_shade(FILE *out, const struct svg_frame *frame, double from, double to)
{
	const double x = svg_frame_x(frame, from);

	if (to > frame->from && from < frame->to)
		svg_rect(out, x, frame->y, svg_frame_x(frame, to) - x, frame->height, "burst", NULL,
			 NULL);
}

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double nice_step(double least)
{
	const double power = pow(10, floor(log10(least))), share = least / power;

	return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static void draw_times(FILE *out, const struct svg_frame *frame)
{
	const double step = nice_step((frame->to - frame->from) * TICK_PIXELS / frame->width);
	char text[40];

	for (double i = ceil(frame->from / step - 1e-9); i * step <= frame->to * (1 + 1e-9); i++) {
		const double x = svg_frame_x(frame, i * step);

		/* whole steps, so that 0.3 does not become 0.30000000000000004 */
		(void)snprintf(text, sizeof(text), "%.*g us", 6, i * step * 1e6 + 0.0);
		svg_line(out, x, frame->y, x, frame->y + frame->height, "grid");
		svg_text(out, x, frame->y + frame->height + 16, "dim middle", text);
	}
}

static void draw_ratios(FILE *out, const struct svg_frame *frame, bool percent, double unity_hertz)
{
	const double step = nice_step((frame->high - frame->low) * ROW_PIXELS / frame->height);
	const double right = frame->x + frame->width;
	char text[40];

	for (double i = ceil(frame->low / step - 1e-9); i * step <= frame->high + step * 1e-9;
	     i++) {
		const double y = svg_frame_y(frame, i * step);

		svg_line(out, frame->x, y, right, y, "grid");
		(void)snprintf(text, sizeof(text), "%.6g %%", i * step * 100 + 0.0);
		if (percent)
			svg_text(out, frame->x - 8, y + 4, "dim end", text);
		(void)snprintf(text, sizeof(text), "%.2f GHz", i * step * unity_hertz / 1e9 + 0.0);
		if (isfinite(unity_hertz))
			svg_text(out, right + 8, y + 4, "dim", text);
	}
}

void svg_frame_grid(FILE *out, const struct svg_frame *frame, bool percent, double unity_hertz)
{
	if (!(frame->from < frame->to && frame->low < frame->high))
		return;
	draw_times(out, frame);
	draw_ratios(out, frame, percent, unity_hertz);
	svg_line(out, frame->x, frame->y + frame->height, frame->x + frame->width,
		 frame->y + frame->height, "axis");
}

/* A run of steps without a hole: its line, and the upper and the lower edge of its band. */
struct trace {
	struct svg_point *line, *high, *low;
	size_t n, n_band;
};

static void draw_trace(FILE *out, const struct svg_curve *curve, struct trace *trace)
{
	/* forth on the upper edge, back on the lower one */
	for (size_t i = 0; i < trace->n_band; i++)
		trace->high[trace->n_band + i] = trace->low[trace->n_band - 1 - i];
	svg_path(out, trace->high, 2 * trace->n_band, true, curve->second ? "band-rate" : "band");
	svg_path(out, trace->line, trace->n, false, curve->second ? "line rate" : "line clock");
	trace->n = trace->n_band = 0;
}

static void add_step(const struct svg_frame *frame, const struct svg_step *step,
		     struct trace *trace)
{
	const double x = svg_frame_x(frame, step->x);

	trace->line[trace->n++] = (struct svg_point) { x, svg_frame_y(frame, step->y) };
	if (!isfinite(step->low) || !isfinite(step->high))
		return;
	trace->high[trace->n_band] = (struct svg_point) { x, svg_frame_y(frame, step->high) };
	trace->low[trace->n_band++] = (struct svg_point) { x, svg_frame_y(frame, step->low) };
}

int svg_frame_curve(FILE *out, const struct svg_frame *frame, const struct svg_curve *curve)
{
	struct trace trace = { .line = calloc(curve->n + 1, sizeof(*trace.line)),
			       .high = calloc(2 * curve->n + 1, sizeof(*trace.high)),
			       .low = calloc(curve->n + 1, sizeof(*trace.low)) };
	const struct svg_step *last = NULL;
	int r = trace.line && trace.high && trace.low ? 0 : -ENOMEM;

	for (size_t i = 0; r == 0 && i < curve->n; i++) {
		const struct svg_step *const step = &curve->steps[i];

		if (!isfinite(step->y) || step->x + step->width / 2 < frame->from ||
		    step->x - step->width / 2 > frame->to)
			continue;
		if (last && step->x - last->x > JOIN * (step->width + last->width))
			draw_trace(out, curve, &trace);
		add_step(frame, step, &trace);
		last = step;
	}
	if (r == 0)
		draw_trace(out, curve, &trace);
	free(trace.line);
	free(trace.high);
	free(trace.low);
	return r;
}
