/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formulas of the ledger of lost clock, and of what is said of wide code: both know limits by license,
 * where a source tells them. */
#include "config.h"

#include <math.h>

#include "model/derive_limits.h"
#include "model/host.h"
#include "model/ledger.h"
#include "model/wide.h"

static double known(const struct value *value)
{
	return state_usable((enum state)value->state) ? value->v : NAN;
}

/* Of all CPUs of the core that were read, the lowest; with turbo switched off, the base clock. */
static double cap_of(const struct interval *at, unsigned core)
{
	const struct host_core *row = &at->host->cores[core];
	const struct part off = interval_moment(at, COUNTER_TURBO_OFF, row->package, 0);
	const double base = derive_base_hertz(at, row->cpus[0]);
	double cap = NAN;

	for (unsigned i = 0; i < row->n_cpus; i++) {
		const struct value value = derive_cap_hertz(at, row->cpus[i], 0);

		cap = fmin(cap, known(&value)); /* of a number and NAN: the number */
	}
	return state_usable(off.state) && off.v > 0 && base > 0 ? fmin(cap, base) : cap;
}

struct step {
	struct ledger low, high; /* as many cores active as may be, as few */
	struct reasons reasons;
	struct value value; /* its state and source; none of its own */
};

static struct step ledger_of(const struct interval *at, unsigned core)
{
	const struct value limit = derive_limit_hertz(at, core, 0);
	const struct value clock = derive_core_clock(at, core);
	const struct licenses licenses = derive_licenses(at, core);
	const struct part parts[] = {
		{ limit.v, (enum state)limit.state, limit.source },
		{ clock.v, (enum state)clock.state, clock.source },
	};
	struct ledger_in in = { .cap = cap_of(at, core), .busy = clock.v, .reference = limit.v };
	struct step ret = { .reasons = derive_reasons(at, at->host->cores[core].package) };

	if (!interval_usable(parts, 2, &ret.value))
		return ret;
	ret.value.source = clock.source;
	for (unsigned i = 0; i < 3; i++) {
		const struct value by_license = derive_limit_hertz(at, core, i);

		in.limit[i] = known(&by_license);
		in.share[i] = state_usable(licenses.state) ? licenses.share[i] : NAN;
	}
	in.power = ret.reasons.set & (REASON_POWER_PL1 | REASON_POWER_PL2);
	in.heat = ret.reasons.set & (REASON_THERMAL | REASON_PROCHOT);
	ledger_split(&in, &ret.low);
	in.reference += limit.more;
	ledger_split(&in, &ret.high);
	return ret;
}

static struct value lost(const struct step *step, double low, double high, bool told)
{
	struct value ret = step->value;

	if (!state_usable((enum state)ret.state))
		return ret;
	if (isnan(low))
		ret.state = STATE_UNSUPPORTED;
	else if (!told)
		ret.state = STATE_NOT_REPORTED;
	ret.v = low;
	ret.more = (float)fmax(high - low, 0);
	return ret;
}

struct value derive_lost_license_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct step step = ledger_of(at, index);

	(void)label;
	return lost(&step, step.low.license, step.high.license, true);
}

struct value derive_lost_cap_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct step step = ledger_of(at, index);

	(void)label;
	return lost(&step, isnan(cap_of(at, index)) ? NAN : step.low.cap, step.high.cap, true);
}

struct value derive_lost_power_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct step step = ledger_of(at, index);

	(void)label;
	return lost(&step, step.low.power, step.high.power, step.reasons.tells_power || step.low.power > 0);
}

struct value derive_lost_thermal_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct step step = ledger_of(at, index);

	(void)label;
	return lost(&step, step.low.thermal, step.high.thermal, step.reasons.tells_heat || step.low.thermal > 0);
}

struct value derive_lost_other_hertz(const struct interval *at, unsigned index, unsigned label)
{
	const struct step step = ledger_of(at, index);

	(void)label;
	return lost(&step, step.low.other, step.high.other, true);
}

/* Where the license is not counted, wide code is looked for. */
struct value derive_wide_class(const struct interval *at, unsigned index, unsigned label)
{
	const struct licenses licenses = derive_licenses(at, index);
	const struct part fp512 = derive_core_rise(at, COUNTER_FP512_OPS, index);
	const struct part amx = derive_core_rise(at, COUNTER_AMX_BUSY, index);
	const struct value clock = derive_core_clock(at, index);
	double limit[3];

	(void)label;
	if (state_usable(licenses.state))
		return (struct value){ .v = WIDE_MEASURED,
				       .state = (uint8_t)licenses.state,
				       .source = licenses.source };
	if (licenses.state != STATE_UNSUPPORTED)
		return (struct value){ .state = (uint8_t)licenses.state, .source = licenses.source };
	if (!state_usable(fp512.state))
		return (struct value){ .state = (uint8_t)fp512.state, .source = fp512.source };
	for (unsigned i = 0; i < 3; i++) {
		const struct value by_license = derive_limit_hertz(at, index, i);

		limit[i] = known(&by_license);
	}
	return (struct value){ .v = wide_class(fp512.v > 0 || (state_usable(amx.state) && amx.v > 0),
					       known(&clock), limit),
			       .state = (uint8_t)fp512.state,
			       .source = fp512.source };
}
