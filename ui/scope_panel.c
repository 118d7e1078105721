/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks for a scope, starts it, notices its end; view_scope.c draws it. */
#include "config.h"

#include "ui/scope_panel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "burst/burst.h"
#include "burst/microscope.h"
#include "burst/thermal_look.h"
#include "engine/options.h"
#include "engine/session.h"
#include "model/host.h"
#include "ui/keys.h"
#include "ui/view.h"

#define DRAW_NS (500 * NS_PER_MS) /* between pictures of a running one */

void scope_panel_init(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;

	panel->kernel = panel->cursor = ui->burst.kernel;
	panel->cpu = -1;
	panel->bursts = MICROSCOPE_EPOCHS;
	panel->burst_ns = MICROSCOPE_BURST_NS;
}

int scope_panel_cpu(const struct ui *ui)
{
	return ui->scope.cpu < 0 ? -1 : host_cpu_index(ui->host, (unsigned)ui->scope.cpu);
}

bool scope_panel_active(const struct ui *ui)
{
	return ui->scope.running || ui->scope.look;
}

void scope_panel_recall(struct scope_panel *panel)
{
	thermal_look_free(panel->look);
	panel->look = NULL;
	panel->refusal[0] = '\0';
}

void scope_panel_free(struct ui *ui)
{
	scope_panel_recall(&ui->scope);
}

void scope_panel_forget(struct ui *ui)
{
	scope_panel_recall(&ui->scope);
	ui->scope.asking = ui->scope.running = false;
	ui->scope.result = NULL;
	ui->scope.note[0] = '\0';
}

static bool may_drive(const struct host_cpu *cpu)
{
	return cpu->online && cpu->allowed;
}

static int default_cpu(const struct ui *ui)
{
	struct list *cpus = burst_default_cpus(ui->host);
	int cpu = cpus ? list_next(cpus, 0) : -1;

	list_free(cpus);
	return cpu;
}

/* That of the row under the cursor, of several the first; the one chosen last, where it is among
 * them. */
static void choose_cpu(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;
	unsigned *cpus = calloc(ui->host->n_cpus, sizeof(*cpus)), n = 0;
	int chosen = -1;

	if (cpus && ui->cursor < ui->rows.n)
		n = rows_cpus(ui->host, &ui->rows.items[ui->cursor], cpus);
	for (unsigned i = 0; i < n; i++) {
		const struct host_cpu *cpu = &ui->host->cpus[cpus[i]];

		if (may_drive(cpu) && (chosen < 0 || (int)cpu->id == panel->cpu))
			chosen = (int)cpu->id;
	}
	free(cpus);
	panel->cpu = chosen < 0 ? default_cpu(ui) : chosen;
}

static void ask(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;

	panel->asking = true;
	panel->cursor = panel->kernel;
	scope_panel_recall(panel);
	choose_cpu(ui);
}

void scope_panel_burst(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;

	if (panel->running && ui->session)
		session_microscope_stop(ui->session);
	else if (panel->asking)
		panel->asking = false;
	else
		ask(ui);
}

void scope_panel_kernel(struct ui *ui)
{
	if (!ui->scope.running)
		ask(ui);
}

static void refuse(struct ui *ui, const struct problem *problem)
{
	snprintf(ui->scope.refusal, sizeof(ui->scope.refusal), "%s%s%s", problem->text,
		 *problem->remedy ? ": " : "", problem->remedy);
}

void scope_panel_answer(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;
	struct problem problem = { 0 };
	struct list *cpus;

	scope_panel_recall(panel);
	if (scope_panel_cpu(ui) < 0) {
		problem_set(&problem, EINVAL, "", "%s", _("there is no such CPU to drive"));
		refuse(ui, &problem);
		return;
	}
	cpus = list_new();
	if (!cpus || list_add(cpus, (unsigned)panel->cpu) < 0 ||
	    thermal_look_begin(cpus, &panel->look) < 0) {
		problem_set(&problem, ENOMEM, "", "%s", _("the burst cannot be started"));
		refuse(ui, &problem);
	}
	list_free(cpus);
}

