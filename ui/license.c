/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws turbo licenses: each has a shade as well as a color. */
#include "config.h"

#include "ui/license.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"

#define TOLD 0.05  /* of the cycles: a share worth telling */
#define DRAWN 0.02 /* a share that has a cell however short the bar is */

/* In the order of the parts. */
static const struct {
	const char *glyph;
	enum role role;
} looks[LICENSE_PARTS] = {
	{ "░", ROLE_LICENSE0 },
	{ "▒", ROLE_LICENSE1 },
	{ "█", ROLE_LICENSE2 },
	{ "?", ROLE_DIM },
};

bool license_served(const struct ui *ui)
{
	return view_served(ui, metric_of_joint(JOINT_LICENSE, 0));
}

static void gather_core(const struct ui *ui, unsigned core, struct license *ret)
{
	*ret = (struct license) { .core = core, .state = STATE_OK };
	for (unsigned i = 0; i < LICENSE_PARTS; i++) {
		const struct value *value = view_value(ui, metric_of_joint(JOINT_LICENSE, i),
						       &(struct row) { ROW_CORE, core, 0 }, 0);

		ret->shares[i] = value->v;
		if (!state_usable(value->state))
			ret->state = (enum state)value->state;
	}
}

/* More at a higher level counts more. */
static double weight(const struct license *license)
{
	return state_usable(license->state) ? 2 * license->shares[2] + license->shares[1] : -1;
}

void license_gather(const struct ui *ui, const struct row *row, struct license *ret)
{
	const struct host *host = ui->host;

	if (row->kind == ROW_CPU || row->kind == ROW_CORE) {
		gather_core(ui, row->kind == ROW_CPU ? host->cpus[row->index].core : row->index,
			    ret);
		return;
	}
	const struct host_package *package = &host->packages[row->index];

	*ret = (struct license) { .state = STATE_FIRST };
	for (unsigned i = 0; i < package->n_cores; i++) {
		struct license license;

		gather_core(ui, package->cores[i], &license);
		if (i == 0 || weight(&license) > weight(ret))
			*ret = license;
	}
}

int license_level(const struct license *license)
{
	int level = 2;

	if (!state_usable(license->state))
		return -1;
	while (level >= 0 && license->shares[level] < TOLD)
		level--;
	return level;
}

/* Cells of each part; what rounding leaves over goes to the largest. */
static void share_cells(const struct license *license, int width, int cells[LICENSE_PARTS])
{
	int left = width, largest = 0;

	for (int i = 0; i < LICENSE_PARTS; i++) {
		cells[i] = (int)floor(license->shares[i] * width + 0.5);
		if (cells[i] < 1 && license->shares[i] >= DRAWN)
			cells[i] = 1;
		left -= cells[i];
		if (license->shares[i] > license->shares[largest])
			largest = i;
	}
	cells[largest] += left;
}

void license_draw_bar(struct canvas *canvas, const struct column *column, int y,
		      const struct license *license, bool idle)
{
	int cells[LICENSE_PARTS], x = column->x;

	if (!column->width)
		return;
	if (!state_usable(license->state)) {
		canvas_right(canvas, x, y, column->width, ROLE_ABSENT,
			     state_row(license->state)->mark);
		return;
	}
	share_cells(license, column->width, cells);
	for (int i = 0; i < LICENSE_PARTS; i++)
		for (int k = 0; k < cells[i]; k++)
			canvas_text(canvas, x++, y, 1, idle ? ROLE_DIM : looks[i].role,
				    looks[i].glyph);
}

/* The heading is the key to the shades. */
void license_heading(struct canvas *canvas, const struct column *column, int y)
{
	if (!column->width)
		return;
	if (column->width >= 12)
		canvas_text(canvas, column->x, y, column->width, ROLE_HEADING, "Lic ░0 ▒1 █2");
	else
		canvas_text(canvas, column->x, y, column->width, ROLE_HEADING, "░0 ▒1 █2");
}

static const struct value *of_host(const struct ui *ui, enum metric metric)
{
	static const struct value none = { .state = STATE_FIRST };

	return ui->snapshot ? snapshot_get(ui->snapshot, metric, SCOPE_HOST, 0, 0) : &none;
}

