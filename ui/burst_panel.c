/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the burst panel knows and does; burst_draw.c draws it. */
#include "config.h"

#include "ui/burst_panel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/keys.h"
#include "ui/view.h"

static const uint64_t durations_s[] = { 1, 2, 3, 5, 10, 20, 30, 60, 120, 300 };

#define N_DURATIONS (sizeof(durations_s) / sizeof(durations_s[0]))
#define DEFAULT_DURATION_NS (10 * NS_PER_S)
#define DRAW_NS (200 * NS_PER_MS) /* between pictures of a running burst: judging costs, too */

/* Index in the host of the first CPU in the panel's list; -1 none. */
static int first_cpu(const struct ui *ui)
{
	struct list *list;
	int first;

	if (list_parse(ui->burst.cpus, &list) < 0)
		return -1;
	first = list_next(list, 0);
	list_free(list);
	return first < 0 ? -1 : host_cpu_index(ui->host, (unsigned)first);
}

const char *burst_panel_unusable(const struct ui *ui, unsigned kernel, char *buf, unsigned long size)
{
	struct problem problem = { 0 };
	int cpu = first_cpu(ui);
	unsigned kind = cpu < 0 ? 0 : ui->host->cpus[cpu].kind;

	if (kernel_usable((enum kernel)kernel, ui->host, kind, &problem) == 0)
		return NULL;
	snprintf(buf, size, "%s", problem.text[0] ? problem.text : _("it cannot run here"));
	return buf;
}

static unsigned default_kernel(const struct ui *ui)
{
	static const enum kernel preferred[] = { KERNEL_AVX512_FMA, KERNEL_AVX2_FMA };
	char why[256];

	if (ui->options && ui->options->n_kernels > 0)
		return ui->options->kernels[0];
	for (size_t i = 0; i < sizeof(preferred) / sizeof(preferred[0]); i++)
		if (!burst_panel_unusable(ui, preferred[i], why, sizeof(why)))
			return preferred[i];
	return 0;
}

void burst_panel_init(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	struct list *cpus = burst_default_cpus(ui->host);
	char *text = cpus ? list_format(cpus) : NULL;

	snprintf(panel->cpus, sizeof(panel->cpus), "%s", text ? text : "");
	free(text);
	list_free(cpus);
	panel->lead = -1;
	panel->duration_ns = ui->options && ui->options->duration_ns ? ui->options->duration_ns
								      : DEFAULT_DURATION_NS;
	panel->kernel = panel->cursor = default_kernel(ui);
}

void burst_panel_forget(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;

	panel->stage = BURST_ASKING;
	panel->result = NULL;
	panel->lead = -1;
	panel->n_points = 0;
}

bool burst_panel_active(const struct ui *ui)
{
	return ui->burst.stage == BURST_RUNNING;
}

void burst_panel_ask(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;

	panel->open = true;
	ui->why = false;
	panel->stage = BURST_ASKING;
	panel->refusal[0] = panel->note[0] = '\0';
	panel->cursor = panel->kernel;
}

void burst_panel_stop(struct ui *ui)
{
	if (ui->session)
		session_burst_stop(ui->session);
}

static void refuse(struct ui *ui, const struct problem *problem)
{
	const char *remedy = problem->remedy;

	snprintf(ui->burst.refusal, sizeof(ui->burst.refusal), "%s%s%s", problem->text, *remedy ? ": " : "",
		 remedy);
}

/* The row that the burst is about comes under the cursor. */
static void choose_row(struct ui *ui)
{
	for (unsigned i = 0; i < ui->rows.n; i++) {
		const struct row *row = &ui->rows.items[i];
		const struct host_cpu *lead = &ui->host->cpus[ui->burst.lead];
		unsigned index = row->kind == ROW_CPU ? (unsigned)ui->burst.lead :
				 row->kind == ROW_CORE ? lead->core : lead->package;

		if (row->index != index)
			continue;
		ui->cursor = i;
		return;
	}
}

