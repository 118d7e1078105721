/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What limits the clock: turbo limits for the cores that are active now, and what the registers say. */
#include "config.h"

#include "model/derive_limits.h"

#include <math.h>

#include "model/host.h"
#include "model/sample.h"
#include "model/turbo.h"

/* A core that wakes up for a moment only is none. */
#define WAKE_LEAST 0.05

/* The package is held at its limit (RAPL controls to within a few percent of it). */
#define AT_LIMIT 0.97

/* Of a core: the share of the interval in which it was not in C6 or deeper, at least and at most. */
static void wakefulness(const struct interval *at, unsigned core, double *ret_least, double *ret_most)
{
	const struct value c6 = derive_core_residency(at, COUNTER_CORE_C6, core);
	const struct value c7 = derive_core_residency(at, COUNTER_CORE_C7, core);
	const struct host_core *row = &at->host->cores[core];
	double asleep = 0;
	bool offline = true;

	*ret_least = 0;
	*ret_most = 1;
	if (state_usable((enum state)c6.state)) {
		asleep = c6.v + (state_usable((enum state)c7.state) ? c7.v : 0);
		*ret_least = *ret_most = fmax(1 - asleep, 0);
		return;
	}
	for (unsigned i = 0; i < row->n_cpus; i++) {
		const struct value busy = derive_busy_ratio(at, row->cpus[i], 0);

		offline &= interval_moment(at, COUNTER_OS_BUSY, row->cpus[i], 0).state == STATE_OFFLINE;
		if (state_usable((enum state)busy.state))
			*ret_least = fmax(*ret_least, busy.v);
	}
	if (offline)
		*ret_most = 0;
}

struct active derive_active(const struct interval *at, unsigned package)
{
	const struct host_package *row = &at->host->packages[package];
	double least = 0, most = 0;

	for (unsigned i = 0; i < row->n_cores; i++) {
		double low, high;

		wakefulness(at, row->cores[i], &low, &high);
		least += low;
		most += high;
	}
	return (struct active){ .least = (unsigned)fmax(floor(least + WAKE_LEAST), 1),
				.most = (unsigned)fmax(ceil(most - WAKE_LEAST), 1) };
}

/* Level 0 only: the registers tell no other. */
struct value derive_limit_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct host_core *core = &at->host->cores[index];
	const struct registers *registers =
		&at->host->kinds[at->host->cpus[core->cpus[0]].kind].registers;
	const struct part parts[] = { interval_moment(at, COUNTER_TURBO_RATIOS, core->package, 0) };
	static const enum counter counters[3] = { COUNTER_TURBO_RATIOS, COUNTER_TURBO_RATIOS_1,
						  COUNTER_TURBO_RATIOS_2 };
	const struct active *active = &at->active[core->package];
	uint64_t raw[3] = { 0 };
	struct turbo turbo;
	struct value ret;
	double fewest;

	if (!interval_usable(parts, 1, &ret))
		return ret;
	for (unsigned i = 0; i < 3; i++) {
		const struct reading *reading = sample_get(at->cur, counters[i], core->package, 0);

		if (state_usable((enum state)reading->state))
			raw[i] = reading->raw;
	}
	turbo_decode(registers->turbo, registers->bclk_hertz, raw, &turbo);
	ret.v = turbo_limit(&turbo, active->most);
	fewest = turbo_limit(&turbo, active->least);
	if (label > 0 || !(ret.v > 0) || !(fewest > 0))
		return (struct value){ .state = STATE_UNSUPPORTED, .source = ret.source };
	ret.more = (float)fmax(fewest - ret.v, 0);
	return ret;
}

/* Bits of the status half of MSR_CORE_PERF_LIMIT_REASONS (CoreFreq 5c04f2a; turbostat 6.12 for 0x690), by
 * bit, as words of limit_reasons. */
