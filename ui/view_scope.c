/* SPDX-License-Identifier: GPL-2.0-or-later */
/* View 6: the clock across one burst. Verdict and pictures first, then the phases and the price in
 * words; what matters least goes first when there is too little room. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"
#include "burst/microscope.h"
#include "cmd/scope_show.h"
#include "engine/options.h"
#include "model/host.h"
#include "ui/scope_plot.h"
#include "ui/view.h"

#define NAME_X 3
#define WORDS_X 23
#define WORDS_X_NARROW 15
#define NARROW 64
#define BOTH_WIDTH 72 /* from which both pictures stand side by side */
#define PLOTS_GOOD 12 /* lines for which words that matter less give way */
#define WORDS_LEAST 3 /* lines that the pictures leave to the words */
#define FIRST_ENTRIES (TIMELINE_PHASES + 1)
#define ENTRIES (TIMELINE_PHASES + 3)

/* A line of words, which may take more than one of the screen. */
struct entry {
	int number; /* of the phase in the pictures; 0 none */
	const char *name;
	enum role role;
	char words[256];
};

static void draw_heading(const struct ui *ui, struct canvas *canvas)
{
	const struct microscope_result *result = ui->scope.result;
	char text[128] = "";

	canvas_fill(canvas, 0, 0, canvas->width, 1, ROLE_HEADING);
	if (result)
		snprintf(text, sizeof(text), _("%s on CPU %u"), kernel_row(result->kernel)->name,
			 ui->host->cpus[result->cpu].id);
	const int right = canvas_measure(text);

	canvas_elide(canvas, 1, 0, canvas->width - right - 4, ROLE_HEADING,
		     _("Scope: one burst in microseconds"));
	canvas_right(canvas, canvas->width - right - 1, 0, right, ROLE_HEADING, text);
}

/* Before the first one: what this is, and how it starts. */
static void draw_introduction(const struct ui *ui, struct canvas *canvas, int y, int bottom)
{
	const bool possible = ui->host->live && !(ui->options && ui->options->readonly);
	const char *const lines[] = {
		N_("A scope fires a short burst of vector code some hundred times, with scalar "
		   "code "
		   "before and after it, and lays the time lines over one another: what the clock "
		   "does at "
		   "the first wide instruction and after the last one, in microseconds."),
		N_("It tells whether this CPU throttles, halts or lowers its clock for wide code, "
		   "for how long, "
		   "what one burst costs, and from which length on it pays."),
		possible ? N_("b asks, Enter starts. k chooses the load. Some seconds later the "
			      "result stands here.")
			 : N_("None is possible now: this machine is only read."),
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]) && y < bottom; i++)
		y += canvas_wrap(canvas, 1, y, canvas->width - 2, bottom - y,
				 i == 2 ? ROLE_VALUE : ROLE_NORMAL, _(lines[i])) +
		     (bottom > 12);
}

static void draw_bar(struct canvas *canvas, int x, int y, int width, double share)
{
	const int done = (int)floor(share * width + 0.5);

	for (int i = 0; i < width; i++)
		canvas_text(canvas, x + i, y, 1, i < done ? ROLE_BURST : ROLE_TICK,
			    i < done ? "━" : "─");
}

static void draw_running(const struct microscope_result *result, struct canvas *canvas, int y)
{
	const int width = canvas->width / 4;
	char text[128];

	draw_bar(canvas, 1, y, width, (double)result->epochs_done / result->epochs_planned);
	if (result->epochs_done == 0)
		snprintf(text, sizeof(text), "%s", _("calibrating on the CPU itself …"));
	else if (isfinite(result->left_s))
		snprintf(text, sizeof(text), _("%u of %u bursts, %.0f s left"), result->epochs_done,
			 result->epochs_planned, ceil(result->left_s));
	else
		snprintf(text, sizeof(text), _("%u of %u bursts"), result->epochs_done,
			 result->epochs_planned);
	canvas_elide(canvas, width + 3, y, canvas->width - width - 4, ROLE_VALUE, text);
}

/* What the figures are made of. */
static void draw_epochs(const struct microscope_result *result, struct canvas *canvas, int y)
{
	char text[256];
	int x = 1;

	if (!result->verified && result->epochs_done > 0) {
		canvas_elide(canvas, x, y, canvas->width - 2, ROLE_WARN,
			     _("WRONG RESULTS in some of the bursts: not to be trusted"));
		return;
	}
	if (result->stopped_early)
		x += canvas_text(canvas, x, y, 20, ROLE_BURST, _("stopped early")) + 2;
	scope_epochs_words(&result->own, text, sizeof(text));
	if (result->epochs_done > 0)
		canvas_elide(canvas, x, y, canvas->width - x - 1, ROLE_DIM, text);
}

