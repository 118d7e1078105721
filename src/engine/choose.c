/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From offers to servers, origins and reasons. */
#include "config.h"

#include "engine/choose.h"

#include <string.h>

#include "base/nls.h"
#include "model/metric.h"

static bool reads(enum metric metric, enum counter counter)
{
	const enum counter *input = metric_row(metric)->inputs;

	while (input && *input != COUNTER_N && *input != counter)
		input++;
	return input && *input == counter;
}

static const struct problem *refusal(const struct offer *offers, enum counter counter)
{
	for (unsigned s = 1; s < SOURCE_N; s++)
		if (offers[s].refused[counter] && offers[s].why.text[0])
			return &offers[s].why;
	return NULL;
}

/* A metric comes from the source of the first counter that its formula reads; it is absent as soon
 * as one of them is served by nobody. */
static void find_origin(const struct offer *offers, const struct choice *choice, enum metric metric,
			struct origin *ret)
{
	const struct metric_row *row = metric_row(metric);
	const enum counter *input = row->inputs;
	const struct problem *why;

	while (input && *input != COUNTER_N && choice->server[*input] != SOURCE_NONE)
		input++;
	if (input && *input == COUNTER_N) {
		ret->source = (int)choice->server[row->inputs[0]];
		ret->name = source_row((enum source_id)ret->source)->name;
		ret->note = offers[ret->source].note[row->inputs[0]];
		return;
	}
	why = input ? refusal(offers, *input) : NULL;
	ret->why = why ? why->text : _(row->needs);
	ret->err = why ? why->err : 0;
}

/* Whether a CPU is idle decides if the ruler may wake it, and how much a CPU weighs in the mean of
 * its core or host: so the kernel's accounting is read whatever was asked for. */
static bool always_needed(enum counter counter)
{
	return counter == COUNTER_OS_BUSY || counter == COUNTER_OS_IDLE ||
	       counter == COUNTER_OS_STEAL;
}

void choose(const struct offer *offers, const bool *needed, struct choice *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (unsigned c = 0; c < COUNTER_N; c++) {
		bool wanted = always_needed((enum counter)c);

		for (unsigned s = 1; s < SOURCE_N && ret->server[c] == SOURCE_NONE; s++)
			if (offers[s].here[c])
				ret->server[c] = (enum source_id)s;
		for (unsigned m = 0; m < METRIC_N && !wanted; m++)
			wanted = needed[m] && reads((enum metric)m, (enum counter)c);
		if (wanted && ret->server[c] != SOURCE_NONE)
			ret->open[ret->server[c]] = true;
	}
	for (unsigned m = 0; m < METRIC_N; m++)
		find_origin(offers, ret, (enum metric)m, &ret->origins[m]);
}

void choose_refuse(struct offer *offer, const struct problem *why)
{
	for (unsigned c = 0; c < COUNTER_N; c++) {
		offer->refused[c] |= offer->here[c];
		offer->here[c] = false;
	}
	offer->why = *why;
}
