/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON Lines: one record of the host and of where each metric comes from, then one a sample. The
 * first is built with jansson, the samples (many numbers, no free text) are streamed. */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/problem.h"
#include "base/text.h"
#include "format/identity.h"
#include "format/row.h"
#include "model/host.h"

struct sink {
	struct sink_plan plan;
	bool comma; /* before the next member */
};

static json_t *origin_object(enum metric metric, const struct origin *origin)
{
	const struct metric_row *row = metric_row(metric);
	json_t *object = json_pack("{s:s?, s:s, s:s}", "source", origin->name, "unit",
				   unit_name(row->unit), "scope", scope_name(row->scope));

	if (object && origin->note)
		(void)json_object_set_new(object, "note", identity_text(origin->note));
	if (!object || origin->source != 0)
		return object;
	(void)json_object_set_new(object, "why",
				  identity_text(origin->why ? origin->why : row->needs));
	(void)json_object_set_new(object, "errno",
				  problem_answer(origin->err) ? json_integer(origin->err)
							      : json_null());
	return object;
}

static int put_host_record(const struct sink_plan *plan)
{
	json_t *metrics = json_object();
	json_t *record = json_pack("{s:s, s:o, s:o}", "schema", "avxtop.host/1", "host",
				   identity_object(plan->host), "metrics", metrics);
	int err = record ? 0 : -ENOMEM;

	for (unsigned m = 0; err == 0 && m < METRIC_N; m++)
		if (plan->metrics[m] &&
		    json_object_set_new(metrics, metric_row((enum metric)m)->name,
					origin_object((enum metric)m, &plan->origins[m])) < 0)
			err = -ENOMEM;
	if (err == 0) {
		/* A failed write shows at the flush. */
		(void)json_dumpf(record, plan->out, JSON_COMPACT | JSON_REAL_PRECISION(15));
		(void)fputc('\n', plan->out);
	}
	json_decref(record);
	return err;
}

static int json_begin(const struct sink_plan *plan, struct sink **ret)
{
	struct sink *sink = calloc(1, sizeof(*sink));
	int err;

	if (!sink)
		return -ENOMEM;
	sink->plan = *plan;
	if (!sink->plan.scopes)
		sink->plan.scopes = (1u << SCOPE_N) - 1;
	err = put_host_record(plan);
	if (err == 0)
		err = row_flush(plan->out);
	if (err < 0) {
		free(sink);
		return err;
	}
	*ret = sink;
	return 0;
}

static void put_char(struct sink *sink, char c)
{
	(void)fputc(c, sink->plan.out);
}

/* Opens an object or array; in front of each of its members goes what separates it. */
static void put_open(struct sink *sink, char bracket)
{
	put_char(sink, bracket);
	sink->comma = false;
}

static void put_close(struct sink *sink, char bracket)
{
	put_char(sink, bracket);
	sink->comma = true;
}

static void put_comma(struct sink *sink)
{
	if (sink->comma)
		put_char(sink, ',');
	sink->comma = true;
}

/* Free text, too: the name of an idle state is whatever its driver wrote. */
static void put_string(struct sink *sink, const char *text)
{
	char clean[128];

	text_escape_terminal(text, clean, sizeof(clean));
	put_char(sink, '"');
	for (const char *p = clean; *p; p++) {
		if (*p == '"' || *p == '\\')
			put_char(sink, '\\');
		put_char(sink, *p);
	}
	put_char(sink, '"');
}

/* A key of our own, plain ASCII. */
static void put_key(struct sink *sink, const char *key)
{
	put_comma(sink);
	put_char(sink, '"');
	(void)fputs(key, sink->plan.out);
	(void)fputs("\":", sink->plan.out);
}

/* One word, or an array of them. */
static void put_words(struct sink *sink, double v, enum metric metric)
{
	const bool set = metric_row(metric)->set;
	const char *word;
	unsigned i = 0;

	if (set)
		put_open(sink, '[');
	while ((word = metric_word(metric, v, i, &i)) != NULL) {
		if (set)
			put_comma(sink);
		put_string(sink, word);
	}
	if (set)
		put_close(sink, ']');
}

