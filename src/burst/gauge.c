/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the time stamps of probes and segments; the meaning is made in gauge_analyze.c. */
#include "config.h"

#include "burst/gauge.h"

#include <math.h>

#include "burst/chain.h"

/* Core cycles of a sub-sample, 2 us, 40 ns and 1 us at 3.4 GHz. The short ones are there to find what a
 * time stamp costs: the shorter they are, the less that costs the long ones in precision. */
#define LONG_CYCLES 6800.0
#define SHORT_CYCLES 144.0
#define REFERENCE_CYCLES 3400.0

uint64_t gauge_tsc(void)
{
	uint32_t low, high, aux;

	/* rdtscp waits for all earlier instructions, lfence holds back all later ones (Intel SDM
	 * vol. 2, RDTSCP). */
	__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* One letter a sub-sample: l(ong), s(hort), r(eference); the first `cold` ones are taken and dropped:
 * cold code and branch predictors read up to 20 % low for a microsecond or two. The long ones stand in
 * one block of 32 us, one period of the usual spread-spectrum modulation (31 kHz), between as many
 * short ones on either side, so that a steady drift cancels. */
struct order {
	const char *parts;
	unsigned cold;
};

#define SHORTS "ssssssssssssssss"
static const struct order probe_order = { "rs" "rrrr" SHORTS "llllllllllllllll" SHORTS, 2 };
/* Index: long sub-samples less one. */
static const struct order segment_orders[] = {
	{ "sssss" "l" "ssss", 1 },	{ "sssss" "ll" "ssss", 1 },
	{ "sssss" "lll" "ssss", 1 },	{ "sssss" "llll" "ssss", 1 },
	{ "sssss" "lllll" "ssss", 1 },	{ "sssss" "llllll" "ssss", 1 },
	{ "sssss" "lllllll" "ssss", 1 }, { "sssss" "llllllll" "ssss", 1 },
};

struct chains {
	chain_fn *run[GAUGE_PARTS];
	unsigned passes[GAUGE_PARTS];
};

static void take(const struct order *order, const struct chains *chains,
		 struct gauge_series *series, struct gauge_look *look)
{
	uint64_t stamps[GAUGE_SERIES_MAX + 1];
	unsigned n = 0, cold = 0;

	for (const char *c = order->parts; *c; c++) {
		unsigned part = *c == 'l' ? GAUGE_LONG : *c == 's' ? GAUGE_SHORT : GAUGE_REFERENCE;

		chains->run[part](chains->passes[part]);
		if (cold++ < order->cold) {
			stamps[0] = gauge_tsc();
			continue;
		}
		series->part[n] = (uint8_t)part;
		stamps[++n] = gauge_tsc();
	}
	series->n = n;
	for (unsigned i = 0; i < n; i++) {
		uint64_t ticks = stamps[i + 1] - stamps[i];

		series->ticks[i] = ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
	}
	look->span_ticks = stamps[n] - stamps[0];
	look->tsc = stamps[n];
}

/* A chain and the cycles that one link of it takes. */
struct link {
	chain_fn *chain;
	double latency;
};

static void measure(const struct order *order, struct link link, struct link reference,
		    struct gauge_look *ret)
{
	const struct link links[GAUGE_PARTS] = { link, link, reference };
	const double cycles[GAUGE_PARTS] = { LONG_CYCLES, SHORT_CYCLES, REFERENCE_CYCLES };
	struct gauge_series series;
	struct gauge_look stamps;
	struct chains chains;

	for (unsigned part = 0; part < GAUGE_PARTS; part++) {
		double pass_cycles = CHAIN_LINKS * links[part].latency;

		chains.run[part] = links[part].chain;
		chains.passes[part] = (unsigned)fmax(1, round(cycles[part] / pass_cycles));
		series.cycles[part] = chains.passes[part] * pass_cycles;
	}
	take(order, &chains, &series, &stamps);
	gauge_analyze(&series, link.latency, ret);
	ret->span_ticks = stamps.span_ticks;
	ret->tsc = stamps.tsc;
}

static const struct link add = { chain_add, 1 };

void gauge_chain(chain_fn *chain, double latency, chain_fn *reference, double reference_latency,
		 struct gauge_look *ret)
{
	measure(&probe_order, (struct link){ chain, latency },
		(struct link){ reference, reference_latency }, ret);
}

void gauge_probe(double imul_cycles, struct gauge_look *ret)
{
	measure(&probe_order, (struct link){ chain_imul, imul_cycles }, add, ret);
}

void gauge_segment(double imul_cycles, unsigned longs, struct gauge_look *ret)
{
	const unsigned most = sizeof(segment_orders) / sizeof(*segment_orders);

	if (longs < 1)
		longs = 1;
	if (longs > most)
		longs = most;
	measure(&segment_orders[longs - 1], (struct link){ chain_imul, imul_cycles }, add, ret);
}

double gauge_hertz(const struct gauge_look *look, double tsc_hertz)
{
	double hertz = look->cycles / look->ticks * tsc_hertz;

	return look->flags == 0 && hertz >= 100e6 && hertz <= 10e9 ? hertz : NAN;
}
