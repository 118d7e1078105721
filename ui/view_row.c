/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row of the table: a CPU, a core, a package or a heat strip; and the heading. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nls.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/graph.h"
#include "ui/shown.h"
#include "ui/view.h"

#define TAKEN 0.05 /* time that somebody else took: worth a second look */

static void draw_state(struct canvas *canvas, const struct column *column, int y, enum state state)
{
	if (column->width)
		canvas_right(canvas, column->x, y, column->width, ROLE_ABSENT, state_row(state)->mark);
}

static void draw_ratio(struct canvas *canvas, const struct column *column, int y,
		       const struct value *value, int digits, enum role role)
{
	char text[16];

	if (!column->width)
		return;
	if (!state_usable(value->state)) {
		draw_state(canvas, column, y, value->state);
		return;
	}
	snprintf(text, sizeof(text), "%.*f", digits, value->v * 100);
	/* What is next to nothing steps back, so that the eye finds what is there. */
	canvas_right(canvas, column->x, y, column->width, value->v < 0.005 ? ROLE_DIM : role, text);
}

/* A unit that is cut off would make it another number: "1.80 G" as "1.80G". */
static char *without_space(char *text)
{
	char *space = strchr(text, ' ');

	if (space)
		memmove(space, space + 1, strlen(space)); /* bytes */
	return text;
}

static void draw_metric(struct canvas *canvas, const struct column *column, int y, enum metric metric,
			const struct value *value)
{
	const struct metric_row *row = metric_row(metric);
	char text[16];

	if (row->unit == UNIT_RATIO)
		draw_ratio(canvas, column, y, value, 1,
			   row->taken && value->v >= TAKEN ? ROLE_DISTURBED : ROLE_NORMAL);
	else if (!state_usable(value->state))
		draw_state(canvas, column, y, value->state);
	else if (metric_format(metric, value->v, text, sizeof(text)))
		canvas_right(canvas, column->x, y, column->width, ROLE_NORMAL, without_space(text));
}

static void draw_lost(struct canvas *canvas, const struct column *column, int y,
		      const struct shown *shown)
{
	const bool some = lost_most(&shown->lost) != METRIC_N;
	char text[64];

	if (!column->width)
		return;
	if (isnan(shown->lost.sum)) {
		draw_state(canvas, column, y, shown->lost.state);
		return;
	}
	lost_describe(&shown->lost, column->width, text, sizeof(text));
	canvas_right(canvas, column->x, y, column->width,
		     shown->behind	    ? ROLE_DROPPED
		     : some && !shown->idle ? ROLE_NORMAL
					    : ROLE_DIM,
		     text);
}

static int bar_cell(const struct column *bar, double hertz, double low, double high)
{
	double cell = floor((hertz - low) / (high - low) * (bar->width - 1) + 0.5);

	return cell < 0 ? 0 : cell > bar->width - 1 ? bar->width - 1 : (int)cell;
}

static void draw_bar(const struct ui *ui, struct canvas *canvas, const struct column *bar, int y,
		     const struct shown *shown)
{
	double low, high;

	if (!history_scale(&ui->history, &low, &high) || !state_usable(shown->clock->state))
		return;
	int now = bar_cell(bar, shown->clock->v, low, high);
	double before = shown->before_hertz, tsc = ui->host->tsc_hertz;

	if (tsc > low && tsc < high)
		canvas_text(canvas, bar->x + bar_cell(bar, tsc, low, high), y, 1, ROLE_TICK, "╎");
	if (shown->role == ROLE_DROPPED && !isnan(before)) {
		int was = bar_cell(bar, before, low, high);

		for (int i = now + 1; i < was; i++)
			canvas_text(canvas, bar->x + i, y, 1, ROLE_DROPPED, "╌");
		if (was > now)
			canvas_text(canvas, bar->x + was, y, 1, ROLE_TICK, "┆");
	}
	for (int i = 0; i < now; i++)
		canvas_text(canvas, bar->x + i, y, 1, shown->role, "━");
	canvas_text(canvas, bar->x + now, y, 1, shown->role, "┃");
}

