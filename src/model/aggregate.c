/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aggregation, as told by a column of the metric table. */
#include "config.h"

#include "model/aggregate.h"

#include <math.h>

static unsigned rank(enum state state)
{
	return state_row(state)->rank;
}

void gather_start(struct gathering *gathering, const struct metric_row *row, enum scope scope)
{
	*gathering = (struct gathering){
		.how = row->aggregate,
		.clock = row->unit == UNIT_HERTZ,
		.one_clock = scope == SCOPE_CORE,
		.weighted = true,
		.kind = -1,
		.least = INFINITY,
		.most = -INFINITY,
		.usable = STATE_OK,
		.absent = STATE_UNSUPPORTED,
		.unweighted = STATE_OK,
	};
}

static void add_weight(struct gathering *gathering, double v, const struct value *weight)
{
	if (!state_usable((enum state)weight->state)) {
		gathering->weighted = false;
		gathering->unweighted = (enum state)weight->state;
		return;
	}
	gathering->weighted_sum += weight->v * v;
	gathering->weight += weight->v;
}

/* What a member without value leaves behind. */
static void miss(struct gathering *gathering, enum state state)
{
	if (rank(state) < rank(gathering->absent))
		gathering->absent = state;
	if (state != STATE_OFFLINE)
		gathering->missing = true;
}

/* The whole is scalar-only as soon as one member is. */
static uint8_t see_less(uint8_t a, uint8_t b)
{
	if (a == SEES_SCALAR || b == SEES_SCALAR)
		return SEES_SCALAR;
	return a == SEES_BURST || b == SEES_BURST ? SEES_BURST : SEES_ALL;
}

void gather_add(struct gathering *gathering, const struct value *value, const struct value *weight,
		unsigned kind)
{
	if (gathering->clock && gathering->kind >= 0 && gathering->kind != (int)kind)
		gathering->mixed = true;
	gathering->kind = (int)kind;
	if (!state_usable((enum state)value->state)) {
		miss(gathering, (enum state)value->state);
		return;
	}
	if (gathering->clock && gathering->n > 0 && gathering->source != value->source)
		gathering->mixed = true;
	if (rank((enum state)value->state) > rank(gathering->usable))
		gathering->usable = (enum state)value->state;
	gathering->sees = gathering->n ? see_less(gathering->sees, value->sees) : value->sees;
	gathering->source = value->source;
	gathering->sum += value->v;
	gathering->least = fmin(gathering->least, value->v);
	gathering->most = fmax(gathering->most, value->v);
	if (gathering->how == AGGREGATE_UNION)
		gathering->bits |= (unsigned)value->v;
	gathering->n++;
	add_weight(gathering, value->v, weight);
}

static double combine(const struct gathering *gathering)
{
	switch (gathering->how) {
	case AGGREGATE_UNHALTED:
	case AGGREGATE_CYCLES:
		if (gathering->weighted && gathering->weight > 0)
			return gathering->weighted_sum / gathering->weight;
		return gathering->sum / gathering->n;
	case AGGREGATE_MEAN:
		return gathering->sum / gathering->n;
	case AGGREGATE_SUM:
		return gathering->sum;
	case AGGREGATE_MAX:
		return gathering->most;
	case AGGREGATE_MIN:
		return gathering->least;
	case AGGREGATE_UNION:
		return gathering->bits;
	default:
		return NAN;
	}
}

struct value gather_end(const struct gathering *gathering)
{
	struct value ret = { .state = STATE_UNSUPPORTED };

	if (gathering->how == AGGREGATE_NONE)
		return ret;
	if (gathering->n == 0 || (gathering->how == AGGREGATE_SUM && gathering->missing))
		ret.state = (uint8_t)gathering->absent;
	else if (gathering->mixed)
		ret.state = STATE_MIXED;
	else if ((gathering->how == AGGREGATE_UNHALTED || gathering->how == AGGREGATE_CYCLES) &&
		 !gathering->weighted && !gathering->one_clock && gathering->n > 1)
		ret.state = (uint8_t)gathering->unweighted;
	else
		ret = (struct value){ .v = combine(gathering),
				      .state = (uint8_t)gathering->usable,
				      .source = gathering->source,
				      .sees = gathering->sees };
	return ret;
}