static void put_value(struct sink *sink, const struct value *value, enum metric metric)
{
	char number[40];

	if (value_present(value) && metric_row(metric)->unit == UNIT_TEXT) {
		put_words(sink, value->v, metric);
		return;
	}
	(void)fputs(value_present(value) ? num_format(value->v, number, sizeof(number)) : "null",
		    sink->plan.out);
}

static void put_id(struct sink *sink, const char *name, int id)
{
	put_key(sink, name);
	if (id >= 0)
		(void)fprintf(sink->plan.out, "%d", id);
	else
		(void)fputs("null", sink->plan.out);
}

/* A labelled metric is an object, or null where the host has none of its labels. */
static void put_metric(struct sink *sink, const struct snapshot *snapshot, enum metric metric,
		       const struct row *row)
{
	const struct metric_row *about = metric_row(metric);
	unsigned labels = label_count(snapshot->host, about->label);

	put_key(sink, about->name);
	if (about->label == LABEL_NONE) {
		put_value(sink, snapshot_get(snapshot, metric, row->scope, row->index, 0), metric);
		return;
	}
	if (labels == 0) {
		(void)fputs("null", sink->plan.out);
		return;
	}
	put_open(sink, '{');
	for (unsigned i = 0; i < labels; i++) {
		put_comma(sink);
		put_string(sink, label_name(snapshot->host, about->label, i));
		put_char(sink, ':');
		put_value(sink, snapshot_get(snapshot, metric, row->scope, row->index, i), metric);
	}
	put_close(sink, '}');
}

/* What a row has to say of a value beside its number; NULL nothing. */
typedef const char *remark_fn(const struct sink_plan *plan, const struct value *value,
			      enum metric metric);

/* Several sources may serve a metric in turn; the host record told the first. */
static const char *remark_source(const struct sink_plan *plan, const struct value *value,
				 enum metric metric)
{
	if (!value_present(value) || value->source == 0 || value->source >= plan->n_source_names ||
	    value->source == plan->origins[metric].source)
		return NULL;
	return plan->source_names[value->source];
}

static const char *remark_why(const struct sink_plan *plan, const struct value *value,
			      enum metric metric)
{
	return value_why(value, &plan->origins[metric]);
}

/* A number that is one with a reservation: an older reading, or scaled by its coverage. */
static const char *remark_state(const struct sink_plan *plan, const struct value *value,
				enum metric metric)
{
	(void)plan;
	(void)metric;
	if (!value_present(value) || value->state == STATE_OK)
		return NULL;
	return state_row((enum state)value->state)->name;
}

/* "name":{"metric":"remark",…}, or nothing at all. Of a labelled metric the first label that has
 * something to say speaks. */
static void put_remarks(struct sink *sink, const struct snapshot *snapshot, const struct row *row,
			const char *name, remark_fn *remark)
{
	bool any = false;

	for (unsigned m = 0; m < METRIC_N; m++) {
		enum metric metric = (enum metric)m;
		unsigned labels = label_count(snapshot->host, metric_row(metric)->label);
		const char *text = NULL;

		if (!sink->plan.metrics[m] || !metric_has_scope(metric, row->scope))
			continue;
		for (unsigned i = 0; i < labels && !text; i++)
			text = remark(&sink->plan,
				      snapshot_get(snapshot, metric, row->scope, row->index, i),
				      metric);
		if (!text)
			continue;
		if (!any) {
			put_key(sink, name);
			put_open(sink, '{');
		}
		any = true;
		put_key(sink, metric_row(metric)->name);
		put_string(sink, text);
	}
	if (any)
		put_close(sink, '}');
}

/* What may be more than its number: how much at most. */
static void put_high(struct sink *sink, const struct snapshot *snapshot, const struct row *row)
{
	char number[40];
	bool any = false;

	for (unsigned m = 0; m < METRIC_N; m++) {
		const struct value *value = snapshot_get(snapshot, (enum metric)m, row->scope, row->index, 0);

		if (!sink->plan.metrics[m] || !value_present(value) || !(value->more > 0))
			continue;
		if (!any) {
			put_key(sink, "high");
			put_open(sink, '{');
		}
		any = true;
		put_key(sink, metric_row((enum metric)m)->name);
		(void)fputs(num_format(value->v + (double)value->more, number, sizeof(number)), sink->plan.out);
	}
	if (any)
		put_close(sink, '}');
}

