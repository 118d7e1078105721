/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panel behind `i`: why values of the chosen row are absent, and what would make them visible. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nls.h"
#include "base/text.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/view.h"

/* Metrics that are absent for the same reason stand in one entry. */
struct reason {
	char names[256];
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

/* Reason that a metric is absent for this row; NULL when it is there or not the row's business. */
static const char *absent_why(const struct ui *ui, enum metric metric, const struct row *row)
{
	const struct origin *origin = ui->origins ? &ui->origins[metric] : NULL;

	if (origin && !origin->name)
		return origin->why ? _(origin->why) : _(metric_row(metric)->needs);
	if (!ui->snapshot)
		return NULL;
	const struct value *value = find_value(ui, metric, row);

	if (!value || state_usable(value->state))
		return NULL;
	return _(state_row(value->state)->text);
}

static void add_name(char *names, size_t size, const char *name)
{
	size_t used = strlen(names); /* bytes */

	snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

static int collect(const struct ui *ui, struct reason *reasons)
{
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;
	int n = 0;

	for (int metric = 0; metric < METRIC_N && row; metric++) {
		const char *why = absent_why(ui, (enum metric)metric, row);
		int at = 0;

		if (!why)
			continue;
		while (at < n && strcmp(reasons[at].why, why) != 0)
			at++;
		if (at == MAX_REASONS)
			break;
		if (at == n)
			reasons[n++] = (struct reason){ .why = why };
		add_name(reasons[at].names, sizeof(reasons[at].names), metric_row((enum metric)metric)->name);
	}
	return n;
}

int view_why_lines(const struct ui *ui)
{
	struct reason reasons[MAX_REASONS];
	int n = collect(ui, reasons);

	return n ? 2 * n + 2 : 3;
}

static void row_title(const struct ui *ui, char *buf, size_t size)
{
	const struct row *row = ui->cursor < ui->rows.n ? &ui->rows.items[ui->cursor] : NULL;

	if (!row)
		snprintf(buf, size, " %s ", _("Absent values"));
	else if (row->kind == ROW_CPU)
		snprintf(buf, size, _(" What is absent for CPU %u, and what would show it "),
			 ui->host->cpus[row->index].id);
	else if (row->kind == ROW_CORE)
		snprintf(buf, size, _(" What is absent for core %d, and what would show it "),
			 ui->host->cores[row->index].core_id);
	else
		snprintf(buf, size, _(" What is absent for package %d, and what would show it "),
			 ui->host->packages[row->index].package_id);
}

void view_why_draw(const struct ui *ui, struct canvas *canvas)
{
	struct reason reasons[MAX_REASONS];
	int n = collect(ui, reasons), y = ui->layout.panel_y, bottom = y + ui->layout.panel_n - 1;
	char title[128];

	row_title(ui, title, sizeof(title));
	canvas_box(canvas, 0, y++, canvas->width, ui->layout.panel_n, ROLE_FRAME, ROLE_PANEL, title);
	if (n == 0)
		canvas_elide(canvas, 2, y, canvas->width - 4, ROLE_NORMAL, _("nothing: every metric has a value"));
	/* What belongs to the row itself is collected in the table's order; reasons that name a whole
	 * interface are long, so each takes a line of its own below the names. */
	for (int i = 0; i < n && y < bottom; i++) {
		canvas_elide(canvas, 2, y++, canvas->width - 4, ROLE_NORMAL, reasons[i].why);
		if (y < bottom)
			canvas_elide(canvas, 4, y++, canvas->width - 6, ROLE_DIM, reasons[i].names);
	}
}
