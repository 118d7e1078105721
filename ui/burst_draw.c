/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The burst panel on the canvas: the question, the picture while it runs, the verdict. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "engine/session.h"
#include "model/host.h"
#include "ui/question.h"
#include "ui/view.h"

#define LABEL_X QUESTION_LABEL_X
#define TABLE_ROWS 4 /* CPUs shown at least: the driven ones first */
#define GRAPH_LINES 6 /* that more of them leave to the graph */

int burst_panel_lines(const struct ui *ui, int height)
{
	int wanted = height * 3 / 5;

	/* the list of kernels scrolls before it takes the room of the graph */
	if (ui->burst.stage == BURST_ASKING) {
		const int least = QUESTION_KERNELS + BURST_FIELD_N + 7,
			  all = KERNEL_N + BURST_FIELD_N + 7;

		wanted = height / 2 < least ? least : height / 2 > all ? all : height / 2;
	}
	return wanted < 12 ? 12 : wanted > 22 ? 22 : wanted;
}

static bool is_at(const struct ui *ui, enum burst_field field)
{
	return ui->burst.cursor == KERNEL_N + (unsigned)field;
}

static void draw_expectation(const struct ui *ui, struct canvas *canvas, int y, int lines)
{
	const struct burst_panel *panel = &ui->burst;
	int width = canvas->width - 2 * LABEL_X;
	char text[512], why[256];
	const char *unusable = burst_panel_unusable(ui, panel->kernel, why, sizeof(why));

	if (panel->look) {
		canvas_wrap(canvas, LABEL_X, y, width, lines, ROLE_PANEL,
			    _("It starts as soon as the temperature sensors have answered."));
		return;
	}
	if (panel->refusal[0]) {
		snprintf(text, sizeof(text), _("Not started: %s"), panel->refusal);
		canvas_wrap(canvas, LABEL_X, y, width, lines, ROLE_WARN, text);
		return;
	}
	if (unusable) {
		canvas_wrap(canvas, LABEL_X, y, width, lines, ROLE_ABSENT, unusable);
		return;
	}
	snprintf(text, sizeof(text),
		 _("Expect: full load on CPU %s for %.0f s at nice 5. Its clock may fall, and that of others in its package; it comes back when the burst ends. Nothing on this machine is changed."),
		 panel->cpus, (double)panel->duration_ns / 1e9);
	canvas_wrap(canvas, LABEL_X, y, width, lines, ROLE_PANEL, text);
}

static void draw_asking(const struct ui *ui, struct canvas *canvas)
{
	const struct burst_panel *panel = &ui->burst;
	const struct layout *layout = &ui->layout;
	int y = layout->panel_y + 1, bottom = layout->panel_y + layout->panel_n - 1;
	int kernels = bottom - y - BURST_FIELD_N - 3;
	char value[64];
	const char *const hints[] = { _("Enter"), _("start"), "↑↓", _("choose"), "←→", _("change"),
				      _("Tab"), _("next field"), _("Esc"), _("close"), NULL };

	kernels = kernels < 1 ? 1 : kernels > KERNEL_N ? KERNEL_N : kernels;
	canvas_box(canvas, 0, layout->panel_y, canvas->width, layout->panel_n, ROLE_FRAME, ROLE_PANEL,
		   _(" Burst: what shall run? "));
	question_kernels(ui->host, canvas, y, kernels, panel->kernel, panel->cursor < KERNEL_N,
			 burst_panel_first_cpu(ui));
	y += kernels;
	question_field(canvas, y++, is_at(ui, BURST_FIELD_CPUS), _("CPUs"), panel->cpus,
		       _("driven; type a list or use ←→"));
	snprintf(value, sizeof(value), "%.0f s", (double)panel->duration_ns / 1e9);
	question_field(canvas, y++, is_at(ui, BURST_FIELD_SECONDS), _("Time"), value,
		       _("it stops by itself"));
	question_field(canvas, y++, is_at(ui, BURST_FIELD_DUTY), _("Duty"),
		       panel->no_gaps ? "100 %" : "80 %",
		       panel->no_gaps
			       ? _("no gaps: the clock is compared at start and end only")
			       : _("4 ms on, 1 ms scalar: both clocks are compared in pairs"));
	if (bottom - y >= 5)
		y++;
	draw_expectation(ui, canvas, y, bottom - y - 1);
	question_hints(canvas, bottom - 1, hints);
}

