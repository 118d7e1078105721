/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sweep as a heat map: clocks by number of cores, or rates of copies by size. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/nls.h"
#include "base/num.h"
#include "cmd/cmd.h"
#include "cmd/sweep.h"
#include "engine/options.h"
#include "format/svg.h"
#include "model/host.h"

struct name {
	char text[64];
};

struct picture {
	struct name *columns, *cells;
	double *values;
	const char **row_names, **column_names, **texts, **notes;
	unsigned n_columns, n_notes;
	bool copies;
	double low, high;
};

static void free_picture(struct picture *p)
{
	free(p->columns);
	free(p->cells);
	free(p->values);
	free(p->row_names);
	free(p->column_names);
	free(p->texts);
	free(p->notes);
}

static bool make_room(const struct sweep_report *report, struct picture *p)
{
	const struct sweep *const sweep = report->sweep;
	const size_t cells = (size_t)sweep->n_kernels * p->n_columns;

	p->columns = calloc(p->n_columns, sizeof(*p->columns));
	p->cells = calloc(cells, sizeof(*p->cells));
	p->values = calloc(cells, sizeof(*p->values));
	p->row_names = calloc(sweep->n_kernels, sizeof(*p->row_names));
	p->column_names = calloc(p->n_columns, sizeof(*p->column_names));
	p->texts = calloc(cells, sizeof(*p->texts));
	p->notes = calloc(report->n_notes + report->n_entries + 1, sizeof(*p->notes));
	return p->columns && p->cells && p->values && p->row_names && p->column_names && p->texts && p->notes;
}

static void name_columns(const struct sweep *sweep, struct picture *p)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		struct name *const column = &p->columns[i];
		const unsigned cores = sweep->counts[i / sweep->n_shapes];
		char shape[48];

		p->column_names[i] = column->text;
		if (!p->copies)
			(void)snprintf(column->text, sizeof(column->text), "%u", cores);
		else if (sweep->n_counts == 1)
			(void)sweep_shape_name(&sweep->shapes[i], column->text, sizeof(column->text));
		else
			(void)snprintf(column->text, sizeof(column->text), "%u \xc3\x97 %s", cores,
				       sweep_shape_name(&sweep->shapes[i % sweep->n_shapes], shape,
							sizeof(shape)));
	}
}

/* Rates of copies lie powers of ten apart: their colors go by the logarithm. */
static double value_of(const struct sweep_entry *entry, bool copies)
{
	if (!entry || !entry->measured)
		return NAN;
	if (!copies)
		return entry->figures.hertz;
	return entry->figures.verified ? log10(entry->figures.kernel_ops_per_second) : NAN;
}

static void text_of(const struct sweep_entry *entry, bool copies, struct name *ret)
{
	const struct figures *const f = &entry->figures;
	char hertz[32], by[32];

	if (copies)
		(void)num_human_rate(f->kernel_ops_per_second, "B/s", ret->text, sizeof(ret->text));
	else if (f->seen)
		(void)snprintf(ret->text, sizeof(ret->text), "%s  %s",
			       num_human_hertz(f->hertz, hertz, sizeof(hertz)),
			       sweep_percent(-f->drop_ratio, by, sizeof(by)));
	else
		(void)num_human_hertz(f->hertz, ret->text, sizeof(ret->text));
}

static void fill_cells(const struct sweep_report *report, struct picture *p)
{
	const struct sweep *const sweep = report->sweep;

	p->low = INFINITY;
	p->high = -INFINITY;
	for (unsigned row = 0; row < sweep->n_kernels; row++) {
		p->row_names[row] = kernel_row(sweep->kernels[row])->name;
		for (unsigned i = 0; i < p->n_columns; i++) {
			const size_t at = (size_t)row * p->n_columns + i;
			const struct sweep_entry *const entry =
				sweep_find(report, sweep->kernels[row], sweep->counts[i / sweep->n_shapes],
					   &sweep->shapes[i % sweep->n_shapes]);

			p->values[at] = value_of(entry, p->copies);
			if (isnan(p->values[at]))
				continue;
			text_of(entry, p->copies, &p->cells[at]);
			p->texts[at] = p->cells[at].text;
			p->low = fmin(p->low, p->values[at]);
			p->high = fmax(p->high, p->values[at]);
		}
	}
}

static void take_notes(const struct sweep_report *report, struct picture *p)
{
	for (unsigned i = 0; i < report->n_entries; i++)
		if (report->entries[i].why[0])
			p->notes[p->n_notes++] = report->entries[i].why;
	for (unsigned i = 0; i < report->n_notes; i++)
		p->notes[p->n_notes++] = report->notes[i];
}

static void end_text(const struct picture *p, double value, char *buf, size_t size)
{
	if (!isfinite(value))
		(void)snprintf(buf, size, "\xe2\x80\x93");
	else if (p->copies)
		(void)num_human_rate(pow(10, value), "B/s", buf, size);
	else
		(void)num_human_hertz(value, buf, size);
}

static int draw(const struct sweep_report *report, const struct picture *p, FILE *out)
{
	char low[48], high[48];
	struct svg_heat heat = {
		.title = p->copies ? _("Bytes a second, copies by size") :
				     _("The clock by kernel and number of active cores"),
		.subtitle = report->host->brand,
		.rows = p->row_names, .columns = p->column_names, .rows_title = _("kernel"),
		.columns_title = p->copies ? report->sweep->n_counts > 1 ? _("active cores and size") :
									   _("size") :
					     _("active cores"),
		.n_rows = report->sweep->n_kernels, .n_columns = p->n_columns,
		.values = p->values, .texts = p->texts, .low_text = low, .high_text = high,
		.notes = p->notes, .n_notes = p->n_notes,
	};

	/* clocks that are as good as equal shall look so: the scale is of 10 % at least */
	if (!p->copies && isfinite(p->high)) {
		heat.high = p->high;
		heat.low = fmin(p->low, p->high * 0.9);
	}
	end_text(p, heat.low < heat.high ? heat.low : p->low, low, sizeof(low));
	end_text(p, p->high, high, sizeof(high));
	return svg_heat_write(out, &heat);
}

int sweep_write_svg(const struct sweep_report *report, FILE *out)
{
	const struct sweep *const sweep = report->sweep;
	struct picture picture = { .n_columns = sweep->n_counts * sweep->n_shapes,
				   .copies = sweep->shapes[0].bytes > 0 };
	int r = -ENOMEM;

	if (make_room(report, &picture)) {
		name_columns(sweep, &picture);
		fill_cells(report, &picture);
		take_notes(report, &picture);
		r = draw(report, &picture, out);
	}
	free_picture(&picture);
	return r;
}
