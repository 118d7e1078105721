/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings of one instant: one flat array, counters one after another. */
#include "config.h"

#include "model/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

#define SUSPENDED_LEAST_NS 10000000u
/* What takes a second to read has its turn each 20 s, which this outlasts: values come and go only
 * where reading is slower still. */
#define OLD_NS (30 * NS_PER_S)
#define OLD_INTERVALS 5u /* where samples are rare themselves */

struct sample *sample_new(const struct host *host)
{
	struct sample *sample = calloc(1, sizeof(*sample));

	if (!sample)
		return NULL;
	sample->host = host;
	for (unsigned c = 0; c < COUNTER_N; c++)
		sample->offset[c + 1] = sample->offset[c] + counter_items(host, (enum counter)c);
	sample->readings = calloc(sample->offset[COUNTER_N], sizeof(*sample->readings));
	if (!sample->readings) {
		free(sample);
		return NULL;
	}
	return sample;
}

void sample_free(struct sample *sample)
{
	if (!sample)
		return;
	free(sample->readings);
	free(sample);
}

void sample_clear(struct sample *sample)
{
	sample->stranger = false;
	memset(sample->read_ns, 0, sizeof(sample->read_ns));
	memset(sample->readings, 0, sample->offset[COUNTER_N] * sizeof(*sample->readings));
}

void sample_copy(struct sample *to, const struct sample *from)
{
	to->mono_ns = from->mono_ns;
	to->real_ns = from->real_ns;
	to->suspended_ns = from->suspended_ns;
	to->stranger = from->stranger;
	memcpy(to->read_ns, from->read_ns, sizeof(from->read_ns));
	memcpy(to->readings, from->readings, from->offset[COUNTER_N] * sizeof(*from->readings));
}

uint64_t sample_suspended_ns(const struct sample *prev, const struct sample *cur)
{
	const uint64_t grown = cur->suspended_ns - prev->suspended_ns;

	/* Clocks are read one after the other: a shorter difference is the time between, and one beyond
	 * half of the range a step backwards, which is that too. */
	return grown < SUSPENDED_LEAST_NS || grown >> 63 ? 0 : grown;
}

static unsigned position(const struct sample *sample, enum counter counter, unsigned index,
			 unsigned label)
{
	return sample->offset[counter] +
	       index * label_count(sample->host, counter_row(counter)->label) + label;
}

struct reading *sample_at(struct sample *sample, enum counter counter, unsigned index, unsigned label)
{
	return &sample->readings[position(sample, counter, index, label)];
}

const struct reading *sample_get(const struct sample *sample, enum counter counter, unsigned index,
				 unsigned label)
{
	return &sample->readings[position(sample, counter, index, label)];
}

uint64_t sample_read_ns(const struct sample *sample, unsigned source)
{
	uint64_t ns = source < SAMPLE_SOURCES ? sample->read_ns[source] : 0;

	return ns ? ns : sample->mono_ns;
}

static bool has_errno(enum state state)
{
	return state == STATE_DENIED || state == STATE_FAILED;
}

struct reading reading_failed(enum state state, int err, unsigned source)
{
	return (struct reading) { has_errno(state) ? (uint64_t)-err : 0, (uint8_t)state,
				  (uint8_t)source };
}

int reading_errno(const struct reading *reading)
{
	return has_errno((enum state)reading->state) ? (int)reading->raw : 0;
}

static void put(struct sample *sample, enum counter counter, unsigned index, unsigned label,
		struct reading reading)
{
	const unsigned server = sample->servers ? sample->servers[counter] : 0;

	if (server == 0 || server == reading.source)
		*sample_at(sample, counter, index, label) = reading;
}

void sample_set(struct sample *sample, enum counter counter, unsigned index, unsigned label,
		uint64_t raw, unsigned source)
{
	put(sample, counter, index, label,
	    (struct reading){ .raw = raw, .state = STATE_OK, .source = (uint8_t)source });
}

void sample_fail(struct sample *sample, enum counter counter, unsigned index, unsigned label,
		 enum state state, unsigned source)
{
	put(sample, counter, index, label,
	    (struct reading){ .state = (uint8_t)state, .source = (uint8_t)source });
}

static void drop_old(struct sample *sample, enum counter counter, unsigned source)
{
	for (unsigned i = sample->offset[counter]; i < sample->offset[counter + 1]; i++)
		if (sample->readings[i].source == source &&
		    sample->readings[i].state == STATE_STALE)
			sample->readings[i].state = STATE_SKIPPED;
}

bool sample_too_old(uint64_t read_ns, uint64_t now_ns, uint64_t interval_ns)
{
	const uint64_t intervals_ns = OLD_INTERVALS * interval_ns;

	return now_ns - read_ns > (intervals_ns > OLD_NS ? intervals_ns : OLD_NS);
}

void sample_carry_over(struct sample *sample, const struct sample *from, unsigned source)
{
	const uint64_t read_ns = sample_read_ns(from, source);
	const bool too_old =
		sample_too_old(read_ns, sample->mono_ns, sample->mono_ns - from->mono_ns);

	sample->read_ns[source] = read_ns;
	for (unsigned i = 0; i < from->offset[COUNTER_N]; i++) {
		if (from->readings[i].source != source || sample->readings[i].source)
			continue; /* another source has told it */
		sample->readings[i] = from->readings[i];
		if (sample->readings[i].state == STATE_OK)
			sample->readings[i].state = STATE_STALE;
	}
	for (unsigned c = 0; too_old && c < COUNTER_N; c++)
		if (!counter_row((enum counter)c)
			     ->rises) /* else it is what the next is counted from */
			drop_old(sample, (enum counter)c, source);
}

void sample_keep_breaks(struct sample *sample, const struct sample *lost)
{
	for (unsigned i = 0; i < lost->offset[COUNTER_N]; i++) {
		const uint8_t state = lost->readings[i].state;

		if ((state == STATE_RESET || state == STATE_WRAPPED) &&
		    sample->readings[i].state == STATE_OK)
			sample->readings[i].state = state;
	}
}
