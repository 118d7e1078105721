/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of the burst panel while it asks: which load, where and how long. */
#include "config.h"

#include "ui/burst_panel.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "burst/kernel.h"
#include "model/host.h"
#include "ui/keys.h"
#include "ui/question.h"
#include "ui/view.h"

static const uint64_t durations_s[] = { 1, 2, 3, 5, 10, 20, 30, 60, 120, 300 };

#define N_DURATIONS (sizeof(durations_s) / sizeof(durations_s[0]))

static void choose_duration(struct burst_panel *panel, int step)
{
	for (size_t i = 0; i < N_DURATIONS; i++) {
		size_t at = step > 0 ? i : N_DURATIONS - 1 - i;
		uint64_t duration_ns = durations_s[at] * NS_PER_S;

		if (step > 0 ? duration_ns > panel->duration_ns
			     : duration_ns < panel->duration_ns) {
			panel->duration_ns = duration_ns;
			return;
		}
	}
}

/* The next CPU that may be driven, in either direction; a typed list becomes one CPU. */
static void choose_cpu(struct ui *ui, int step)
{
	int n = (int)ui->host->n_cpus, at = burst_panel_first_cpu(ui);

	for (int i = 0; i < n; i++) {
		at = at < 0 ? 0 : (at + step + n) % n;
		const struct host_cpu *cpu = &ui->host->cpus[at];

		if (cpu->online && cpu->allowed && (!cpu->isolated || cpu->named)) {
			snprintf(ui->burst.cpus, sizeof(ui->burst.cpus), "%u", cpu->id);
			return;
		}
	}
}

static void type_cpus(struct burst_panel *panel, int code)
{
	size_t len = strlen(panel->cpus); /* bytes */

	if (code == KEY_CODE_BACKSPACE && len > 0)
		panel->cpus[len - 1] = '\0';
	else if (code != KEY_CODE_BACKSPACE && len + 1 < sizeof(panel->cpus)) {
		panel->cpus[len] = (char)code;
		panel->cpus[len + 1] = '\0';
	}
}

static void change(struct ui *ui, int step)
{
	struct burst_panel *panel = &ui->burst;

	if (panel->cursor < KERNEL_N)
		return;
	switch ((enum burst_field)(panel->cursor - KERNEL_N)) {
	case BURST_FIELD_CPUS:
		choose_cpu(ui, step);
		break;
	case BURST_FIELD_SECONDS:
		choose_duration(panel, step);
		break;
	case BURST_FIELD_DUTY:
		panel->no_gaps = !panel->no_gaps;
		break;
	case BURST_FIELD_N:
		break;
	}
}

bool burst_question_key(struct ui *ui, int code)
{
	struct burst_panel *panel = &ui->burst;
	bool at_cpus = panel->cursor == KERNEL_N + BURST_FIELD_CPUS;

	switch (code) {
	case KEY_CODE_UP:
	case 'k':
		question_move(&panel->cursor, &panel->kernel, BURST_FIELD_N, -1);
		break;
	case KEY_CODE_DOWN:
	case 'j':
		question_move(&panel->cursor, &panel->kernel, BURST_FIELD_N, 1);
		break;
	case KEY_CODE_LEFT:
		change(ui, -1);
		break;
	case KEY_CODE_RIGHT:
		change(ui, 1);
		break;
	case KEY_CODE_TAB:
		question_next_field(&panel->cursor, panel->kernel, BURST_FIELD_N, 1);
		break;
	case KEY_CODE_BACK_TAB:
		question_next_field(&panel->cursor, panel->kernel, BURST_FIELD_N, -1);
		break;
	case KEY_CODE_ENTER:
		burst_panel_answer(ui);
		return true;
	default:
		if (!at_cpus || !(code == KEY_CODE_BACKSPACE || code == ',' || code == '-' ||
				  (code >= '0' && code <= '9')))
			return false;
		type_cpus(panel, code);
	}
	burst_panel_recall(panel);
	return true;
}