/* "█ L2 31 %, 1 core": share of all cycles, and how many cores are at this level, where that is
 * known of some. */
static int draw_level(const struct ui *ui, struct canvas *canvas, int x, int y, int level,
		      bool known, unsigned n)
{
	const enum metric metric = metric_of_joint(JOINT_LICENSE, (unsigned)level);
	const struct value *share = of_host(ui, metric);
	const int from = x;

	x += canvas_text(canvas, x, y, 2, looks[level].role, looks[level].glyph) + 1;
	x += canvas_text(canvas, x, y, METRIC_PART, ROLE_LABEL, metric_row(metric)->part) + 1;
	if (state_usable(share->state))
		x += canvas_textf(canvas, x, y, 8, ROLE_VALUE, "%.0f %%", share->v * 100);
	else
		x += canvas_text(canvas, x, y, 4, ROLE_ABSENT, state_row(share->state)->mark);
	if (canvas->width >= 80 && known)
		/* TRANSLATORS: behind the share of a license: how many cores have it */
		x += canvas_textf(canvas, x, y, 24, n ? ROLE_NORMAL : ROLE_DIM,
				  P_(", %u core", ", %u cores", n), n);
	return x - from;
}

/* False: nothing is known of any core. */
static bool count_levels(const struct ui *ui, unsigned counts[LICENSE_PARTS])
{
	bool known = false;

	for (unsigned i = 0; i < ui->host->n_cores; i++) {
		struct license license;

		gather_core(ui, i, &license);
		int level = license_level(&license);

		if (level >= 0) {
			counts[level]++;
			known = true;
		}
	}
	return known;
}

static void draw_levels(const struct ui *ui, struct canvas *canvas, int y)
{
	const struct value *throttled = of_host(ui, METRIC_LICENSE_THROTTLE_RATIO);
	const struct value *unknown =
		of_host(ui, metric_of_joint(JOINT_LICENSE, LICENSE_PARTS - 1));
	unsigned counts[LICENSE_PARTS] = { 0 };
	int x = 1 + VIEW_LABEL_WIDTH, right = canvas->width - 1;
	const bool known = count_levels(ui, counts);
	char text[96];

	for (int level = 2; level >= 0; level--)
		x += draw_level(ui, canvas, x, y, level, known, counts[level]) + 3;
	if (state_usable(throttled->state) && throttled->v >= 0.0005) {
		/* TRANSLATORS: share of all cycles, throttled while a license was pending */
		snprintf(text, sizeof(text), _("throttled for it %.1f %%"), throttled->v * 100);
		x += canvas_elide(canvas, x, y, right - x, ROLE_WARN, text) + 3;
	}
	if (state_usable(unknown->state) && unknown->v >= 0.005) {
		/* TRANSLATORS: share of all cycles that no license event has counted */
		snprintf(text, sizeof(text), _("? not counted %.0f %%"), unknown->v * 100);
		canvas_elide(canvas, x, y, right - x, ROLE_DIM, text);
	}
}

void license_draw_line(const struct ui *ui, struct canvas *canvas)
{
	int y = ui->layout.license_y, x = 1 + VIEW_LABEL_WIDTH, right = canvas->width - 1;
	const struct origin *origin = ui->origins ? &ui->origins[METRIC_LICENSE2_RATIO] : NULL;
	const char *hint = _("(i: why)");

	if (y < 0)
		return;
	canvas_text(canvas, 1, y, VIEW_LABEL_WIDTH, ROLE_LABEL, _("License"));
	if (license_served(ui)) {
		draw_levels(ui, canvas, y);
		return;
	}
	const char *why = strcmp(ui->host->vendor, "AuthenticAMD") == 0
				  ? _("no license levels on AMD: the clock is governed by power, "
				      "current and temperature")
			  : origin && origin->why ? _(origin->why)
						  : _(metric_row(METRIC_LICENSE2_RATIO)->needs);

	x += canvas_text(canvas, x, y, 2, ROLE_ABSENT, "– ");
	x += canvas_elide(canvas, x, y, right - x, ROLE_ABSENT, why);
	if (x + 2 + canvas_measure(hint) <= right)
		canvas_text(canvas, right - canvas_measure(hint), y, right - x, ROLE_ABSENT, hint);
}
