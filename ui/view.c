/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which view fills the screen, where it is scrolled to, and the key bar that all share. */
#include "config.h"

#include "ui/view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/nls.h"
#include "base/text.h"
#include "format/sink.h"
#include "model/host.h"
#include "ui/keys.h"
#include "ui/license.h"
#include "ui/lost.h"

unsigned view_strip_width(int width)
{
	return width > 5 ? (unsigned)width - 4 : 1;
}

char *view_row_name(const struct host *host, const struct row *row, const unsigned *cpus, unsigned n)
{
	struct text count = { 0 };
	struct list *ids;
	char *name;

	if (row->kind == ROW_PACKAGE) {
		text_addf(&count, P_("%u CPU", "%u CPUs", n), n);
		return count.data;
	}
	ids = list_new();
	for (unsigned i = 0; ids && i < n; i++)
		(void)list_add(ids, host->cpus[cpus[i]].id);
	name = ids ? list_format(ids) : NULL;
	list_free(ids);
	return name;
}

const char *view_id(int id, char *buf, size_t size)
{
	if (id >= 0)
		snprintf(buf, size, "%d", id);
	else
		snprintf(buf, size, "–");
	return buf;
}

/* Cells of the longest name among the rows near the top; longer ones below are cut. */
static int cpu_width(const struct ui *ui)
{
	unsigned *cpus = calloc(ui->host->n_cpus, sizeof(*cpus));
	int width = 3;

	for (unsigned i = 0; cpus && i < 256 && ui->top + i < ui->rows.n; i++) {
		const struct row *row = &ui->rows.items[ui->top + i];

		if (row->kind == ROW_STRIP)
			continue;
		char *name = view_row_name(ui->host, row, cpus, rows_cpus(ui->host, row, cpus));

		if (name && canvas_measure(name) > width)
			width = canvas_measure(name);
		free(name);
	}
	free(cpus);
	return width;
}

void view_columns(const struct ui *ui, struct columns *ret)
{
	const struct host *host = ui->host;
	enum metric metrics[LAYOUT_MAX_METRICS];
	struct columns_need need = {
		.cpu_width = cpu_width(ui),
		.n_idle = ui->group == GROUP_CPU ? host->n_idle_states : 0,
		.metric_width = METRIC_COLUMN,
		.n_metrics = view_metrics(ui, metrics),
		.core = true,
		.license = license_served(ui),
		.lost = lost_served(ui),
		.vectors = ui->vectors,
	};

	layout_columns(ui->layout.width, &need, ret);
}

static int panel_lines(const struct ui *ui, int width, int height)
{
	if (ui->burst.open)
		return burst_panel_lines(ui, height);
	return ui->why ? view_why_lines(ui, width) : 0;
}

/* The first of `lines` lines to show where there is room for `visible`. */
static int bound_top(int top, int lines, int visible)
{
	int last = lines > visible ? lines - visible : 0;

	return top > last ? last : top < 0 ? 0 : top;
}

/* Keeps the cursor's row on the screen; top moves no more than it must. */
static void follow_cursor(struct ui *ui)
{
	unsigned visible = ui->layout.rows_n > 0 ? (unsigned)ui->layout.rows_n : 1;

	if (ui->cursor >= ui->rows.n)
		ui->cursor = ui->rows.n ? ui->rows.n - 1 : 0;
	if (ui->cursor < ui->top)
		ui->top = ui->cursor;
	if (ui->cursor >= ui->top + visible)
		ui->top = ui->cursor - visible + 1;
	if (ui->top + visible > ui->rows.n)
		ui->top = ui->rows.n > visible ? ui->rows.n - visible : 0;
}

void view_choose_cpu(struct ui *ui, unsigned index)
{
	const struct host_cpu *cpu = &ui->host->cpus[index];

	for (unsigned i = 0; i < ui->rows.n; i++) {
		const struct row *row = &ui->rows.items[i];

		if (row->index != (row->kind == ROW_CPU	   ? index
				   : row->kind == ROW_CORE ? cpu->core
							   : cpu->package))
			continue;
		ui->cursor = i;
		return;
	}
}

