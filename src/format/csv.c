/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CSV by RFC 4180, lines ended by a newline alone as Unix tools expect: a header, then one row for
 * each CPU (or package, core, host) and interval. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/text.h"
#include "format/row.h"
#include "model/host.h"

/* A column of an idle state. */
struct column {
	char *name;
	int label; /* in the host of now; -1 it has none of this name */
};

struct sink {
	struct sink_plan plan;
	struct column *states; /* as the heading has them, whatever machine it becomes */
	unsigned n_states;
};

/* Quotes only where a field needs it. */
static void put_text(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		(void)fputs(text, out);
		return;
	}
	(void)fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			(void)fputc('"', out);
		(void)fputc(*text, out);
	}
	(void)fputc('"', out);
}

static void put_heading(FILE *out, const struct host *host, enum metric metric)
{
	const struct metric_row *row = metric_row(metric);
	unsigned labels = label_count(host, row->label);
	char name[128], clean[128];

	/* A metric whose labels this host has none of is a column all the same: it was asked for. */
	if (row->label == LABEL_NONE || labels == 0) {
		(void)fprintf(out, ",%s", row->name);
		return;
	}
	for (unsigned i = 0; i < labels; i++) {
		(void)snprintf(name, sizeof(name), "%s.%s", row->name,
			       label_name(host, row->label, i));
		(void)fputc(',', out);
		text_escape_terminal(name, clean, sizeof(clean)); /* a state is named by firmware */
		put_text(out, clean);
	}
}

static void csv_free(struct sink *sink)
{
	for (unsigned i = 0; sink && sink->states && i < sink->n_states; i++)
		free(sink->states[i].name);
	free(sink ? sink->states : NULL);
	free(sink);
}

static int keep_states(struct sink *sink)
{
	const struct host *host = sink->plan.host;

	sink->states = calloc(host->n_idle_states + 1, sizeof(*sink->states));
	if (!sink->states)
		return -ENOMEM;
	sink->n_states = host->n_idle_states;
	for (unsigned i = 0; i < sink->n_states; i++) {
		sink->states[i] = (struct column){ strdup(host->idle_states[i]), (int)i };
		if (!sink->states[i].name)
			return -ENOMEM;
	}
	return 0;
}

static int csv_machine(struct sink *sink, const struct host *host, const struct origin *origins)
{
	sink->plan.host = host;
	sink->plan.origins = origins;
	for (unsigned i = 0; i < sink->n_states; i++) {
		sink->states[i].label = -1;
		for (unsigned k = 0; k < host->n_idle_states; k++)
			if (strcmp(host->idle_states[k], sink->states[i].name) == 0)
				sink->states[i].label = (int)k;
	}
	return 0;
}

static int csv_begin(const struct sink_plan *plan, struct sink **ret)
{
	struct sink *sink = calloc(1, sizeof(*sink));
	int err;

	if (!sink)
		return -ENOMEM;
	sink->plan = *plan;
	if (!sink->plan.scopes)
		sink->plan.scopes = 1u << SCOPE_CPU;
	err = keep_states(sink);
	if (err < 0) {
		csv_free(sink);
		return err;
	}
	(void)fputs("time,elapsed_s,package,core,cpu", plan->out);
	for (unsigned m = 0; m < METRIC_N; m++)
		if (plan->metrics[m])
			put_heading(plan->out, plan->host, (enum metric)m);
	(void)fputc('\n', plan->out);
	err = row_flush(plan->out);
	if (err < 0) {
		csv_free(sink);
		return err;
	}
	*ret = sink;
	return 0;
}

static void put_id(FILE *out, int id)
{
	if (id >= 0)
		(void)fprintf(out, ",%d", id);
	else
		(void)fputc(',', out);
}

static void put_value(FILE *out, const struct value *value, enum metric metric)
{
	char text[128];

	(void)fputc(',', out);
	if (!value || !value_present(value))
		return;
	(void)fputs(metric_row(metric)->unit == UNIT_TEXT
			    ? metric_format(metric, value->v, text, sizeof(text))
			    : num_format(value->v, text, sizeof(text)),
		    out);
}

static void put_states(const struct sink *sink, const struct snapshot *snapshot, enum metric metric,
		       const struct row *row)
{
	if (sink->n_states == 0)
		put_value(sink->plan.out, NULL, metric);
	for (unsigned i = 0; i < sink->n_states; i++) {
		const int label = sink->states[i].label;

		put_value(sink->plan.out, label < 0 ? NULL :
			  snapshot_get(snapshot, metric, row->scope, row->index, (unsigned)label),
			  metric);
	}
}

static void put_row(const struct sink *sink, const struct snapshot *snapshot,
		    const char *start, const struct row *row)
{
	const struct sink_plan *plan = &sink->plan;

	(void)fputs(start, plan->out);
	put_id(plan->out, row->package);
	put_id(plan->out, row->core);
	put_id(plan->out, row->cpu);
	for (unsigned m = 0; m < METRIC_N; m++) {
		const enum metric metric = (enum metric)m;
		const enum label label = metric_row(metric)->label;

		if (plan->metrics[m] && label == LABEL_IDLE_STATE)
			put_states(sink, snapshot, metric, row);
		for (unsigned i = 0; plan->metrics[m] && label != LABEL_IDLE_STATE &&
				     i < label_count(plan->host, label); i++)
			put_value(plan->out, snapshot_get(snapshot, metric, row->scope, row->index, i),
				  metric);
	}
	(void)fputc('\n', plan->out);
}

static int csv_write(struct sink *sink, const struct snapshot *snapshot)
{
	const struct sink_plan *plan = &sink->plan;
	char time[40], elapsed[40] = "", start[96];
	struct row row;

	clock_format_utc(snapshot->real_ns, time, sizeof(time));
	if (snapshot->elapsed_s > 0)
		num_format(snapshot->elapsed_s, elapsed, sizeof(elapsed));
	(void)snprintf(start, sizeof(start), "%s,%s", time, elapsed);
	for (unsigned s = 0; s < SCOPE_N; s++) {
		enum scope scope = row_scope(s);
		unsigned n = scope_items(plan->host, scope);

		for (unsigned i = 0; plan->scopes >> scope & 1 && i < n; i++)
			if (row_find(plan->host, scope, i, &row))
				put_row(sink, snapshot, start, &row);
	}
	return row_flush(plan->out);
}

static int csv_end(struct sink *sink)
{
	int err = 0;

	if (sink)
		err = row_flush(sink->plan.out);
	csv_free(sink);
	return err;
}

const struct sink_ops csv_ops = {
	.name = "csv",
	.begin = csv_begin,
	.write = csv_write,
	.machine = csv_machine,
	.end = csv_end,
};