/* The clock of a probe is what scalar code gets, whatever another program's wide code does; the
 * clock of avxtop's own burst was taken inside it. */
static void put_sees(struct sink *sink, const struct snapshot *snapshot, const struct row *row)
{
	const struct value *clock =
		snapshot_get(snapshot, METRIC_BUSY_HERTZ, row->scope, row->index, 0);

	if (!sink->plan.metrics[METRIC_BUSY_HERTZ] || !value_present(clock) ||
	    clock->sees == SEES_ALL)
		return;
	put_key(sink, "sees");
	put_string(sink, clock->sees == SEES_BURST ? "burst" : "scalar");
}

static void put_row(struct sink *sink, const struct snapshot *snapshot, const struct row *row)
{
	put_open(sink, '{');
	if (row->scope == SCOPE_CPU)
		put_id(sink, "cpu", row->cpu);
	if (row->scope == SCOPE_CPU || row->scope == SCOPE_CORE) {
		put_id(sink, "core", row->core);
		put_id(sink, "die", row->die); /* core ids may repeat in each die */
	}
	if (row->scope != SCOPE_HOST)
		put_id(sink, "package", row->package);
	for (unsigned m = 0; m < METRIC_N; m++)
		if (sink->plan.metrics[m] && metric_has_scope((enum metric)m, row->scope))
			put_metric(sink, snapshot, (enum metric)m, row);
	put_sees(sink, snapshot, row);
	put_high(sink, snapshot, row);
	put_remarks(sink, snapshot, row, "source", remark_source);
	put_remarks(sink, snapshot, row, "state", remark_state);
	put_remarks(sink, snapshot, row, "why", remark_why);
	put_close(sink, '}');
}

static void put_scope(struct sink *sink, const struct snapshot *snapshot, enum scope scope)
{
	static const char *const names[SCOPE_N] = { "cpus", "cores", "packages", "host" };
	unsigned n = scope_items(snapshot->host, scope);
	struct row row;

	put_key(sink, names[scope]);
	if (scope == SCOPE_HOST) {
		(void)row_find(snapshot->host, scope, 0, &row);
		put_row(sink, snapshot, &row);
		return;
	}
	put_open(sink, '[');
	for (unsigned i = 0; i < n; i++)
		if (row_find(snapshot->host, scope, i, &row)) {
			put_comma(sink);
			put_row(sink, snapshot, &row);
		}
	put_close(sink, ']');
}

static int json_write(struct sink *sink, const struct snapshot *snapshot)
{
	char text[40];

	put_open(sink, '{');
	put_key(sink, "schema");
	put_string(sink, "avxtop.sample/1");
	put_key(sink, "time");
	put_string(sink, clock_format_utc(snapshot->real_ns, text, sizeof(text)));
	put_key(sink, "elapsed_s");
	(void)fputs(snapshot->elapsed_s > 0 ? num_format(snapshot->elapsed_s, text, sizeof(text))
					    : "null",
		    sink->plan.out);
	for (unsigned s = 0; s < SCOPE_N; s++)
		if (sink->plan.scopes >> row_scope(s) & 1)
			put_scope(sink, snapshot, row_scope(s));
	put_close(sink, '}');
	put_char(sink, '\n');
	return row_flush(sink->plan.out);
}

/* Another host record in the stream: the samples after it are of that. */
static int json_machine(struct sink *sink, const struct host *host, const struct origin *origins)
{
	int err;

	sink->plan.host = host;
	sink->plan.origins = origins;
	err = put_host_record(&sink->plan);
	return err < 0 ? err : row_flush(sink->plan.out);
}

static int json_end(struct sink *sink)
{
	int err = 0;

	if (sink)
		err = row_flush(sink->plan.out);
	free(sink);
	return err;
}

const struct sink_ops json_ops = {
	.name = "json",
	.begin = json_begin,
	.write = json_write,
	.machine = json_machine,
	.end = json_end,
};
