/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Half of a hundredth at either end of the interval: what is told as a rate is off by 1 % at most.
 */
#include "config.h"

#include "source/instant.h"

#define SHARP_PART 100u
/* Reading may take a twentieth of the time (engine/pace.h). */
#define PATIENCE_PART 20u

bool instant_sharp(const struct instant *at, uint64_t elapsed_ns)
{
	return elapsed_ns == 0 || at->end_ns - at->begin_ns <= elapsed_ns / SHARP_PART;
}

bool instant_sharp_both(const struct instant *from, const struct instant *to, uint64_t elapsed_ns)
{
	const struct instant sum = {
		0, (from->end_ns - from->begin_ns + to->end_ns - to->begin_ns) / 2
	};

	return instant_sharp(&sum, elapsed_ns);
}

bool instant_again(const struct instant *at, uint64_t first_ns, uint64_t elapsed_ns)
{
	return !instant_sharp(at, elapsed_ns) && at->end_ns - first_ns < elapsed_ns / PATIENCE_PART;
}

uint64_t instant_ns(const struct instant *at)
{
	return at->begin_ns + (at->end_ns - at->begin_ns) / 2;
}
