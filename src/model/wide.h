/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a statement about the license of a core was reached. Pure. */
#ifndef AVXTOP_MODEL_WIDE_H
#define AVXTOP_MODEL_WIDE_H

#include <stdbool.h>

/* The words of wide_class, in the order of its row. */
enum wide { WIDE_NONE, WIDE_INFERRED, WIDE_MEASURED };

/* Without license events: wide code was counted, and the clock is that of a license that costs some.
 * clock, limit[license]: hertz, NAN unknown. */
enum wide wide_class(bool wide_counted, double clock, const double limit[3]);

#endif
