/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of the first driven CPU from shortly before a burst until shortly after it, with the
 * burst's edges drawn in. The time axis stands still, so that the picture fills from left to right. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/nls.h"
#include "model/host.h"
#include "ui/graph.h"
#include "ui/view.h"

#define BEFORE_NS (4 * NS_PER_S)
#define AFTER_NS (5 * NS_PER_S)
#define SCALE_WIDTH 8

struct axis {
	uint64_t from_ns, to_ns;
	int columns;
};

static int axis_column(const struct axis *axis, uint64_t mono_ns)
{
	if (mono_ns < axis->from_ns || mono_ns >= axis->to_ns)
		return -1;
	return (int)((double)(mono_ns - axis->from_ns) / (double)(axis->to_ns - axis->from_ns) * axis->columns);
}

/* A value holds until the next one comes, but not for longer than hold_ns. */
static void axis_set(const struct axis *axis, double *values, uint64_t mono_ns, uint64_t hold_ns, double hertz)
{
	int from = axis_column(axis, mono_ns);
	double column_ns = (double)(axis->to_ns - axis->from_ns) / axis->columns;
	int n = 1 + (int)((double)hold_ns / column_ns);

	for (int i = from; from >= 0 && i < from + n && i < axis->columns; i++)
		values[i] = hertz;
}

/* Looks of the sampling line: before and after the burst, oldest first. */
static void fill_outside(const struct ui *ui, const struct axis *axis, double *values, uint64_t end_ns)
{
	const struct ring *ring = &ui->history.cpus[ui->burst.lead];
	uint64_t at_ns;

	for (size_t age = HISTORY_SIZE; age-- > 0;) {
		const struct value *value = ring_get(ring, age);
		uint64_t next_ns = UINT64_MAX, hold = ui->interval_ns * 3 / 2;

		if (!value || !state_usable(value->state) || !history_time(&ui->history, age, &at_ns))
			continue;
		if (at_ns > ui->burst.start_ns && at_ns < end_ns)
			continue;
		if (at_ns <= ui->burst.start_ns)
			next_ns = ui->burst.start_ns;
		if (at_ns + hold > next_ns)
			hold = next_ns - at_ns;
		axis_set(axis, values, at_ns, hold, value->v);
	}
}

static void fill_inside(const struct ui *ui, const struct axis *axis, double *values, uint64_t end_ns)
{
	const struct burst_panel *panel = &ui->burst;

	for (unsigned i = 0; i < panel->n_points; i++) {
		uint64_t next = i + 1 < panel->n_points ? panel->points[i + 1].mono_ns : end_ns;
		uint64_t at = panel->points[i].mono_ns;

		axis_set(axis, values, at, next > at ? next - at : 0, panel->points[i].hertz);
	}
}

/* Nothing is drawn right of now: it has not happened. */
static void forget_future(const struct axis *axis, double *values)
{
	int now = axis_column(axis, clock_mono_ns());

	for (int i = now + 1; now >= 0 && i < axis->columns; i++)
		values[i] = NAN;
}

static void draw_edge(struct canvas *canvas, const struct graph *graph, int column, const char *word)
{
	int x = graph->x + column / 2;

	if (column < 0)
		return;
	for (int y = 0; y < graph->height; y++)
		canvas_text(canvas, x, graph->y + y, 1, ROLE_BURST, "┆");
	canvas_text(canvas, x + 1, graph->y + graph->height - 1, 12, ROLE_BURST, word);
}

void burst_graph_draw(const struct ui *ui, struct canvas *canvas, int x, int y, int width, int height)
{
	const struct burst_panel *panel = &ui->burst;
	struct graph graph = { .x = x + SCALE_WIDTH, .y = y, .width = width - SCALE_WIDTH, .height = height };
	uint64_t end_ns = panel->end_ns ? panel->end_ns : panel->start_ns + panel->duration_ns;
	struct axis axis = { .from_ns = panel->start_ns - BEFORE_NS,
			     .to_ns = panel->start_ns + panel->duration_ns + AFTER_NS };

	if (graph.width < 16 || panel->lead < 0)
		return;
	axis.columns = 2 * graph.width;
	uint8_t inside = ui->history.marks[panel->lead].dropped ? ROLE_DROPPED : ROLE_BURST;
	double *values = calloc((size_t)axis.columns, sizeof(*values));
	uint8_t *roles = calloc((size_t)graph.width, sizeof(*roles));

	for (int i = 0; values && i < axis.columns; i++)
		values[i] = NAN;
	if (values && roles) {
		int on = axis_column(&axis, panel->start_ns), off = axis_column(&axis, end_ns);

		fill_outside(ui, &axis, values, end_ns);
		fill_inside(ui, &axis, values, end_ns);
		forget_future(&axis, values);
		for (int i = 0; i < graph.width; i++)
			roles[i] = 2 * i < on || (off >= 0 && 2 * i >= off) ? (uint8_t)ROLE_CLOCK : inside;
		if (graph_fit(&graph, values, axis.columns)) {
			graph_scale(canvas, &graph, x, SCALE_WIDTH);
			draw_edge(canvas, &graph, on, _("on"));
			if (panel->end_ns)
				draw_edge(canvas, &graph, off, _("off"));
			graph_line(canvas, &graph, values, roles);
		}
	}
	free(values);
	free(roles);
}
