/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scope saw for people: the clock around both ends of the burst drawn as a line, the phases
 * in words, what it costs. */
#include "config.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/nls.h"
#include "base/num.h"
#include "base/text.h"
#include "burst/microscope.h"
#include "cmd/scope_show.h"
#include "cmd/scope_write.h"
#include "engine/options.h"
#include "format/braille.h"
#include "model/host.h"

#define WIDTH 80 /* where it is no terminal that tells its own */
#define WIDTH_LEAST 48
#define WIDTH_MOST 160
#define PLOT_HEIGHT 6
#define NAMES 20 /* cells of the names of figures */
#define SCALE 9	 /* cells of the scale left of a plot */

struct page {
	FILE *out;
	bool ascii;
	int width;
};

static int width_of(FILE *out)
{
	const int fd = fileno(out);
	struct winsize size;

	if (fd < 0 || ioctl(fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0)
		return WIDTH;
	return size.ws_col < WIDTH_LEAST  ? WIDTH_LEAST
	       : size.ws_col > WIDTH_MOST ? WIDTH_MOST
					  : size.ws_col;
}

/* Words have signs that ASCII spells otherwise. */
static void put(const struct page *page, const char *text, size_t size)
{
	static const struct {
		const char *sign, *ascii;
	} looks[] = { { "×", "x" }, { "−", "-" }, { "≥", ">=" }, { "–", "-" }, { "·", "-" } };

	for (const char *const end = text + size; text < end;) {
		size_t len = 1;
		const char *ascii = NULL;

		for (size_t i = 0; page->ascii && i < sizeof(looks) / sizeof(looks[0]); i++)
			if (strncmp(text, looks[i].sign, strlen(looks[i].sign)) == 0) {
				len = strlen(looks[i].sign);
				ascii = looks[i].ascii;
			}
		if (ascii)
			(void)fputs(ascii, page->out);
		else
			(void)fputc(*text, page->out);
		text += len;
	}
}

/* Lines of words, all but the first one with `indent` cells before them, where the cursor stands.
 */
static void put_wrapped(const struct page *page, int indent, const char *words)
{
	int at = indent;

	while (*words) {
		const size_t size = strcspn(words, " ");

		if (at > indent && at + 1 + (int)size > page->width) {
			(void)fprintf(page->out, "\n%*s", indent, "");
			at = indent;
		} else if (at > indent) {
			(void)fputc(' ', page->out);
			at++;
		}
		put(page, words, size);
		at += (int)size;
		words += size + strspn(words + size, " ");
	}
	(void)fputc('\n', page->out);
}

/* "  name      words": one column of names. */
static void put_line(const struct page *page, const char *name, const char *words)
{
	const int pad = NAMES - text_width(name);

	if (!*words)
		return;
	(void)fprintf(page->out, "  %s%*s", name, pad > 1 ? pad : 1, "");
	put_wrapped(page, NAMES + 2, words);
}

static void put_cell(const struct page *page, unsigned dots)
{
	char utf8[4];

	if (page->ascii || !dots)
		(void)fputc(page->ascii ? braille_ascii(dots) : ' ', page->out);
	else
		(void)fputs(braille_utf8(dots, utf8), page->out);
}

/* Spaces at the end of a line tell nothing. */
static int last_cell(const struct braille *grid, int y)
{
	int x = grid->width;

	while (x > 0 && !braille_cell(grid, x - 1, y))
		x--;
	return x;
}

/* The round ratio that lies in a row of the plot; NAN: none. */
static double label_of(const struct braille *grid, int y)
{
	static const double steps[] = { 0.01, 0.02, 0.05, 0.1, 0.25, 0.5 };
	const double row = (grid->high - grid->low) / grid->height;
	const double low = grid->high - row * (y + 1);
	size_t i = 0;
	double label;

	while (steps[i] < row && i + 1 < sizeof(steps) / sizeof(steps[0]))
		i++;
	label = ceil(low / steps[i] - 1e-9) * steps[i];
	return label < low + row - 1e-9 ? label + 0.0 : NAN;
}

static void put_row(const struct page *page, const struct braille *grid, int y)
{
	const double label = label_of(grid, y);

	if (isnan(label))
		(void)fprintf(page->out, "%*s", SCALE, "");
	else
		(void)fprintf(page->out, "  %4.0f %% ", 100 * label);
	(void)fputs(page->ascii ? "|" : "│", page->out);
	for (int x = 0, last = last_cell(grid, y); x < last; x++)
		put_cell(page, braille_cell(grid, x, y));
	(void)fputc('\n', page->out);
}

/* One line of blocks: the rate of the load, from none to that at the clock before. */
static void put_rate_row(const struct page *page, const struct timeline *timeline,
			 const struct scope_window *window, double *values, int width)
{
	static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char ascii[] = "_.,-=+*#";
	int last = -1;

	scope_columns(timeline, window, true, values, width);
	for (int x = 0; x < width; x++)
		last = isnan(values[x]) ? last : x;
	if (last < 0)
		return;
	(void)fprintf(page->out, "  %*s ", SCALE - 3, _("rate"));
	(void)fputs(page->ascii ? "|" : "│", page->out);
	for (int x = 0; x <= last; x++) {
		const double eighth = fmin(fmax(floor(values[x] * 8), 0), 7);

		if (isnan(values[x]))
			(void)fputc(' ', page->out);
		else if (page->ascii)
			(void)fputc(ascii[(int)eighth], page->out);
		else
			(void)fputs(blocks[(int)eighth], page->out);
	}
	(void)fputc('\n', page->out);
}

/* "-10 us … 200 us" below the ends of the plot, the burst between as a line of its own. */
static void put_axis(const struct page *page, const struct scope_window *window, double burst_s,
		     int width)
{
	char from[32], to[32];
	const double cell_s = (window->to_s - window->from_s) / width;

	(void)fprintf(page->out, "%*s%s", SCALE, "", page->ascii ? "+" : "└");
	for (int x = 0; x < width; x++) {
		const double t_s = window->from_s + cell_s * (x + 0.5);
		const bool burst = t_s >= 0 && t_s < burst_s;

		(void)fputs(page->ascii ? burst ? "=" : "-" : burst ? "━" : "─", page->out);
	}
	(void)scope_time(window->from_s, from, sizeof(from));
	(void)scope_time(window->to_s, to, sizeof(to));
	(void)fprintf(page->out, "\n%*s%s%*s\n", SCALE + 1, "", from, width - (int)strlen(from),
		      to);
}

/* 0 or -ENOMEM. */
static int put_plot(const struct page *page, const struct timeline *timeline,
		    const struct scope_window *window, const char *title)
{
	const int width = page->width - SCALE - 2;
	double *const values = calloc((size_t)width * 2, sizeof(*values));
	struct braille grid = { .width = width, .height = PLOT_HEIGHT, .values = values };

	if (!values)
		return -ENOMEM;
	scope_range(timeline, &grid.low, &grid.high);
	scope_columns(timeline, window, false, values, 2 * width);
	(void)fprintf(page->out, "%s\n", title);
	for (int y = 0; y < grid.height; y++)
		put_row(page, &grid, y);
	put_rate_row(page, timeline, window, values, width);
	put_axis(page, window, timeline->burst_s, width);
	free(values);
	return 0;
}

static int put_plots(const struct page *page, const struct timeline *timeline)
{
	const struct scope_window entry = scope_entry(timeline), exit = scope_exit(timeline);
	int r;

	if (timeline->n_buckets == 0)
		return 0;
	r = put_plot(page, timeline, &entry,
		     page->ascii ? _("Clock at the beginning of the burst (===), of that before")
				 : _("Clock at the beginning of the burst (━━━), of that before"));
	return r < 0 ? r : put_plot(page, timeline, &exit, _("Clock at its end"));
}

static void put_phases(const struct page *page, const struct timeline *timeline)
{
	char words[256];

	for (int id = 0; id < TIMELINE_PHASES; id++) {
		if (!scope_phase_told(timeline, (enum timeline_phase_id)id))
			continue;
		scope_phase_words(timeline, (enum timeline_phase_id)id, words, sizeof(words));
		put_line(page, _(timeline_phase_row((enum timeline_phase_id)id)->title), words);
	}
}

static void put_bases(const struct page *page, const struct judgment *judgment)
{
	char base[32], during[32], words[128];

	if (judgment->n_groups > 1)
		(void)fprintf(page->out, "%s\n", _("By the clock before, which moves by itself:"));
	for (unsigned i = 0; judgment->n_groups > 1 && i < judgment->n_groups; i++) {
		const struct base_group *const group = &judgment->groups[i];

		(void)snprintf(
			words, sizeof(words), P_("%s (%u burst)", "%s (%u bursts)", group->n),
			num_human_hertz(group->during_hertz, during, sizeof(during)), group->n);
		put_line(page, num_human_hertz(group->base_hertz, base, sizeof(base)), words);
	}
}

static void put_rate(const struct page *page, const struct microscope_result *result)
{
	const char *const unit = rate_unit(kernel_row(result->kernel)->rate);
	char rate[48], name[32], words[128];

	if (!isfinite(result->ops_per_second))
		return;
	(void)snprintf(name, sizeof(name), "%s/s", unit);
	(void)num_human_rate(result->ops_per_second, name, rate, sizeof(rate));
	if (isfinite(result->ops_per_cycle))
		(void)snprintf(words, sizeof(words), _("%s, %.1f %s a cycle"), rate,
			       result->ops_per_cycle, unit);
	else
		(void)snprintf(words, sizeof(words), "%s", rate);
	put_line(page, _("rate in the burst"), words);
}

static void put_cost(const struct page *page, const struct microscope_result *result)
{
	char words[256];

	scope_price_words(result, words, sizeof(words));
	put_line(page, _("price"), words);
	scope_even_words(result, words, sizeof(words));
	put_line(page, _("when it pays"), words);
	if (result->price.outlasts)
		put_line(page, _("code behind it"),
			 result->price.ruler_sees
				 ? _("runs at the lower clock; a probe of the ruler sees it, too")
				 : _("runs at the lower clock, too shortly for a probe of the "
				     "ruler to see"));
	for (unsigned i = 0; i < result->n_duties; i++) {
		scope_duty_words(&result->duties[i], words, sizeof(words));
		put_line(page, _("train of bursts"), words);
	}
}

static int put_victim(const struct page *page, const struct host *host,
		      const struct microscope_result *result)
{
	const unsigned victim = (unsigned)result->victim;
	char hertz[32];
	int r;

	if (result->victim < 0)
		return 0;
	(void)fprintf(page->out, _("CPU %u (%s) meanwhile: scalar code, %s before\n"),
		      host->cpus[victim].id,
		      relation_name(host_relation(host, result->cpu, victim)),
		      num_human_hertz(result->other.before_hertz, hertz, sizeof(hertz)));
	r = put_plots(page, &result->other);
	put_phases(page, &result->other);
	put_bases(page, &result->other.judgment);
	return r;
}

int scope_write_table(const struct options *options, const struct host *host,
		      const struct microscope_result *result, bool first, FILE *out)
{
	const bool ascii = options->ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	const struct page page = { .out = out, .ascii = ascii, .width = width_of(out) };
	char words[256], line[384], hertz[32], verdict[sizeof(result->verdict) + 32];
	int r;

	if (!first)
		(void)fputc('\n', out);
	scope_epochs_words(&result->own, words, sizeof(words));
	(void)snprintf(line, sizeof(line), _("%s on CPU %u: %s%s"),
		       kernel_row(result->kernel)->name, host->cpus[result->cpu].id, words,
		       result->stopped_early ? _(" (stopped early)") : "");
	put_wrapped(&page, 0, line);
	r = put_plots(&page, &result->own);
	if (r < 0)
		return r;
	if (isfinite(result->own.before_hertz))
		put_line(&page, _("clock before"),
			 num_human_hertz(result->own.before_hertz, hertz, sizeof(hertz)));
	if (result->own.n_buckets)
		put_phases(&page, &result->own);
	put_rate(&page, result);
	put_cost(&page, result);
	put_bases(&page, &result->own.judgment);
	r = put_victim(&page, host, result);
	if (result->problem.text[0])
		(void)fprintf(out, "%s\n", result->problem.text);
	if (!result->verified)
		(void)fputs(_("WRONG RESULTS in some of the bursts: what was measured is not to be "
			      "trusted\n"),
			    out);
	(void)snprintf(verdict, sizeof(verdict), _("Verdict: %s"), result->verdict);
	put_wrapped(&page, 0, verdict);
	return r;
}
