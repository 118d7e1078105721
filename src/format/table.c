/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table for people, one block an interval as turbostat prints it: the whole host first, then a
 * row for each CPU. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/nls.h"
#include "base/num.h"
#include "base/text.h"
#include "format/row.h"
#include "model/host.h"

/* Rows until the heading comes again: a screen of the classic terminal. */
#define HEADING_EVERY 24u

#define TIME_WIDTH 8 /* 12:00:00 */

struct sink {
	struct sink_plan plan;
	bool packages;	       /* a column for them: there are several */
	int package_width, core_width, cpu_width;
	unsigned since_heading; /* rows */
	bool started, noted;   /* noted: what the clocks cannot see */
};

static const char *heading(const struct host *host, enum metric metric, unsigned label, char *buf,
			   size_t size)
{
	const struct metric_row *row = metric_row(metric);
	char raw[96];

	(void)snprintf(raw, sizeof(raw), "%s%s", label_name(host, row->label, label), row->title);
	text_escape_terminal(raw, buf, size); /* a state is named by firmware */
	return buf;
}

static int column_width(const struct host *host, enum metric metric, unsigned label)
{
	char buf[96];
	int width = text_width(heading(host, metric, label, buf, sizeof(buf)));

	return width > metric_row(metric)->width ? width : metric_row(metric)->width;
}

static int id_width(const char *title, int largest)
{
	char buf[16];
	int width = snprintf(buf, sizeof(buf), "%d", largest);

	return width > (int)strlen(title) ? width : (int)strlen(title);
}

static void fit_columns(struct sink *sink)
{
	const struct host *host = sink->plan.host;
	int package = 0, core = 0, cpu = 0;

	for (unsigned i = 0; i < host->n_packages; i++)
		if (host->packages[i].package_id > package)
			package = host->packages[i].package_id;
	for (unsigned i = 0; i < host->n_cores; i++)
		if (host->cores[i].core_id > core)
			core = host->cores[i].core_id;
	if (host->n_cpus)
		cpu = (int)host->cpus[host->n_cpus - 1].id;
	sink->packages = host_online(host, NULL).packages > 1;
	sink->package_width = id_width("Package", package);
	sink->core_width = id_width("Core", core);
	sink->cpu_width = id_width("CPU", cpu);
}

static int table_begin(const struct sink_plan *plan, struct sink **ret)
{
	struct sink *sink = calloc(1, sizeof(*sink));

	if (!sink)
		return -ENOMEM;
	sink->plan = *plan;
	if (!sink->plan.scopes)
		sink->plan.scopes = 1u << SCOPE_HOST | 1u << SCOPE_CPU;
	fit_columns(sink);
	*ret = sink;
	return 0;
}

/* A text in a cell of `width`, to the right; every column but the first has a space before it. */
static void put_cell(FILE *out, const char *text, int width)
{
	(void)fprintf(out, " %*s%s", width - text_width(text) > 0 ? width - text_width(text) : 0,
		      "", text);
}

static void put_heading(struct sink *sink)
{
	const struct sink_plan *plan = &sink->plan;
	char buf[96];

	if (plan->color)
		(void)fputs("\033[1m", plan->out);
	(void)fprintf(plan->out, "%-*s", TIME_WIDTH, "Time");
	if (sink->packages)
		put_cell(plan->out, "Package", sink->package_width);
	put_cell(plan->out, "Core", sink->core_width);
	put_cell(plan->out, "CPU", sink->cpu_width);
	for (unsigned m = 0; m < METRIC_N; m++) {
		unsigned labels = label_count(plan->host, metric_row((enum metric)m)->label);

		for (unsigned i = 0; plan->metrics[m] && i < labels; i++)
			put_cell(plan->out, heading(plan->host, (enum metric)m, i, buf, sizeof(buf)),
				 column_width(plan->host, (enum metric)m, i));
	}
	(void)fputs(plan->color ? "\033[0m\n" : "\n", plan->out);
}

/* What stands in for a number; marks that are no ASCII become '-' there. */
static const char *absent_mark(const struct sink_plan *plan, const struct value *value)
{
	const char *mark = state_row((enum state)value->state)->mark;

	if (state_usable((enum state)value->state))
		mark = state_row(STATE_FAILED)->mark;
	for (const char *p = mark; plan->ascii && *p; p++)
		if ((unsigned char)*p >= 0x80)
			return "-";
	return mark;
}

