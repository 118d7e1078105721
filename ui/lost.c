/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the parts of the ledger, and writes them into a cell. */
#include "config.h"

#include "ui/lost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "model/host.h"
#include "model/snapshot.h"

#define LEAST_HERTZ 15e6 /* below it is what a bus clock varies by */

bool lost_served(const struct ui *ui)
{
	enum metric metric;

	for (unsigned i = 0; (metric = metric_of_joint(JOINT_LOST, i)) != METRIC_N; i++)
		if (view_served(ui, metric))
			return true;
	return false;
}

static void gather_core(const struct ui *ui, unsigned core, struct lost *ret)
{
	const struct row row = { ROW_CORE, core, 0 };
	const struct value *clock = view_value(ui, METRIC_BUSY_HERTZ, &row, 0);
	enum metric metric;

	*ret = (struct lost) { .core = core, .sum = NAN, .ratio = NAN, .state = STATE_FIRST };
	while (ret->n < LOST_PARTS && (metric = metric_of_joint(JOINT_LOST, ret->n)) != METRIC_N) {
		const struct value *value = view_value(ui, metric, &row, 0);

		ret->parts[ret->n++] = value;
		if (state_usable(value->state))
			ret->sum = (isnan(ret->sum) ? 0 : ret->sum) + value->v;
		else
			ret->state = (enum state)value->state;
	}
	if (state_usable(clock->state))
		ret->ratio = ret->sum / (ret->sum + clock->v);
}

void lost_gather(const struct ui *ui, const struct row *row, struct lost *ret)
{
	const struct host *host = ui->host;

	if (row->kind == ROW_CPU || row->kind == ROW_CORE) {
		gather_core(ui, row->kind == ROW_CPU ? host->cpus[row->index].core : row->index,
			    ret);
		return;
	}
	const struct host_package *package = &host->packages[row->index];

	*ret = (struct lost) { .sum = NAN, .ratio = NAN, .state = STATE_FIRST };
	for (unsigned i = 0; i < package->n_cores; i++) {
		struct lost lost;

		if (view_core_idle(ui, package->cores[i]))
			continue;
		gather_core(ui, package->cores[i], &lost);
		if (ret->n == 0 || (isnan(ret->sum) && !isnan(lost.sum)) || lost.sum > ret->sum)
			*ret = lost;
	}
}

/* Of those not yet taken; -1: no other costs anything. */
static int next_most(const struct lost *lost, unsigned taken)
{
	int most = -1;

	for (unsigned i = 0; i < lost->n; i++) {
		if (taken >> i & 1 || !state_usable(lost->parts[i]->state) ||
		    lost->parts[i]->v < LEAST_HERTZ)
			continue;
		if (most < 0 || lost->parts[i]->v > lost->parts[most]->v)
			most = (int)i;
	}
	return most;
}

enum metric lost_most(const struct lost *lost)
{
	int most = next_most(lost, 0);

	return most < 0 ? METRIC_N : metric_of_joint(JOINT_LOST, (unsigned)most);
}

void lost_describe(const struct lost *lost, int width, char *buf, size_t size)
{
	unsigned taken = 0;
	int at;

	buf[0] = '\0';
	while ((at = next_most(lost, taken)) >= 0) {
		size_t used = strlen(buf); /* bytes */

		taken |= 1u << at;
		snprintf(buf + used, size - used, "%s−%.0f %s", used ? " " : "",
			 lost->parts[at]->v / 1e6,
			 _(metric_row(metric_of_joint(JOINT_LOST, (unsigned)at))->part));
		if (canvas_measure(buf) <= width)
			continue;
		buf[used] = '\0';
		break;
	}
	if (!taken)
		snprintf(buf, size, "0");
}