/* Where the columns of the table of CPUs stand; 0: no room for it. What it came to goes last. */
struct table {
	int role, before, during, after, change;
};

static const struct table *table_columns(const struct canvas *canvas)
{
	static const struct table wide = { .role = 12, .before = 25, .during = 33, .after = 41, .change = 50 };
	static const struct table narrow = { .before = 10, .during = 18, .change = 27 };

	return canvas->width >= 64 ? &wide : &narrow;
}

static void draw_hertz(struct canvas *canvas, int x, int y, double hertz, enum role role)
{
	if (x == 0)
		return;
	if (isnan(hertz))
		canvas_right(canvas, x, y, 7, ROLE_ABSENT, "–");
	else
		canvas_textf(canvas, x, y, 7, role, "%7.3f", hertz / 1e9);
}

static const char *role_word(enum relation relation)
{
	switch (relation) {
	case RELATION_SELF: return _("driven");
	case RELATION_SIBLING: return _("sibling");
	case RELATION_SAME_PACKAGE: return _("same package");
	case RELATION_OTHER_PACKAGE: return _("other package");
	}
	return "";
}

static bool fell(const struct judgment *judgment)
{
	return judgment->pairs > 0 && judgment->seen && judgment->drop_ratio > 0;
}

static void draw_cpu(const struct ui *ui, struct canvas *canvas, int y, const struct burst_cpu *cpu)
{
	const struct judgment *judgment = &cpu->judgment;
	const struct table *table = table_columns(canvas);
	const bool still = cpu->recovery == RECOVERY_STILL_LOW;
	int x = table->change, width = canvas->width - x - 2;
	char text[96];

	canvas_textf(canvas, LABEL_X, y, 9, ROLE_VALUE, _("CPU %u"), ui->host->cpus[cpu->cpu].id);
	if (table->role)
		canvas_elide(canvas, table->role, y, 13, ROLE_DIM, role_word(cpu->role));
	draw_hertz(canvas, table->before, y, judgment->pairs ? judgment->before_hertz : NAN, ROLE_PANEL);
	draw_hertz(canvas, table->during, y, judgment->pairs ? judgment->during_hertz : NAN,
		   fell(judgment) ? ROLE_DROPPED : ROLE_PANEL);
	draw_hertz(canvas, table->after, y,
		   still	     ? cpu->ends.after_hertz
		   : judgment->pairs ? judgment->after_hertz
				     : NAN,
		   still ? ROLE_DROPPED : ROLE_PANEL);
	if (cpu->problem.text[0])
		canvas_elide(canvas, x, y, width, ROLE_WARN, cpu->problem.text);
	else if (still)
		canvas_elide(canvas, x, y, width, ROLE_DROPPED, _("▼ still low after the load"));
	else if (judgment->pairs == 0 || isnan(judgment->noise))
		canvas_elide(canvas, x, y, width, ROLE_DIM, _("too few pairs yet"));
	else if (fell(judgment)) {
		snprintf(text, sizeof(text), _("▼ −%.1f %%  (%.1f … %.1f)"), judgment->drop_ratio * 100,
			 judgment->low * 100, judgment->high * 100);
		canvas_elide(canvas, x, y, width, ROLE_DROPPED, text);
	} else {
		snprintf(text, sizeof(text), _("no drop seen beyond ±%.1f %%"), judgment->noise * 100);
		canvas_elide(canvas, x, y, width, ROLE_CLOCK, text);
	}
}

