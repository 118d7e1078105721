/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The explicit list of sources: no constructors, they would vanish from a static library. */
#include "config.h"

#include "source/source.h"

#include <errno.h>
#include <string.h>

#include "base/nls.h"

static const struct source_row rows[SOURCE_N] = {
	[SOURCE_NONE] = { .name = "none", .help = "" },
#define SOURCE(id, ops_, ...) [SOURCE_##id] = { .ops = &ops_, __VA_ARGS__ },
#include "source/source_rows.h"
#undef SOURCE
};

const struct reason reason_left_out = { ENOTSUP, N_("it is left out"), "" };

static void explain(const struct reason *reason, struct problem *ret)
{
	(void)problem_set(ret, reason->err, reason->remedy[0] ? _(reason->remedy) : "", "%s",
			  _(reason->text));
}

void offer_why(const struct offer *offer, enum counter counter, struct problem *ret)
{
	*ret = offer->why;
	if (offer->because[counter])
		explain(offer->because[counter], ret);
}

void offer_counter(struct offer *offer, enum counter counter, const struct reason *reason)
{
	offer->here[counter] = !reason;
	offer->refused[counter] = reason != NULL;
	offer->because[counter] = reason;
	if (reason && !offer->why.text[0])
		explain(reason, &offer->why);
}

const struct source_row *source_row(enum source_id id)
{
	return &rows[id];
}

const char *source_name_at(unsigned index)
{
	return index + 1 < SOURCE_N ? rows[index + 1].name : NULL;
}

int source_by_name(const char *name)
{
	for (int s = SOURCE_NONE + 1; s < SOURCE_N; s++)
		if (strcmp(rows[s].name, name) == 0)
			return s;
	return -1;
}
