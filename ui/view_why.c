/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panel behind `i`: all that is known of the chosen row, why the rest is absent, and what would
 * make it visible. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/known.h"
#include "ui/view.h"

/* Metrics that are absent for the same reason stand in one entry. */
struct reason {
	char names[512];
	const char *why; /* translated */
};

#define MAX_REASONS METRIC_N

/* Why no source serves a metric at all; NULL when one does. */
static const char *unserved_why(const struct ui *ui, enum metric metric)
{
	const struct origin *origin = ui->origins ? &ui->origins[metric] : NULL;

	if (!origin || origin->name)
		return NULL;
	return origin->why ? _(origin->why) : _(metric_row(metric)->needs);
}

/* Why a metric that is served has no value for this row at this moment; NULL when it has one. */
static const char *missing_why(const struct ui *ui, enum metric metric, const struct row *row)
{
	enum scope scope;
	unsigned index;
	const struct value *value = view_value(ui, metric, row, 0);

	if (!ui->snapshot || !view_place(ui, metric, row, &scope, &index) ||
	    state_usable(value->state))
		return NULL;
	return _(state_row(value->state)->text);
}

static void add_name(char *names, size_t size, const char *name)
{
	size_t used = strlen(names); /* bytes */

	snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

static int add_reason(struct reason *reasons, int n, enum metric metric, const char *why)
{
	int at = 0;

	while (at < n && strcmp(reasons[at].why, why) != 0)
		at++;
	if (at == MAX_REASONS)
		return n;
	if (at == n)
		reasons[n++] = (struct reason){ .why = why };
	add_name(reasons[at].names, sizeof(reasons[at].names), metric_row(metric)->name);
	return n;
}

/* What is special about this row first, then what the whole machine lacks. */
static int collect(const struct ui *ui, struct reason *reasons)
{
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;
	const char *why;
	int n = 0;

	for (int metric = 0; metric < METRIC_N && row; metric++)
		if (!unserved_why(ui, (enum metric)metric) &&
		    (why = missing_why(ui, (enum metric)metric, row)) != NULL)
			n = add_reason(reasons, n, (enum metric)metric, why);
	for (int metric = 0; metric < METRIC_N; metric++)
		if ((why = unserved_why(ui, (enum metric)metric)) != NULL)
			n = add_reason(reasons, n, (enum metric)metric, why);
	return n;
}

#define STACKED_WIDTH 60 /* narrower: a reason stands below its metrics, not beside them */

/* The reasons: lines of the panel from number `line` on. Those from ui->why_top on are drawn at y,
 * `visible` of them; none where canvas is NULL. Returns the number behind the last. */
static int walk_reasons(const struct ui *ui, struct canvas *canvas, int width, int y, int visible,
			int line)
{
	struct reason reasons[MAX_REASONS];
	bool stacked = width < STACKED_WIDTH;
	int names_width = stacked ? width - 4 : width / 3, why_x = stacked ? 4 : 2 + names_width + 2;
	int n = collect(ui, reasons);

	for (int i = 0; i < n; i++) {
		const char *names = reasons[i].names, *why = reasons[i].why;

		while (*names || *why) {
			char left[256] = "", right[256] = "";
			int at = line++ - ui->why_top;
			bool named = canvas_wrap_next(&names, names_width, left, sizeof(left));

			if (!(stacked && named))
				(void)canvas_wrap_next(&why, width - why_x - 2, right, sizeof(right));
			if (!canvas || at < 0 || at >= visible)
				continue;
			canvas_text(canvas, 2, y + at, names_width, ROLE_DIM, left);
			canvas_text(canvas, why_x, y + at, width - why_x - 2, ROLE_NORMAL, right);
		}
	}
	return line;
}

/* Likewise of the whole panel: what is known, a line of air, the reasons. */
static int walk(const struct ui *ui, struct canvas *canvas, int width, int y, int visible)
{
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;
	int lines = row ? known_lines(ui, row, width) : 0;

	if (canvas && lines)
		known_draw(ui, canvas, row, y, ui->why_top, visible);
	return walk_reasons(ui, canvas, width, y, visible, lines ? lines + 1 : 0);
}

int view_why_lines(const struct ui *ui, int width)
{
	int lines = walk(ui, NULL, width, 0, 0);

	return (lines ? lines : 1) + 2;
}

static void row_title(const struct ui *ui, char *buf, size_t size)
{
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;
	char id[16];

	if (!row)
		snprintf(buf, size, " %s ", _("Absent values"));
	else if (row->kind == ROW_CPU)
		snprintf(buf, size, _(" CPU %u: what is known, and why the rest is absent "),
			 ui->host->cpus[row->index].id);
	else if (row->kind == ROW_CORE)
		snprintf(buf, size, _(" Core %s: what is known, and why the rest is absent "),
			 view_id(ui->host->cores[row->index].core_id, id, sizeof(id)));
	else
		snprintf(buf, size, _(" Package %s: what is known, and why the rest is absent "),
			 view_id(ui->host->packages[row->index].package_id, id, sizeof(id)));
}

void view_why_draw(const struct ui *ui, struct canvas *canvas)
{
	int y = ui->layout.panel_y, visible = ui->layout.panel_n - 2;
	char title[128], more[64];

	row_title(ui, title, sizeof(title));
	canvas_box(canvas, 0, y, canvas->width, ui->layout.panel_n, ROLE_FRAME, ROLE_PANEL, title);
	int lines = walk(ui, canvas, canvas->width, y + 1, visible);

	if (lines == 0)
		canvas_elide(canvas, 2, y + 1, canvas->width - 4, ROLE_NORMAL,
			     _("nothing is known yet"));
	if (lines <= visible)
		return;
	snprintf(more, sizeof(more), _(" PgUp PgDn: lines %d to %d of %d "), ui->why_top + 1,
		 ui->why_top + visible, lines);
	canvas_right(canvas, 2, y + visible + 1, canvas->width - 4, ROLE_FRAME, more);
}
