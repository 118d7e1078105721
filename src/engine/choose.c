/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From offers to servers, origins and reasons. */
#include "config.h"

#include "engine/choose.h"

#include <string.h>

#include "base/nls.h"
#include "model/host.h"
#include "model/metric.h"

/* The first of these counters that nobody serves: COUNTER_N when all are served. */
static enum counter unserved(const struct choice *choice, const enum counter *inputs)
{
	while (*inputs != COUNTER_N && choice->server[*inputs] != SOURCE_NONE)
		inputs++;
	return *inputs;
}

/* Why nobody serves a counter, as far as a source told: true. left_out: only that the user left it out. */
static bool explain(const struct offer *offers, enum counter counter, bool left_out, struct origin *ret)
{
	for (unsigned s = 1; s < SOURCE_N; s++) {
		const struct offer *offer = &offers[s];

		if (!offer->refused[counter] || !offer->why.text[0] || (left_out && !offer->left_out))
			continue;
		ret->why = offer->because[counter] ? _(offer->because[counter]->text) :
						     offer->why.text;
		ret->err = offer->because[counter] ? offer->because[counter]->err : offer->why.err;
		return true;
	}
	return false;
}

/* The counters that a metric is made of here: those of the hardware, else of the packages alone, else what
 * serves instead. NULL: it has none. */
static const enum counter *inputs_of(const struct choice *choice, const struct metric_row *row)
{
	if (!row->inputs || unserved(choice, row->inputs) == COUNTER_N)
		return row->inputs;
	if (row->package_inputs && choice->server[row->package_inputs[0]] != SOURCE_NONE)
		return row->package_inputs;
	if (row->instead && unserved(choice, row->instead) == COUNTER_N)
		return row->instead;
	return row->inputs;
}

/* Why a metric is left alone, although it could be measured; NULL it is not. */
static const char *left_alone(const struct choice *choice, const struct wish *wish, enum metric metric,
			      const enum counter *inputs)
{
	const enum source_id clock = choice->server[inputs_of(choice, metric_row(METRIC_BUSY_HERTZ))[0]];

	if (wish->asked[metric])
		return NULL;
	for (const enum counter *in = inputs; *in != COUNTER_N; in++)
		if (counter_row(*in)->by_name)
			return N_("takes a hardware counter of its own: name it with --metrics");
	if (choice->server[inputs[0]] == SOURCE_RULER && clock != SOURCE_RULER && clock != SOURCE_NONE &&
	    !wish->ruler)
		return N_("counters tell the clock here, so that no CPU is probed: name it with --metrics");
	return NULL;
}

/* A metric comes from the source of the first counter that its formula reads; it is absent as soon
 * as one of them is served by nobody, unless those that it reads for packages or instead are. */
static void find_origin(const struct offer *offers, const struct choice *choice, const struct wish *wish,
			enum metric metric, struct origin *ret)
{
	const struct metric_row *row = metric_row(metric);
	const enum counter *inputs = inputs_of(choice, row);

	*ret = (struct origin){ .why = _(row->needs) };
	if (!inputs)
		return;
	if (unserved(choice, inputs) != COUNTER_N && inputs != row->package_inputs) {
		/* What the user left out is nearer than what the machine does not have. */
		if (!(row->instead && explain(offers, unserved(choice, row->instead), true, ret)) &&
		    !explain(offers, unserved(choice, inputs), false, ret) && row->instead)
			(void)explain(offers, unserved(choice, row->instead), false, ret);
		return;
	}
	ret->why = left_alone(choice, wish, metric, inputs);
	if (ret->why) {
		ret->why = _(ret->why);
		return;
	}
	ret->source = (int)choice->server[inputs[0]];
	ret->name = source_row((enum source_id)ret->source)->name;
	ret->note = offers[ret->source].note[inputs[0]];
}

static void use(struct choice *choice, const enum counter *counters, bool open)
{
	for (; counters && *counters != COUNTER_N; counters++) {
		choice->wanted[*counters] = true;
		if (open && choice->server[*counters] != SOURCE_NONE)
			choice->open[choice->server[*counters]] = true;
	}
}

/* Of one metric: what it is made of, and what it reads as well. With the ruler named, that of CPUs without
 * counters. */
static void use_metric(struct choice *choice, const struct wish *wish, enum metric metric)
{
	const struct metric_row *row = metric_row(metric);
	const enum counter *inputs = inputs_of(choice, row);

	if (!inputs || left_alone(choice, wish, metric, inputs))
		return;
	use(choice, inputs, true);
	use(choice, row->package_inputs, true);
	use(choice, row->beside, false);
	if (wish->ruler && row->instead && choice->server[row->instead[0]] == SOURCE_RULER)
		use(choice, row->instead, true);
}

/* Whether a CPU is idle decides if the ruler may wake it, and how much a CPU weighs in the mean of
 * its core or host: so the kernel's accounting is read whatever was asked for. */
static bool always_needed(enum counter counter)
{
	return counter == COUNTER_OS_BUSY || counter == COUNTER_OS_IDLE ||
	       counter == COUNTER_OS_STEAL;
}

void choose(const struct offer *offers, const struct wish *wish, struct choice *ret)
{
	memset(ret, 0, sizeof(*ret));
	for (unsigned c = 0; c < COUNTER_N; c++)
		for (unsigned s = 1; s < SOURCE_N && ret->server[c] == SOURCE_NONE; s++)
			if (offers[s].here[c])
				ret->server[c] = (enum source_id)s;
	for (unsigned c = 0; c < COUNTER_N; c++)
		if (always_needed((enum counter)c))
			use(ret, (const enum counter[]){ (enum counter)c, COUNTER_N }, true);
	for (unsigned m = 0; m < METRIC_N; m++) {
		find_origin(offers, ret, wish, (enum metric)m, &ret->origins[m]);
		if (wish->needed[m])
			use_metric(ret, wish, (enum metric)m);
	}
}

void choose_duties(const struct choice *choice, enum source_id source, bool *ret)
{
	for (unsigned c = 0; c < COUNTER_N; c++)
		ret[c] = choice->server[c] == source &&
			 (choice->wanted[c] || counter_row((enum counter)c)->internal);
}

void choose_asked(const struct wish *wish, bool *ret)
{
	memset(ret, 0, COUNTER_N * sizeof(*ret));
	for (unsigned m = 0; m < METRIC_N; m++) {
		const struct metric_row *row = metric_row((enum metric)m);
		const enum counter *const lists[] = { row->inputs, row->package_inputs, row->instead, row->beside };

		for (unsigned i = 0; wish->asked[m] && i < sizeof(lists) / sizeof(*lists); i++)
			for (const enum counter *in = lists[i]; in && *in != COUNTER_N; in++)
				ret[*in] = true;
	}
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
