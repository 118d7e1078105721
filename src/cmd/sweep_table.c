/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep for people: kernels by number of cores, or copies by size; then the same by base clock. */
#include "config.h"

#include <errno.h>
#include <libsmartcols.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/sweep.h"
#include "cmd/wrap.h"
#include "engine/options.h"
#include "model/host.h"

#define WIDTH 80 /* of sentences */

struct cell {
	char text[64];
};

typedef void cell_fn(const struct sweep_entry *entry, const char *absent, struct cell *ret);

/* The clock, and by how much it fell. */
static void clock_cell(const struct sweep_entry *entry, const char *absent, struct cell *ret)
{
	const struct figures *const f = &entry->figures;
	char hertz[32], by[32];

	if (!entry->measured || isnan(f->hertz))
		(void)snprintf(ret->text, sizeof(ret->text), "%s", absent);
	else if (f->seen)
		(void)snprintf(ret->text, sizeof(ret->text), "%s %s",
			       num_human_hertz(f->hertz, hertz, sizeof(hertz)),
			       sweep_percent(-f->drop_ratio, by, sizeof(by)));
	else
		(void)num_human_hertz(f->hertz, ret->text, sizeof(ret->text));
}

/* What all of its cores did while the kernel ran, and the share of what they can do. */
static void rate_cell(const struct sweep_entry *entry, const char *absent, struct cell *ret)
{
	const struct figures *const f = &entry->figures;
	char rate[48], unit[16];

	(void)snprintf(unit, sizeof(unit), "%s/s", rate_unit(kernel_row(entry->point->kernel)->rate));
	if (!entry->measured || !f->verified || !isfinite(f->kernel_ops_per_second))
		(void)snprintf(ret->text, sizeof(ret->text), "%s", absent);
	else if (isfinite(f->peak_ratio))
		(void)snprintf(ret->text, sizeof(ret->text), "%s %.0f %%",
			       num_human_rate(f->kernel_ops_per_second, unit, rate, sizeof(rate)),
			       f->peak_ratio * 100);
	else
		(void)num_human_rate(f->kernel_ops_per_second, unit, ret->text, sizeof(ret->text));
}

static int new_table(FILE *out, struct libscols_table **ret)
{
	struct libscols_table *const table = scols_new_table();
	int r = table ? scols_table_set_stream(table, out) : -ENOMEM;

	if (r < 0)
		scols_unref_table(table);
	else
		*ret = table;
	return r;
}

static int print_and_free(struct libscols_table *table, int r)
{
	if (r == 0)
		r = scols_print_table(table);
	scols_unref_table(table);
	return r < 0 ? r : 0;
}

static int add_column(struct libscols_table *table, const char *title, bool right)
{
	return scols_table_new_column(table, title, 0, right ? SCOLS_FL_RIGHT : 0) ? 0 : -ENOMEM;
}

/* cores 0: the columns are counts of cores; else the sizes of copies on so many. */
static const struct sweep_entry *entry_at(const struct sweep_report *report, unsigned row,
					  unsigned column, unsigned cores)
{
	const struct sweep *const sweep = report->sweep;

	return sweep_find(report, sweep->kernels[row], cores ? cores : sweep->counts[column],
			  &sweep->shapes[cores ? column : 0]);
}

static int add_columns(struct libscols_table *table, const struct sweep *sweep, unsigned cores)
{
	const unsigned n = cores ? sweep->n_shapes : sweep->n_counts;
	int r = add_column(table, _("KERNEL"), false);

	for (unsigned i = 0; r == 0 && i < n; i++) {
		char title[64];

		if (cores)
			(void)sweep_shape_name(&sweep->shapes[i], title, sizeof(title));
		else
			(void)snprintf(title, sizeof(title),
				       sweep->counts[i] == 1 ? _("%u CORE") : _("%u CORES"),
				       sweep->counts[i]);
		r = add_column(table, title, true);
	}
	return r;
}

static int print_grid(const struct sweep_report *report, unsigned cores, cell_fn *cell, FILE *out)
{
	const struct sweep *const sweep = report->sweep;
	const unsigned n_columns = cores ? sweep->n_shapes : sweep->n_counts;
	const char *const absent = cmd_absent(report->options);
	struct libscols_table *table;
	int r = new_table(out, &table);

	if (r < 0)
		return r;
	r = add_columns(table, sweep, cores);
	for (unsigned row = 0; r == 0 && row < sweep->n_kernels; row++) {
		struct libscols_line *const line = scols_table_new_line(table, NULL);

		r = line ? scols_line_set_data(line, 0, kernel_row(sweep->kernels[row])->name) : -ENOMEM;
		for (unsigned i = 0; r == 0 && i < n_columns; i++) {
			const struct sweep_entry *const entry = entry_at(report, row, i, cores);
			struct cell text;

			if (entry)
				cell(entry, absent, &text);
			else
				(void)snprintf(text.text, sizeof(text.text), "%s", absent);
			r = scols_line_set_data(line, i + 1, text.text);
		}
	}
	return print_and_free(table, r);
}

static void put_drop(const struct base_group *group, char *buf, size_t size)
{
	(void)sweep_percent(group->during_hertz / group->base_hertz - 1, buf, size);
}

/* To 0.1 %, since runs are compared by them. */
static void put_fine_hertz(double hertz, char *buf, size_t size)
{
	(void)snprintf(buf, size, _("%.0f MHz"), hertz / 1e6);
}

