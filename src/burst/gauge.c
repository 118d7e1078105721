/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the time stamps of probes and segments; the meaning is made in gauge_analyze.c. */
#include "config.h"

#include "burst/gauge.h"

#include <math.h>

#include "burst/chain.h"

#define LONG_CYCLES 5100.0 /* 1.5 us at 3.4 GHz */
#define SHORT_CYCLES 1700.0

uint64_t gauge_tsc(void)
{
	uint32_t low, high, aux;

	/* rdtscp waits for all earlier instructions, lfence holds back all later ones (Intel SDM
	 * vol. 2, RDTSCP). */
	__asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high), "=c"(aux) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* One letter a sub-sample: l(ong), s(hort), a(dd). The two short blocks stand half a period of the
 * usual spread-spectrum modulation (about 31 kHz) apart and the whole takes one period, so the
 * modulation cancels; the order is the same from both ends, so a steady drift cancels too. */
static const char probe_order[] = "aaaallllssssssssllllllllssssssssllll";

struct chains {
	chain_fn *run[GAUGE_PARTS];
	unsigned passes[GAUGE_PARTS];
};

static void take(const char *order, const struct chains *chains, struct gauge_series *series,
		 struct gauge_look *look)
{
	uint64_t stamps[GAUGE_SERIES_MAX + 1];
	unsigned n = 0;

	/* Cold code and branch predictors read up to 20 % low: the first two do not count. */
	chains->run[GAUGE_ADD](chains->passes[GAUGE_SHORT]);
	chains->run[GAUGE_LONG](chains->passes[GAUGE_SHORT]);
	(void)gauge_tsc();
	stamps[0] = gauge_tsc();
	for (const char *c = order; *c; c++) {
		unsigned part = *c == 'l' ? GAUGE_LONG : *c == 's' ? GAUGE_SHORT : GAUGE_ADD;

		series->part[n] = (uint8_t)part;
		chains->run[part](chains->passes[part]);
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

static void measure(const char *order, chain_fn *chain, double latency, struct gauge_look *ret)
{
	struct gauge_series series;
	struct gauge_look stamps;
	struct chains chains = { .run = { chain, chain, chain_add } };
	double link_cycles[GAUGE_PARTS] = { latency, latency, 1 };
	double cycles[GAUGE_PARTS] = { LONG_CYCLES, SHORT_CYCLES, LONG_CYCLES };

	for (unsigned part = 0; part < GAUGE_PARTS; part++) {
		double pass_cycles = CHAIN_LINKS * link_cycles[part];

		chains.passes[part] = (unsigned)fmax(1, round(cycles[part] / pass_cycles));
		series.cycles[part] = chains.passes[part] * pass_cycles;
	}
	take(order, &chains, &series, &stamps);
	gauge_analyze(&series, latency, ret);
	ret->span_ticks = stamps.span_ticks;
	ret->tsc = stamps.tsc;
}

void gauge_chain(chain_fn *chain, double latency, struct gauge_look *ret)
{
	measure(probe_order, chain, latency, ret);
}

void gauge_probe(double imul_cycles, struct gauge_look *ret)
{
	gauge_chain(chain_imul, imul_cycles, ret);
}

void gauge_segment(double imul_cycles, unsigned pairs, struct gauge_look *ret)
{
	char order[2 * 8 + 1];
	unsigned n = 0;

	if (pairs > 8)
		pairs = 8;
	for (unsigned i = 0; i < pairs; i++) {
		order[n++] = i % 2 ? 's' : 'l';
		order[n++] = i % 2 ? 'l' : 's';
	}
	order[n] = '\0';
	measure(order, chain_imul, imul_cycles, ret);
}

double gauge_hertz(const struct gauge_look *look, double tsc_hertz)
{
	double hertz = look->cycles / look->ticks * tsc_hertz;

	return look->flags == 0 && hertz >= 100e6 && hertz <= 10e9 ? hertz : NAN;
}
