/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first screen: which core is slow, by how much, and why. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/nls.h"
#include "engine/options.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/graph.h"
#include "ui/view.h"

static void draw_rule(struct canvas *canvas, int y, const char *title)
{
	for (int x = 0; x < canvas->width; x++)
		canvas_text(canvas, x, y, 1, ROLE_TICK, "─");
	canvas_textf(canvas, 2, y, canvas->width - 4, ROLE_LABEL, " %s ", title);
}

static void draw_rows(const struct ui *ui, struct canvas *canvas)
{
	const struct layout *layout = &ui->layout;
	struct columns columns;
	char count[48], right[192];

	view_columns(ui, &columns);
	view_row_heading(ui, canvas, &columns);
	count[0] = '\0';
	if (ui->rows.n > (unsigned)layout->rows_n)
		snprintf(count, sizeof(count), " %u-%u/%u", ui->top + 1,
			 ui->top + (unsigned)layout->rows_n, ui->rows.n);
	snprintf(right, sizeof(right), "%s%s%s", ui->filter.text[0] ? " /" : "", ui->filter.text, count);
	canvas_right(canvas, canvas->width / 2, layout->heading_y, canvas->width / 2 - 1, ROLE_HEADING, right);
	for (int i = 0; i < layout->rows_n; i++) {
		unsigned at = ui->top + (unsigned)i;
		int y = layout->rows_y + i;

		if (at >= ui->rows.n)
			break;
		view_row_draw(ui, canvas, &columns, &ui->rows.items[at], y);
		if (at == ui->cursor)
			canvas_text(canvas, 0, y, 1, ROLE_KEY, "▸");
	}
	if (ui->rows.n == 0)
		canvas_elide(canvas, 1, layout->rows_y, canvas->width - 2, ROLE_DIM,
			     ui->filter.text[0] ? _("no CPU matches the filter (Esc clears it)")
						: _("no CPU is shown"));
}

/* Two clock values a cell, placed by time: the graph does not stretch when the interval changes. */
#define GRAPH_CELL_NS (500 * NS_PER_MS)

static void graph_values(const struct ui *ui, unsigned cpu, int n, double *values, uint8_t *roles)
{
	uint64_t now, then;

	for (int i = 0; i < 2 * n; i++)
		values[i] = NAN;
	for (int i = 0; i < n; i++)
		roles[i] = ROLE_CLOCK;
	if (!history_time(&ui->history, 0, &now))
		return;
	int filled = 2 * n; /* leftmost column that is decided, for values that hold until the next */

	for (size_t age = 0; history_time(&ui->history, age, &then); age++) {
		int back = (int)((now - then) / GRAPH_CELL_NS);
		int at = 2 * n - 1 - back;
		const struct value *value = ring_get(&ui->history.cpus[cpu], age);

		if (at < 0)
			break;
		for (int i = at; i < filled && value && state_usable(value->state); i++) {
			if (i - at > 1 + (int)(3 * ui->interval_ns / 2 / GRAPH_CELL_NS))
				break; /* a hole in time stays a hole */
			values[i] = value->v;
			roles[i / 2] = value->sees != SEES_BURST ? ROLE_CLOCK :
				       ui->history.marks[cpu].dropped ? ROLE_DROPPED : ROLE_BURST;
		}
		filled = at;
	}
}

static void draw_clock_graph(const struct ui *ui, struct canvas *canvas)
{
	const struct layout *layout = &ui->layout;
	struct graph graph = { .x = 8, .y = layout->graph_y + 1, .width = canvas->width - 10,
			       .height = layout->graph_n - 1 };
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;
	unsigned *cpus = calloc(ui->host->n_cpus, sizeof(*cpus)), n = 0, cpu = 0;
	char title[96];

	if (cpus && row)
		n = rows_cpus(ui->host, row, cpus);
	if (n > 0)
		(void)history_worst(&ui->history, cpus, n, &cpu);
	free(cpus);
	if (layout->graph_n < 3 || n == 0)
		return;
	double *values = calloc((size_t)graph.width * 2, sizeof(*values));
	uint8_t *roles = calloc((size_t)graph.width, sizeof(*roles));

	snprintf(title, sizeof(title), _("Clock of CPU %u, GHz, last %d s"), ui->host->cpus[cpu].id,
		 graph.width * 2 / 2);
	draw_rule(canvas, layout->graph_y, title);
	if (values && roles)
		graph_values(ui, cpu, graph.width, values, roles);
	if (values && roles && graph_fit(&graph, values, 2 * graph.width)) {
		graph_scale(canvas, &graph, 0, 8);
		graph_line(canvas, &graph, values, roles);
	} else {
		canvas_elide(canvas, 1, graph.y, canvas->width - 2, ROLE_DIM,
			     _("no clock was seen in this time (i: why)"));
	}
	free(values);
	free(roles);
}

static bool burst_possible(const struct ui *ui)
{
	return ui->host->live && !(ui->options && ui->options->readonly);
}

static void draw_events(const struct ui *ui, struct canvas *canvas)
{
	const struct layout *layout = &ui->layout;

	if (layout->events_n < 2)
		return;
	draw_rule(canvas, layout->events_y, _("Events"));
	for (int i = 0; i < layout->events_n - 1; i++) {
		const struct event *event = history_event_get(&ui->history, (uint64_t)i);
		int kept = (int)(ui->history.n_events < (uint64_t)layout->events_n - 1 ?
				 ui->history.n_events : (uint64_t)layout->events_n - 1);
		int y = layout->events_y + (kept > 0 ? kept : 1) - i;

		if (!event) {
			if (i == 0)
				canvas_elide(canvas, 1, y, canvas->width - 2, ROLE_DIM,
					     burst_possible(ui) ? _("none yet (b fires a burst)") : _("none yet"));
			break;
		}
		time_t seconds = (time_t)(event->real_ns / NS_PER_S);
		struct tm parts;
		char at[16];

		localtime_r(&seconds, &parts);
		strftime(at, sizeof(at), "%H:%M:%S", &parts);
		canvas_text(canvas, 1, y, 8, ROLE_DIM, at);
		canvas_elide(canvas, 11, y, canvas->width - 12, event->role, event->text);
	}
}

void view_overview_draw(const struct ui *ui, struct canvas *canvas)
{
	view_header_draw(ui, canvas);
	draw_rows(ui, canvas);
	if (ui->layout.graph_n)
		draw_clock_graph(ui, canvas);
	draw_events(ui, canvas);
	if (ui->layout.panel_n && ui->burst.open)
		burst_panel_draw(ui, canvas);
	else if (ui->layout.panel_n)
		view_why_draw(ui, canvas);
}
