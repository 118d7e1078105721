/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trains of bursts: what scalar code in the gaps gets, at first and after many, and when the clock
 * is back behind the last one. */
#include "config.h"

#include <math.h>

#include "base/clock.h"
#include "burst/microscope_own.h"

#define TRAIN_S 0.3
#define TRAIN_BURSTS 100u
#define REST_S 60e-3 /* before: a clock that is back is so by then */
#define BASE_S 2e-3
#define AFTER_S 50e-3
/* A look takes this many steps of two lengths, so many units of STEPS_LINKS: 13 us; in a shorter
 * gap fewer. */
#define LOOK_REPEATS 12u
#define LOOK_LEAST 3u
#define LOOK_SHORT 30u
#define LOOK_LONG 90u
#define PIECE_S 5e-6 /* how often a burst looks whether it is over */
/* The base clock before and behind a train agree, or it moved by itself; so many trains are tried.
 */
#define MOVED 0.005
#define TRAINS 4u
#define GAPS_FIRST 3u
/* Of the drop: a clock that lacks less is back. */
#define BACK 0.25
#define LEAST_DROP JUDGE_STILL /* less is none that single looks could tell */
#define NEAR 0.05
#define SIGMAS_95 1.96

struct train {
	struct microscope_driver *d;
	struct pattern pattern;
	uint32_t loops;
	double base, back_base;	     /* cycles a tick; before, and long behind */
	double ratios[TRAIN_BURSTS]; /* of the gaps */
	unsigned n_ratios, bursts;
	double after_ticks; /* to the look that showed the clock to be back; NAN none did */
};

static uint64_t ticks_of(const struct train *train, double s)
{
	return (uint64_t)(s * train->d->tsc_hertz);
}

static double mean_near(double *values, unsigned n)
{
	const double middle = judge_clean_median(values, n, NEAR);
	double sum = 0;
	unsigned kept = 0;

	for (unsigned i = 0; i < n; i++)
		if (fabs(values[i] / middle - 1) < NEAR) {
			sum += values[i];
			kept++;
		}
	return sum / kept;
}

/* Cycles a tick now; stamps before and behind each step. */
static double look(const struct train *train, unsigned repeats)
{
	const uint32_t longer = LOOK_LONG + steps_sway(1) - LOOK_SHORT - steps_sway(0);
	struct steps_group groups[LOOK_REPEATS]; /* one repeat each: all have the same sway */
	struct steps_run run = { .limit_tsc = UINT64_MAX };
	double shorts[LOOK_REPEATS], longs[LOOK_REPEATS];
	uint32_t ticks[2 * LOOK_REPEATS];

	for (unsigned i = 0; i < repeats; i++)
		groups[i] = (struct steps_group) { 1, 0, LOOK_SHORT, LOOK_LONG };
	(void)steps_run(groups, repeats, &run, ticks);
	for (size_t i = 0; i < repeats; i++) {
		shorts[i] = ticks[2 * i];
		longs[i] = ticks[2 * i + 1];
	}
	return longer * STEPS_LINKS * train->d->core.imul_cycles /
	       (mean_near(longs, repeats) - mean_near(shorts, repeats));
}

/* Median of looks until then; NAN without one. */
static double looks_until(const struct train *train, uint64_t until_tsc)
{
	const double units = LOOK_SHORT + LOOK_LONG;
	const double one_s = units * STEPS_LINKS * train->d->core.imul_cycles / train->d->hertz;
	double clocks[256];
	uint64_t now = gauge_tsc();
	unsigned n = 0;

	while (now < until_tsc && n < sizeof(clocks) / sizeof(*clocks)) {
		const double room = (double)(until_tsc - now) / train->d->tsc_hertz / one_s;
		const unsigned repeats = room < LOOK_REPEATS ? (unsigned)room : LOOK_REPEATS;
		double clock;

		if (repeats < LOOK_LEAST)
			break;
		clock = look(train, repeats);
		if (clock > 0 && isfinite(clock))
			clocks[n++] = clock;
		now = gauge_tsc();
	}
	if (now < until_tsc)
		(void)microscope_rest(train->d, until_tsc);
	return judge_median(clocks, n);
}