static const unsigned haswell_bits[16] = {
	[0] = REASON_PROCHOT,	[1] = REASON_THERMAL,	[4] = REASON_OTHER, [5] = REASON_OTHER,
	[6] = REASON_THERMAL,	[8] = REASON_CURRENT,	[9] = REASON_OTHER, [10] = REASON_POWER_PL1,
	[11] = REASON_POWER_PL2, [12] = REASON_TURBO_LIMIT, [13] = REASON_OTHER,
};
static const unsigned skylake_bits[16] = {
	[0] = REASON_PROCHOT,	[1] = REASON_THERMAL,	 [4] = REASON_OTHER,	   [5] = REASON_THERMAL,
	[6] = REASON_THERMAL,	[7] = REASON_CURRENT,	 [8] = REASON_CURRENT,	   [10] = REASON_POWER_PL1,
	[11] = REASON_POWER_PL2, [12] = REASON_TURBO_LIMIT, [13] = REASON_OTHER, [14] = REASON_OTHER,
};
#define HASWELL_ADDRESS 0x690

/* IA32_THERM_STATUS and IA32_PACKAGE_THERM_STATUS: status bits of this moment, which have a sticky log bit
 * each beside them (Intel SDM volume 4). */
static unsigned thermal_reasons(uint64_t status)
{
	return (status & 1 << 0 || status & 1 << 4 ? REASON_THERMAL : 0) |
	       (status & 1 << 2 ? REASON_PROCHOT : 0);
}

/* Throttled in this interval to keep the power, which is at the limit. */
static void add_power(const struct interval *at, unsigned package, struct reasons *ret)
{
	const struct part throttled = interval_rise(at, COUNTER_POWER_THROTTLE, package, 0);
	const struct part limit = interval_moment(at, COUNTER_POWER_LIMIT, package, 0);
	const struct value watts = derive_package_watts(at, package, 0);

	if (!state_usable(throttled.state) || !state_usable(limit.state) ||
	    !state_usable((enum state)watts.state))
		return;
	ret->tells_power = true;
	if (throttled.v > 0 && watts.v >= AT_LIMIT * limit.v * 1e-6)
		ret->set |= REASON_POWER_PL1;
}

/* The register of that name. While it has only read 0, its log half included, and may be one that does not
 * report, it says nothing. */
static void add_register(const struct interval *at, unsigned package, struct reasons *ret)
{
	const struct host_core *core = &at->host->cores[at->host->packages[package].cores[0]];
	const struct registers *registers = &at->host->kinds[at->host->cpus[core->cpus[0]].kind].registers;
	const unsigned *bits = registers->limit_reasons == HASWELL_ADDRESS ? haswell_bits : skylake_bits;
	const struct reading *reading = sample_get(at->cur, COUNTER_LIMIT_REASONS, package, 0);

	ret->source = reading->source;
	ret->state = (enum state)reading->state;
	if (!state_usable(ret->state))
		return;
	if (reading->raw == 0 && registers->limit_reasons_doubtful) {
		ret->state = STATE_NOT_REPORTED;
		return;
	}
	ret->tells_power = ret->tells_heat = true;
	for (unsigned i = 0; i < 16; i++)
		if (reading->raw >> i & 1)
			ret->set |= bits[i] ? bits[i] : REASON_OTHER;
}

static void add_heat(const struct interval *at, unsigned package, struct reasons *ret)
{
	const struct reading *status = sample_get(at->cur, COUNTER_PACKAGE_THERMAL_STATUS, package, 0);
	const struct host_package *row = &at->host->packages[package];

	if (state_usable((enum state)status->state)) {
		ret->set |= thermal_reasons(status->raw);
		ret->tells_heat = true;
		if (ret->state == STATE_UNSUPPORTED) {
			ret->state = STATE_NOT_REPORTED;
			ret->source = status->source;
		}
	}
	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct reading *core = sample_get(at->cur, COUNTER_CORE_THERMAL_STATUS, row->cores[i], 0);

		if (state_usable((enum state)core->state))
			ret->set |= thermal_reasons(core->raw);
	}
}

struct reasons derive_reasons(const struct interval *at, unsigned package)
{
	struct reasons ret = { 0 };

	add_register(at, package, &ret);
	add_heat(at, package, &ret);
	add_power(at, package, &ret);
	return ret;
}

/* What is known to limit is told, whoever else is silent; that nothing does, only by a register that would
 * say all of it. */
struct value derive_limit_reasons(const struct interval *at, unsigned index, unsigned label)
{
	const struct reasons reasons = derive_reasons(at, index);

	(void)label;
	return (struct value){ .v = reasons.set,
			       .state = (uint8_t)(reasons.set ? STATE_OK : reasons.state),
			       .source = reasons.source };
}