static void draw_table_heading(struct canvas *canvas, int y)
{
	const struct table *table = table_columns(canvas);

	canvas_text(canvas, LABEL_X, y, table->role ? 22 : 7, ROLE_LABEL, table->role ? _("Clock in GHz") : "GHz");
	canvas_right(canvas, table->before, y, 7, ROLE_LABEL, _("before"));
	canvas_right(canvas, table->during, y, 7, ROLE_LABEL, _("during"));
	if (table->after)
		canvas_right(canvas, table->after, y, 7, ROLE_LABEL, _("after"));
	canvas_text(canvas, table->change, y, canvas->width - table->change - 2, ROLE_LABEL, _("change"));
}

/* In place of the CPUs for which there is no room: whether anything is to be seen there. */
static void draw_hidden(struct canvas *canvas, int y, const struct burst_result *result, int shown)
{
	unsigned hidden = result->n_cpus - (unsigned)shown, down = 0;
	char text[96];

	for (unsigned i = (unsigned)shown; i < result->n_cpus; i++)
		down += fell(&result->cpus[i].judgment) ||
			result->cpus[i].recovery == RECOVERY_STILL_LOW;
	snprintf(text, sizeof(text), P_("and %u CPU more", "and %u CPUs more", hidden), hidden);
	int x = table_columns(canvas)->change;

	canvas_elide(canvas, LABEL_X, y, x - LABEL_X - 1, ROLE_DIM, text);
	if (down)
		snprintf(text, sizeof(text), P_("▼ %u of them fell", "▼ %u of them fell", down), down);
	else
		snprintf(text, sizeof(text), "%s", _("no drop seen"));
	canvas_elide(canvas, x, y, canvas->width - x - 2, down ? ROLE_DROPPED : ROLE_DIM, text);
}

/* Returns the lines used. */
static int draw_cpus(const struct ui *ui, struct canvas *canvas, int y, int lines)
{
	const struct burst_result *result = ui->burst.result;
	int n = result ? (int)result->n_cpus : 0, used = 1;
	int room = lines - 1 - GRAPH_LINES < TABLE_ROWS ? TABLE_ROWS : lines - 1 - GRAPH_LINES;

	if (room > lines - 1)
		room = lines - 1;

	draw_table_heading(canvas, y);
	if (n == 0 && lines > 1)
		canvas_elide(canvas, LABEL_X, y + used++, canvas->width - 4, ROLE_DIM,
			     _("calibrating on the CPU itself …"));
	int shown = n <= room ? n : room - 1;

	for (int i = 0; i < shown; i++)
		draw_cpu(ui, canvas, y + used++, &result->cpus[i]);
	if (shown > 0 && shown < n)
		draw_hidden(canvas, y + used++, result, shown);
	return used;
}

static void draw_rate(const struct ui *ui, struct canvas *canvas, int y)
{
	const struct burst_result *result = ui->burst.result;
	const struct burst_cpu *cpu = result && result->n_cpus > 0 ? &result->cpus[0] : NULL;
	char rate[32], text[256];
	int x = LABEL_X;

	if (!cpu || isnan(cpu->ops_per_second))
		return;
	const char *unit = rate_unit(kernel_row(result->kernel)->rate);

	snprintf(text, sizeof(text), "%s/s", unit);
	num_human_rate(cpu->ops_per_second, text, rate, sizeof(rate));
	x += canvas_text(canvas, x, y, 24, ROLE_VALUE, rate) + 3;
	if (!isnan(cpu->ops_per_cycle)) {
		snprintf(text, sizeof(text), _("%.1f %s a cycle"), cpu->ops_per_cycle, unit);
		x += canvas_text(canvas, x, y, 30, ROLE_PANEL, text) + 3;
	}
	if (isnan(cpu->peak_ratio))
		snprintf(text, sizeof(text), "%s", cpu->peak_why ? _(cpu->peak_why) : "");
	else
		snprintf(text, sizeof(text), _("%.0f %% of the peak of %s"), cpu->peak_ratio * 100,
			 cpu->core_name ? cpu->core_name : "?");
	x += canvas_elide(canvas, x, y, canvas->width - x - 16, ROLE_PANEL, text) + 3;
	if (cpu->chunks_wrong)
		canvas_elide(canvas, x, y, canvas->width - x - 2, ROLE_WARN, _("WRONG RESULTS"));
	else if (cpu->verified)
		canvas_elide(canvas, x, y, canvas->width - x - 2, ROLE_CLOCK, _("✓ verified"));
}

