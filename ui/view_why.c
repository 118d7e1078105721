/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panel behind `i`: why values of the chosen row are absent, and what would make them visible. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/view.h"

/* Metrics that are absent for the same reason stand in one entry. */
struct reason {
	char names[512];
	const char *why; /* translated */
};

#define MAX_REASONS 24

static const enum scope scopes[] = { [ROW_CPU] = SCOPE_CPU, [ROW_CORE] = SCOPE_CORE,
				     [ROW_PACKAGE] = SCOPE_PACKAGE, [ROW_STRIP] = SCOPE_PACKAGE };

/* The value that is shown for this row, or what the smaller or larger scope has in its place. */
static const struct value *find_value(const struct ui *ui, enum metric metric, const struct row *row)
{
	const struct host_cpu *cpu = row->kind == ROW_CPU ? &ui->host->cpus[row->index] : NULL;
	enum scope scope = metric_row(metric)->scope;

	if (metric_items(ui->host, metric, scopes[row->kind]) > 0)
		return snapshot_get(ui->snapshot, metric, scopes[row->kind], row->index, 0);
	if (cpu && scope == SCOPE_CORE)
		return snapshot_get(ui->snapshot, metric, scope, cpu->core, 0);
	if (cpu && scope == SCOPE_PACKAGE)
		return snapshot_get(ui->snapshot, metric, scope, cpu->package, 0);
	return scope == SCOPE_HOST ? snapshot_get(ui->snapshot, metric, scope, 0, 0) : NULL;
}

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
	const struct value *value = ui->snapshot ? find_value(ui, metric, row) : NULL;

	if (!value || state_usable(value->state))
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

/* The lines of the panel: those from ui->why_top on are drawn at y, `visible` of them; none where
 * canvas is NULL. Returns how many there are. */
static int walk(const struct ui *ui, struct canvas *canvas, int width, int y, int visible)
{
	struct reason reasons[MAX_REASONS];
	bool stacked = width < STACKED_WIDTH;
	int names_width = stacked ? width - 4 : width / 3, why_x = stacked ? 4 : 2 + names_width + 2;
	int n = collect(ui, reasons), line = 0;

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
		snprintf(buf, size, _(" What is absent for CPU %u, and what would show it "),
			 ui->host->cpus[row->index].id);
	else if (row->kind == ROW_CORE)
		snprintf(buf, size, _(" What is absent for core %s, and what would show it "),
			 view_id(ui->host->cores[row->index].core_id, id, sizeof(id)));
	else
		snprintf(buf, size, _(" What is absent for package %s, and what would show it "),
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
			     _("nothing: every metric has a value"));
	if (lines <= visible)
		return;
	snprintf(more, sizeof(more), _(" PgUp PgDn: lines %d to %d of %d "), ui->why_top + 1,
		 ui->why_top + visible, lines);
	canvas_right(canvas, 2, y + visible + 1, canvas->width - 4, ROLE_FRAME, more);
}