/* False: the end has come. */
static bool run_bursts(struct train *train)
{
	struct microscope_driver *const d = train->d;
	const double on_s = (double)train->pattern.on_ns / 1e9;
	const double period_s = (double)train->pattern.period_ns / 1e9;
	const uint64_t begin = gauge_tsc();
	double most = TRAIN_S / period_s;

	most = fmin(fmax(most, 1), TRAIN_BURSTS);
	for (train->bursts = 0; train->bursts < (unsigned)most; train->bursts++) {
		const uint64_t on = begin + ticks_of(train, train->bursts * period_s);
		const uint64_t off = on + ticks_of(train, on_s);
		double clock;

		while (gauge_tsc() < off) {
			if (atomic_load_explicit(&d->scope->stop, memory_order_relaxed) ||
			    clock_mono_ns() >= d->deadline_ns)
				return false;
			(void)steps_piece(&d->load.steps, train->loops, d->load.states[1]);
		}
		d->end_tsc = gauge_tsc();
		if (train->bursts + 1 == (unsigned)most)
			break;
		clock = looks_until(train, on + ticks_of(train, period_s));
		if (!isnan(clock))
			train->ratios[train->n_ratios++] = clock / train->base;
	}
	train->bursts++;
	microscope_publish(d, PHASE_ON);
	return true;
}

static double mean(const double *values, unsigned n)
{
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / n : NAN;
}

/* What the gaps showed; interval by how much the last ones scatter. */
static void tell_gaps(const struct train *train, struct microscope_duty *duty)
{
	const unsigned n = train->n_ratios, late = n > GAPS_FIRST * 2 ? n / 3 : n / 2;
	const double *const last = train->ratios + (n - late);
	double squares = 0;

	duty->first_ratio = mean(train->ratios, n < GAPS_FIRST ? n : GAPS_FIRST);
	duty->last_ratio = mean(last, late);
	duty->low = duty->high = NAN;
	if (late < 4)
		return;
	for (unsigned i = 0; i < late; i++)
		squares += (last[i] - duty->last_ratio) * (last[i] - duty->last_ratio);
	squares = SIGMAS_95 * sqrt(squares / (late - 1) / late);
	duty->low = duty->last_ratio - squares;
	duty->high = duty->last_ratio + squares;
}

/* The clock behind the last burst. False: the end has come. */
static bool run_after(struct train *train, double *ret_lowest)
{
	struct microscope_driver *const d = train->d;
	const uint64_t until = d->end_tsc + ticks_of(train, AFTER_S);
	double lowest = NAN;

	train->after_ticks = NAN;
	for (uint64_t now = gauge_tsc(); now < until; now = gauge_tsc()) {
		const double ratio = look(train, LOOK_REPEATS) / train->base;

		if (isnan(lowest))
			lowest = ratio;
		if (1 - ratio > fmax(BACK * (1 - lowest), LEAST_DROP))
			train->after_ticks = NAN;
		else if (isnan(train->after_ticks))
			train->after_ticks = (double)(now - d->end_tsc);
		if (atomic_load_explicit(&d->scope->stop, memory_order_relaxed))
			return false;
	}
	*ret_lowest = lowest;
	return true;
}

static void tell_after(const struct train *train, double lowest, struct microscope_duty *duty)
{
	duty->after_s = 0; /* it never was low */
	if (1 - lowest <= LEAST_DROP)
		return;
	duty->not_back = isnan(train->after_ticks);
	duty->after_s = duty->not_back ? AFTER_S : train->after_ticks / train->d->tsc_hertz;
}

/* One train. False: the end has come. */
static bool run_train(struct train *train, struct microscope_duty *duty)
{
	struct microscope_driver *const d = train->d;
	double lowest;

	train->n_ratios = 0;
	if (!microscope_rest(d, d->end_tsc + ticks_of(train, REST_S)))
		return false;
	train->base = looks_until(train, gauge_tsc() + ticks_of(train, BASE_S));
	if (!run_bursts(train) || !run_after(train, &lowest))
		return false;
	train->back_base = looks_until(train, gauge_tsc() + ticks_of(train, BASE_S));
	*duty = (struct microscope_duty) { .pattern = train->pattern, .bursts = train->bursts };
	duty->base_hertz = train->base * d->tsc_hertz;
	tell_gaps(train, duty);
	tell_after(train, lowest, duty);
	return true;
}

void microscope_duties(struct microscope_driver *d)
{
	struct microscope *const scope = d->scope;
	const double loops = (PIECE_S - d->piece.fixed_s) / d->piece.loop_s;

	for (unsigned i = 0; i < scope->plan.n_duties; i++) {
		struct train train = { .d = d,
				       .pattern = scope->plan.duties[i],
				       .loops = loops >= 1 ? (uint32_t)loops : 1 };
		struct microscope_duty duty;
		unsigned tries = 0;

		d->deadline_ns = clock_mono_ns() + 20 * NS_PER_S;
		do {
			if (!run_train(&train, &duty))
				return;
		} while (fabs(train.back_base / train.base - 1) > MOVED && ++tries < TRAINS);
		(void)pthread_mutex_lock(&scope->mutex);
		scope->facts.duties[i] = duty;
		scope->facts.n_duties = i + 1;
		(void)pthread_mutex_unlock(&scope->mutex);
	}
}
