/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of metrics, and lookups in it. */
#include "config.h"

#include "model/metric.h"

#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "base/num.h"
#include "model/host.h"

/* Words of the rows. */
#define CPU_TO_HOST (1u << SCOPE_CPU | 1u << SCOPE_CORE | 1u << SCOPE_PACKAGE | 1u << SCOPE_HOST)
#define CORE_AND_PACKAGE (1u << SCOPE_CORE | 1u << SCOPE_PACKAGE)
#define CORE_TO_HOST (1u << SCOPE_CORE | 1u << SCOPE_PACKAGE | 1u << SCOPE_HOST)
#define PACKAGE_AND_HOST (1u << SCOPE_PACKAGE | 1u << SCOPE_HOST)
#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define INPUTS(...) ((const enum counter[]){ __VA_ARGS__, COUNTER_N })

static const struct metric_row rows[METRIC_N] = {
#define METRIC(id, formula, ...) [METRIC_##id] = { __VA_ARGS__ },
#include "model/metric_rows.h"
#undef METRIC
};

static const char *const unit_names[UNIT_N] = {
	[UNIT_HERTZ] = "hertz",
	[UNIT_RATIO] = "ratio",
	[UNIT_RATE] = "per_second",
	[UNIT_CELSIUS] = "celsius",
	[UNIT_VOLTS] = "volts",
	[UNIT_WATTS] = "watts",
	[UNIT_COUNT] = "count",
	[UNIT_NUMBER] = "number",
	[UNIT_TEXT] = "text",
};

const char *unit_name(enum unit unit)
{
	return unit_names[unit];
}

const struct metric_row *metric_row(enum metric metric)
{
	return &rows[metric];
}

int metric_by_name(const char *name)
{
	for (int m = 0; m < METRIC_N; m++)
		if (strcmp(rows[m].name, name) == 0)
			return m;
	return -1;
}

const char *metric_name_at(unsigned index)
{
	return index < METRIC_N ? rows[index].name : NULL;
}

enum metric metric_of_joint(enum joint joint, unsigned index)
{
	int m = 0;

	while (m < METRIC_N && (rows[m].joint != joint || index-- > 0))
		m++;
	return (enum metric)m;
}

bool metric_has_scope(enum metric metric, enum scope scope)
{
	const struct metric_row *row = &rows[metric];
	unsigned scopes = row->scopes ? row->scopes : 1u << row->scope;

	return scopes >> scope & 1;
}

unsigned metric_items(const struct host *host, enum metric metric, enum scope scope)
{
	if (!metric_has_scope(metric, scope))
		return 0;
	return scope_items(host, scope) * label_count(host, rows[metric].label);
}

const char *metric_word(enum metric metric, double value, unsigned from, unsigned *ret_next)
{
	const struct metric_row *row = &rows[metric];

	for (unsigned i = from; row->words && row->words[i]; i++)
		if (row->set ? (unsigned)value >> i & 1 : (unsigned)value == i) {
			*ret_next = i + 1;
			return row->words[i];
		}
	return NULL;
}

/* "a+b"; a set that is known to be empty is "none", for an empty field is what is not known. */
static void format_words(enum metric metric, double value, char *buf, size_t size)
{
	const char *word, *plus = "";
	size_t used = 0;
	unsigned i = 0;

	(void)snprintf(buf, size, "none");
	while (used < size && (word = metric_word(metric, value, i, &i)) != NULL) {
		used += (size_t)snprintf(buf + used, size - used, "%s%s", plus, word);
		plus = "+";
	}
}

const char *metric_format(enum metric metric, double value, char *buf, size_t size)
{
	switch (rows[metric].unit) {
	case UNIT_HERTZ: /* in MHz */
		(void)snprintf(buf, size, "%.0f", value / 1e6);
		break;
	case UNIT_RATIO: /* in percent */
		(void)snprintf(buf, size, "%.2f", value * 100);
		break;
	case UNIT_RATE:
		num_human_rate(value, "", buf, size);
		break;
	case UNIT_TEXT:
		format_words(metric, value, buf, size);
		break;
	case UNIT_VOLTS:
		(void)snprintf(buf, size, "%.3f", value);
		break;
	case UNIT_WATTS:
	case UNIT_NUMBER:
		(void)snprintf(buf, size, "%.2f", value);
		break;
	default:
		(void)snprintf(buf, size, "%.0f", value);
		break;
	}
	return buf;
}