static void started(struct ui *ui, const struct problem *note)
{
	struct scope_panel *panel = &ui->scope;

	panel->running = true;
	panel->asking = false;
	panel->result = NULL;
	panel->looked_ns = 0;
	snprintf(panel->note, sizeof(panel->note), "%s", note->text);
	view_choose_cpu(ui, (unsigned)scope_panel_cpu(ui));
	history_event(&ui->history, clock_real_ns(), ROLE_NORMAL,
		      _("scope of %s started on CPU %d"),
		      kernel_row((enum kernel)panel->kernel)->name, panel->cpu);
}

static void start(struct ui *ui, const struct thermal_state *thermal)
{
	struct scope_panel *panel = &ui->scope;
	struct problem problem = { 0 }, note = { 0 };
	const struct microscope_plan plan = {
		.kernel = (enum kernel)panel->kernel,
		.cpu = (unsigned)scope_panel_cpu(ui),
		.victim = -1,
		.epochs = panel->bursts,
		.burst_ns = panel->burst_ns,
	};
	const bool force = ui->options && ui->options->force;

	if (!ui->session)
		return;
	if (session_burst_running(ui->session))
		problem_set(&problem, EBUSY, _("1 shows it, b stops it there"), "%s",
			    _("a burst is running already"));
	else if (session_microscope_start(ui->session, &plan, force, thermal, &problem, &note) == 0)
		started(ui, &note);
	if (!panel->running)
		refuse(ui, &problem);
}

static bool question_shown(const struct ui *ui)
{
	return ui->view == VIEW_SCOPE && ui->scope.asking &&
	       scope_question_lines(ui->layout.height) > 0;
}

bool scope_panel_key(struct ui *ui, int code)
{
	if (ui->view != VIEW_SCOPE || !ui->scope.asking)
		return false;
	/* No question is answered that cannot be seen. */
	return question_shown(ui) ? scope_question_key(ui, code) : code == KEY_CODE_ENTER;
}

/* Starts once the sensors have answered, unless the question is no longer on the screen. */
static bool start_when_answered(struct ui *ui)
{
	struct thermal_state thermal;

	if (question_shown(ui)) {
		if (!thermal_look_answer(ui->scope.look, &thermal))
			return false;
		scope_panel_recall(&ui->scope);
		start(ui, &thermal);
	} else {
		scope_panel_recall(&ui->scope);
	}
	return true;
}

static void ended(struct ui *ui)
{
	const struct microscope_result *result;

	ui->scope.running = false;
	scope_panel_refresh(ui);
	result = ui->scope.result;
	history_event(&ui->history, clock_real_ns(), ROLE_NORMAL,
		      _("scope of %s ended on CPU %d: %s"),
		      kernel_row((enum kernel)ui->scope.kernel)->name, ui->scope.cpu,
		      result && result->verdict[0] ? result->verdict : _("no result"));
}

bool scope_panel_tick(struct ui *ui)
{
	struct scope_panel *panel = &ui->scope;
	const uint64_t now_ns = clock_mono_ns();

	if (panel->look)
		return start_when_answered(ui);
	if (!panel->running || !ui->session)
		return false;
	if (!session_microscope_running(ui->session)) {
		ended(ui);
		return true;
	}
	if (ui->view != VIEW_SCOPE || now_ns - panel->looked_ns < DRAW_NS)
		return false;
	panel->looked_ns = now_ns;
	return true;
}

/* Analyzing takes a tenth of a second: not while it runs and nobody looks. */
void scope_panel_refresh(struct ui *ui)
{
	if (ui->session && (!ui->scope.running || ui->view == VIEW_SCOPE))
		ui->scope.result = session_microscope_result(ui->session);
}
