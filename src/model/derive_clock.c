/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of the clock, by APERF and MPERF or by the ruler, and of what the CPU did in its cycles. The
 * arithmetic is that of turbostat 6.12. */
#include "config.h"

#include "model/derive_own.h"

#include <math.h>

#include "model/host.h"
#include "model/sample.h"

/* A release of the low clock that takes longer than the start-up of a probe (about 20 us: wake-up,
 * switch and the first two sub-samples) is seen by the ruler even behind another program's code. */
#define PROBE_START_S 20e-6

/* MPERF cannot count faster than time passes; the three registers are not read in the same instant. */
#define MPERF_MOST 1.02

/* A tick of the kernel's accounting may be that of the interval before. */
#define RAN_LEAST 0.05

static const struct registers *registers_of(const struct interval *at, unsigned cpu)
{
	return &at->host->kinds[at->host->cpus[cpu].kind].registers;
}

double derive_base_hertz(const struct interval *at, unsigned cpu)
{
	const double known = at->host->kinds[at->host->cpus[cpu].kind].base_hertz;
	const struct reading *info = sample_get(at->cur, COUNTER_PLATFORM_INFO, at->host->cpus[cpu].package, 0);

	if (known > 0 || !state_usable((enum state)info->state))
		return known;
	/* MSR_PLATFORM_INFO, bits 15:8. */
	return (double)(info->raw >> 8 & 0xff) * registers_of(at, cpu)->bclk_hertz;
}

double derive_tweak(const struct interval *at, unsigned cpu)
{
	const double base = derive_base_hertz(at, cpu), tsc = at->host->tsc_hertz;

	return registers_of(at, cpu)->tweak && base > 0 && tsc > 0 ? base / tsc : 1;
}

double derive_tsc_rate(const struct interval *at, unsigned cpu)
{
	if (at->host->tsc_hertz > 0)
		return at->host->tsc_hertz;
	return registers_of(at, cpu)->tweak ? 0 : derive_base_hertz(at, cpu);
}

static struct part tsc_by(const struct interval *at, unsigned cpu, uint8_t source)
{
	struct part tsc = interval_rise(at, COUNTER_CLOCK_TSC, cpu, 0);

	if (state_usable(tsc.state) && (tsc.source != source || !(tsc.v > 0)))
		tsc.state = STATE_UNSUPPORTED;
	return tsc;
}

double derive_seconds(const struct interval *at, unsigned cpu, uint8_t source)
{
	const struct part tsc = tsc_by(at, cpu, source);
	const double rate = derive_tsc_rate(at, cpu);

	return state_usable(tsc.state) && rate > 0 ? tsc.v / rate : interval_elapsed_s(at, source);
}

/* The first CPU of a package whose time-stamp counter this source read as well; -1 none. */
static int timekeeper(const struct interval *at, unsigned package, uint8_t source)
{
	const struct host_package *row = &at->host->packages[package];

	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct host_core *core = &at->host->cores[row->cores[i]];

		for (unsigned k = 0; k < core->n_cpus; k++)
			if (state_usable(tsc_by(at, core->cpus[k], source).state))
				return (int)core->cpus[k];
	}
	return -1;
}

struct value derive_per_second(const struct interval *at, const struct part *part, unsigned cpu)
{
	struct value ret;
	double seconds;

	if (!interval_usable(part, 1, &ret))
		return ret;
	seconds = derive_seconds(at, cpu, part->source);
	if (seconds > 0)
		ret.v = part->v / seconds;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}

double derive_package_seconds(const struct interval *at, enum counter age, unsigned package, uint8_t source)
{
	const int cpu = timekeeper(at, package, source);

	if (cpu >= 0 && derive_tsc_rate(at, (unsigned)cpu) > 0)
		return derive_seconds(at, (unsigned)cpu, source);
	return age == COUNTER_N ? interval_elapsed_s(at, source)
				: derive_own_elapsed_s(at, age, package, 0, source);
}

double derive_core_ticks(const struct interval *at, unsigned core, uint8_t source)
{
	const struct host_core *row = &at->host->cores[core];
	const unsigned cpu = row->cpus[0];

	for (unsigned i = 0; i < row->n_cpus; i++) {
		const struct part tsc = tsc_by(at, row->cpus[i], source);

		if (state_usable(tsc.state))
			return tsc.v * derive_tweak(at, row->cpus[i]);
	}
	return interval_elapsed_s(at, source) * derive_tsc_rate(at, cpu) * derive_tweak(at, cpu);
}

double derive_package_ticks(const struct interval *at, unsigned package, uint8_t source)
{
	const int cpu = timekeeper(at, package, source);
	const unsigned core = cpu < 0 ? at->host->packages[package].cores[0] : at->host->cpus[cpu].core;

	return derive_core_ticks(at, core, source);
}

/* How busy the kernel says that the CPU was; NAN unknown. */
static double os_busy(const struct interval *at, unsigned cpu)
{
	const struct value busy = derive_os_busy_ratio(at, cpu, 0);

	return state_usable((enum state)busy.state) ? busy.v : NAN;
}

/* One of them without the other means nothing, and both stand still only while the CPU is halted. */
struct ticks derive_ticks(const struct interval *at, unsigned cpu)
{
	struct ticks ret = {
		.tsc = interval_rise(at, COUNTER_CLOCK_TSC, cpu, 0),
		.mperf = interval_rise(at, COUNTER_MPERF, cpu, 0),
		.aperf = interval_rise(at, COUNTER_APERF, cpu, 0),
	};
	const bool usable = state_usable(ret.mperf.state) && state_usable(ret.aperf.state);