static void put_value(const struct sink_plan *plan, const struct value *value, enum metric metric,
		      int width)
{
	char buf[64];

	if (value_present(value)) {
		put_cell(plan->out,
			 metric_format(metric, value->v, buf, sizeof(buf)), width);
		return;
	}
	if (plan->color)
		(void)fputs("\033[2m", plan->out);
	put_cell(plan->out, absent_mark(plan, value), width);
	if (plan->color)
		(void)fputs("\033[0m", plan->out);
}

/* An id that the row has not is '-', as in turbostat's summary. */
static void put_id(FILE *out, int id, int width)
{
	if (id >= 0)
		(void)fprintf(out, " %*d", width, id);
	else
		(void)fprintf(out, " %*s", width, "-");
}

static bool is_wanted(const struct host *host, const struct host_core *core)
{
	for (unsigned i = 0; i < core->n_cpus; i++)
		if (host->cpus[core->cpus[i]].wanted)
			return true;
	return false;
}

static bool is_first(const struct host *host, const struct host_core *core, unsigned cpu)
{
	unsigned i = 0;

	while (i + 1 < core->n_cpus && !host->cpus[core->cpus[i]].wanted)
		i++;
	return core->cpus[i] == cpu;
}

/* What a core or package has, stands in the row of its first CPU, as turbostat puts it; NULL: that is not
 * this one. */
static const struct value *value_of(const struct snapshot *snapshot, enum metric metric, const struct row *row,
				    unsigned label)
{
	const struct host *host = snapshot->host;
	const struct host_core *core = row->scope == SCOPE_CPU ? &host->cores[host->cpus[row->index].core] : NULL;
	const struct host_package *package = core ? &host->packages[core->package] : NULL;
	unsigned i = 0;

	if (metric_has_scope(metric, row->scope))
		return snapshot_get(snapshot, metric, row->scope, row->index, label);
	if (!core || !is_first(host, core, row->index))
		return NULL;
	if (metric_has_scope(metric, SCOPE_CORE))
		return snapshot_get(snapshot, metric, SCOPE_CORE, host->cpus[row->index].core, label);
	while (i < package->n_cores && &host->cores[package->cores[i]] != core &&
	       !is_wanted(host, &host->cores[package->cores[i]]))
		i++;
	if (!metric_has_scope(metric, SCOPE_PACKAGE) || &host->cores[package->cores[i]] != core)
		return NULL;
	return snapshot_get(snapshot, metric, SCOPE_PACKAGE, core->package, label);
}

static void put_row(struct sink *sink, const struct snapshot *snapshot, const char *time,
		    const struct row *row)
{
	const struct sink_plan *plan = &sink->plan;

	(void)fprintf(plan->out, "%-*s", TIME_WIDTH, time);
	if (sink->packages)
		put_id(plan->out, row->package, sink->package_width);
	put_id(plan->out, row->core, sink->core_width);
	put_id(plan->out, row->cpu, sink->cpu_width);
	for (unsigned m = 0; m < METRIC_N; m++) {
		enum metric metric = (enum metric)m;
		unsigned labels = label_count(plan->host, metric_row(metric)->label);

		for (unsigned i = 0; plan->metrics[m] && i < labels; i++) {
			int width = column_width(plan->host, metric, i);

			const struct value *value = value_of(snapshot, metric, row, i);

			/* Not a number of this row at all: blank, not absent. */
			if (value)
				put_value(plan, value, metric, width);
			else
				put_cell(plan->out, "", width);
		}
	}
	(void)fputc('\n', plan->out);
}

/* Does any clock of this snapshot see scalar code only? */
static bool scalar_only(const struct sink_plan *plan, const struct snapshot *snapshot)
{
	for (unsigned i = 0; i < plan->host->n_cpus; i++) {
		const struct value *clock =
			snapshot_get(snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, i, 0);

		if (value_present(clock) && clock->sees == SEES_SCALAR)
			return plan->metrics[METRIC_BUSY_HERTZ];
	}
	return false;
}

