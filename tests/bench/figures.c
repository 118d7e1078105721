/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines for run.sh, and what they are made of. */
#include "config.h"

#include "figures.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void figure(const char *name, double value, const char *unit, const char *must,
	    const char *note, ...)
{
	va_list ap;

	if (isnan(value))
		printf("%s\t-\t%s\t%s\t", name, unit, must);
	else
		printf("%s\t%.4g\t%s\t%s\t", name, value, unit, must);
	va_start(ap, note);
	vprintf(note, ap);
	va_end(ap);
	putchar('\n');
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double quantile(double *values, unsigned n, double q)
{
	if (n == 0)
		return NAN;
	qsort(values, n, sizeof(*values), compare);
	return values[(unsigned)(q * (n - 1))];
}
