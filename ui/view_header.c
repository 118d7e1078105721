/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines above the table: what machine this is, its clock as one number, what is known of
 * licenses and packages. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"
#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/graph.h"
#include "ui/license.h"
#include "ui/view.h"

/* " · 2 packages · 8 cores · 16 CPUs": what stays whole, however long the name of the machine.
 * brief: CPUs alone. */
static void describe_counts(const struct ui *ui, bool brief, char *buf, size_t size)
{
	char counts[4][48] = { "" };
	struct host_online online = host_online(ui->host, ui->history.offline);

	if (online.packages > 1 && !brief)
		snprintf(counts[0], sizeof(counts[0]), P_(" · %u package", " · %u packages", online.packages),
			 online.packages);
	if (!brief)
		snprintf(counts[1], sizeof(counts[1]),
			 P_(" · %u core", " · %u cores", online.cores), online.cores);
	snprintf(counts[2], sizeof(counts[2]), P_(" · %u CPU", " · %u CPUs", online.cpus), online.cpus);
	if (online.cpus < ui->host->n_cpus)
		/* TRANSLATORS: CPUs, behind their number: "15 CPUs, 1 offline" */
		snprintf(counts[3], sizeof(counts[3]), _(", %u offline"),
			 ui->host->n_cpus - online.cpus);
	snprintf(buf, size, "%s%s%s%s", counts[0], counts[1], counts[2], counts[3]);
}

static void describe_host(const struct host *host, char *buf, size_t size)
{
	/* Kinds of a hybrid part have names of their own; one name is enough for the line. */
	const char *parts[] = { host->brand[0] ? host->brand : host->vendor,
				host->n_kinds ? host->kinds[0].uarch : "", host->hypervisor };
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i][0] || (i == 1 && strstr(parts[0], parts[1])))
			continue;
		int n = snprintf(buf + used, size - used, "%s%s", used ? " · " : "", parts[i]);

		used = n < 0 || (size_t)n >= size - used ? size - 1 : used + (size_t)n;
	}
}

static void draw_title(const struct ui *ui, struct canvas *canvas)
{
	char right[48], host[256], counts[192], interval[32];
	const char *live = ui->paused ? _("paused") : ui->host->live ? _("live") : _("recorded");

	num_format((double)ui->interval_ns / 1e9, interval, sizeof(interval));
	snprintf(right, sizeof(right), "%s s   ", interval);
	int width = canvas_measure(right) + canvas_measure(live) + 1;
	int y = ui->layout.title_y, x = 1;

	x += canvas_text(canvas, x, y, 8, ROLE_TITLE, "avxtop") + 3;
	describe_host(ui->host, host, sizeof(host));
	describe_counts(ui, false, counts, sizeof(counts));
	int left = canvas->width - width - x - 2, tail = canvas_measure(counts);

	if (left - tail < 12) {
		describe_counts(ui, true, counts, sizeof(counts));
		tail = canvas_measure(counts);
	}
	if (left - tail < 12)
		tail = 0;
	x += canvas_elide(canvas, x, y, left - tail, ROLE_NORMAL, host);
	if (tail)
		canvas_text(canvas, x, y, tail, ROLE_DIM, counts);
	x = canvas->width - width;
	x += canvas_text(canvas, x, y, width, ROLE_DIM, right);
	canvas_text(canvas, x, y, width, ui->paused ? ROLE_BURST : ROLE_CLOCK, live);
}

/* The highest of what the cores may reach now without wide code; NAN: not known. */
static double turbo_limit(const struct ui *ui)
{
	double most = NAN;

	for (unsigned i = 0; i < ui->host->n_cores; i++) {
		const struct value *limit =
			view_value(ui, METRIC_LIMIT_HERTZ, &(struct row) { ROW_CORE, i, 0 }, 0);

		if (state_usable(limit->state))
			most = fmax(most, limit->v);
	}
	return most;
}

