/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop metrics`: each metric, and through which source it is measured here or why not. */
#include "config.h"
#include "cmd/cmd.h"

#include "base/nls.h"
#include "base/text.h"
#include "cmd/list.h"
#include "engine/options.h"
#include "engine/session.h"

enum { NAME, UNIT, SCOPE, SOURCE, WHY, NOTE, HELP };

static const struct cmd_column columns[] = {
	[NAME] = { .key = "name", .title = N_("NAME") },
	[UNIT] = { .key = "unit", .title = N_("UNIT") },
	[SCOPE] = { .key = "scope", .title = N_("SCOPE") },
	[SOURCE] = { .key = "source", .title = N_("SOURCE") },
	[WHY] = { .key = "why" },
	[NOTE] = { .key = "note" },
	[HELP] = { .key = "help", .title = N_("MEANING, AND WHY IT IS ABSENT") },
};

struct metrics {
	const struct origin *origins;
	const char *absent; /* mark in the table */
	struct text meaning;
};

/* The meaning, and below it which of several things it is here or why there is no such number. */
static const char *meaning(struct metrics *metrics, enum metric metric)
{
	const struct origin *origin = &metrics->origins[metric];

	text_free(&metrics->meaning);
	text_add(&metrics->meaning, _(metric_row(metric)->help));
	if (!origin->name && origin->why)
		text_addf(&metrics->meaning, "\n%s %s", metrics->absent, origin->why);
	if (origin->note)
		text_addf(&metrics->meaning, "\n%s", _(origin->note));
	return metrics->meaning.data ? metrics->meaning.data : "";
}

static const char *cell(void *data, unsigned row, unsigned column, bool people)
{
	struct metrics *metrics = data;
	const struct metric_row *metric = metric_row((enum metric)row);
	const struct origin *origin = &metrics->origins[row];

	switch (column) {
	case NAME:
		return metric->name;
	case UNIT:
		return unit_name(metric->unit);
	case SCOPE:
		return scope_name(metric->scope);
	case SOURCE:
		return origin->name || !people ? origin->name : metrics->absent;
	case WHY:
		return origin->name ? NULL : origin->why;
	case NOTE:
		return origin->note;
	default:
		return people ? meaning(metrics, (enum metric)row) : metric->help;
	}
}

int command_metrics(const struct options *options)
{
	struct metrics metrics = { .absent = cmd_absent(options) };
	const struct cmd_list list = {
		.schema = "avxtop.metrics/1",
		.name = "metrics",
		.columns = columns,
		.n_columns = sizeof(columns) / sizeof(columns[0]),
		.n_rows = METRIC_N,
		.cell = cell,
		.data = &metrics,
	};
	struct session *session = NULL;
	struct problem problem;
	int r;

	r = session_open(options, NULL, &session, &problem);
	if (r == 0) {
		metrics.origins = session_origins(session);
		r = cmd_list(&list, options, &problem);
	}
	if (r < 0)
		cmd_complain(&problem);
	text_free(&metrics.meaning);
	session_close(session);
	return cmd_exit_status(r);
}
