/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger of lost clock; see ledger.h. */
#include "config.h"

#include "model/ledger.h"

#include <math.h>

/* The mean of the limits over the cycles that were spent under each. What no event accounted for was at
 * license 0, for all that is known. */
static double license_limit(const struct ledger_in *in)
{
	double limit = in->reference;

	for (unsigned i = 1; i < 3; i++) {
		if (!(in->share[i] > 0))
			continue;
		limit -= in->share[i] * (in->reference - fmin(in->limit[i], in->reference));
	}
	return limit;
}

static bool license_known(const struct ledger_in *in)
{
	for (unsigned i = 0; i < 3; i++)
		if (isnan(in->share[i]) || isnan(in->limit[i]))
			return false;
	return true;
}

void ledger_split(const struct ledger_in *in, struct ledger *ret)
{
	double left = in->reference, rest;

	*ret = (struct ledger){ .license = NAN };
	if (!isnan(in->cap) && in->cap < left) {
		ret->cap = left - in->cap;
		left = in->cap;
	}
	if (license_known(in)) {
		ret->license = fmax(left - license_limit(in), 0);
		left -= ret->license;
	}
	rest = left - in->busy;
	if (rest > 0 && in->power)
		ret->power = rest;
	else if (rest > 0 && in->heat)
		ret->thermal = rest;
	else
		ret->other = rest;
}
