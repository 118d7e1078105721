/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of one interval: one flat array, each metric at each of its scopes. */
#include "config.h"

#include "model/snapshot.h"

#include <stdlib.h>

#include "model/host.h"

struct snapshot *snapshot_new(const struct host *host)
{
	struct snapshot *snapshot = calloc(1, sizeof(*snapshot));

	if (!snapshot)
		return NULL;
	snapshot->host = host;
	for (unsigned m = 0; m < METRIC_N; m++)
		for (unsigned s = 0; s < SCOPE_N; s++) {
			snapshot->offset[m][s] = snapshot->n_values;
			snapshot->n_values += metric_items(host, (enum metric)m, (enum scope)s);
		}
	snapshot->values = calloc(snapshot->n_values, sizeof(*snapshot->values));
	snapshot->active = calloc(host->n_packages + 1, sizeof(*snapshot->active));
	if (!snapshot->values || !snapshot->active) {
		snapshot_free(snapshot);
		return NULL;
	}
	return snapshot;
}

void snapshot_free(struct snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->values);
	free(snapshot->active);
	free(snapshot);
}

struct value *snapshot_at(struct snapshot *snapshot, enum metric metric, enum scope scope,
			  unsigned index, unsigned label)
{
	unsigned labels = label_count(snapshot->host, metric_row(metric)->label);

	return &snapshot->values[snapshot->offset[metric][scope] + index * labels + label];
}

const struct value *snapshot_get(const struct snapshot *snapshot, enum metric metric,
				 enum scope scope, unsigned index, unsigned label)
{
	static const struct value nothing = { .state = STATE_UNSUPPORTED };
	unsigned labels = label_count(snapshot->host, metric_row(metric)->label);

	if (!metric_has_scope(metric, scope) || label >= labels)
		return &nothing;
	return &snapshot->values[snapshot->offset[metric][scope] + index * labels + label];
}
