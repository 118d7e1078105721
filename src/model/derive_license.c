/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of the turbo licenses, by the events that some Intel CPUs have for them. */
#include "config.h"

#include "model/derive_own.h"

#include <math.h>

#include "model/host.h"

/* The events belong to the core, and what each of its threads counts differs by model: all of the core's
 * cycles, those in which the thread ran, or its own. The sums over the threads of both events and cycles
 * have whatever counts double in both: where the events sum to more, a halted thread went on counting, and
 * then nothing is missing. */
struct licenses derive_licenses(const struct interval *at, unsigned core)
{
	static const enum counter events[3] = { COUNTER_LICENSE0, COUNTER_LICENSE1, COUNTER_LICENSE2 };
	struct part parts[4];
	struct licenses ret = { 0 };
	struct value value;
	double sum = 0;

	for (unsigned i = 0; i < 3; i++) {
		parts[i] = derive_core_rise(at, events[i], core);
		sum += parts[i].v;
	}
	parts[3] = derive_core_cycles(at, core);
	(void)interval_usable(parts, 4, &value);
	ret.state = ret.unknown_state = (enum state)value.state;
	ret.source = value.source;
	if (!state_usable(ret.state))
		return ret;
	ret.counted = fmax(sum, parts[3].v);
	if (!(ret.counted > 0)) {
		ret.state = ret.unknown_state = STATE_HALTED;
		return ret;
	}
	for (unsigned i = 0; i < 3; i++)
		ret.share[i] = parts[i].v / ret.counted;
	ret.unknown = 1 - sum / ret.counted;
	if (!(sum > 0))
		ret.state = STATE_NOT_COUNTING;
	return ret;
}

static struct value share(const struct interval *at, unsigned core, unsigned level)
{
	const struct licenses licenses = derive_licenses(at, core);

	return (struct value){ .v = licenses.share[level],
			       .state = (uint8_t)licenses.state,
			       .source = licenses.source };
}

struct value derive_license0_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return share(at, index, 0);
}

struct value derive_license1_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return share(at, index, 1);
}

struct value derive_license2_ratio(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return share(at, index, 2);
}

struct value derive_license_unknown_ratio(const struct interval *at, unsigned index, unsigned label)
{
	const struct licenses licenses = derive_licenses(at, index);

	(void)label;
	return (struct value){ .v = licenses.unknown,
			       .state = (uint8_t)licenses.unknown_state,
			       .source = licenses.source };
}

/* Counted as the other events are, and so a share of what they sum to. */
struct value derive_license_throttle_ratio(const struct interval *at, unsigned index, unsigned label)
{
	const struct licenses licenses = derive_licenses(at, index);
	const struct part parts[] = {
		derive_core_rise(at, COUNTER_LICENSE_THROTTLE, index),
		{ licenses.counted, licenses.unknown_state, licenses.source },
	};
	struct value ret;

	(void)label;
	if (interval_usable(parts, 2, &ret))
		interval_share(&ret, parts[0].v, parts[1].v);
	return ret;
}