static void draw_clock(struct canvas *canvas, const struct columns *columns, int y, const struct shown *shown)
{
	char text[16];

	if (shown->throttled && shown->role != ROLE_DROPPED)
		canvas_text(canvas, columns->mark.x, y, 1, ROLE_WARN, "!");
	if (!state_usable(shown->clock->state)) {
		/* A clock is missing for one interval more than the CPU. */
		bool back =
			shown->clock->state == STATE_OFFLINE && shown->busy->state == STATE_FIRST;

		draw_state(canvas, &columns->clock, y,
			   back ? STATE_FIRST : (enum state)shown->clock->state);
		return;
	}
	if (shown->role == ROLE_DROPPED)
		canvas_text(canvas, columns->mark.x, y, 1, ROLE_DROPPED, "▼");
	snprintf(text, sizeof(text), "%.2f", shown->clock->v / 1e9);
	canvas_right(canvas, columns->clock.x, y, columns->clock.width,
		     shown->role == ROLE_CLOCK ? ROLE_VALUE : shown->role, text);
	if (shown->clock->sees == SEES_SCALAR)
		canvas_text(canvas, columns->sees.x, y, 1, ROLE_DIM, "ˢ");
}

static void draw_names(const struct ui *ui, struct canvas *canvas, const struct columns *columns, int y,
		       const struct row *row, const unsigned *cpus, unsigned n)
{
	const struct host *host = ui->host;
	const struct host_cpu *cpu = &host->cpus[cpus[0]];
	char *name = view_row_name(host, row, cpus, n);
	char text[32];

	canvas_elide(canvas, columns->cpu.x, y, columns->cpu.width, ROLE_NORMAL, name ? name : "");
	free(name);
	if (!columns->core.width)
		return;
	char package[16], core[16];

	view_id(host->packages[cpu->package].package_id, package, sizeof(package));
	view_id(host->cores[cpu->core].core_id, core, sizeof(core));
	if (row->kind == ROW_PACKAGE)
		snprintf(text, sizeof(text), "%s", package);
	else
		snprintf(text, sizeof(text), "%s/%s", package, core);
	canvas_elide(canvas, columns->core.x, y, columns->core.width, ROLE_DIM, text);
}

/* One cell a CPU: height is the clock, a mark where it fell, a dash where there is none. */
static void draw_strip(const struct ui *ui, struct canvas *canvas, const struct row *row, int y,
		       const unsigned *cpus, unsigned n)
{
	double low = NAN, high = NAN;
	unsigned width = view_strip_width(canvas->width);

	(void)history_scale(&ui->history, &low, &high);
	for (unsigned i = row->first; i < n && i < row->first + width; i++) {
		struct row cpu = { ROW_CPU, cpus[i], 0 };
		struct shown shown;
		int x = 2 + (int)(i - row->first);

		shown_gather(ui, &cpu, &cpus[i], 1, &shown);
		if (!state_usable(shown.clock->state))
			canvas_text(canvas, x, y, 1, ROLE_ABSENT, "·");
		else if (shown.role == ROLE_DROPPED)
			canvas_text(canvas, x, y, 1, ROLE_DROPPED, "▼");
		else if (shown.throttled)
			canvas_text(canvas, x, y, 1, ROLE_WARN, "!");
		else
			canvas_text(canvas, x, y, 1, shown.role, graph_block(shown.clock->v, low, high));
	}
}

