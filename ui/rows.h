/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows the overview has, in which order: folded, filtered, sorted. Pure. */
#ifndef AVXTOP_UI_ROWS_H
#define AVXTOP_UI_ROWS_H

#include <stdbool.h>

struct history;
struct host;
struct snapshot;

enum row_kind {
	ROW_CPU,
	ROW_CORE,
	ROW_PACKAGE,
	ROW_STRIP, /* part of a package: one cell a CPU */
};

struct row {
	enum row_kind kind;
	unsigned index; /* of the CPU, core or package in the host */
	unsigned first; /* of a strip: CPUs of the package that stand in strips above */
};

struct rows {
	struct row *items;
	unsigned n;
};

enum row_group { GROUP_CPU, GROUP_CORE, GROUP_PACKAGE, GROUP_N };
enum row_sort { SORT_NUMBER, SORT_CLOCK, SORT_BUSY, SORT_N };

struct rows_query {
	const struct host *host;
	const struct snapshot *snapshot; /* NULL: none yet */
	const struct history *history;
	enum row_group group;
	enum row_sort sort;  /* a clock: slowest first; busy: busiest first; absent values last */
	const char *filter;  /* "": all; a CPU list, or a part of a word (burst, idle, offline, core3) */
	unsigned strip_width; /* cells of a strip */
};

/* Fold that suits the number of CPUs shown: CPUs up to 32, cores up to 128, packages. */
enum row_group rows_default_group(const struct host *host);
/* 0 or -ENOMEM; frees what *rows had. */
int rows_build(const struct rows_query *query, struct rows *rows);
void rows_free(struct rows *rows);

/* CPUs (indices) of a row that are shown, ascending; ret holds host->n_cpus. Returns how many. */
unsigned rows_cpus(const struct host *host, const struct row *row, unsigned *ret);

#endif
