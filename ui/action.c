/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys do: one function a row of ui/key_rows.h. */
#include "config.h"

#include "ui/action.h"

#include <string.h>

#include "base/clock.h"
#include "engine/session.h"
#include "ui/keys.h"
#include "ui/view.h"

void action_help(struct ui *ui)
{
	if (ui->view != VIEW_HELP)
		ui->helped = ui->view;
	ui->view = ui->view == VIEW_HELP ? ui->helped : VIEW_HELP;
	ui->help_top = 0;
}

void action_overview(struct ui *ui)
{
	ui->view = VIEW_OVERVIEW;
}

void action_scope(struct ui *ui)
{
	ui->view = ui->view == VIEW_SCOPE ? VIEW_OVERVIEW : VIEW_SCOPE;
}

void action_view(struct ui *ui)
{
	ui->view = ui->view == VIEW_OVERVIEW ? VIEW_SCOPE : VIEW_OVERVIEW;
}

void action_burst(struct ui *ui)
{
	if (ui->view == VIEW_SCOPE) {
		scope_panel_burst(ui);
		return;
	}
	ui->view = VIEW_OVERVIEW;
	if (ui->burst.stage == BURST_RUNNING)
		burst_panel_stop(ui);
	else if (ui->burst.open && ui->burst.stage == BURST_ASKING)
		ui->burst.open = false;
	else
		burst_panel_ask(ui);
}

void action_kernel(struct ui *ui)
{
	if (ui->view == VIEW_SCOPE) {
		scope_panel_kernel(ui);
		return;
	}
	ui->view = VIEW_OVERVIEW;
	if (ui->burst.stage == BURST_RUNNING)
		ui->burst.open = true; /* one kernel at a time: show the one that runs */
	else
		burst_panel_ask(ui);
}

void action_panel(struct ui *ui)
{
	ui->view = VIEW_OVERVIEW;
	ui->burst.open = !ui->burst.open;
}

void action_why(struct ui *ui)
{
	bool seen = ui->view == VIEW_OVERVIEW && !ui->burst.open;

	ui->view = VIEW_OVERVIEW;
	ui->why_top = 0;
	ui->why = !(ui->why && seen);
	ui->burst.open = false;
}

void action_vectors(struct ui *ui)
{
	ui->view = VIEW_OVERVIEW;
	ui->vectors = !ui->vectors;
}

void action_group(struct ui *ui)
{
	ui->group = (ui->group + 1) % GROUP_N;
	ui->cursor = ui->top = 0;
}

void action_sort(struct ui *ui)
{
	ui->sort = (ui->sort + 1) % SORT_N;
	ui->cursor = ui->top = 0;
}

void action_filter(struct ui *ui)
{
	ui->view = VIEW_OVERVIEW;
	ui->filter.open = true;
	memcpy(ui->filter.before, ui->filter.text, sizeof(ui->filter.before));
}

void action_pause(struct ui *ui)
{
	ui->paused = !ui->paused;
	/* What is shown next shall not be a mean over the pause. */
	if (!ui->paused && ui->session)
		session_skip(ui->session);
}

static const uint64_t intervals_ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };

#define N_INTERVALS (sizeof(intervals_ms) / sizeof(intervals_ms[0]))

static void set_interval(struct ui *ui, uint64_t interval_ns)
{
	if (ui->interval_ns == interval_ns)
		return;
	ui->interval_ns = interval_ns;
	if (ui->session)
		session_set_interval(ui->session, interval_ns);
}

void action_slower(struct ui *ui)
{
	for (size_t i = 0; i < N_INTERVALS; i++) {
		if (intervals_ms[i] * NS_PER_MS > ui->interval_ns) {
			set_interval(ui, intervals_ms[i] * NS_PER_MS);
			return;
		}
	}
}

void action_faster(struct ui *ui)
{
	for (size_t i = N_INTERVALS; i-- > 0;) {
		if (intervals_ms[i] * NS_PER_MS < ui->interval_ns) {
			set_interval(ui, intervals_ms[i] * NS_PER_MS);
			return;
		}
	}
}

void action_redraw(struct ui *ui)
{
	ui->redraw = true;
}

void action_back(struct ui *ui)
{
	if (ui->view == VIEW_HELP)
		ui->view = ui->helped;
	else if (ui->view == VIEW_SCOPE && ui->scope.asking)
		ui->scope.asking = false;
	else if (ui->view == VIEW_SCOPE)
		ui->view = VIEW_OVERVIEW;
	else if (ui->burst.open)
		ui->burst.open = false;
	else if (ui->why)
		ui->why = false;
	else
		ui->filter.text[0] = '\0';
}

static bool why_shown(const struct ui *ui)
{
	return ui->view == VIEW_OVERVIEW && ui->why && !ui->burst.open;
}

/* The wheel scrolls what it turns over; keys have no place. */
static bool wheel_over_why(const struct ui *ui)
{
	return why_shown(ui) && ui->mouse_y >= ui->layout.panel_y &&
	       ui->mouse_y < ui->layout.panel_y + ui->layout.panel_n;
}

static unsigned page(const struct ui *ui)
{
	int lines = ui->view == VIEW_HELP ? ui->layout.height - 3 :
		    why_shown(ui) ? ui->layout.panel_n - 3 : ui->layout.rows_n - 1;

	return lines > 1 ? (unsigned)lines : 1;
}

/* view_update() sees to it that all stay within their bounds. */
static void move(struct ui *ui, bool down, unsigned by)
{
	if (ui->view == VIEW_HELP)
		ui->help_top += down ? (int)by : -(int)by;
	else if (down)
		ui->cursor += ui->rows.n - ui->cursor < by ? ui->rows.n - ui->cursor : by;
	else
		ui->cursor -= by < ui->cursor ? by : ui->cursor;
}

void action_up(struct ui *ui)
{
	if (wheel_over_why(ui))
		ui->why_top--;
	else
		move(ui, false, 1);
}

void action_down(struct ui *ui)
{
	if (wheel_over_why(ui))
		ui->why_top++;
	else
		move(ui, true, 1);
}

/* The panel of reasons goes by pages, so that the rows it is about go on by single steps. */
void action_page_up(struct ui *ui)
{
	if (why_shown(ui))
		ui->why_top -= (int)page(ui);
	else
		move(ui, false, page(ui));
}

void action_page_down(struct ui *ui)
{
	if (why_shown(ui))
		ui->why_top += (int)page(ui);
	else
		move(ui, true, page(ui));
}

void action_home(struct ui *ui)
{
	ui->cursor = 0;
	ui->help_top = 0;
}

void action_end(struct ui *ui)
{
	if (ui->view == VIEW_HELP)
		ui->help_top = view_help_lines();
	else
		ui->cursor = ui->rows.n;
}

void action_click(struct ui *ui)
{
	const struct layout *layout = &ui->layout;
	unsigned row = ui->top + (unsigned)(ui->mouse_y - layout->rows_y);
	const struct key_row *key = ui->mouse_y == layout->bar_y ? view_bar_hit(ui, ui->mouse_x) : NULL;

	if (key)
		key->run(ui);
	else if (ui->view == VIEW_OVERVIEW && ui->mouse_y >= layout->rows_y &&
		 ui->mouse_y < layout->rows_y + layout->rows_n && row < ui->rows.n)
		ui->cursor = row;
}

void action_quit(struct ui *ui)
{
	ui->quit = true;
}
