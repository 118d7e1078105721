/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a statement about the license of a core was reached; see wide.h. */
#include "config.h"

#include "model/wide.h"

#include <math.h>

/* How near the clock is to a limit that it is held at. */
#define NEAR 0.02

enum wide wide_class(bool wide_counted, double clock, const double limit[3])
{
	for (unsigned i = 1; wide_counted && i < 3; i++)
		if (limit[i] < limit[0] && fabs(clock - limit[i]) <= NEAR * limit[i])
			return WIDE_INFERRED;
	return WIDE_NONE;
}
