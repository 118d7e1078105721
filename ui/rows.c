/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the overview: folding, filter, order. */
#include "config.h"

#include "ui/rows.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/history.h"

enum row_group rows_default_group(const struct host *host)
{
	unsigned n = 0;

	for (unsigned i = 0; i < host->n_cpus; i++)
		n += host->cpus[i].wanted;
	return n <= 32 ? GROUP_CPU : n <= 128 ? GROUP_CORE : GROUP_PACKAGE;
}

void rows_free(struct rows *rows)
{
	free(rows->items);
	*rows = (struct rows){ 0 };
}

unsigned rows_cpus(const struct host *host, const struct row *row, unsigned *ret)
{
	unsigned n = 0;

	if (row->kind == ROW_CPU) {
		ret[n++] = row->index;
		return n;
	}
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];
		unsigned at = row->kind == ROW_CORE ? cpu->core : cpu->package;

		if (at == row->index && cpu->wanted)
			ret[n++] = i;
	}
	return n;
}

/* Words that a filter may ask for. */
static void cpu_words(const struct rows_query *query, unsigned index, char *buf, size_t size)
{
	const struct host *host = query->host;
	const struct host_cpu *cpu = &host->cpus[index];
	const struct mark *mark = &query->history->marks[index];
	const char *state = "", *busy = "";

	if (query->snapshot) {
		const struct value *clock =
			snapshot_get(query->snapshot, METRIC_BUSY_HERTZ, SCOPE_CPU, index, 0);
		const struct value *os_busy =
			snapshot_get(query->snapshot, METRIC_OS_BUSY_RATIO, SCOPE_CPU, index, 0);

		state = state_row(clock->state)->name;
		if (state_usable(os_busy->state))
			busy = os_busy->v < 0.05 ? "idle" : os_busy->v >= 0.5 ? "busy" : "";
	}
	snprintf(buf, size, "cpu%u core%u package%u %s %s %s%s%s%s", cpu->id, cpu->core, cpu->package,
		 cpu->kind < host->n_kinds ? host->kinds[cpu->kind].name : "", state, busy,
		 cpu->isolated ? " isolated" : "", mark->kind == MARK_BURST ? " burst" : "",
		 mark->dropped ? " dropped slow" : "");
}

/* ids: what the filter names when it is a CPU list; NULL: it is a word. */
static bool matches(const struct rows_query *query, const struct list *ids, unsigned cpu)
{
	char words[192];

	if (!query->filter || !*query->filter)
		return true;
	if (ids)
		return list_has(ids, query->host->cpus[cpu].id);
	cpu_words(query, cpu, words, sizeof(words));
	return strcasestr(words, query->filter) != NULL;
}

/* One slow CPU among many hardly moves their mean: a package is as slow as its slowest. */
static double slowest(const struct rows_query *query, unsigned index)
{
	const struct host *host = query->host;
	const struct host_package *package = &host->packages[index];
	double low = NAN;

	for (unsigned i = 0; i < package->n_cores; i++) {
		const struct host_core *core = &host->cores[package->cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++) {
			const struct value *clock = snapshot_get(query->snapshot, METRIC_BUSY_HERTZ,
								 SCOPE_CPU, core->cpus[k], 0);

			if (host->cpus[core->cpus[k]].wanted && state_usable(clock->state))
				low = fmin(low, clock->v);
		}
	}
	return low;
}

static double sort_value(const struct rows_query *query, const struct row *row)
{
	static const enum scope scopes[] = { [ROW_CPU] = SCOPE_CPU, [ROW_CORE] = SCOPE_CORE,
					     [ROW_PACKAGE] = SCOPE_PACKAGE, [ROW_STRIP] = SCOPE_PACKAGE };
	enum metric metric = query->sort == SORT_CLOCK ? METRIC_BUSY_HERTZ : METRIC_OS_BUSY_RATIO;

	if (!query->snapshot)
		return NAN;
	if (row->kind == ROW_PACKAGE && query->sort == SORT_CLOCK)
		return slowest(query, row->index);
	const struct value *value = snapshot_get(query->snapshot, metric, scopes[row->kind], row->index, 0);

	if (!state_usable(value->state))
		return NAN;
	return query->sort == SORT_CLOCK ? value->v : -value->v;
}

