/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a list of things as table, CSV or JSON, from one set of columns. */
#ifndef AVXTOP_CMD_LIST_H
#define AVXTOP_CMD_LIST_H

#include <stdbool.h>
#include <stdio.h>

#include "base/problem.h"

struct options;

enum cmd_cell {
	CELL_TEXT,
	CELL_BOOL,   /* "true" or "false" */
	CELL_NUMBER, /* an integer */
};

struct cmd_column {
	const char *key; /* of CSV and JSON */
	const char *title; /* of the table, untranslated; NULL: not a column of it */
	enum cmd_cell type;
};

struct cmd_list {
	const char *schema; /* "avxtop.metrics/1" */
	const char *name;   /* of the array in JSON: "metrics" */
	const struct cmd_column *columns;
	unsigned n_columns; /* the last of the table wraps: it takes what is left of the line */
	unsigned n_rows;
	/* Text of a cell, NULL where there is none; borrowed until the next call. `people`: for the
	 * table, translated, and with a mark where there is nothing. */
	const char *(*cell)(void *data, unsigned row, unsigned column, bool people);
	void *data;
};

/* Writes it as a table, as wide as the terminal or 80 columns. 0 or -errno. */
int cmd_list_table(const struct cmd_list *list, FILE *out);

/* Writes it in options->format to options->output. 0 or -errno with a problem. */
int cmd_list(const struct cmd_list *list, const struct options *options,
	     struct problem *ret_problem);

#endif