void view_row_draw(const struct ui *ui, struct canvas *canvas, const struct columns *columns,
		   const struct row *row, int y)
{
	unsigned *cpus = calloc(ui->host->n_cpus, sizeof(*cpus));
	unsigned n = cpus ? rows_cpus(ui->host, row, cpus) : 0;
	enum metric metrics[LAYOUT_MAX_METRICS];

	(void)view_metrics(ui, metrics);
	if (n > 0 && row->kind == ROW_STRIP) {
		draw_strip(ui, canvas, row, y, cpus, n);
	} else if (n > 0) {
		struct shown shown;

		shown_gather(ui, row, cpus, n, &shown);
		draw_names(ui, canvas, columns, y, row, cpus, n);
		draw_clock(canvas, columns, y, &shown);
		draw_bar(ui, canvas, &columns->bar, y, &shown);
		draw_ratio(canvas, &columns->busy, y, shown.busy, 0, ROLE_NORMAL);
		license_draw_bar(canvas, &columns->license, y, &shown.license, shown.idle);
		draw_lost(canvas, &columns->lost, y, &shown);
		for (int i = 0; i < columns->n_metrics; i++)
			draw_metric(canvas, &columns->metrics[i], y, metrics[i],
				    view_value(ui, metrics[i], row, 0));
		for (int i = 0; i < columns->n_idle; i++)
			draw_ratio(canvas, &columns->idle[i], y,
				   view_value(ui, METRIC_IDLE_RATIO, row,
					      columns->first_idle + (unsigned)i),
				   0, ROLE_NORMAL);
		shown_draw_note(ui, canvas, &columns->note, y, row, &shown);
	}
	free(cpus);
}

static void head(struct canvas *canvas, const struct column *column, int y, bool right, const char *text)
{
	if (!column->width)
		return;
	if (right && canvas_measure(text) <= column->width)
		canvas_right(canvas, column->x, y, column->width, ROLE_HEADING, text);
	else
		canvas_elide(canvas, column->x, y, column->width, ROLE_HEADING, text);
}

/* The scale of the bars: its ends, and the rate of the TSC where that lies between them. */
static void head_scale(const struct ui *ui, struct canvas *canvas, const struct column *bar, int y)
{
	double low, high, tsc = ui->host->tsc_hertz;
	char text[16];

	if (!history_scale(&ui->history, &low, &high))
		return;
	for (int i = 0; i < bar->width; i++)
		canvas_text(canvas, bar->x + i, y, 1, ROLE_HEADING, "·");
	canvas_textf(canvas, bar->x, y, 5, ROLE_HEADING, "%.1f ", low / 1e9);
	snprintf(text, sizeof(text), " %.1f", high / 1e9);
	canvas_right(canvas, bar->x, y, bar->width, ROLE_HEADING, text);
	if (tsc > low && tsc < high && bar->width >= 24) {
		int at = bar_cell(bar, tsc, low, high);

		if (at >= 7 && at <= bar->width - 9)
			canvas_text(canvas, bar->x + at - 2, y, 5, ROLE_HEADING, " tsc ");
	}
}

void view_row_heading(const struct ui *ui, struct canvas *canvas, const struct columns *columns)
{
	enum metric metrics[LAYOUT_MAX_METRICS];
	int y = ui->layout.heading_y;

	canvas_fill(canvas, 0, y, canvas->width, 1, ROLE_HEADING);
	/* TRANSLATORS: column headings; cells they may take: 6, 3, 4, 4, 20 */
	head(canvas, &columns->core, y, false, ui->group == GROUP_PACKAGE ? _("Pkg") : _("Core"));
	head(canvas, &columns->cpu, y, false, _("CPU"));
	head(canvas, &columns->clock, y, true, _("GHz"));
	head_scale(ui, canvas, &columns->bar, y);
	head(canvas, &columns->busy, y, true, _("Busy"));
	/* The order, as spreadsheets show it: slowest or busiest first. */
	if (ui->sort == SORT_CLOCK)
		canvas_text(canvas, columns->mark.x, y, 1, ROLE_HEADING, "▲");
	else if (ui->sort == SORT_BUSY && columns->busy.width)
		canvas_text(canvas, columns->busy.x - 1, y, 1, ROLE_HEADING, "▼");
	license_heading(canvas, &columns->license, y);
	head(canvas, &columns->lost, y, true, _("Lost MHz"));
	(void)view_metrics(ui, metrics);
	for (int i = 0; i < columns->n_metrics; i++)
		head(canvas, &columns->metrics[i], y, true, _(metric_row(metrics[i])->column));
	for (int i = 0; i < columns->n_idle; i++)
		head(canvas, &columns->idle[i], y, true,
		     label_name(ui->host, LABEL_IDLE_STATE, columns->first_idle + (unsigned)i));
	head(canvas, &columns->note, y, false, _("What happens"));
}