static bool anything_seen(const struct timeline *timeline)
{
	return timeline->phases[TIMELINE_THROTTLE].seen ||
	       timeline->phases[TIMELINE_HALT_DOWN].seen ||
	       timeline->phases[TIMELINE_LOW_CLOCK].seen;
}

/* Returns the lines used. */
static int draw_verdict(const struct ui *ui, struct canvas *canvas, int y, int lines)
{
	const struct microscope_result *result = ui->scope.result;
	const bool seen = anything_seen(&result->own);
	enum role role = ui->scope.running ? ROLE_NORMAL : seen ? ROLE_DROPPED : ROLE_CLOCK;
	char text[sizeof(result->verdict) + 8];

	if (result->problem.text[0])
		return canvas_wrap(canvas, 1, y, canvas->width - 2, lines, ROLE_WARN,
				   result->problem.text);
	if (result->epochs_done == 0 && ui->scope.note[0])
		return canvas_wrap(canvas, 1, y, canvas->width - 2, lines, ROLE_DIM,
				   ui->scope.note);
	if (result->epochs_done == 0 && ui->scope.running)
		return 0;
	snprintf(text, sizeof(text), "%s%s", seen ? "▼ " : "", result->verdict);
	return canvas_wrap(canvas, 1, y, canvas->width - 2, lines, role, text);
}

static struct entry *add(struct entry *entries, int *n, const char *name)
{
	struct entry *entry = &entries[(*n)++];

	*entry = (struct entry) { .name = name, .role = ROLE_NORMAL };
	return entry;
}

/* What there is to be said, most important first. */
static int fill_entries(const struct microscope_result *result, bool narrow, struct entry *entries)
{
	const struct timeline *own = &result->own;
	struct entry *entry;
	int n = 0;

	for (int i = 0; i < TIMELINE_PHASES && own->n_buckets > 0; i++) {
		const enum timeline_phase_id id = (enum timeline_phase_id)i;

		if (!scope_phase_told(own, id))
			continue;
		entry = add(entries, &n, _(timeline_phase_row(id)->title));
		entry->number = own->phases[id].seen ? i + 1 : 0;
		entry->role = own->phases[id].seen ? ROLE_VALUE : ROLE_DIM;
		if (narrow && own->phases[id].seen)
			scope_phase_label(own, id, entry->words, sizeof(entry->words));
		else if (narrow) /* the verdict has the limits */
			snprintf(entry->words, sizeof(entry->words), "%s", _("not seen"));
		else
			scope_phase_words(own, id, entry->words, sizeof(entry->words));
	}
	scope_price_words(result, add(entries, &n, _("price"))->words, sizeof(entry->words));
	scope_even_words(result, add(entries, &n, _("when it pays"))->words, sizeof(entry->words));
	if (result->price.outlasts)
		snprintf(add(entries, &n, _("code behind it"))->words, sizeof(entry->words), "%s",
			 result->price.ruler_sees
				 ? _("runs at the lower clock; a probe of the ruler sees it, too")
				 : _("runs at the lower clock, too shortly for a probe of the "
				     "ruler to see"));
	return n;
}

static int words_x(const struct canvas *canvas)
{
	return canvas->width < NARROW ? WORDS_X_NARROW : WORDS_X;
}

static int entry_lines(const struct entry *entry, int width)
{
	const char *rest = entry->words;
	char line[256];
	int n = 0;

	while (canvas_wrap_next(&rest, width, line, sizeof(line)))
		n++;
	return n;
}

/* Of those that fit whole, one behind the other. */
static int whole_lines(const struct entry *entries, int n, int width, int room)
{
	int lines = 0;

	for (int i = 0; i < n; i++) {
		const int more = entry_lines(&entries[i], width);

		if (lines + more > room)
			break;
		lines += more;
	}
	return lines;
}

static void draw_entries(const struct entry *entries, int n, struct canvas *canvas, int y,
			 int bottom)
{
	const int x = words_x(canvas), width = canvas->width - x - 1;

	for (int i = 0; i < n; i++) {
		if (!entries[i].words[0])
			continue;
		if (y + entry_lines(&entries[i], width) > bottom)
			break;
		if (entries[i].number)
			canvas_textf(canvas, 1, y, 1, ROLE_KEY, "%d", entries[i].number);
		canvas_elide(canvas, NAME_X, y, x - NAME_X - 1, ROLE_LABEL, entries[i].name);
		y += canvas_wrap(canvas, x, y, width, bottom - y, entries[i].role,
				 entries[i].words);
	}
}

