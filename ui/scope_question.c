/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The question before a scope: which load, on which CPU, how many bursts and how long; and its
 * keys. */
#include "config.h"

#include <limits.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/nls.h"
#include "burst/kernel.h"
#include "cmd/scope_show.h"
#include "model/host.h"
#include "ui/keys.h"
#include "ui/question.h"
#include "ui/view.h"

#define LINES_LEAST 9 /* frame, one kernel, the fields, a line of what to expect, hints */
#define LINES_OTHER 8 /* beside the kernels, where there is room for all */

static const uint64_t bursts[] = { 50, 100, 200, 500, 1000, 2000, 5000, 10000 };
static const uint64_t lengths_ns[] = { 1000,   2000,   5000,	10000,	 20000,	  50000,   100000,
				       200000, 500000, 1000000, 2000000, 5000000, 10000000 };

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The next larger or smaller value; the same at the end. */
static uint64_t next_of(const uint64_t *values, size_t n, uint64_t now, int step)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t value = values[step > 0 ? i : n - 1 - i];

		if (step > 0 ? value > now : value < now)
			return value;
	}
	return now;
}

/* The next CPU that may be driven, in either direction. */
static void choose_cpu(struct ui *ui, int step)
{
	const int n = (int)ui->host->n_cpus;
	int at = scope_panel_cpu(ui);

	for (int i = 0; i < n; i++) {
		at = at < 0 ? 0 : (at + step + n) % n;
		const struct host_cpu *cpu = &ui->host->cpus[at];

		if (cpu->online && cpu->allowed && (!cpu->isolated || cpu->named)) {
			ui->scope.cpu = (int)cpu->id;
			return;
		}
	}
}

static void type_cpu(struct scope_panel *panel, int code)
{
	if (code == KEY_CODE_BACKSPACE)
		panel->cpu = panel->cpu >= 10 ? panel->cpu / 10 : -1;
	else if (panel->cpu < 0)
		panel->cpu = code - '0';
	else if (panel->cpu < INT_MAX / 10 - 1)
		panel->cpu = panel->cpu * 10 + code - '0';
}

static void change(struct ui *ui, int step)
{
	struct scope_panel *panel = &ui->scope;

	if (panel->cursor < KERNEL_N)
		return;
	switch ((enum scope_field)(panel->cursor - KERNEL_N)) {
	case SCOPE_FIELD_CPU:
		choose_cpu(ui, step);
		break;
	case SCOPE_FIELD_BURSTS:
		panel->bursts = (unsigned)next_of(bursts, N_OF(bursts), panel->bursts, step);
		break;
	case SCOPE_FIELD_LENGTH:
		panel->burst_ns = next_of(lengths_ns, N_OF(lengths_ns), panel->burst_ns, step);
		break;
	case SCOPE_FIELD_N:
		break;
	}
}

static bool is_at(const struct scope_panel *panel, enum scope_field field)
{
	return panel->cursor == KERNEL_N + (unsigned)field;
}

bool scope_question_key(struct ui *ui, int code)
{
	struct scope_panel *panel = &ui->scope;

	switch (code) {
	case KEY_CODE_UP:
	case 'k':
		question_move(&panel->cursor, &panel->kernel, SCOPE_FIELD_N, -1);
		break;
	case KEY_CODE_DOWN:
	case 'j':
		question_move(&panel->cursor, &panel->kernel, SCOPE_FIELD_N, 1);
		break;
	case KEY_CODE_LEFT:
		change(ui, -1);
		break;
	case KEY_CODE_RIGHT:
		change(ui, 1);
		break;
	case KEY_CODE_TAB:
		question_next_field(&panel->cursor, panel->kernel, SCOPE_FIELD_N, 1);
		break;
	case KEY_CODE_BACK_TAB:
		question_next_field(&panel->cursor, panel->kernel, SCOPE_FIELD_N, -1);
		break;
	case KEY_CODE_ENTER:
		scope_panel_answer(ui);
		return true;
	default:
		if (!is_at(panel, SCOPE_FIELD_CPU) ||
		    !(code == KEY_CODE_BACKSPACE || (code >= '0' && code <= '9')))
			return false;
		type_cpu(panel, code);
	}
	scope_panel_recall(panel);
	return true;
}

