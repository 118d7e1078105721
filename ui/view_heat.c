/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Power and temperature of packages, one line of the header, and who is throttled by heat right now. */
#include "config.h"

#include <stdio.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/view.h"

#define ENTRY_GAP 4
#define NEAR_CELSIUS 5 /* to the limit: worth a warning */
#define LIMITED 0.97   /* of the power limit: at it */

/* One piece of the line; pieces are measured before they are drawn. */
struct piece {
	char text[64];
	enum role role;
};

#define MAX_PIECES 3

static bool served(const struct ui *ui, enum metric metric)
{
	return ui->origins && ui->origins[metric].name;
}

bool view_heat_shown(const struct ui *ui)
{
	return served(ui, METRIC_TEMPERATURE_CELSIUS) || served(ui, METRIC_PACKAGE_WATTS);
}

static const struct value *of_package(const struct ui *ui, enum metric metric, unsigned package)
{
	static const struct value none = { .state = STATE_FIRST };

	return ui->snapshot ? snapshot_get(ui->snapshot, metric, SCOPE_PACKAGE, package, 0) : &none;
}

/* A package all of whose CPUs have left has no files; what was never online has no number either.
 */
static bool is_online(const struct ui *ui, unsigned package)
{
	const struct host_package *row = &ui->host->packages[package];

	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct host_core *core = &ui->host->cores[row->cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++)
			if (!ui->history.offline[core->cpus[k]])
				return true;
	}
	return false;
}

static bool is_alone(const struct ui *ui)
{
	return host_online(ui->host, ui->history.offline).packages <= 1;
}

static bool is_throttled(const struct value *events)
{
	return state_usable(events->state) && events->v > 0;
}

static enum role role_of(const struct value *value, enum role fresh)
{
	return value->state == STATE_STALE ? ROLE_DIM : fresh;
}

/* As much power as the package may draw; a controller stays a little below. */
static bool is_limited(const struct value *watts, const struct value *limit)
{
	return state_usable(watts->state) && state_usable(limit->state) &&
	       watts->v >= LIMITED * limit->v;
}

static void add_watts(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *watts = of_package(ui, METRIC_PACKAGE_WATTS, package);
	const struct value *limit = of_package(ui, METRIC_POWER_LIMIT_WATTS, package);

	*piece = (struct piece){ .role = role_of(watts, ROLE_VALUE) };
	if (!state_usable(watts->state)) {
		piece->role = ROLE_ABSENT;
		snprintf(piece->text, sizeof(piece->text), _("– W"));
	} else if (is_limited(watts, limit)) {
		piece->role = ROLE_WARN;
		/* TRANSLATORS: power now is as much as the power limit of the package allows */
		snprintf(piece->text, sizeof(piece->text), _("%.0f W at its limit of %.0f W"),
			 watts->v, limit->v);
	} else if (state_usable(limit->state)) {
		/* TRANSLATORS: power now, and the power limit of the package */
		snprintf(piece->text, sizeof(piece->text), _("%.0f W of %.0f W"), watts->v, limit->v);
	} else {
		snprintf(piece->text, sizeof(piece->text), _("%.0f W"), watts->v);
	}
}

static void add_celsius(const struct ui *ui, unsigned package, struct piece *piece)
{
	const struct value *celsius = of_package(ui, METRIC_TEMPERATURE_CELSIUS, package);
	const struct value *margin = of_package(ui, METRIC_THERMAL_MARGIN_CELSIUS, package);
	bool hot = state_usable(margin->state) && margin->v < NEAR_CELSIUS;
	bool throttled = is_throttled(of_package(ui, METRIC_THROTTLE_EVENTS, package));

	*piece = (struct piece){ .role = hot || throttled ? ROLE_WARN : role_of(celsius, ROLE_VALUE) };
	if (state_usable(celsius->state) && throttled) {
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C throttled by heat"), celsius->v);
	} else if (throttled) {
		snprintf(piece->text, sizeof(piece->text), "%s", _("throttled by heat"));
	} else if (!state_usable(celsius->state)) {
		piece->role = ROLE_ABSENT;
		snprintf(piece->text, sizeof(piece->text), _("– °C"));
	} else if (hot) {
		/* TRANSLATORS: temperature, and that it is close to where the clock is throttled */
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C near its limit"), celsius->v);
	} else {
		snprintf(piece->text, sizeof(piece->text), _("%.0f °C"), celsius->v);
	}
}

/* Pieces of one package, the first one its name; how many. */
static int describe(const struct ui *ui, unsigned package, struct piece *pieces)
{
	int n = 0;

	pieces[n] = (struct piece){ .role = ROLE_LABEL };
	if (!is_alone(ui))
		snprintf(pieces[n].text, sizeof(pieces[n].text), _("Package %d"),
			 ui->host->packages[package].package_id);
	else
		snprintf(pieces[n].text, sizeof(pieces[n].text), "%s", _("Package"));
	n++;
	if (served(ui, METRIC_PACKAGE_WATTS))
		add_watts(ui, package, &pieces[n++]);
	if (served(ui, METRIC_TEMPERATURE_CELSIUS))
		add_celsius(ui, package, &pieces[n++]);
	return n;
}

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
	struct piece pieces[MAX_PIECES];
	int x = 1;

	for (unsigned i = 0; i < ui->host->n_packages; i++) {
		if (!is_online(ui, i))
			continue;
		int n = describe(ui, i, pieces);
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
		const struct value *celsius = of_package(ui, METRIC_TEMPERATURE_CELSIUS, i);

		const bool cut = is_throttled(of_package(ui, METRIC_THROTTLE_EVENTS, i));

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
		const struct value *watts = of_package(ui, METRIC_PACKAGE_WATTS, i);

		if (state_usable(watts->state))
			sum += watts->v;
		else if (is_online(ui, i))
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
	if (served(ui, METRIC_PACKAGE_WATTS) && sum_watts(ui, &watts))
		x += canvas_textf(canvas, x, y, right - x, ROLE_VALUE, _("%.0f W"), watts) + 2;
	if (hottest < 0)
		return;
	add_celsius(ui, (unsigned)hottest, &piece);
	x += canvas_text(canvas, x, y, right - x, piece.role, piece.text) + 1;
	canvas_textf(canvas, x, y, right - x, ROLE_DIM,
		     is_throttled(of_package(ui, METRIC_THROTTLE_EVENTS, (unsigned)hottest))
			     ? _("(package %d)")
			     : _("(package %d, the hottest)"),
		     ui->host->packages[hottest].package_id);
}

void view_heat_draw(const struct ui *ui, struct canvas *canvas)
{
	int y = ui->layout.heat_y, right = canvas->width - 1;

	if (y < 0)
		return;
	if (is_alone(ui) || put_packages(ui, NULL, y, right))
		(void)put_packages(ui, canvas, y, is_alone(ui) ? canvas->width * 2 : right);
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
	return is_throttled(events) ? events->v : 0;
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
	else if (dropped && is_limited(of_package(ui, METRIC_PACKAGE_WATTS, package),
				       of_package(ui, METRIC_POWER_LIMIT_WATTS, package)))
		snprintf(buf, size, "%s", _("at the power limit"));
	else
		return false;
	return true;
}
