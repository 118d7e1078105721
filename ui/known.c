/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Name and value of each metric that has one, in as many columns as there is room for. */
#include "config.h"

#include "ui/known.h"

#include <stdio.h>

#include "base/nls.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "source/source.h"

#define CELL 38 /* of one: "license_throttle_ratio  12.34 %  perf" */
#define NAME 22
#define VALUE 9

/* One metric and label; metric METRIC_N: no more. */
struct known {
	enum metric metric;
	unsigned label;
	const struct value *value;
};

/* The next that has a value, from *at on. */
static bool next_known(const struct ui *ui, const struct row *row, struct known *at)
{
	for (; at->metric < METRIC_N; at->metric++, at->label = 0) {
		const unsigned labels = label_count(ui->host, metric_row(at->metric)->label);

		for (; at->label < labels; at->label++) {
			at->value = view_value(ui, at->metric, row, at->label);
			if (state_usable(at->value->state))
				return true;
		}
	}
	return false;
}

static int columns(int width)
{
	return width - 3 >= 2 * CELL ? (width - 3) / CELL : 1;
}

static int count(const struct ui *ui, const struct row *row)
{
	struct known at = { 0 };
	int n = 0;

	for (; next_known(ui, row, &at); at.label++)
		n++;
	return n;
}

int known_lines(const struct ui *ui, const struct row *row, int width)
{
	return (count(ui, row) + columns(width) - 1) / columns(width);
}

static const char *unit_of(enum metric metric)
{
	switch (metric_row(metric)->unit) {
	case UNIT_HERTZ:
		return "MHz";
	case UNIT_RATIO:
		return "%";
	case UNIT_RATE:
		return "/s";
	case UNIT_CELSIUS:
		return "°C";
	case UNIT_VOLTS:
		return "V";
	case UNIT_WATTS:
		return "W";
	default:
		return "";
	}
}

static void draw_one(const struct ui *ui, struct canvas *canvas, int x, int y, int width,
		     const struct known *at)
{
	const struct metric_row *row = metric_row(at->metric);
	const bool stale = at->value->state == STATE_STALE;
	char name[64], value[64];

	snprintf(name, sizeof(name), row->label ? "%s.%s" : "%s", row->name,
		 label_name(ui->host, row->label, at->label));
	metric_format(at->metric, at->value->v, value, sizeof(value));
	canvas_elide(canvas, x, y, width < NAME ? width : NAME, ROLE_DIM, name);
	if (row->unit == UNIT_TEXT)
		canvas_elide(canvas, x + NAME + 2, y, width - NAME - 2, ROLE_VALUE, value);
	else
		canvas_right(canvas, x + NAME, y, VALUE, stale ? ROLE_DIM : ROLE_VALUE, value);
	if (row->unit != UNIT_TEXT)
		canvas_text(canvas, x + NAME + VALUE + 1, y, width - NAME - VALUE - 1, ROLE_DIM,
			    unit_of(at->metric));
}

void known_draw(const struct ui *ui, struct canvas *canvas, const struct row *row, int y, int first,
		int visible)
{
	const int across = columns(canvas->width), lines = known_lines(ui, row, canvas->width);
	struct known at = { 0 };

	/* From above to below, then the next column. */
	for (int i = 0; next_known(ui, row, &at); i++, at.label++) {
		const int line = i % lines - first, x = 2 + i / lines * CELL;

		if (line >= 0 && line < visible)
			draw_one(ui, canvas, x, y + line, across > 1 ? CELL - 2 : canvas->width - 4,
				 &at);
	}
}