int scope_question_lines(int height)
{
	const int least = QUESTION_KERNELS + LINES_OTHER + 1, most = KERNEL_N + LINES_OTHER + 2;
	const int wanted = height / 2 < least ? least : height / 2 > most ? most : height / 2;
	const int room = height - 1; /* above the key bar */

	return room < LINES_LEAST ? 0 : wanted > room ? room : wanted;
}

/* About how long it takes: 5 ms of scalar code before and 1 ms behind each burst, and 2 s until the
 * first one. Where the low clock lasts, there is more scalar code. */
static double seconds_of(const struct scope_panel *panel)
{
	return 2 + panel->bursts * (6.2e-3 + (double)panel->burst_ns / 1e9);
}

static void draw_expectation(const struct ui *ui, struct canvas *canvas, int y, int lines)
{
	const struct scope_panel *panel = &ui->scope;
	const int x = QUESTION_LABEL_X, width = canvas->width - 2 * QUESTION_LABEL_X;
	char text[800], why[256];
	const char *unusable =
		question_unusable(ui->host, panel->kernel, scope_panel_cpu(ui), why, sizeof(why));
	enum role role = ROLE_PANEL;

	if (panel->look) {
		snprintf(text, sizeof(text), "%s",
			 _("It starts as soon as the temperature sensors have answered."));
	} else if (panel->refusal[0]) {
		role = ROLE_WARN;
		snprintf(text, sizeof(text), _("Not started: %s"), panel->refusal);
	} else if (unusable) {
		role = ROLE_ABSENT;
		snprintf(text, sizeof(text), "%s", unusable);
	} else {
		snprintf(text, sizeof(text),
			 _("Expect: about %.0f s of load on CPU %d at nice 5, most of it scalar "
			   "code between the "
			   "bursts; longer where a lower clock lasts. Nothing on this machine is "
			   "changed."),
			 seconds_of(panel), panel->cpu);
	}
	canvas_wrap(canvas, x, y, width, lines, role, text);
}

static void draw_fields(const struct ui *ui, struct canvas *canvas, int y)
{
	const struct scope_panel *panel = &ui->scope;
	char value[64] = "";

	if (panel->cpu >= 0)
		snprintf(value, sizeof(value), "%d", panel->cpu);
	question_field(canvas, y++, is_at(panel, SCOPE_FIELD_CPU), _("CPU"), value,
		       _("driven; type its number or use ←→"));
	snprintf(value, sizeof(value), "%u", panel->bursts);
	question_field(canvas, y++, is_at(panel, SCOPE_FIELD_BURSTS), _("Bursts"), value,
		       _("laid over one another: more of them, less noise"));
	(void)scope_time((double)panel->burst_ns / 1e9, value, sizeof(value));
	question_field(canvas, y, is_at(panel, SCOPE_FIELD_LENGTH), _("Length"), value,
		       _("of each burst"));
}

void scope_question_draw(const struct ui *ui, struct canvas *canvas, int y, int lines)
{
	const struct scope_panel *panel = &ui->scope;
	const char *const hints[] = { _("Enter"), _("start"),  "↑↓",	 _("choose"),
				      "←→",	  _("change"), _("Tab"), _("next field"),
				      _("Esc"),	  _("close"),  NULL };
	const int bottom = y + lines - 1;
	int kernels = lines - LINES_OTHER;

	kernels = kernels < 1 ? 1 : kernels > KERNEL_N ? KERNEL_N : kernels;
	canvas_box(canvas, 0, y++, canvas->width, lines, ROLE_FRAME, ROLE_PANEL,
		   _(" Scope: which burst shall be looked at? "));
	question_kernels(ui->host, canvas, y, kernels, panel->kernel, panel->cursor < KERNEL_N,
			 scope_panel_cpu(ui));
	y += kernels;
	draw_fields(ui, canvas, y);
	y += SCOPE_FIELD_N;
	if (bottom - y >= 5)
		y++;
	draw_expectation(ui, canvas, y, bottom - y - 1);
	question_hints(canvas, bottom - 1, hints);
}