	if (ret.mperf.state == STATE_RESET || ret.aperf.state == STATE_RESET || ret.tsc.state == STATE_RESET) {
		ret.mperf.state = ret.aperf.state = STATE_RESET;
	} else if (usable && state_usable(ret.tsc.state) &&
		   ret.mperf.v > ret.tsc.v * derive_tweak(at, cpu) * MPERF_MOST) {
		ret.mperf.state = ret.aperf.state = STATE_MOVED;
	} else if (usable && (!(ret.mperf.v > 0) || !(ret.aperf.v > 0))) {
		const bool ran = ret.mperf.v > 0 || ret.aperf.v > 0 || os_busy(at, cpu) >= RAN_LEAST;

		if (ran && !(ret.mperf.v > 0))
			ret.mperf.state = STATE_NOT_COUNTING;
		if (ran && !(ret.aperf.v > 0))
			ret.aperf.state = STATE_NOT_COUNTING;
	}
	return ret;
}

struct part derive_cycles(const struct interval *at, unsigned cpu)
{
	const struct part cycles = derive_ticks(at, cpu).aperf;

	if (cycles.state == STATE_UNSUPPORTED || cycles.state == STATE_NOT_COUNTING)
		return interval_rise(at, COUNTER_CYCLES, cpu, 0);
	return cycles;
}

struct value derive_clock(const struct part *aperf, const struct part *mperf, const struct part *tsc,
			  const struct interval *at, unsigned cpu)
{
	const struct part parts[] = { *aperf, *mperf };
	double base = derive_base_hertz(at, cpu);
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
		return ret;
	if (!(base > 0))
		base = derive_tsc_rate(at, cpu) * derive_tweak(at, cpu);
	if (!(base > 0) && state_usable(tsc->state) && interval_elapsed_s(at, tsc->source) > 0)
		base = tsc->v / interval_elapsed_s(at, tsc->source);
	if (!(mperf->v > 0))
		ret.state = STATE_HALTED;
	else if (!(base > 0))
		ret.state = STATE_NO_TICKS;
	else
		ret.v = base * aperf->v / mperf->v;
	return ret;
}

/* The ruler's clock = cycles / ticks x rate of the TSC: a look at this moment, so no difference. */
static struct value ruler_hertz(const struct interval *at, unsigned cpu)
{
	struct part parts[] = {
		interval_moment(at, COUNTER_RULER_CYCLES, cpu, 0),
		interval_moment(at, COUNTER_RULER_TICKS, cpu, 0),
	};
	struct part sees = interval_moment(at, COUNTER_RULER_SEES, cpu, 0);
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
		return ret;
	if (!(parts[1].v > 0) || !(at->host->tsc_hertz > 0)) {
		ret.state = STATE_UNCALIBRATED;
		return ret;
	}
	ret.v = parts[0].v / parts[1].v * at->host->tsc_hertz;
	if (state_usable(sees.state) && sees.v > 0)
		ret.sees = SEES_BURST;
	else
		ret.sees = at->host->release_s >= PROBE_START_S ? SEES_ALL : SEES_SCALAR;
	return ret;
}

/* Nobody serves it on this CPU, in this interval and the next: that leaves the ruler, where it runs. */
static bool no_counter(enum state state)
{
	return state == STATE_UNSUPPORTED || state == STATE_NOT_COUNTING || state == STATE_DENIED ||
	       state == STATE_FAILED;
}

struct value derive_busy_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct ticks ticks = derive_ticks(at, index);
	const struct value counted = derive_clock(&ticks.aperf, &ticks.mperf, &ticks.tsc, at, index);
	struct value ruled;

	(void)label;
	if (!no_counter((enum state)counted.state))
		return counted;
	ruled = ruler_hertz(at, index);
	return counted.state == STATE_UNSUPPORTED || ruled.state != STATE_UNSUPPORTED ? ruled : counted;
}

/* Time in which it was halted counts as 0. */
struct value derive_average_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct part aperf = derive_ticks(at, index).aperf;

	(void)label;
	return derive_per_second(at, &aperf, index);
}

/* Polling counts as C0. */
struct value derive_busy_ratio(const struct interval *at, unsigned index, unsigned label)
{
	const struct ticks ticks = derive_ticks(at, index);
	const struct part parts[] = { ticks.mperf, ticks.tsc };
	struct value ret;

	(void)label;
	if (interval_usable(parts, 2, &ret))
		interval_share(&ret, ticks.mperf.v, ticks.tsc.v * derive_tweak(at, index));
	return ret;
}

/* By the group of the clock, else by two probes of this CPU and the time between them taken beside each. */
struct value derive_tsc_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct part tsc = interval_rise(at, COUNTER_CLOCK_TSC, index, label);
	const struct part probes[] = {
		interval_rise(at, COUNTER_TSC, index, label),
		interval_rise(at, COUNTER_TSC_TIME, index, label),
	};
	struct value ret;

	if (tsc.state != STATE_UNSUPPORTED) {
		if (interval_usable(&tsc, 1, &ret))
			interval_rate(&ret, &tsc, at, 1);
		return ret;
	}
	if (!interval_usable(probes, 2, &ret))
		return ret;
	if (probes[1].v > 0)
		ret.v = probes[0].v / probes[1].v * 1e9;
	else
		ret.state = STATE_NO_TICKS;
	return ret;
}
