/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From offers to servers, origins and reasons. */
#include "config.h"

#include "engine/choose.h"

#include <string.h>

#include "base/nls.h"
#include "model/host.h"
#include "model/metric.h"

static bool has(const enum counter *inputs, enum counter counter)
{
	while (inputs && *inputs != COUNTER_N && *inputs != counter)
		inputs++;
	return inputs && *inputs == counter;
}

static bool reads(enum metric metric, enum counter counter)
{
	const struct metric_row *row = metric_row(metric);

	return has(row->inputs, counter) || has(row->package_inputs, counter);
}

/* The first of these counters that nobody serves: COUNTER_N when all are served. */
static enum counter unserved(const struct choice *choice, const enum counter *inputs)
{
	while (*inputs != COUNTER_N && choice->server[*inputs] != SOURCE_NONE)
		inputs++;
	return *inputs;
}

/* Why nobody serves a counter, as far as a source told. */
static void explain(const struct offer *offers, enum counter counter, struct origin *ret)
{
	for (unsigned s = 1; s < SOURCE_N; s++) {
		const struct offer *offer = &offers[s];

		if (!offer->refused[counter] || !offer->why.text[0])
			continue;
		ret->why = offer->because[counter] ? _(offer->because[counter]->text) :
						     offer->why.text;
		ret->err = offer->because[counter] ? offer->because[counter]->err : offer->why.err;
		return;
	}
}

/* A metric comes from the source of the first counter that its formula reads; it is absent as soon
 * as one of them is served by nobody, unless those that it reads for packages are. */
static void find_origin(const struct offer *offers, const struct choice *choice, enum metric metric,
			struct origin *ret)
{
	const struct metric_row *row = metric_row(metric);
	const enum counter *inputs = row->inputs;

	if (inputs && unserved(choice, inputs) != COUNTER_N && row->package_inputs &&
	    choice->server[row->package_inputs[0]] != SOURCE_NONE)
		inputs = row->package_inputs;
	if (inputs && unserved(choice, inputs) == COUNTER_N) {
		ret->source = (int)choice->server[inputs[0]];
		ret->name = source_row((enum source_id)ret->source)->name;
		ret->note = offers[ret->source].note[inputs[0]];
		return;
	}
	ret->why = _(row->needs);
	ret->err = 0;
	if (inputs)
		explain(offers, unserved(choice, inputs), ret);
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
		ret->wanted[c] = wanted;
		if (wanted && ret->server[c] != SOURCE_NONE)
			ret->open[ret->server[c]] = true;
	}
	for (unsigned m = 0; m < METRIC_N; m++)
		find_origin(offers, ret, (enum metric)m, &ret->origins[m]);
}

void choose_explain(const struct host *host, struct choice *ret)
{
	if (!host_lacks_license_events(host))
		return;
	for (unsigned m = 0; m < METRIC_N; m++)
		if (metric_row((enum metric)m)->license_event && !ret->origins[m].name)
			ret->origins[m] = (struct origin){ .why = _("this CPU has no license event") };
}

void choose_refuse(struct offer *offer, const struct problem *why)
{
	for (unsigned c = 0; c < COUNTER_N; c++) {
		offer->refused[c] |= offer->here[c];
		offer->here[c] = false;
		offer->because[c] = NULL;
	}
	offer->why = *why;
}