static void started(struct ui *ui, const struct burst_plan *plan, const struct problem *note)
{
	struct burst_panel *panel = &ui->burst;

	panel->stage = BURST_RUNNING;
	panel->lead = first_cpu(ui);
	if (panel->lead >= 0)
		choose_row(ui);
	panel->start_ns = clock_mono_ns();
	panel->end_ns = panel->looked_ns = 0;
	panel->n_points = 0;
	panel->result = NULL;
	panel->refusal[0] = '\0';
	snprintf(panel->note, sizeof(panel->note), "%s", note->text);
	history_event(&ui->history, clock_real_ns(), ROLE_NORMAL, _("burst %s started on CPU %s for %.0f s"),
		      kernel_row(plan->kernel)->name, panel->cpus, (double)plan->duration_ns / 1e9);
}

static void start(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	struct problem problem = { 0 }, note = { 0 };
	struct list *cpus = NULL;
	struct burst_plan plan = {
		.kernel = (enum kernel)panel->kernel,
		.duration_ns = panel->duration_ns,
		.pattern = PATTERN_DEFAULT,
		.force = ui->options && ui->options->force,
		.watch_others = true,
	};

	if (list_parse(panel->cpus, &cpus) < 0 || list_count(cpus) == 0) {
		problem_set(&problem, EINVAL, "", _("'%.80s' is no list of CPUs"), panel->cpus);
		refuse(ui, &problem);
		list_free(cpus);
		return;
	}
	plan.cpus = cpus;
	if (panel->no_gaps)
		plan.pattern.on_ns = plan.pattern.period_ns;
	if (ui->session && session_burst_start(ui->session, &plan, &problem, &note) == 0)
		started(ui, &plan, &note);
	else
		refuse(ui, &problem);
	list_free(cpus);
}

static void choose_duration(struct burst_panel *panel, int step)
{
	for (size_t i = 0; i < N_DURATIONS; i++) {
		size_t at = step > 0 ? i : N_DURATIONS - 1 - i;
		uint64_t duration_ns = durations_s[at] * NS_PER_S;

		if (step > 0 ? duration_ns > panel->duration_ns : duration_ns < panel->duration_ns) {
			panel->duration_ns = duration_ns;
			return;
		}
	}
}

/* The next CPU that may be driven, in either direction; a typed list becomes one CPU. */
static void choose_cpu(struct ui *ui, int step)
{
	int n = (int)ui->host->n_cpus, at = first_cpu(ui);

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
	case BURST_FIELD_CPUS: choose_cpu(ui, step); break;
	case BURST_FIELD_SECONDS: choose_duration(panel, step); break;
	case BURST_FIELD_DUTY: panel->no_gaps = !panel->no_gaps; break;
	case BURST_FIELD_N: break;
	}
}

static void move_cursor(struct burst_panel *panel, int step)
{
	if (step < 0 ? panel->cursor == 0 : panel->cursor + 1 == KERNEL_N + BURST_FIELD_N)
		return;
	panel->cursor += (unsigned)step;
	if (panel->cursor < KERNEL_N)
		panel->kernel = panel->cursor;
}

/* Tab: kernel, CPUs, seconds, duty, and around. */
static void next_field(struct burst_panel *panel, int step)
{
	int field = panel->cursor < KERNEL_N ? 0 : (int)(panel->cursor - KERNEL_N) + 1;

	field = (field + step + BURST_FIELD_N + 1) % (BURST_FIELD_N + 1);
	panel->cursor = field == 0 ? panel->kernel : KERNEL_N + (unsigned)field - 1;
}

static bool asking_key(struct ui *ui, int code)
{
	struct burst_panel *panel = &ui->burst;
	bool at_cpus = panel->cursor == KERNEL_N + BURST_FIELD_CPUS;

	switch (code) {
	case KEY_CODE_UP:
	case 'k': move_cursor(panel, -1); break;
	case KEY_CODE_DOWN:
	case 'j': move_cursor(panel, 1); break;
	case KEY_CODE_LEFT: change(ui, -1); break;
	case KEY_CODE_RIGHT: change(ui, 1); break;
	case KEY_CODE_TAB: next_field(panel, 1); break;
	case KEY_CODE_BACK_TAB: next_field(panel, -1); break;
	case KEY_CODE_ENTER: start(ui); return true;
	default:
		if (!at_cpus || !(code == KEY_CODE_BACKSPACE || code == ',' || code == '-' ||
				  (code >= '0' && code <= '9')))
			return false;
		type_cpus(panel, code);
	}
	panel->refusal[0] = '\0';
	return true;
}

