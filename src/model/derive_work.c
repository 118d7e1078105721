/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formulas of what CPUs did in their cycles: instructions, vector operations, and what took them away. */
#include "config.h"

#include "model/derive_own.h"

#include <math.h>

#include "model/host.h"

struct value derive_ipc(const struct interval *at, unsigned index, unsigned label)
{
	const struct part parts[] = {
		interval_rise(at, COUNTER_INSTRUCTIONS, index, label),
		interval_rise(at, COUNTER_CYCLES, index, label),
	};
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
		return ret;
	if (parts[1].v > 0)
		ret.v = parts[0].v / parts[1].v;
	else
		ret.state = STATE_HALTED;
	return ret;
}

/* APERF and MPERF stand still while a change of license stops the clock, as they do while the CPU idles
 * (avx-turbo 9cfe8bf: its M/T ratio). So it says something only where the CPU was never idle, nor taken away,
 * as far as the kernel tells. */
struct value derive_halt_ratio(const struct interval *at, unsigned index, unsigned label)
{
	const struct value busy = derive_busy_ratio(at, index, label);
	const struct part parts[] = {
		{ busy.v, (enum state)busy.state, busy.source },
		interval_rise(at, COUNTER_OS_BUSY, index, 0),
		interval_rise(at, COUNTER_OS_IDLE, index, 0),
		interval_rise(at, COUNTER_OS_STEAL, index, 0),
	};
	struct value ret;

	if (!interval_usable(parts, 4, &ret))
		return ret;
	if (parts[1].v > 0 && !(parts[2].v > 0) && !(parts[3].v > 0))
		ret.v = 1 - busy.v;
	else
		ret.state = STATE_HAD_IDLE;
	return ret;
}

/* They stop all CPUs at once: any that counts them tells, and they are not to be added up. */
struct value derive_smi_events(const struct interval *at, unsigned index, unsigned label)
{
	struct value ret = { .state = STATE_UNSUPPORTED };

	(void)index;
	for (unsigned i = 0; i < at->host->n_cpus; i++) {
		const struct part part = interval_rise(at, COUNTER_SMI, i, label);

		if (state_usable(part.state) && state_usable((enum state)ret.state))
			ret.v = fmax(ret.v, part.v);
		else if (state_row(part.state)->rank < state_row((enum state)ret.state)->rank)
			ret = (struct value){ .v = part.v, .state = (uint8_t)part.state, .source = part.source };
	}
	return ret;
}

static struct value operations(const struct interval *at, enum counter counter, unsigned cpu)
{
	const struct part part = interval_rise(at, counter, cpu, 0);

	return derive_per_second(at, &part, cpu);
}

struct value derive_fp512_ops_rate(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return operations(at, COUNTER_FP512_OPS, index);
}

struct value derive_fp256_ops_rate(const struct interval *at, unsigned index, unsigned label)
{
	(void)label;
	return operations(at, COUNTER_FP256_OPS, index);
}

struct value derive_amx_busy_ratio(const struct interval *at, unsigned index, unsigned label)
{
	const struct part parts[] = {
		interval_rise(at, COUNTER_AMX_BUSY, index, label),
		derive_cycles(at, index),
	};
	struct value ret;

	if (!interval_usable(parts, 2, &ret))
		return ret;
	if (parts[1].v > 0)
		interval_share(&ret, parts[0].v, parts[1].v);
	else
		ret.state = STATE_HALTED;
	return ret;
}