static void draw_verdict(const struct ui *ui, struct canvas *canvas, int y)
{
	const struct burst_panel *panel = &ui->burst;
	const struct burst_result *result = panel->result;
	bool running = panel->stage == BURST_RUNNING;

	if (panel->refusal[0])
		canvas_elide(canvas, LABEL_X, y, canvas->width - 4, ROLE_WARN, panel->refusal);
	else if (result && result->verdict[0])
		canvas_elide(canvas, LABEL_X, y, canvas->width - 4,
			     running ? ROLE_PANEL : ROLE_VALUE, result->verdict);
	else if (panel->note[0])
		canvas_elide(canvas, LABEL_X, y, canvas->width - 4, ROLE_DIM, panel->note);
}

static void running_title(const struct ui *ui, char *buf, size_t size)
{
	const struct burst_panel *panel = &ui->burst;
	uint64_t end = panel->end_ns ? panel->end_ns : clock_mono_ns();
	double seconds = (double)(end - panel->start_ns) / 1e9, of = (double)panel->duration_ns / 1e9;
	const char *name = kernel_row((enum kernel)(panel->result ? (unsigned)panel->result->kernel
								   : panel->kernel))->name;

	if (panel->stage == BURST_RUNNING)
		snprintf(buf, size, _(" Burst %s on CPU %s · %.0f of %.0f s "), name, panel->cpus,
			 fmin(floor(seconds), of), of);
	else
		snprintf(buf, size, _(" Burst %s on CPU %s · ended after %.1f s "), name, panel->cpus, seconds);
}

static void draw_running(const struct ui *ui, struct canvas *canvas)
{
	const struct layout *layout = &ui->layout;
	int y = layout->panel_y, bottom = y + layout->panel_n - 1;
	const char *const running[] = { "b", _("stop"), _("Esc"), _("close, the burst goes on"), NULL };
	const char *const ended[] = { "b", _("another burst"), _("Esc"), _("close"), NULL };
	char title[160];

	running_title(ui, title, sizeof(title));
	canvas_box(canvas, 0, y++, canvas->width, layout->panel_n, ROLE_FRAME, ROLE_PANEL, title);
	y += draw_cpus(ui, canvas, y, bottom - y - 3);
	draw_rate(ui, canvas, bottom - 3);
	draw_verdict(ui, canvas, bottom - 2);
	question_hints(canvas, bottom - 1, ui->burst.stage == BURST_RUNNING ? running : ended);
	if (bottom - 3 - y >= 3)
		burst_graph_draw(ui, canvas, LABEL_X, y, canvas->width - 2 * LABEL_X, bottom - 3 - y);
}

void burst_panel_draw(const struct ui *ui, struct canvas *canvas)
{
	const struct layout *layout = &ui->layout;
	char text[96];

	if (layout->panel_n < LAYOUT_PANEL_MIN) {
		snprintf(text, sizeof(text), _("The burst panel needs a terminal of %d×%d, this one has %d×%d"),
			 LAYOUT_MIN_WIDTH, LAYOUT_PANEL_HEIGHT, layout->width, layout->height);
		canvas_wrap(canvas, 1, layout->panel_y, canvas->width - 2, layout->panel_n, ROLE_WARN, text);
	} else if (ui->burst.stage == BURST_ASKING)
		draw_asking(ui, canvas);
	else
		draw_running(ui, canvas);
}
