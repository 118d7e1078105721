/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings and differences of two samples, each with its state. */
#include "config.h"

#include "model/interval.h"

#include <math.h>
#include <stdbool.h>

#include "model/sample.h"
#include "model/snapshot.h"

struct part interval_moment(const struct interval *at, enum counter counter, unsigned index,
			    unsigned label)
{
	const struct reading *cur = sample_get(at->cur, counter, index, label);

	return (struct part){ (double)cur->raw, (enum state)cur->state, cur->source };
}

/* The reader had no time for this source: what the sample has of it is what the one before had. */
static bool was_skipped(const struct interval *at, uint8_t source)
{
	return at->prev && source < SAMPLE_SOURCES && at->cur->read_ns[source] > 0 &&
	       at->cur->read_ns[source] == at->prev->read_ns[source];
}

static bool is_beginning(enum state state)
{
	return state_usable(state) || state == STATE_RESET || state == STATE_WRAPPED ||
	       state == STATE_CROWDED ||
	       state == STATE_LATE;
}

/* By how much a rising counter rose. No counter runs through half of its range in one interval, so
 * a difference beyond that is a step backwards: a reset, or a virtual CPU that moved. What a source
 * knows to have begun anew, to have come round or to be read late is something to count from, though
 * not up to. Over a suspend nothing is a rate: some counters slept, some did not, and all CPUs but
 * one went offline. */
struct part interval_rise(const struct interval *at, enum counter counter, unsigned index,
			  unsigned label)
{
	unsigned bits = counter_row(counter)->bits;
	struct part ret = interval_moment(at, counter, index, label);
	const struct reading *prev;
	uint64_t delta;

	/* What that reading was then, as late, is no reason of now. */
	if (is_beginning(ret.state) && was_skipped(at, ret.source)) {
		ret.state = STATE_SKIPPED;
		return ret;
	}
	if (!state_usable(ret.state))
		return ret;
	prev = at->prev ? sample_get(at->prev, counter, index, label) : NULL;
	if (!prev || !is_beginning((enum state)prev->state)) {
		ret.state = STATE_FIRST;
		return ret;
	}
	if (at->suspended) {
		ret.state = STATE_SUSPENDED;
		return ret;
	}
	delta = counter_delta(prev->raw, sample_get(at->cur, counter, index, label)->raw, bits);
	if (delta >> (bits - 1))
		ret.state = STATE_RESET;
	ret.v = (double)delta;
	return ret;
}

double interval_elapsed_s(const struct interval *at, uint8_t source)
{
	uint64_t prev, cur = sample_read_ns(at->cur, source);

	prev = at->prev ? sample_read_ns(at->prev, source) : cur;
	return cur > prev ? (double)(cur - prev) / 1e9 : 0;
}

bool interval_usable(const struct part *parts, unsigned n, struct value *ret)
{
	enum state state = parts[0].state;

	for (unsigned i = 1; i < n; i++)
		if (state_row(parts[i].state)->rank > state_row(state)->rank)
			state = parts[i].state;
	*ret = (struct value){ .state = (uint8_t)state, .source = parts[0].source };
	return state_usable(state);
}

void interval_share(struct value *ret, double part, double whole)
{
	if (whole > 0)
		ret->v = fmin(part / whole, 1);
	else
		ret->state = STATE_NO_TICKS;
}

void interval_rate(struct value *ret, const struct part *part, const struct interval *at, double unit)
{
	double seconds = interval_elapsed_s(at, part->source);

	if (seconds > 0)
		ret->v = part->v * unit / seconds;
	else
		ret->state = STATE_NO_TICKS;
}
