/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help: every key from the table of keys, and what the marks mean. */
#include "config.h"

#include <stdio.h>

#include "base/nls.h"
#include "ui/keys.h"
#include "ui/view.h"

struct legend {
	const char *mark;
	enum role role;
	const char *text;
};

static const struct legend legends[] = {
	{ "▼", ROLE_DROPPED,
	  N_("the clock fell: against the scalar code of the same burst, the last minute, the "
	     "other CPUs, or is far below its turbo limit") },
	{ "!", ROLE_WARN, N_("heat throttled the core in this interval") },
	{ "━┃", ROLE_CLOCK,
	  N_("clock on the scale of the heading; the upright stroke is its end") },
	{ "╌┆", ROLE_DROPPED, N_("how far it fell, and where it was before, or its turbo limit") },
	{ "░ ▒ █ ?", ROLE_LICENSE1,
	  N_("cycles of the core at turbo license 0, 1 and 2; ? no event has counted them") },
	{ "−400 lic", ROLE_DROPPED,
	  N_("MHz below the turbo limit for the cores active now, lost to the license; pwr power, "
	     "hot heat, "
	     "cap the kernel's cap, oth what no register names") },
	{ "╎", ROLE_TICK,
	  N_("rate of the time-stamp counter: what other tools show as the clock") },
	{ "ˢ", ROLE_DIM,
	  N_("the ruler's clock: what scalar code gets; wide code of others may hide from it") },
	{ "idle", ROLE_CLOCK_IDLE, N_("dimmed: the CPU was idle, and woken to be measured") },
	{ "–", ROLE_ABSENT,
	  N_("absent: not measured here. i says why; never 0, never a nominal clock") },
	{ "osMHz", ROLE_NORMAL,
	  N_("what the kernel calls the clock, where none is measured: maybe stale") },
	{ "~", ROLE_ABSENT, N_("the probe was disturbed, so its value is not shown") },
};

#define N_LEGENDS ((int)(sizeof(legends) / sizeof(legends[0])))

static int group_keys(enum key_group group)
{
	int n = 0;

	for (unsigned i = 0; keys_get(i); i++)
		n += keys_get(i)->group == group;
	return n;
}

int view_help_lines(void)
{
	int lines = 2 + N_LEGENDS;

	for (int group = 0; group < KEY_GROUP_N; group++)
		lines += 2 + group_keys((enum key_group)group);
	return lines;
}

/* Draws help line number `line` at y: groups of keys, then the marks. */
static void draw_line(struct canvas *canvas, int y, int line)
{
	char names[48];

	for (int group = 0; group < KEY_GROUP_N; group++) {
		int n = group_keys((enum key_group)group);

		if (line >= n + 2) {
			line -= n + 2;
			continue;
		}
		if (line == 0)
			canvas_text(canvas, 1, y, canvas->width, ROLE_LABEL,
				    _(keys_group_title((enum key_group)group)));
		for (unsigned i = 0, at = 1; keys_get(i) && line > 0; i++) {
			const struct key_row *key = keys_get(i);

			if (key->group != (enum key_group)group || (int)at++ != line)
				continue;
			canvas_elide(canvas, 3, y, 16, ROLE_KEY, keys_names(key, names, sizeof(names)));
			canvas_elide(canvas, 20, y, canvas->width - 21, ROLE_NORMAL, _(key->help));
			break;
		}
		return;
	}
	if (line == 0) {
		canvas_text(canvas, 1, y, canvas->width, ROLE_LABEL, _("Marks"));
	} else if (line <= N_LEGENDS) {
		const struct legend *legend = &legends[line - 1];

		canvas_text(canvas, 3, y, 16, legend->role, legend->mark);
		canvas_elide(canvas, 20, y, canvas->width - 21, ROLE_NORMAL, _(legend->text));
	}
}

void view_help_draw(const struct ui *ui, struct canvas *canvas)
{
	int lines = view_help_lines(), visible = canvas->height - 2;

	canvas_fill(canvas, 0, 0, canvas->width, 1, ROLE_HEADING);
	canvas_textf(canvas, 1, 0, canvas->width - 2, ROLE_HEADING, _("avxtop %s: help"), PACKAGE_VERSION);
	canvas_right(canvas, canvas->width - 30, 0, 29, ROLE_HEADING,
		     lines > visible ? _("↑↓ more, Esc back") : _("Esc back"));
	for (int i = 0; i < visible && ui->help_top + i < lines; i++)
		draw_line(canvas, 1 + i, ui->help_top + i);
}