static int add_base_row(struct libscols_table *table, const struct sweep_entry *entry,
			const struct base_group *group)
{
	struct libscols_line *const line = scols_table_new_line(table, NULL);
	char shape[64] = "", name[128], text[64];
	int r = line ? 0 : -ENOMEM;

	if (entry->point->copy.bytes)
		(void)sweep_shape_name(&entry->point->copy, shape, sizeof(shape));
	(void)snprintf(name, sizeof(name), "%s%s%s", kernel_row(entry->point->kernel)->name,
		       shape[0] ? " " : "", shape);
	if (r == 0)
		r = scols_line_set_data(line, 0, name);
	(void)snprintf(text, sizeof(text), "%u", entry->point->cores);
	if (r == 0)
		r = scols_line_set_data(line, 1, text);
	put_fine_hertz(group->base_hertz, text, sizeof(text));
	if (r == 0)
		r = scols_line_set_data(line, 2, text);
	put_fine_hertz(group->during_hertz, text, sizeof(text));
	if (r == 0)
		r = scols_line_set_data(line, 3, text);
	put_drop(group, text, sizeof(text));
	if (r == 0)
		r = scols_line_set_data(line, 4, text);
	(void)snprintf(text, sizeof(text), "%u", group->n);
	return r == 0 ? scols_line_set_data(line, 5, text) : r;
}

static int print_bases(const struct sweep_report *report, FILE *out)
{
	static const char *const titles[] = { N_("KERNEL"), N_("CORES"), N_("BASE"), N_("CLOCK"), N_("CHANGE"),
					      N_("PAIRS") };
	struct libscols_table *table;
	int r = new_table(out, &table);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < sizeof(titles) / sizeof(*titles); i++)
		r = add_column(table, _(titles[i]), i > 0);
	for (unsigned i = 0; r == 0 && i < report->n_entries; i++) {
		const struct sweep_entry *const entry = &report->entries[i];

		for (unsigned k = 0; r == 0 && entry->measured && entry->point->role == SWEEP_POINT &&
				     k < entry->figures.n_groups; k++)
			r = add_base_row(table, entry, &entry->figures.groups[k]);
	}
	return print_and_free(table, r);
}

static void print_sentence(const char *sentence, FILE *out)
{
	struct text text = { 0 };

	cmd_wrap(&text, sentence, 0, WIDTH);
	(void)fprintf(out, "%s\n", text.failed ? sentence : text.data);
	text_free(&text);
}

/* Why there is no clock, and what else is to be known of single points. */
static void print_remarks(const struct sweep_report *report, FILE *out)
{
	char line[512], name[128];

	for (unsigned i = 0; i < report->n_entries; i++) {
		const struct sweep_entry *const entry = &report->entries[i];
		const char *const note = entry->measured ? entry->figures.agreement.note : "";

		if (entry->point->role == SWEEP_DRIFT)
			continue; /* what it has to say is among the notes */
		(void)sweep_point_name(entry->point, name, sizeof(name));
		if (entry->why[0]) {
			(void)snprintf(line, sizeof(line), _("%s: no clock. %s"), name, entry->why);
			print_sentence(line, out);
		}
		if (note[0]) {
			(void)snprintf(line, sizeof(line), "%s: %s", name, note);
			print_sentence(line, out);
		}
	}
	for (unsigned i = 0; i < report->n_notes; i++)
		print_sentence(report->notes[i], out);
}

/* The smallest drop that every point without one could have shown. */
static double limit_of(const struct sweep_report *report)
{
	double limit = NAN;

	for (unsigned i = 0; i < report->n_entries; i++)
		if (report->entries[i].measured && !report->entries[i].figures.seen)
			limit = fmax(limit, report->entries[i].figures.noise);
	return limit;
}

static int print_copies(const struct sweep_report *report, FILE *out)
{
	const struct sweep *const sweep = report->sweep;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < sweep->n_counts; i++) {
		(void)fprintf(out, sweep->counts[i] == 1 ? _("%sBytes a second copied by %u core%s\n") :
							   _("%sBytes a second copied by %u cores%s\n"),
			      i ? "\n" : "", sweep->counts[i],
			      sweep->shapes[0].cold ? _(", source and target in no cache") : "");
		r = print_grid(report, sweep->counts[i], rate_cell, out);
		if (r == 0)
			(void)fputs(_("\nThe clock right after each copy\n"), out);
		r = r == 0 ? print_grid(report, sweep->counts[i], clock_cell, out) : r;
	}
	return r;
}

static int print_kernels(const struct sweep_report *report, FILE *out)
{
	int r;

	(void)fputs(_("The clock by number of active cores\n"), out);
	r = print_grid(report, 0, clock_cell, out);
	if (r == 0)
		(void)fputs(_("\nThe rate of all of them while the kernel ran, of what they can do\n"), out);
	return r == 0 ? print_grid(report, 0, rate_cell, out) : r;
}

int sweep_write_table(const struct sweep_report *report, FILE *out)
{
	const double limit = limit_of(report);
	int r = report->sweep->shapes[0].bytes ? print_copies(report, out) : print_kernels(report, out);

	if (r == 0)
		(void)fputs(_("\nBy the clock that scalar code had on as many cores in the gaps between\n"), out);
	if (r == 0)
		r = print_bases(report, out);
	if (r < 0)
		return r;
	(void)fputc('\n', out);
	if (isfinite(limit))
		(void)fprintf(out, _("A clock without a change beside it fell by no more than %.1f %%\n"),
			      limit * 100);
	print_remarks(report, out);
	return 0;
}