/* Words of the clock line, dropped from the end where there is no room. */
static int clock_words(const struct ui *ui, char (*words)[64])
{
	const double limit = turbo_limit(ui),
		     base = ui->host->n_kinds == 1 ? ui->host->kinds[0].base_hertz : 0;
	int n = 0;

	if (!isnan(limit))
		/* TRANSLATORS: what the clock may reach with as many cores active as there are now
		 */
		snprintf(words[n++], 64, _("turbo limit %.2f"), limit / 1e9);
	else if (!isnan(ui->history.highest))
		snprintf(words[n++], 64, _("highest seen %.2f"), ui->history.highest / 1e9);
	if (base > 0)
		/* TRANSLATORS: the clock without turbo */
		snprintf(words[n++], 64, _("base %.2f"), base / 1e9);
	else if (ui->host->tsc_hertz > 0)
		/* TRANSLATORS: rate of the time-stamp counter, which is not the clock */
		snprintf(words[n++], 64, _("tsc %.2f"), ui->host->tsc_hertz / 1e9);
	return n;
}

static void draw_clock_words(const struct ui *ui, struct canvas *canvas, int x, int y, int right)
{
	char words[2][64];
	int n = clock_words(ui, words);

	for (int i = 0; i < n; i++) {
		if (x + 3 + canvas_measure(words[i]) > right)
			break;
		x += 3;
		x += canvas_text(canvas, x, y, right - x, ROLE_DIM, words[i]);
	}
}

/* Where the clock comes from, and what looking at it costs. */
static void describe_source(const struct ui *ui, const struct origin *origin, char *buf, size_t size)
{
	const struct value *self = ui->snapshot ?
		snapshot_get(ui->snapshot, METRIC_SELF_RATIO, SCOPE_HOST, 0, 0) : NULL;

	if (self && state_usable(self->state))
		/* TRANSLATORS: the share of one CPU that avxtop itself uses */
		snprintf(buf, size, _("source %s · own cost %.1f %%"), origin->name, self->v * 100);
	else
		snprintf(buf, size, _("source %s"), origin->name);
}

static int draw_minute(const struct ui *ui, struct canvas *canvas, int x, int y, int width)
{
	double values[60], low = INFINITY, high = -INFINITY;
	int n = width < 60 ? width : 60;

	if (n < 8)
		return 0;
	for (int i = 0; i < n; i++) {
		const struct value *value = ring_get(&ui->history.clock, (size_t)(n - 1 - i));

		values[i] = value && state_usable(value->state) ? value->v : NAN;
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	/* A steady clock stands at half height, and noise of a percent moves it by a step at most. */
	double middle = (low + high) / 2, half = fmax((high - low) / 2, middle * 0.06);

	graph_spark(canvas, x, y, ROLE_CLOCK, values, n, middle - half, middle + half);
	return n;
}

static void draw_clock(const struct ui *ui, struct canvas *canvas)
{
	int y = ui->layout.clock_y, x = 1, right = canvas->width - 1;
	const struct origin *origin = ui->origins ? &ui->origins[METRIC_BUSY_HERTZ] : NULL;
	const struct value *clock = ui->snapshot ?
		snapshot_get(ui->snapshot, METRIC_BUSY_HERTZ, SCOPE_HOST, 0, 0) : NULL;
	char source[96] = "";

	canvas_text(canvas, x, y, VIEW_LABEL_WIDTH, ROLE_LABEL, _("Clock"));
	x += VIEW_LABEL_WIDTH;
	if (clock && state_usable(clock->state)) {
		x += canvas_textf(canvas, x, y, 10, ROLE_VALUE, "%.2f GHz", clock->v / 1e9);
		if (canvas->width >= 60)
			x += canvas_textf(canvas, x, y, 20, ROLE_DIM, " %s", _("busy average"));
		x += 2;
	} else {
		const char *why = origin && !origin->name && origin->why ? _(origin->why) :
				  clock ? _(state_row(clock->state)->text) : _("measuring …");

		x += canvas_text(canvas, x, y, 2, ROLE_ABSENT, "– ");
		x += canvas_elide(canvas, x, y, right - x, ROLE_ABSENT, why) + 2;
	}
	if (origin && origin->name && canvas->width >= 80) {
		describe_source(ui, origin, source, sizeof(source));
		right -= canvas_measure(source);
		if (x < right)
			canvas_text(canvas, right, y, 96, ROLE_DIM, source);
	}
	if (x < right)
		x += draw_minute(ui, canvas, x, y, (right - x) * 2 / 5);
	draw_clock_words(ui, canvas, x, y, right - 2);
}

void view_header_draw(const struct ui *ui, struct canvas *canvas)
{
	draw_title(ui, canvas);
	draw_clock(ui, canvas);
	license_draw_line(ui, canvas);
	view_heat_draw(ui, canvas);
}
