/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a list of things as table (libsmartcols), CSV (RFC 4180) or JSON (jansson). */
#include "config.h"
#include "cmd/list.h"

#include <errno.h>
#include <jansson.h>
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nls.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/wrap.h"
#include "engine/options.h"

#define WIDTH 80 /* where the output is no terminal */

static const char *cell(const struct cmd_list *list, unsigned row, unsigned column, bool people)
{
	return list->cell(list->data, row, column, people);
}

/* A line feed in the text is kept: it begins another paragraph of the cell. */
static char *wrapped(const char *string, int width)
{
	char *copy = strdup(string), *rest = copy, *line;
	struct text text = { 0 };

	while (copy && (line = strsep(&rest, "\n"))) {
		if (line != copy)
			text_add(&text, "\n");
		cmd_wrap(&text, line, 0, width);
	}
	if (!copy || text.failed)
		text_free(&text);
	free(copy);
	return text.data;
}

/* Columns of the table that stand before the last one take as much as their widest cell. */
static int last_width(const struct cmd_list *list, unsigned last, int width)
{
	for (unsigned column = 0; column < last; column++) {
		int widest;

		if (!list->columns[column].title)
			continue;
		widest = text_width(_(list->columns[column].title));
		for (unsigned row = 0; row < list->n_rows; row++) {
			int cells = text_width(cell(list, row, column, true));

			widest = cells > widest ? cells : widest;
		}
		width -= widest + 1;
	}
	return width < 20 ? 20 : width;
}

static int fill_row(struct libscols_table *table, const struct cmd_list *list, unsigned row,
		    unsigned last, int width)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	size_t at = 0;

	if (!line)
		return -ENOMEM;
	for (unsigned column = 0; column < list->n_columns; column++) {
		const char *string;
		int r;

		if (!list->columns[column].title)
			continue;
		string = cell(list, row, column, true);
		if (column == last)
			r = scols_line_refer_data(line, at++, wrapped(string, width));
		else
			r = scols_line_set_data(line, at++, string);
		if (r < 0)
			return r;
	}
	return 0;
}

static int fill_table(struct libscols_table *table, const struct cmd_list *list, FILE *out)
{
	unsigned last = 0;
	int width = isatty(fileno(out)) ? (int)scols_table_get_termwidth(table) : WIDTH;
	struct libscols_column *column = NULL;
	int r = scols_table_set_stream(table, out);

	for (unsigned i = 0; i < list->n_columns; i++) {
		if (list->columns[i].title)
			last = i;
	}
	for (unsigned i = 0; i < list->n_columns; i++) {
		if (!list->columns[i].title)
			continue;
		column = scols_table_new_column(table, _(list->columns[i].title), 0,
						i == last ? SCOLS_FL_WRAP : 0);
		if (!column)
			return -ENOMEM;
	}
	/* Broken at words by us: libsmartcols would break anywhere. */
	r = r < 0 ? r : scols_column_set_safechars(column, "\n");
	r = r < 0 ? r : scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						  scols_wrapnl_nextchunk, NULL);
	width = last_width(list, last, width);
	for (unsigned row = 0; r >= 0 && row < list->n_rows; row++)
		r = fill_row(table, list, row, last, width);
	return r;
}

int cmd_list_table(const struct cmd_list *list, FILE *out)
{
	struct libscols_table *table = scols_new_table();
	int r;

	if (!table)
		return -ENOMEM;
	r = fill_table(table, list, out);
	r = r < 0 ? r : scols_print_table(table);
	scols_unref_table(table);
	return r < 0 ? r : 0;
}

static void print_csv_field(const char *string, FILE *out)
{
	if (!string[strcspn(string, ",\"\r\n")]) {
		fputs(string, out);
		return;
	}
	fputc('"', out);
	for (; *string; string++) {
		if (*string == '"')
			fputc('"', out);
		fputc(*string, out);
	}
	fputc('"', out);
}

static int print_csv(const struct cmd_list *list, FILE *out)
{
	for (unsigned column = 0; column < list->n_columns; column++)
		fprintf(out, "%s%s", column ? "," : "", list->columns[column].key);
	for (unsigned row = 0; row < list->n_rows; row++) {
		for (unsigned column = 0; column < list->n_columns; column++) {
			const char *string = cell(list, row, column, false);

			fputc(column ? ',' : '\n', out);
			print_csv_field(string ? string : "", out);
		}
	}
	fputc('\n', out);
	return 0;
}

static json_t *json_cell(const char *string, enum cmd_cell type)
{
	if (!string)
		return json_null();
	if (type == CELL_BOOL)
		return json_boolean(strcmp(string, "true") == 0);
	if (type == CELL_NUMBER)
		return json_integer(strtoll(string, NULL, 10));
	return json_string(string);
}

static int print_json(const struct cmd_list *list, FILE *out)
{
	json_t *root = json_object(), *array = json_array();
	int r = json_object_set_new(root, "schema", json_string(list->schema));

	r |= json_object_set_new(root, list->name, array);
	for (unsigned row = 0; row < list->n_rows; row++) {
		json_t *object = json_object();

		for (unsigned column = 0; column < list->n_columns; column++)
			r |= json_object_set_new(object, list->columns[column].key,
						 json_cell(cell(list, row, column, false),
							   list->columns[column].type));
		r |= json_array_append_new(array, object);
	}
	r |= json_dumpf(root, out, JSON_COMPACT);
	json_decref(root);
	fputc('\n', out);
	return r < 0 && !ferror(out) ? -ENOMEM : 0;
}

int cmd_list(const struct cmd_list *list, const struct options *options, struct problem *ret_problem)
{
	struct cmd_output output;
	int r = cmd_output_open(options, true, &output, ret_problem);
	int closed;

	if (r < 0)
		return r;
	if (options->format == FORMAT_JSON)
		r = print_json(list, output.stream);
	else if (options->format == FORMAT_CSV)
		r = print_csv(list, output.stream);
	else
		r = cmd_list_table(list, output.stream);
	closed = cmd_output_close(&output, r == 0, ret_problem);
	if (r < 0)
		return problem_set(ret_problem, -r, "", _("the list could not be made"));
	return closed;
}
