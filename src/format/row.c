/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows and values, as all sample formats see them. */
#include "config.h"

#include "format/row.h"

#include <errno.h>
#include <math.h>

#include "model/host.h"

enum scope row_scope(unsigned i)
{
	return (enum scope)(SCOPE_N - 1 - i);
}

static bool core_wanted(const struct host *host, const struct host_core *core)
{
	for (unsigned i = 0; i < core->n_cpus; i++)
		if (host->cpus[core->cpus[i]].wanted)
			return true;
	return false;
}

static bool package_wanted(const struct host *host, const struct host_package *package)
{
	for (unsigned i = 0; i < package->n_cores; i++)
		if (core_wanted(host, &host->cores[package->cores[i]]))
			return true;
	return false;
}

static void name_core(const struct host *host, const struct host_core *core, struct row *ret)
{
	ret->core = core->core_id;
	ret->die = core->die_id;
	ret->package = host->packages[core->package].package_id;
}

bool row_find(const struct host *host, enum scope scope, unsigned index, struct row *ret)
{
	*ret = (struct row){ scope, index, -1, -1, -1, -1 };
	switch (scope) {
	case SCOPE_CPU:
		ret->cpu = (int)host->cpus[index].id;
		name_core(host, &host->cores[host->cpus[index].core], ret);
		return host->cpus[index].wanted;
	case SCOPE_CORE:
		name_core(host, &host->cores[index], ret);
		return core_wanted(host, &host->cores[index]);
	case SCOPE_PACKAGE:
		ret->package = host->packages[index].package_id;
		return package_wanted(host, &host->packages[index]);
	default:
		return true;
	}
}

bool value_present(const struct value *value)
{
	return state_usable((enum state)value->state) && isfinite(value->v);
}

const char *value_why(const struct value *value, const struct origin *origin)
{
	if (value_present(value) || (origin->source == 0 && value->state == STATE_UNSUPPORTED))
		return NULL;
	if (state_usable((enum state)value->state))
		return state_row(STATE_FAILED)->name;
	return state_row((enum state)value->state)->name;
}

int row_flush(FILE *out)
{
	errno = 0;
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	return errno ? -errno : -EIO;
}
