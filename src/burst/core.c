/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of cores out of data/cores, and which row of it a measured core is. */
#include "config.h"

#include "burst/core.h"

#include <errno.h>
#include <ini.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data.h"
#include "base/nls.h"
#include "base/num.h"

#define FITS 0.12 /* cycles: most that the tabulated latencies of one core scatter */

struct core_table {
	struct core_row *rows;
	unsigned n;
};

/* ONE ROW A KEY of a section. */
static const struct {
	const char *name;
	size_t offset;
} keys[] = {
#define KEY(field) { #field, offsetof(struct core_row, field) }
	KEY(imul),   KEY(addsd),  KEY(mulsd),	 KEY(fma),	KEY(load),
	KEY(popcnt), KEY(bswap),  KEY(fma128),	 KEY(fma256),	KEY(fma512),
	KEY(int256), KEY(int512), KEY(scalar),	 KEY(sse),	KEY(amx_bf16),
	KEY(amx_int8), KEY(vnni512), KEY(fma512_alt), KEY(int512_alt), KEY(vnni512_alt),
#undef KEY
};

static double *field(struct core_row *row, size_t offset)
{
	return (double *)(void *)((char *)row + offset);
}

static struct core_row *section_row(struct core_table *table, const char *section)
{
	struct core_row *rows, *row;

	if (table->n > 0 && strcmp(table->rows[table->n - 1].name, section) == 0)
		return &table->rows[table->n - 1];
	rows = reallocarray(table->rows, table->n + 1, sizeof(*rows));
	if (!rows)
		return NULL;
	table->rows = rows;
	row = &rows[table->n++];
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		*field(row, keys[i].offset) = NAN;
	(void)snprintf(row->name, sizeof(row->name), "%s", section);
	return row;
}

/* For inih: nonzero is success. */
static int take_key(void *user, const char *section, const char *name, const char *value)
{
	struct core_row *row = section_row(user, section);
	double number;

	if (!row)
		return 0;
	if (strcmp(name, "source") == 0 || strcmp(name, "rates") == 0)
		return 1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (strcmp(name, keys[i].name) != 0)
			continue;
		if (num_parse_double(value, &number) < 0 || !(number > 0))
			return 0;
		*field(row, keys[i].offset) = number;
		return 1;
	}
	return 0;
}

int core_table_parse(const char *const *texts, unsigned n_texts, struct core_table **ret,
		     struct problem *ret_problem)
{
	struct core_table *table = calloc(1, sizeof(*table));

	if (!table)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	for (unsigned i = 0; i < n_texts; i++) {
		int line = ini_parse_string(texts[i], take_key, table);

		if (line != 0) {
			core_table_free(table);
			return problem_set(ret_problem, EINVAL, "",
					   _("bad line %d in the table of cores"), line);
		}
	}
	for (unsigned i = 0; i < table->n; i++) {
		if (isnan(table->rows[i].imul)) {
			int err = problem_set(ret_problem, EINVAL, "",
					      _("core \"%s\" has no latency of imul"),
					      table->rows[i].name);

			core_table_free(table);
			return err;
		}
	}
	*ret = table;
	return 0;
}

int core_table_load(struct core_table **ret, struct problem *ret_problem)
{
	char **texts = NULL;
	const char *name;
	unsigned n = 0;
	int r = 0;

	while (r == 0 && (name = data_name("cores/", n))) {
		char **more = reallocarray(texts, n + 1, sizeof(*texts));

		if (!more) {
			r = problem_set(ret_problem, ENOMEM, "", _("out of memory"));
			break;
		}
		texts = more;
		r = data_load(name, &texts[n], ret_problem);
		if (r == 0)
			n++;
	}
	if (r == 0)
		r = core_table_parse((const char *const *)texts, n, ret, ret_problem);
	while (n > 0)
		free(texts[--n]);
	free(texts);
	return r;
}

void core_table_free(struct core_table *table)
{
	if (!table)
		return;
	free(table->rows);
	free(table);
}

unsigned core_table_count(const struct core_table *table)
{
	return table->n;
}

const struct core_row *core_table_get(const struct core_table *table, unsigned index)
{
	return &table->rows[index];
}

/* Largest difference of the latencies that both know; INFINITY when there are fewer than three. */
static double distance(const struct core_row *row, const struct core_fingerprint *measured)
{
	const double pairs[][2] = {
		{ row->imul, measured->imul },	   { row->addsd, measured->addsd },
		{ row->mulsd, measured->mulsd },   { row->fma, measured->fma },
		{ row->load, measured->load },	   { row->popcnt, measured->popcnt },
		{ row->bswap, measured->bswap },
	};
	double farthest = 0;
	unsigned known = 0;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		double apart = fabs(pairs[i][0] - pairs[i][1]);

		if (isnan(apart))
			continue;
		known++;
		farthest = fmax(farthest, apart);
	}
	return known >= 3 ? farthest : INFINITY;
}

const struct core_row *core_recognize(const struct core_table *table,
				      const struct core_fingerprint *measured, const char *uarch,
				      bool *ret_ambiguous)
{
	const struct core_row *nearest = NULL, *named = NULL;
	double least = INFINITY;
	unsigned fitting = 0;

	for (unsigned i = 0; i < table->n; i++) {
		const struct core_row *row = &table->rows[i];
		double apart = distance(row, measured);

		if (apart > FITS)
			continue;
		fitting++;
		if (apart < least) {
			least = apart;
			nearest = row;
		}
		if (uarch && strcasecmp(uarch, row->name) == 0)
			named = row;
	}
	*ret_ambiguous = fitting > 1 && !named;
	return named ? named : nearest;
}

double core_rate(double rate, double alt, double measured)
{
	return measured <= alt * 1.03 && alt < rate ? alt : rate;
}