void view_update(struct ui *ui, int width, int height)
{
	struct rows_query query = {
		.host = ui->host,
		.snapshot = ui->snapshot,
		.history = &ui->history,
		.group = ui->group,
		.sort = ui->sort,
		.filter = ui->filter.text,
		.strip_width = view_strip_width(width),
	};

	(void)rows_build(&query, &ui->rows); /* out of memory: the rows of before */
	int panel = panel_lines(ui, width, height);

	layout_screen(width, height, ui->rows.n, panel, view_heat_lines(ui, width), &ui->layout);
	follow_cursor(ui);
	ui->help_top = bound_top(ui->help_top, view_help_lines(), height - 2);
	ui->why_top = bound_top(ui->why_top, panel - 2, ui->layout.panel_n - 2);
}

/* A scope is not about rows. */
bool view_takes(const struct ui *ui, const struct key_row *key)
{
	return ui->view != VIEW_SCOPE || key->codes[0] == KEY_CODE_CLICK ||
	       (key->group != KEY_GROUP_LOOK && key->group != KEY_GROUP_MOVE);
}

/* Steps through the key bar: where each key's name and word stand. */
struct bar_item {
	const struct key_row *key;
	int x, width, name_width;
	char name[16];
	const char *word;
};

static void bar_fill(const struct ui *ui, const struct key_row *key, struct bar_item *item)
{
	item->key = key;
	item->word = _(key->bar);
	if (key->codes[0] == '6' && ui->view == VIEW_SCOPE)
		item->word = _("Overview");
	else if (key->codes[0] == 'b' && ui->view == VIEW_SCOPE)
		item->word = ui->scope.running	? _("Stop")
			     : ui->scope.asking ? _("Close")
						: _("Start");
	else if (key->codes[0] == 'b' && ui->burst.stage == BURST_RUNNING)
		item->word = _("Stop burst");
	keys_name(key->codes[0], item->name, sizeof(item->name));
	item->name_width = canvas_measure(item->name) + 1;
	item->width = item->name_width + canvas_measure(item->word);
}

/* Whole items only, and always the way out, which is the last of them. */
static bool bar_next(const struct ui *ui, unsigned *index, struct bar_item *item)
{
	struct bar_item quit = { 0 };
	const struct key_row *key;
	int x = item->key ? item->x + item->width + 2 : 1;

	bar_fill(ui, keys_find('q'), &quit);
	while ((key = keys_get((*index)++)) != NULL) {
		if (!key->bar || !view_takes(ui, key))
			continue;
		bar_fill(ui, key, item);
		item->x = x;
		if (key == quit.key || x + item->width + 2 + quit.width <= ui->layout.width)
			return true;
	}
	return false;
}

const struct key_row *view_bar_hit(const struct ui *ui, int x)
{
	struct bar_item item = { 0 };
	unsigned index = 0;

	while (bar_next(ui, &index, &item))
		if (x >= item.x && x < item.x + item.width)
			return item.key;
	return NULL;
}

static void draw_bar(const struct ui *ui, struct canvas *canvas)
{
	struct bar_item item = { 0 };
	unsigned index = 0;
	int y = ui->layout.bar_y;

	if (ui->filter.open) {
		int x = 1 + canvas_text(canvas, 1, y, 20, ROLE_KEY, _("Filter: "));

		x += canvas_text(canvas, x, y, canvas->width - x - 1, ROLE_VALUE, ui->filter.text);
		x += canvas_text(canvas, x, y, 1, ROLE_CURSOR, " ");
		canvas_elide(canvas, x + 2, y, canvas->width - x - 3, ROLE_DIM,
			     _("CPU list or word; Enter keeps, Esc undoes"));
		return;
	}
	while (bar_next(ui, &index, &item)) {
		canvas_text(canvas, item.x, y, item.name_width, ROLE_KEY, item.name);
		canvas_text(canvas, item.x + item.name_width, y, item.width - item.name_width,
			    ROLE_KEY_TEXT, item.word);
	}
}

static void draw_too_small(struct canvas *canvas)
{
	char text[96];

	snprintf(text, sizeof(text), _("Terminal too small: have %d×%d, need %d×%d"), canvas->width,
		 canvas->height, LAYOUT_MIN_WIDTH, LAYOUT_MIN_HEIGHT);
	canvas_wrap(canvas, 0, 0, canvas->width, canvas->height, ROLE_WARN, text);
}

void view_draw(const struct ui *ui, struct canvas *canvas)
{
	canvas_clear(canvas);
	if (!ui->layout.fits) {
		draw_too_small(canvas);
		return;
	}
	if (ui->view == VIEW_HELP)
		view_help_draw(ui, canvas);
	else if (ui->view == VIEW_SCOPE)
		view_scope_draw(ui, canvas);
	else
		view_overview_draw(ui, canvas);
	draw_bar(ui, canvas);
}