bool burst_panel_key(struct ui *ui, int code)
{
	if (!ui->burst.open || ui->view != VIEW_OVERVIEW)
		return false;
	/* No question is answered that cannot be seen. */
	if (ui->layout.panel_n < LAYOUT_PANEL_MIN)
		return code == KEY_CODE_ENTER;
	if (ui->burst.stage == BURST_ASKING)
		return asking_key(ui, code);
	if (ui->burst.stage == BURST_ENDED && code == KEY_CODE_ENTER) {
		burst_panel_ask(ui);
		return true;
	}
	return false;
}

/* Points are taken ten times a second; a long burst keeps every second of them, and so on. */
static void add_point(struct burst_panel *panel, uint64_t mono_ns, double hertz)
{
	if (panel->n_points > 0 && panel->points[panel->n_points - 1].mono_ns == mono_ns)
		return;
	if (panel->n_points == BURST_POINTS) {
		for (unsigned i = 0; i < BURST_POINTS / 2; i++)
			panel->points[i] = panel->points[2 * i];
		panel->n_points = BURST_POINTS / 2;
	}
	panel->points[panel->n_points++] = (struct burst_point){ mono_ns, hertz };
}

static void look_at_board(struct ui *ui)
{
	struct board_entry entry;

	if (ui->burst.lead < 0 || !board_read(session_board(ui->session), (unsigned)ui->burst.lead, &entry))
		return;
	if (entry.driven && entry.ticks > 0 && entry.mono_ns >= ui->burst.start_ns)
		add_point(&ui->burst, entry.mono_ns, entry.cycles / entry.ticks * ui->host->tsc_hertz);
}

/* Whether any driven CPU's clock fell, or that of any is not back. */
static bool judge_cpus(struct ui *ui)
{
	const struct burst_result *result = ui->burst.result;
	bool fell = false;

	for (unsigned i = 0; result && i < result->n_cpus; i++) {
		fell |= result->cpus[i].recovery == RECOVERY_STILL_LOW;
		if (result->cpus[i].role != RELATION_SELF)
			continue;
		history_judge(&ui->history, result->cpus[i].cpu, &result->cpus[i].judgment,
			      result->cpus[i].recovery == RECOVERY_STILL_LOW);
		fell |= result->cpus[i].judgment.seen && result->cpus[i].judgment.drop_ratio > 0;
	}
	return fell;
}

static void ended(struct ui *ui, bool fell)
{
	struct burst_panel *panel = &ui->burst;
	const struct burst_result *result = panel->result;

	panel->stage = BURST_ENDED;
	panel->end_ns = clock_mono_ns();
	history_event(&ui->history, clock_real_ns(), fell ? ROLE_DROPPED : ROLE_CLOCK, _("burst %s ended on CPU %s: %s"),
		      kernel_row((enum kernel)(result ? (unsigned)result->kernel : panel->kernel))->name,
		      panel->cpus, result && result->verdict[0] ? result->verdict : _("no result"));
}

bool burst_panel_tick(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	uint64_t now = clock_mono_ns();
	bool running;

	if (panel->stage != BURST_RUNNING || !ui->session)
		return false;
	running = session_burst_running(ui->session);
	look_at_board(ui);
	if (running && now - panel->looked_ns < DRAW_NS)
		return false;
	panel->looked_ns = now;
	burst_panel_refresh(ui);
	bool fell = judge_cpus(ui);

	if (!running)
		ended(ui, fell);
	return true;
}

void burst_panel_refresh(struct ui *ui)
{
	if (ui->session && ui->burst.stage != BURST_ASKING)
		ui->burst.result = session_burst_result(ui->session);
}
