/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws a part of a scope's time line. */
#include "config.h"

#include "ui/scope_plot.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/nls.h"
#include "ui/graph.h"

#define TICK_CELLS 9 /* between two times */

static double column_s(const struct scope_plot *plot, const struct graph *graph)
{
	return (plot->window.to_s - plot->window.from_s) / graph->width;
}

/* Maybe outside the graph. */
static int column_of(const struct scope_plot *plot, const struct graph *graph, double t_s)
{
	const double at = floor((t_s - plot->window.from_s) / column_s(plot, graph) + 1e-6);

	return at < -1 ? -1 : at > graph->width ? graph->width : (int)at;
}

/* The smallest of 1, 2, 5, 10, 20 … times `least` that is at least `wanted`. */
static double round_step(double least, double wanted)
{
	static const double factors[] = { 2, 2.5, 2 };
	double step = least;

	for (int i = 0; step < wanted * (1 - 1e-9); i++)
		step *= factors[i % 3];
	return step;
}

static void draw_title(const struct scope_plot *plot, struct canvas *canvas)
{
	for (int i = 0; i < plot->width; i++)
		canvas_text(canvas, plot->x + i, plot->y, 1, ROLE_TICK, "─");
	const int used = 2 + canvas_elide(canvas, plot->x + 2, plot->y, plot->width - 3, ROLE_LABEL,
					  plot->title);
	/* TRANSLATORS: what the two lines of a graph are, with a piece of each */
	const char *const clock = _(" ⠤⠤ clock "), *const rate = _(" ⠤ ⠤ rate of load ");
	int x = plot->x + plot->width - canvas_measure(clock) - canvas_measure(rate) - 2;

	if (!plot->legend || x < plot->x + used + 1)
		return;
	x += canvas_text(canvas, x, plot->y, 40, ROLE_CLOCK, clock) + 1;
	canvas_text(canvas, x, plot->y, 40, ROLE_BURST, rate);
}

/* "100 %" and other round ones where there is a line between them at least. */
static void draw_scale(const struct scope_plot *plot, const struct graph *graph,
		       struct canvas *canvas)
{
	const double row = (graph->high - graph->low) / graph->height;
	const double step = round_step(0.01, 2 * row);

	for (int y = 0; y < graph->height; y++)
		canvas_text(canvas, graph->x - 1, graph->y + y, 1, ROLE_TICK, "│");
	for (int i = 0; plot->scale && graph->low + i * row < graph->high; i++) {
		const double label = ceil(graph->low / step - 1e-9) * step + i * step;
		const int y = (int)floor((graph->high - label) / row + 1e-6);

		if (label < graph->high - 1e-9)
			canvas_textf(canvas, plot->x, graph->y + (y < graph->height ? y : y - 1),
				     SCOPE_PLOT_SCALE - 1, ROLE_DIM, "%4.0f %%", label * 100);
	}
}

static void draw_edge(const struct scope_plot *plot, const struct graph *graph, double t_s,
		      struct canvas *canvas)
{
	const int column = column_of(plot, graph, t_s);

	for (int y = 0; column >= 0 && column < graph->width && y < graph->height; y++)
		canvas_text(canvas, graph->x + column, graph->y + y, 1, ROLE_BURST, "┆");
}

/* Below the lines: when the burst runs. */
static void draw_burst(const struct scope_plot *plot, const struct graph *graph, double burst_s,
		       struct canvas *canvas)
{
	const int y = graph->y + graph->height;

	canvas_text(canvas, graph->x - 1, y, 1, ROLE_TICK, "└");
	for (int i = 0; i < graph->width; i++) {
		const double t_s = plot->window.from_s + (i + 0.5) * column_s(plot, graph);
		const bool on = t_s > 0 && t_s < burst_s;

		canvas_text(canvas, graph->x + i, y, 1, on ? ROLE_BURST : ROLE_TICK,
			    on ? "━" : "─");
	}
}

static void draw_times(const struct scope_plot *plot, const struct graph *graph,
		       struct canvas *canvas)
{
	const double step_us = round_step(1, TICK_CELLS * column_s(plot, graph) * 1e6);
	const double from_us = (plot->window.from_s - plot->zero_s) * 1e6;
	const double to_us = (plot->window.to_s - plot->zero_s) * 1e6;

