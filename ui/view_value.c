/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which value of the snapshot stands for a row, and which metrics have columns. */
#include "config.h"

#include "format/sink.h"
#include "model/host.h"
#include "model/snapshot.h"
#include "ui/view.h"

static const enum scope row_scopes[] = { [ROW_CPU] = SCOPE_CPU,
					 [ROW_CORE] = SCOPE_CORE,
					 [ROW_PACKAGE] = SCOPE_PACKAGE,
					 [ROW_STRIP] = SCOPE_PACKAGE };

bool view_served(const struct ui *ui, enum metric metric)
{
	return ui->origins && metric < METRIC_N && ui->origins[metric].name;
}

/* The row itself, or what it is a part of, at this scope; false: only parts of it are. */
static bool index_at(const struct ui *ui, const struct row *row, enum scope scope, unsigned *ret)
{
	const struct host *host = ui->host;
	const enum scope own = row_scopes[row->kind];

	if (own > scope)
		return false;
	*ret = scope == SCOPE_HOST ? 0 : row->index;
	if (own == SCOPE_CPU && scope == SCOPE_CORE)
		*ret = host->cpus[row->index].core;
	else if (own == SCOPE_CPU && scope == SCOPE_PACKAGE)
		*ret = host->cpus[row->index].package;
	else if (own == SCOPE_CORE && scope == SCOPE_PACKAGE)
		*ret = host->cores[row->index].package;
	return true;
}

bool view_place(const struct ui *ui, enum metric metric, const struct row *row,
		enum scope *ret_scope, unsigned *ret_index)
{
	for (int scope = SCOPE_CPU; scope < SCOPE_N; scope++) {
		if (!metric_has_scope(metric, (enum scope)scope) ||
		    !index_at(ui, row, (enum scope)scope, ret_index))
			continue;
		*ret_scope = (enum scope)scope;
		return true;
	}
	return false;
}

const struct value *view_value(const struct ui *ui, enum metric metric, const struct row *row,
			       unsigned label)
{
	static const struct value first = { .state = STATE_FIRST },
				  none = { .state = STATE_UNSUPPORTED };
	enum scope scope;
	unsigned index;

	if (!ui->snapshot)
		return &first;
	if (metric >= METRIC_N || !view_place(ui, metric, row, &scope, &index))
		return &none;
	return snapshot_get(ui->snapshot, metric, scope, index, label);
}

bool view_core_idle(const struct ui *ui, unsigned core)
{
	const struct host_core *row = &ui->host->cores[core];

	for (unsigned i = 0; i < row->n_cpus; i++) {
		const struct value *busy = view_value(
			ui, METRIC_OS_BUSY_RATIO, &(struct row) { ROW_CPU, row->cpus[i], 0 }, 0);

		if (!state_usable(busy->state) || busy->v >= VIEW_IDLE_BUSY)
			return false;
	}
	return true;
}

/* Has the metric a column on this machine, and among the columns that are shown? */
static bool has_column(const struct ui *ui, enum metric metric)
{
	const struct metric_row *row = metric_row(metric);

	if (!row->column)
		return false;
	/* What the kernel calls the clock stands only where nothing measures it. */
	if (metric == METRIC_OS_HERTZ)
		return view_served(ui, metric) && !view_served(ui, METRIC_BUSY_HERTZ);
	/* Whether a hypervisor takes time is a question even where it is not answered. */
	if (row->taken)
		return ui->host->hypervisor[0] != '\0' && !ui->vectors;
	if (row->vector)
		return ui->vectors;
	return view_served(ui, metric);
}

unsigned view_metrics(const struct ui *ui, enum metric ret[LAYOUT_MAX_METRICS])
{
	static const struct row rows[GROUP_N] = { [GROUP_CPU] = { .kind = ROW_CPU },
						  [GROUP_CORE] = { .kind = ROW_CORE },
						  [GROUP_PACKAGE] = { .kind = ROW_PACKAGE } };
	enum scope scope;
	unsigned n = 0, index;

	/* Those that were asked for stand before all others. */
	for (int vector = 1; vector >= 0; vector--) {
		for (int m = 0; m < METRIC_N && n < LAYOUT_MAX_METRICS; m++) {
			if (metric_row((enum metric)m)->vector == vector &&
			    has_column(ui, (enum metric)m) &&
			    view_place(ui, (enum metric)m, &rows[ui->group], &scope, &index) &&
			    scope <= (ui->group == GROUP_PACKAGE ? SCOPE_PACKAGE : SCOPE_CORE))
				ret[n++] = (enum metric)m;
		}
	}
	return n;
}
