/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the header on packages, and who is throttled by heat right now. */
#include "config.h"

#include <stdio.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/package.h"
#include "ui/view.h"

#define ENTRY_GAP 4
#define PIECE_GAP 2
#define LINES_MAX 4 /* packages that have a line each */

/* The first word of a line has the width that it has in the lines above. */
static int put_package(struct canvas *canvas, int x, int y, bool first, const struct piece *pieces, int n)
{
	int at = x;

	for (int i = 0; i < n; i++) {
		int width = canvas_measure(pieces[i].text);

		if (canvas)
			canvas_text(canvas, at, y, width, pieces[i].role, pieces[i].text);
		at += (i == 0 && first && width < VIEW_LABEL_WIDTH - 1 ? VIEW_LABEL_WIDTH - 1 : width) +
		      (i == 0 ? 1 : i + 1 < n ? 2 : 0);
	}
	return at - x;
}

/* Draws as many packages as there is room for; false: not all. canvas NULL: only looks. */
static bool put_packages(const struct ui *ui, struct canvas *canvas, int y, int right)
{
	struct piece pieces[PACKAGE_PIECES];
	int x = 1;

	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		if (!package_online(ui, i))
			continue;
		int n = package_describe(ui, i, pieces);
		int width = put_package(NULL, x, y, x == 1, pieces, n);

		if (x + width > right)
			return false;
		x += put_package(canvas, x, y, x == 1, pieces, n) + ENTRY_GAP;
	}
	return true;
}

/* The hottest package, those that heat throttles before all others; -1 no temperature is known. */
static int find_hottest(const struct ui *ui)
{
	double most = 0;
	int hottest = -1;
	bool throttled = false;

	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		const struct value *celsius = package_value(ui, METRIC_TEMPERATURE_CELSIUS, i);

		const bool cut = package_throttled(package_value(ui, METRIC_THROTTLE_EVENTS, i));

		if (!state_usable(celsius->state) ||
		    (hottest >= 0 && (cut != throttled ? throttled : celsius->v <= most)))
			continue;
		throttled = cut;
		most = celsius->v;
		hottest = (int)i;
	}
	return hottest;
}

/* Power of all packages; false: one of them does not tell. */
static bool sum_watts(const struct ui *ui, double *ret)
{
	double sum = 0;

	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		const struct value *watts = package_value(ui, METRIC_PACKAGE_WATTS, i);

		if (state_usable(watts->state))
			sum += watts->v;
		else if (package_online(ui, i))
			return false;
	}
	*ret = sum;
	return true;
}

/* Where not all fit. */
static void put_summary(const struct ui *ui, struct canvas *canvas, int y, int right)
{
	int x = 1 + VIEW_LABEL_WIDTH, hottest = find_hottest(ui);
	struct piece piece;
	double watts;

	canvas_text(canvas, 1, y, VIEW_LABEL_WIDTH, ROLE_LABEL, _("Packages"));
	if (view_served(ui, METRIC_PACKAGE_WATTS) && sum_watts(ui, &watts))
		x += canvas_textf(canvas, x, y, right - x, ROLE_VALUE, _("%.0f W"), watts) + 2;
	if (hottest < 0)
		return;
	package_celsius(ui, (unsigned)hottest, &piece);
	x += canvas_text(canvas, x, y, right - x, piece.role, piece.text) + 1;
	canvas_textf(canvas, x, y, right - x, ROLE_DIM,
		     package_throttled(package_value(ui, METRIC_THROTTLE_EVENTS, (unsigned)hottest))
			     ? _("(package %d)")
			     : _("(package %d, the hottest)"),
		     ui->host->packages[hottest].package_id);
}

/* A line each, their pieces below each other; what does not fit whole is left out. */
static void put_lines(const struct ui *ui, struct canvas *canvas, int y, int right)
{
	struct piece pieces[PACKAGE_PIECES];
	int widths[PACKAGE_PIECES] = { VIEW_LABEL_WIDTH - 1 }, n = 0;

	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		n = package_online(ui, i) ? package_describe(ui, i, pieces) : 0;
		for (int k = 0; k < n; k++)
			if (canvas_measure(pieces[k].text) > widths[k])
				widths[k] = canvas_measure(pieces[k].text);
	}
	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		int x = 1;

		if (!package_online(ui, i))
			continue;
		n = package_describe(ui, i, pieces);
		for (int k = 0; k < n && x + canvas_measure(pieces[k].text) <= right; k++) {
			canvas_text(canvas, x, y, widths[k], pieces[k].role, pieces[k].text);
			x += widths[k] + (k == 0 ? 1 : PIECE_GAP);
		}
		y++;
	}
}

int view_heat_lines(const struct ui *ui, int width)
{
	const unsigned n = host_online(ui->host, ui->history.offline).packages;
	struct piece pieces[PACKAGE_PIECES];

	if (ui->host->n_packages == 0 || package_describe(ui, 0, pieces) < 2)
		return 0;
	return n <= 1 || n > LINES_MAX || put_packages(ui, NULL, 0, width - 1) ? 1 : (int)n;
}

void view_heat_draw(const struct ui *ui, struct canvas *canvas)
{
	int y = ui->layout.heat_y, right = canvas->width - 1;

	if (y < 0)
		return;
	if (package_alone(ui) || ui->layout.heat_n > 1)
		put_lines(ui, canvas, y, right);
	else if (put_packages(ui, NULL, y, right))
		(void)put_packages(ui, canvas, y, right);
	else
		put_summary(ui, canvas, y, right);
}

/* Times that heat has cut the clock of a row in this interval; 0 none, or none known. */
static double throttle_events(const struct ui *ui, const struct row *row)
{
	bool core = row->kind == ROW_CPU || row->kind == ROW_CORE;
	unsigned index = row->kind == ROW_CPU ? ui->host->cpus[row->index].core : row->index;
	const struct value *events;

	if (!ui->snapshot)
		return 0;
	events = snapshot_get(ui->snapshot, METRIC_THROTTLE_EVENTS, core ? SCOPE_CORE : SCOPE_PACKAGE, index, 0);
	return package_throttled(events) ? events->v : 0;
}

bool view_heat_throttled(const struct ui *ui, const struct row *row)
{
	return throttle_events(ui, row) > 0;
}

static unsigned package_of(const struct host *host, const struct row *row)
{
	switch (row->kind) {
	case ROW_CPU:
		return host->cpus[row->index].package;
	case ROW_CORE:
		return host->cpus[host->cores[row->index].cpus[0]].package;
	default:
		return row->index;
	}
}

bool view_heat_note(const struct ui *ui, const struct row *row, bool dropped, char *buf,
		    size_t size)
{
	double events = throttle_events(ui, row);
	unsigned package = package_of(ui->host, row);

	if (events > 0)
		/* TRANSLATORS: how often the clock was cut in this interval since the core was too
		 * hot */
		snprintf(buf, size, _("throttled by heat %.0f×"), events);
	else if (dropped && package_limited(ui, package))
		snprintf(buf, size, "%s", _("at the power limit"));
	else
		return false;
	return true;
}