/* What is looked at, who measures each clock, and why columns stay empty. */
static void put_description(const struct sink_plan *plan)
{
	const struct host *host = plan->host;
	char tsc[32];
	unsigned online = 0;

	for (unsigned i = 0; i < host->n_cpus; i++)
		online += host->cpus[i].online;
	(void)fprintf(plan->out, "%s", host->brand[0] ? host->brand : _("unknown CPU"));
	if (host->hypervisor[0])
		(void)fprintf(plan->out, " (%s)", host->hypervisor);
	(void)fprintf(plan->out, P_(", %u CPU online", ", %u CPUs online", online), online);
	if (host->tsc_hertz > 0)
		(void)fprintf(plan->out, ", TSC %s",
			      num_human_hertz(host->tsc_hertz, tsc, sizeof(tsc)));
	(void)fputc('\n', plan->out);
	for (unsigned m = 0; m < METRIC_N; m++) {
		const struct metric_row *row = metric_row((enum metric)m);
		const struct origin *origin = &plan->origins[m];

		if (!plan->metrics[m])
			continue;
		if (origin->source == 0)
			(void)fprintf(plan->out, "%s: %s\n", row->name,
				      origin->why ? origin->why : _(row->needs));
		else if (row->unit == UNIT_HERTZ)
			(void)fprintf(plan->out, _("%s: %s by %s\n"), row->name, row->title,
				      origin->name);
		if (origin->note)
			(void)fprintf(plan->out, "%s: %s\n", row->name, _(origin->note));
	}
}

static unsigned count_rows(const struct sink_plan *plan)
{
	unsigned count = 0;
	struct row row;

	for (unsigned s = 0; s < SCOPE_N; s++)
		for (unsigned i = 0; plan->scopes >> s & 1 &&
				     i < scope_items(plan->host, (enum scope)s); i++)
			count += row_find(plan->host, (enum scope)s, i, &row);
	return count;
}

static void put_start(struct sink *sink, const struct snapshot *snapshot)
{
	unsigned rows = count_rows(&sink->plan);

	if (!sink->started)
		put_description(&sink->plan);
	else if (rows > 1)
		(void)fputc('\n', sink->plan.out);
	/* Before the first clock that it is true of. */
	if (!sink->noted && scalar_only(&sink->plan, snapshot)) {
		(void)fputs(_("busy_hertz: the clock that scalar code gets; what another program's wide code does to it may be missed\n"),
			    sink->plan.out);
		sink->noted = true;
	}
	if (!sink->started)
		(void)fputc('\n', sink->plan.out);
	if (!sink->started || sink->since_heading + rows > HEADING_EVERY) {
		put_heading(sink);
		sink->since_heading = 0;
	}
	sink->since_heading += rows;
	sink->started = true;
}

static int table_write(struct sink *sink, const struct snapshot *snapshot)
{
	const struct sink_plan *plan = &sink->plan;
	time_t seconds = (time_t)(snapshot->real_ns / NS_PER_S);
	struct tm tm;
	char time[16] = "";
	struct row row;

	if (localtime_r(&seconds, &tm))
		(void)strftime(time, sizeof(time), "%H:%M:%S", &tm);
	put_start(sink, snapshot);
	for (unsigned s = 0; s < SCOPE_N; s++) {
		enum scope scope = row_scope(s);
		unsigned n = scope_items(plan->host, scope);

		for (unsigned i = 0; plan->scopes >> scope & 1 && i < n; i++)
			if (row_find(plan->host, scope, i, &row))
				put_row(sink, snapshot, time, &row);
	}
	return row_flush(plan->out);
}

/* Described anew before the next block. */
static int table_machine(struct sink *sink, const struct host *host, const struct origin *origins)
{
	sink->plan.host = host;
	sink->plan.origins = origins;
	fit_columns(sink);
	if (sink->started)
		(void)fputc('\n', sink->plan.out);
	sink->started = false;
	return 0;
}

static int table_end(struct sink *sink)
{
	int err = 0;

	if (sink)
		err = row_flush(sink->plan.out);
	free(sink);
	return err;
}

const struct sink_ops table_ops = {
	.name = "table",
	.begin = table_begin,
	.write = table_write,
	.machine = table_machine,
	.end = table_end,
};
