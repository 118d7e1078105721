/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a benchmark tells its figures; see run.sh. */
#ifndef AVXTOP_TESTS_BENCH_FIGURES_H
#define AVXTOP_TESTS_BENCH_FIGURES_H

/* One line: name, figure (NAN: could not be taken, the note says why), unit, what it must be
 * (">= 99", "<= 0.3", "-"), note. */
void figure(const char *name, double value, const char *unit, const char *must,
	    const char *note, ...) __attribute__((format(printf, 5, 6)));

/* Of n values, which it sorts; NAN without any. */
double quantile(double *values, unsigned n, double q);

#endif
