/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of causes, and which of them an errno stands for. */
#include "config.h"

#include "model/cause.h"

#include <errno.h>

#include "base/nls.h"
#include "model/host.h"

static const struct cause_row rows[] = {
#define CAUSE(id, ...) [CAUSE_##id] = { __VA_ARGS__ },
#include "model/cause_rows.h"
#undef CAUSE
};

const struct cause_row *cause_row(enum cause cause)
{
	return &rows[cause];
}

enum cause cause_of(int err, const struct host *host)
{
	switch (err) {
	case 0:
		return CAUSE_FOUND;
	case EACCES:
	case EPERM:
		return CAUSE_REFUSED;
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return host->hypervisor[0] ? CAUSE_VIRTUAL : CAUSE_ABSENT;
	case ECANCELED: /* by an option, or by none that asks for it */
		return CAUSE_LEFT_OUT;
	case ENOTSUP:
		if (!host->live)
			return CAUSE_LEFT_OUT;
		return host->hypervisor[0] ? CAUSE_VIRTUAL : CAUSE_NOT_ON_CPU;
	default:
		return CAUSE_FAILS;
	}
}