/* As long as the low clock is held, with as much before and behind it that its edges can be seen.
 */
static struct scope_window around_exit(const struct timeline *timeline)
{
	const struct scope_window whole = scope_whole(timeline);
	struct scope_window window = scope_exit(timeline);
	const double edge_s = (window.to_s - window.from_s) / 8;

	window.from_s = fmax(fmin(window.from_s, timeline->burst_s - edge_s), whole.from_s);
	window.to_s = fmin(window.to_s + edge_s, whole.to_s);
	return window;
}

static void draw_plots(const struct microscope_result *result, struct canvas *canvas, int y,
		       int lines)
{
	const struct timeline *own = &result->own;
	const int width = canvas->width - 1;
	const bool beside = width >= BOTH_WIDTH, below = !beside && lines >= 2 * SCOPE_PLOT_LEAST;
	char title[96];
	struct scope_plot entry = { .x = 0,
				    .y = y,
				    .width = beside ? (width + SCOPE_PLOT_SCALE) / 2 : width,
				    .height = below ? lines / 2 : lines,
				    .scale = true,
				    .title = title,
				    .window = scope_entry(own) };
	struct scope_plot exit = entry;

	/* TRANSLATORS: title of a graph of at most 40 cells; 100 % is the clock before */
	snprintf(title, sizeof(title), _(" The burst begins (100 %% = %.2f GHz) "),
		 own->before_hertz / 1e9);
	exit.title = _(" The burst ends ");
	exit.window = around_exit(own);
	exit.legend = true;
	exit.zero_s = own->burst_s;
	if (beside) {
		exit.x = entry.width + 1;
		exit.width = canvas->width - exit.x;
		exit.scale = false;
	} else {
		exit.y = y + entry.height;
	}
	(void)scope_plot_draw(&entry, own, canvas);
	if (beside || below)
		(void)scope_plot_draw(&exit, own, canvas);
}

/* Lines for the pictures: what the words leave; or what the first of them, phases and price, leave.
 */
static int plot_lines(const struct entry *entries, int n, int width, int room)
{
	const int first = whole_lines(entries, n < FIRST_ENTRIES ? n : FIRST_ENTRIES, width, room);
	int plots = room - first < PLOTS_GOOD ? room - first : PLOTS_GOOD;

	if (plots < SCOPE_PLOT_LEAST)
		plots = SCOPE_PLOT_LEAST;
	if (plots + WORDS_LEAST > room)
		return 0;
	return room - whole_lines(entries, n, width, room - plots);
}

static void draw_result(const struct ui *ui, struct canvas *canvas, int bottom)
{
	const struct microscope_result *result = ui->scope.result;
	struct entry entries[ENTRIES];
	const int n = fill_entries(result, canvas->width < NARROW, entries);
	int y = 1;

	if (ui->scope.running)
		draw_running(result, canvas, y++);
	else
		draw_epochs(result, canvas, y++);
	y += draw_verdict(ui, canvas, y, bottom >= 16 ? 4 : 2);
	if (result->own.n_buckets == 0)
		return;
	const int plots = plot_lines(entries, n, canvas->width - words_x(canvas) - 1, bottom - y);

	if (plots) {
		draw_plots(result, canvas, y, plots);
		y += plots;
	}
	draw_entries(entries, n, canvas, y, bottom);
}

void view_scope_draw(const struct ui *ui, struct canvas *canvas)
{
	const int height = canvas->height, lines = scope_question_lines(height);
	int bottom = height - 1;
	char text[128];

	draw_heading(ui, canvas);
	if (ui->scope.asking && lines > 0)
		bottom -= lines;
	if (ui->scope.asking && lines == 0) {
		snprintf(text, sizeof(text),
			 _("The question needs a higher terminal than %d lines"), height);
		canvas_wrap(canvas, 1, 1, canvas->width - 2, bottom - 1, ROLE_WARN, text);
		return;
	}
	if (ui->scope.result)
		draw_result(ui, canvas, bottom);
	else if (!ui->scope.running)
		draw_introduction(ui, canvas, 2 < bottom - 5 ? 2 : 1, bottom);
	if (ui->scope.asking)
		scope_question_draw(ui, canvas, bottom, lines);
}
