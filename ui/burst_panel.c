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
#include "burst/thermal_look.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/keys.h"
#include "ui/question.h"
#include "ui/view.h"

#define DEFAULT_DURATION_NS (10 * NS_PER_S)
#define DRAW_NS (200 * NS_PER_MS) /* between pictures of a running burst: judging costs, too */

int burst_panel_first_cpu(const struct ui *ui)
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
	return question_unusable(ui->host, kernel, burst_panel_first_cpu(ui), buf, size);
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

	burst_panel_recall(panel);
	panel->stage = BURST_ASKING;
	panel->result = NULL;
	panel->lead = -1;
	panel->n_points = 0;
}

bool burst_panel_active(const struct ui *ui)
{
	return ui->burst.stage == BURST_RUNNING || ui->burst.look;
}

void burst_panel_recall(struct burst_panel *panel)
{
	thermal_look_free(panel->look);
	panel->look = NULL;
	panel->refusal[0] = '\0';
}

void burst_panel_free(struct ui *ui)
{
	burst_panel_recall(&ui->burst);
}

void burst_panel_ask(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;

	panel->open = true;
	ui->why = false;
	panel->stage = BURST_ASKING;
	burst_panel_recall(panel);
	panel->note[0] = '\0';
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

static void started(struct ui *ui, const struct burst_plan *plan, const struct problem *note)
{
	struct burst_panel *panel = &ui->burst;

	panel->stage = BURST_RUNNING;
	panel->lead = burst_panel_first_cpu(ui);
	if (panel->lead >= 0)
		view_choose_cpu(ui, (unsigned)panel->lead);
	panel->start_ns = clock_mono_ns();
	panel->end_ns = panel->looked_ns = 0;
	panel->n_points = 0;
	panel->result = NULL;
	panel->refusal[0] = '\0';
	snprintf(panel->note, sizeof(panel->note), "%s", note->text);
	history_event(&ui->history, clock_real_ns(), ROLE_NORMAL, _("burst %s started on CPU %s for %.0f s"),
		      kernel_row(plan->kernel)->name, panel->cpus, (double)plan->duration_ns / 1e9);
}

/* The list as typed, not empty; NULL: told so. */
static struct list *chosen_cpus(struct ui *ui)
{
	struct problem problem = { 0 };
	struct list *cpus = NULL;

	if (list_parse(ui->burst.cpus, &cpus) == 0 && list_count(cpus) > 0)
		return cpus;
	list_free(cpus);
	problem_set(&problem, EINVAL, "", _("'%.80s' is no list of CPUs"), ui->burst.cpus);
	refuse(ui, &problem);
	return NULL;
}

/* burst_panel_tick() starts when the sensors have answered, since keys are not to wait for them. */
void burst_panel_answer(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	struct list *cpus = chosen_cpus(ui);
	struct problem problem = { 0 };

	if (!cpus)
		return;
	burst_panel_recall(panel);
	if (thermal_look_begin(cpus, &panel->look) < 0) {
		problem_set(&problem, ENOMEM, "", "%s", _("the burst cannot be started"));
		refuse(ui, &problem);
	}
	list_free(cpus);
}

static void start(struct ui *ui, const struct thermal_state *thermal)
{
	struct burst_panel *panel = &ui->burst;
	struct problem problem = { 0 }, note = { 0 };
	struct list *cpus = chosen_cpus(ui);
	struct burst_plan plan = {
		.cpus = cpus,
		.kernel = (enum kernel)panel->kernel,
		.duration_ns = panel->duration_ns,
		.pattern = PATTERN_DEFAULT,
		.force = ui->options && ui->options->force,
		.watch_others = true,
	};

	if (!cpus)
		return;
	if (panel->no_gaps)
		plan.pattern.on_ns = plan.pattern.period_ns;
	if (ui->session && session_microscope_running(ui->session))
		problem_set(&problem, EBUSY, _("6 shows it, b stops it there"), "%s",
			    _("a scope is running"));
	else if (ui->session &&
		 session_burst_start(ui->session, &plan, thermal, &problem, &note) == 0)
		started(ui, &plan, &note);
	if (panel->stage != BURST_RUNNING)
		refuse(ui, &problem);
	list_free(cpus);
}

bool burst_panel_key(struct ui *ui, int code)
{
	if (!ui->burst.open || ui->view != VIEW_OVERVIEW)
		return false;
	/* No question is answered that cannot be seen. */
	if (ui->layout.panel_n < LAYOUT_PANEL_MIN)
		return code == KEY_CODE_ENTER;
	if (ui->burst.stage == BURST_ASKING)
		return burst_question_key(ui, code);
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

/* Starts once the sensors have answered, unless the question is no longer on the screen. */
static bool start_when_answered(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	struct thermal_state thermal;

	if (!panel->open || ui->view != VIEW_OVERVIEW || ui->layout.panel_n < LAYOUT_PANEL_MIN) {
		burst_panel_recall(panel);
		return true;
	}
	if (!thermal_look_answer(panel->look, &thermal))
		return false;
	burst_panel_recall(panel);
	start(ui, &thermal);
	return true;
}

bool burst_panel_tick(struct ui *ui)
{
	struct burst_panel *panel = &ui->burst;
	uint64_t now = clock_mono_ns();
	bool running;

	if (panel->look)
		return start_when_answered(ui);

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
