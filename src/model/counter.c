/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of raw counters, scopes and labels. */
#include "config.h"

#include "model/counter.h"

#include <stddef.h>

#include "base/nls.h"
#include "model/host.h"

static const struct counter_row rows[COUNTER_N] = {
#define COUNTER(id, ...) [COUNTER_##id] = { __VA_ARGS__ },
#include "model/counter_rows.h"
#undef COUNTER
};

static const char *const scope_names[SCOPE_N] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_CORE] = "core",
	[SCOPE_PACKAGE] = "package",
	[SCOPE_HOST] = "host",
};

/* Labels that are the same on every machine; NULL at the end. */
static const char *const fixed_labels[LABEL_N][4] = {
	[LABEL_LICENSE] = { "0", "1", "2" },
	[LABEL_POWER_LIMIT] = { "pl1", "pl2" },
};

const char *scope_name(enum scope scope)
{
	return scope_names[scope];
}

unsigned scope_items(const struct host *host, enum scope scope)
{
	switch (scope) {
	case SCOPE_CPU:
		return host->n_cpus;
	case SCOPE_CORE:
		return host->n_cores;
	case SCOPE_PACKAGE:
		return host->n_packages;
	default:
		return 1;
	}
}

unsigned label_count(const struct host *host, enum label label)
{
	unsigned n = 0;

	if (label == LABEL_NONE)
		return 1;
	if (label == LABEL_IDLE_STATE)
		return host->n_idle_states;
	while (fixed_labels[label][n])
		n++;
	return n;
}

const char *label_name(const struct host *host, enum label label, unsigned index)
{
	if (label == LABEL_NONE || index >= label_count(host, label))
		return "";
	return label == LABEL_IDLE_STATE ? host->idle_states[index] : fixed_labels[label][index];
}

const struct counter_row *counter_row(enum counter counter)
{
	return &rows[counter];
}

unsigned counter_items(const struct host *host, enum counter counter)
{
	return scope_items(host, rows[counter].scope) * label_count(host, rows[counter].label);
}

uint64_t counter_delta(uint64_t prev, uint64_t cur, unsigned bits)
{
	return (cur - prev) & (UINT64_MAX >> (64 - bits));
}