	for (double t_us = ceil(from_us / step_us) * step_us; t_us < to_us; t_us += step_us) {
		const int column = column_of(plot, graph, plot->zero_s + t_us * 1e-6);
		char text[32];

		snprintf(text, sizeof(text), "%.0f us", fabs(t_us) < 0.5 ? 0 : t_us);
		if (column >= 0 && column + canvas_measure(text) <= graph->width)
			canvas_text(canvas, graph->x + column, graph->y + graph->height + 1, 12,
				    ROLE_DIM, text);
	}
}

/* What of a phase has room in so many cells: its number, what it came to, its name. */
static void name_phase(const struct timeline *timeline, enum timeline_phase_id id, int width,
		       char *buf, size_t size)
{
	const char *const title = _(timeline_phase_row(id)->title);
	const int number = (int)id + 1;
	char label[64];

	scope_phase_label(timeline, id, label, sizeof(label));
	snprintf(buf, size, "%d %s %s", number, title, label);
	if (canvas_measure(buf) > width)
		snprintf(buf, size, "%d %s", number, label);
	if (canvas_measure(buf) > width)
		snprintf(buf, size, "%d", number);
}

/* Above the lines: "┌── 2 halt 11 us ──┐" where a phase is. */
static void draw_span(const struct graph *graph, int y, int from, int to, const char *name,
		      struct canvas *canvas)
{
	const int width = canvas_measure(name);

	for (int i = from; i <= to; i++)
		canvas_text(canvas, graph->x + i, y, 1, ROLE_DIM,
			    i == from && to > from + 1 ? "┌"
			    : i == to && to > from     ? "┐"
						       : "─");
	canvas_text(canvas, graph->x + from + (to - from + 1 - width) / 2, y, width, ROLE_KEY,
		    name);
}

static void draw_phases(const struct scope_plot *plot, const struct timeline *timeline,
			const struct graph *graph, struct canvas *canvas)
{
	int free_from = 0;

	for (int id = 0; id < TIMELINE_PHASES; id++) {
		struct scope_window span;
		char name[128];
		int from, to;

		if (!scope_phase_span(timeline, (enum timeline_phase_id)id, &span))
			continue;
		/* Behind the burst it has a name of its own. */
		if (id == TIMELINE_LOW_CLOCK)
			span.to_s = fmin(span.to_s, timeline->burst_s);
		if (span.to_s <= plot->window.from_s || span.from_s >= plot->window.to_s)
			continue;
		from = column_of(plot, graph, span.from_s);
		to = column_of(plot, graph, span.to_s) - 1;
		from = from < free_from ? free_from : from;
		to = to < from ? from : to > graph->width - 1 ? graph->width - 1 : to;
		if (from >= graph->width)
			continue;
		name_phase(timeline, (enum timeline_phase_id)id, to - from - 1, name, sizeof(name));
		draw_span(graph, plot->y + 1, from, to, name, canvas);
		free_from = to + 1;
	}
}

int scope_plot_draw(const struct scope_plot *plot, const struct timeline *timeline,
		    struct canvas *canvas)
{
	const int left = plot->scale ? SCOPE_PLOT_SCALE : 1;
	struct graph graph = { .x = plot->x + left,
			       .y = plot->y + 2,
			       .width = plot->width - left,
			       .height = plot->height - 4 };
	double *values;
	uint8_t *roles;

	if (graph.width < 8 || graph.height < 1 || !(plot->window.from_s < plot->window.to_s))
		return 0;
	values = calloc((size_t)graph.width * 2, sizeof(*values));
	roles = calloc((size_t)graph.width, sizeof(*roles));
	if (values && roles) {
		scope_range(timeline, &graph.low, &graph.high);
		draw_title(plot, canvas);
		draw_scale(plot, &graph, canvas);
		draw_edge(plot, &graph, 0, canvas);
		draw_edge(plot, &graph, timeline->burst_s, canvas);
		for (int rate = 1; rate >= 0; rate--) { /* the clock over the rate */
			graph.dashed = rate;
			for (int i = 0; i < graph.width; i++)
				roles[i] = rate ? ROLE_BURST : ROLE_CLOCK;
			scope_columns(timeline, &plot->window, rate, values, 2 * graph.width);
			graph_line(canvas, &graph, values, roles);
		}
		draw_burst(plot, &graph, timeline->burst_s, canvas);
		draw_times(plot, &graph, canvas);
		draw_phases(plot, timeline, &graph, canvas);
	}
	const int r = values && roles ? 0 : -ENOMEM;

	free(values);
	free(roles);
	return r;
}