struct sort_item {
	double value;
	struct row row;
};

static int compare_items(const void *a, const void *b)
{
	const struct sort_item *x = a, *y = b;

	if (isnan(x->value) != isnan(y->value))
		return isnan(x->value) - isnan(y->value);
	if (x->value < y->value || x->value > y->value)
		return x->value < y->value ? -1 : 1;
	return (x->row.index > y->row.index) - (x->row.index < y->row.index);
}

static int sort_rows(const struct rows_query *query, struct rows *rows)
{
	struct sort_item *items = calloc(rows->n ? rows->n : 1, sizeof(*items));

	if (!items)
		return -ENOMEM;
	for (unsigned i = 0; i < rows->n; i++)
		items[i] = (struct sort_item){ sort_value(query, &rows->items[i]), rows->items[i] };
	qsort(items, rows->n, sizeof(*items), compare_items);
	for (unsigned i = 0; i < rows->n; i++)
		rows->items[i] = items[i].row;
	free(items);
	return 0;
}

struct fold {
	unsigned shown, matching; /* CPUs of this core or package */
};

/* A core or package is there if any of its CPUs passes the filter. */
static void add_folded(const struct rows_query *query, const struct fold *folds, unsigned n, struct rows *rows)
{
	for (unsigned i = 0; i < n; i++) {
		if (folds[i].matching)
			rows->items[rows->n++] =
				(struct row){ query->group == GROUP_PACKAGE ? ROW_PACKAGE : ROW_CORE, i, 0 };
	}
}

/* Behind each package the strips of all its CPUs; from the last on, so that nothing is overwritten. */
static void add_strips(const struct rows_query *query, const struct fold *folds, struct rows *rows)
{
	const unsigned width = query->strip_width ? query->strip_width : 1, n = rows->n;
	unsigned at = n;

	for (unsigned i = 0; i < n; i++)
		at += (folds[rows->items[i].index].shown + width - 1) / width;
	rows->n = at;
	for (unsigned i = n; i-- > 0;) {
		const struct row package = rows->items[i];
		unsigned strips = (folds[package.index].shown + width - 1) / width;

		while (strips-- > 0)
			rows->items[--at] = (struct row){ ROW_STRIP, package.index, strips * width };
		rows->items[--at] = package;
	}
}

int rows_build(const struct rows_query *query, struct rows *rows)
{
	const struct host *host = query->host;
	struct fold *folds = calloc(host->n_cpus + 1, sizeof(*folds));
	struct row *items = calloc(2 * (size_t)host->n_cpus + 1, sizeof(*items));
	struct list *ids = NULL;
	int r = 0;

	if (!folds || !items) {
		free(folds);
		free(items);
		return -ENOMEM;
	}
	rows_free(rows);
	rows->items = items;
	if (query->filter)
		(void)list_parse(query->filter, &ids);
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];
		struct fold *fold = &folds[query->group == GROUP_CORE ? cpu->core : cpu->package];
		bool match = cpu->wanted && matches(query, ids, i);

		if (query->group == GROUP_CPU && match)
			items[rows->n++] = (struct row){ ROW_CPU, i, 0 };
		fold->shown += cpu->wanted;
		fold->matching += match;
	}
	if (query->group != GROUP_CPU)
		add_folded(query, folds, query->group == GROUP_CORE ? host->n_cores : host->n_packages, rows);
	if (query->sort != SORT_NUMBER)
		r = sort_rows(query, rows);
	if (query->group == GROUP_PACKAGE)
		add_strips(query, folds, rows);
	free(folds);
	list_free(ids);
	return r;
}
