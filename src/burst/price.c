/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Work that was not done, as time at the speed that the code would have had. */
#include "config.h"

#include "burst/price.h"

#include <math.h>

#include "burst/judge.h"
#include "burst/timeline.h"

/* A low clock that ends this soon is gone before code behind the burst has done anything. */
#define OUTLASTS_S 10e-6

/* Time that a phase took of which the code got `ratio`; 0 when it was not seen. */
static double lost(const struct timeline_phase *phase, double ratio)
{
	return phase->seen ? phase->duration_s * (1 - ratio) : 0;
}

/* Against the plateau behind it: what a burst has lost when it begins to run as it will. */
static double entry_loss(const struct timeline_phase *phases, double low_ratio)
{
	const struct timeline_phase *throttle = &phases[TIMELINE_THROTTLE];

	return lost(throttle, throttle->ratio / low_ratio) + lost(&phases[TIMELINE_HALT_DOWN], 0);
}

/* Smallest loss that would have been seen; NAN as long as a limit is unknown. */
static double unseen(const struct timeline_phase *phases)
{
	const struct timeline_phase *throttle = &phases[TIMELINE_THROTTLE],
				    *halt = &phases[TIMELINE_HALT_DOWN];
	double sum = 0;

	if (!throttle->seen)
		sum += throttle->limit_s * throttle->limit;
	if (!halt->seen)
		sum += halt->limit_s;
	return sum;
}

/* With s the speedup at the low clock and M the share of wide code in the time of narrow code, all
 * else slowed by the drop d: M/s + (1 - M)/(1 - d) = 1 is where nothing is won. */
static double even_share(double drop, double speedup)
{
	const double slowed = 1 / (1 - drop);

	if (!(speedup > 1))
		return INFINITY;
	return drop > 0 ? (slowed - 1) / (slowed - 1 / speedup) : 0;
}

void price(const struct timeline *timeline, double wide_rate, double narrow_rate, double probe_s,
	   struct price *ret)
{
	const struct timeline_phase *phases = timeline->phases, *low = &phases[TIMELINE_LOW_CLOCK],
				    *hold = &phases[TIMELINE_HOLD];
	const double drop = low->seen ? low->ratio : 0;
	struct price price = { .entry_s = NAN,
			       .after_s = NAN,
			       .limit_s = NAN,
			       .speedup = NAN,
			       .break_even_s = NAN,
			       .break_even_ratio = NAN };

	if (wide_rate > 0 && narrow_rate > 0)
		price.speedup = wide_rate / narrow_rate;
	/* too few epochs to look for phases: nothing is known */
	if (isnan(phases[TIMELINE_HALT_DOWN].limit_s) && !phases[TIMELINE_HALT_DOWN].seen) {
		*ret = price;
		return;
	}
	price.entry_s = entry_loss(phases, 1 - drop);
	price.after_s = lost(hold, 1 - drop) + lost(&phases[TIMELINE_HALT_UP], 0);
	price.limit_s = unseen(phases);
	if (!isnan(price.speedup)) {
		const double all = price.entry_s + price.after_s;

		price.break_even_s =
			price.speedup > 1 ? all / (price.speedup - 1) : (double)INFINITY;
		price.break_even_ratio = even_share(drop, price.speedup);
	}
	price.outlasts = hold->seen && hold->duration_s > OUTLASTS_S;
	price.ruler_sees = hold->seen && hold->duration_s > probe_s;
	*ret = price;
}
