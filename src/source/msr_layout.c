/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses by vendor and model: turbostat 6.12, Linux 6.12 msr-index.h and
 * arch/x86/events/intel/cstate.c. */
#include "config.h"

#include "source/msr_layout.h"

#include <assert.h>
#include <string.h>

#include "model/host.h"
#include "model/registers.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Architectural, of Intel and AMD alike. */
static const struct msr_item clocks[] = {
	{ COUNTER_CLOCK_TSC, 0x10, MSR_PLAIN, SCOPE_CPU, 0 },
	{ COUNTER_APERF, 0xe8, MSR_PLAIN, SCOPE_CPU, 0 },
	{ COUNTER_MPERF, 0xe7, MSR_PLAIN, SCOPE_CPU, 0 },
};

static const struct msr_item core_states[] = {
	{ COUNTER_CORE_C1, 0x660, MSR_PLAIN, SCOPE_CORE, 1 },
	{ COUNTER_CORE_C3, 0x3fc, MSR_PLAIN, SCOPE_CORE, 3 },
	{ COUNTER_CORE_C6, 0x3fd, MSR_PLAIN, SCOPE_CORE, 6 },
	{ COUNTER_CORE_C7, 0x3fe, MSR_PLAIN, SCOPE_CORE, 7 },
}, package_states[] = {
	{ COUNTER_PACKAGE_C2, 0x60d, MSR_PLAIN, SCOPE_PACKAGE, 2 },
	{ COUNTER_PACKAGE_C3, 0x3f8, MSR_PLAIN, SCOPE_PACKAGE, 3 },
	{ COUNTER_PACKAGE_C6, 0x3f9, MSR_PLAIN, SCOPE_PACKAGE, 6 },
	{ COUNTER_PACKAGE_C7, 0x3fa, MSR_PLAIN, SCOPE_PACKAGE, 7 },
	{ COUNTER_PACKAGE_C8, 0x630, MSR_PLAIN, SCOPE_PACKAGE, 8 },
	{ COUNTER_PACKAGE_C9, 0x631, MSR_PLAIN, SCOPE_PACKAGE, 9 },
	{ COUNTER_PACKAGE_C10, 0x632, MSR_PLAIN, SCOPE_PACKAGE, 10 },
};

#define KNIGHTS_LANDING_CORE_C6 0x3ff

/* Intel since Nehalem. */
static const struct msr_item intel_package[] = {
	{ COUNTER_SMI, 0x34, MSR_PLAIN, SCOPE_PACKAGE, 0 },
	{ COUNTER_PLATFORM_INFO, 0xce, MSR_CONSTANT, SCOPE_PACKAGE, 0 },
	{ COUNTER_TURBO_OFF, 0x1a0, MSR_BIT_38, SCOPE_PACKAGE, 0 },
};

/* Since Sandy Bridge. */
static const struct msr_item heat_core[] = {
	{ COUNTER_CORE_VOLTAGE, 0x198, MSR_VOLTAGE, SCOPE_CORE, 0 },
	{ COUNTER_CORE_TEMPERATURE, 0x19c, MSR_TEMPERATURE, SCOPE_CORE, 0 },
	{ COUNTER_CORE_THERMAL_STATUS, 0x19c, MSR_PLAIN, SCOPE_CORE, 0 },
	{ COUNTER_CORE_TEMPERATURE_LIMIT, 0x1a2, MSR_TEMPERATURE_LIMIT, SCOPE_CORE, 0 },
}, heat_package[] = {
	{ COUNTER_PACKAGE_TEMPERATURE, 0x1b1, MSR_TEMPERATURE, SCOPE_PACKAGE, 0 },
	{ COUNTER_PACKAGE_THERMAL_STATUS, 0x1b1, MSR_PLAIN, SCOPE_PACKAGE, 0 },
	{ COUNTER_PACKAGE_TEMPERATURE_LIMIT, 0x1a2, MSR_TEMPERATURE_LIMIT, SCOPE_PACKAGE, 0 },
};

/* 0x611 is there wherever 0x610 is. */
static const struct msr_item power_package[] = {
	{ COUNTER_PACKAGE_ENERGY, 0x611, MSR_ENERGY, SCOPE_PACKAGE, 0 },
	{ COUNTER_POWER_THROTTLE, 0x613, MSR_THROTTLE_TIME, SCOPE_PACKAGE, 0 },
	{ COUNTER_POWER_LIMIT, 0x610, MSR_LIMIT_LONG, SCOPE_PACKAGE, 0 },
	{ COUNTER_POWER_LIMIT, 0x610, MSR_LIMIT_SHORT, SCOPE_PACKAGE, 0 },
};
static const struct msr_item power_cores[] = { { COUNTER_CORE_ENERGY, 0x639, MSR_ENERGY,
						 SCOPE_PACKAGE, 0 } };
static const struct msr_item power_dram[] = { { COUNTER_DRAM_ENERGY, 0x619, MSR_DRAM_ENERGY,
						SCOPE_PACKAGE, 0 } };

/* Its address is the model's. */
static const struct msr_item reasons[] = { { COUNTER_LIMIT_REASONS, 0, MSR_REASONS, SCOPE_PACKAGE,
					     0 } };
static const struct msr_item uncore[] = { { COUNTER_UNCORE_RATIO, 0x621, MSR_LOW_7, SCOPE_PACKAGE,
					    0 } };
static const struct msr_item turbo[] = {
	{ COUNTER_TURBO_RATIOS, 0x1ad, MSR_CONSTANT, SCOPE_PACKAGE, 1 },
	{ COUNTER_TURBO_RATIOS_1, 0x1ae, MSR_CONSTANT, SCOPE_PACKAGE, 2 },
	{ COUNTER_TURBO_RATIOS_2, 0x1af, MSR_CONSTANT, SCOPE_PACKAGE, 3 },
};

/* AMD since Zen; the energy of a core is told by its own CPUs alone. */
static const struct msr_item amd_off[] = { { COUNTER_TURBO_OFF, 0xc0010015, MSR_BIT_25,
					     SCOPE_PACKAGE, 0 } };
static const struct msr_item amd_cores[] = { { COUNTER_CORE_ENERGY, 0xc001029a, MSR_CORE_ENERGY,
					       SCOPE_CORE, 0 } };
static const struct msr_item amd_package[] = { { COUNTER_PACKAGE_ENERGY, 0xc001029b, MSR_ENERGY,
						 SCOPE_PACKAGE, 0 } };

#define GROUP(items)                                      \
	{                                                 \
		items, sizeof(items) / sizeof((items)[0]) \
	}
static const struct group {
	const struct msr_item *items;
	size_t n;
} all[] = {
	GROUP(clocks),	   GROUP(core_states),	GROUP(package_states), GROUP(intel_package),
	GROUP(heat_core),  GROUP(heat_package), GROUP(power_package),  GROUP(power_cores),
	GROUP(power_dram), GROUP(reasons),	GROUP(uncore),	       GROUP(turbo),
	GROUP(amd_off),	   GROUP(amd_cores),	GROUP(amd_package),
};

static_assert(COUNT(clocks) + COUNT(core_states) + COUNT(package_states) + COUNT(intel_package) +
			      COUNT(heat_core) + COUNT(heat_package) + COUNT(power_package) +
			      COUNT(turbo) + COUNT(power_cores) + COUNT(power_dram) +
			      COUNT(reasons) + COUNT(uncore) <=
		      MSR_ITEMS,
	      "a layout holds each group once");

/* The energies that have a counter of when they were read. */
static const enum counter ages[] = { COUNTER_PACKAGE_ENERGY_AGE, COUNTER_DRAM_ENERGY_AGE,
				     COUNTER_CORE_ENERGY_AGE };

bool msr_is_intel(const struct host *host)
{
	return strcmp(host->vendor, "GenuineIntel") == 0;
}

bool msr_is_amd(const struct host *host)
{
	return strcmp(host->vendor, "AuthenticAMD") == 0 ||
	       strcmp(host->vendor, "HygonGenuine") == 0;
}

/* There is room: of each group at most once. */
static void add(struct msr_layout *layout, const struct msr_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		layout->items[layout->n++] = items[i];
	}
}

/* Silvermont and Airmont have registers of their own at several of these addresses, and units
 * turned round; what they share with the rest is their clocks. */
static bool is_silvermont(const struct host_kind *kind)
{
	return kind->family == 6 &&
	       (kind->model == 0x37 || kind->model == 0x4a || kind->model == 0x4c ||
		kind->model == 0x4d || kind->model == 0x5a);
}

static bool is_known(const struct registers *registers)
{
	return registers->bclk_hertz > 0 || registers->core_states != 0 || registers->energies != 0;
}

/* Nehalem and Westmere multiply 133 MHz. */
static bool since_sandy_bridge(const struct registers *registers)
{
	return registers->bclk_hertz > 0 && registers->bclk_hertz < 120e6;
}

/* A package of several dies (Cascade Lake-AP) has these registers in each of them: one alone would
 * tell half. */
static bool has_dies(const struct host *host)
{
	for (unsigned i = 0; i < host->n_cores; i++) {
		const struct host_core *core = &host->cores[i];

		if (core->die_id != host->cores[host->packages[core->package].cores[0]].die_id)
			return true;
	}
	return false;
}

static void add_states(struct msr_layout *layout, const struct msr_item *items, size_t n,
		       unsigned states)
{
	for (size_t i = 0; i < n; i++)
		if (states >> items[i].number & 1)
			add(layout, &items[i], 1);
}

static void add_core_states(struct msr_layout *layout, const struct registers *registers)
{
	add_states(layout, core_states, COUNT(core_states), registers->core_states);
	for (unsigned i = 0; i < layout->n && registers->times_1024; i++)
		if (layout->items[i].counter == COUNTER_CORE_C6)
			layout->items[i].address = KNIGHTS_LANDING_CORE_C6;
}

/* Only Ivy Bridge-EP and Haswell-EP continue 0x1AD; groups have their counts in 0x1AE. */
static void add_turbo(struct msr_layout *layout, const struct host_kind *kind)
{
	const bool haswell_x = kind->family == 6 && kind->model == 0x3f;
	const bool ivy_bridge_x = kind->family == 6 && kind->model == 0x3e;

	switch (kind->registers.turbo) {
	case TURBO_FORM_NONE:
		break;
	case TURBO_FORM_ACTIVE:
		add(layout, turbo, haswell_x ? 3 : ivy_bridge_x ? 2 : 1);
		break;
	case TURBO_FORM_GROUPS:
		add(layout, turbo, 2);
		break;
	case TURBO_FORM_DELTAS:
		add(layout, turbo, 1);
		break;
	}
}

static void add_power(struct msr_layout *layout, const struct registers *registers)
{
	if (registers->energies & ENERGY_PACKAGE)
		add(layout, power_package, COUNT(power_package));
	if (registers->energies & ENERGY_CORES)
		add(layout, power_cores, COUNT(power_cores));
	if (registers->energies & ENERGY_DRAM)
		add(layout, power_dram, COUNT(power_dram));
}

static void add_intel(struct msr_layout *layout, const struct host *host,
		      const struct host_kind *kind)
{
	const struct registers *registers = &kind->registers;
	const bool heat = since_sandy_bridge(registers), dies = has_dies(host);

	add_core_states(layout, registers);
	if (heat)
		add(layout, heat_core, COUNT(heat_core));
	add(layout, intel_package, COUNT(intel_package));
	if (!dies)
		add_states(layout, package_states, COUNT(package_states),
			   registers->package_states);
	if (heat)
		add(layout, heat_package, COUNT(heat_package));
	if (!dies)
		add_power(layout, registers);
	add_turbo(layout, kind);
	if (registers->limit_reasons) {
		add(layout, reasons, COUNT(reasons));
		layout->items[layout->n - 1].address = registers->limit_reasons;
	}
	if (registers->uncore_ratio)
		add(layout, uncore, COUNT(uncore));
}

static void add_amd(struct msr_layout *layout, const struct host_kind *kind)
{
	if (kind->family < 0x17)
		return;
	if (kind->registers.energies & ENERGY_CORES)
		add(layout, amd_cores, COUNT(amd_cores));
	add(layout, amd_off, COUNT(amd_off));
	if (kind->registers.energies & ENERGY_PACKAGE)
		add(layout, amd_package, COUNT(amd_package));
}

void msr_layout(const struct host *host, unsigned kind, bool has_aperf, struct msr_layout *ret)
{
	const struct host_kind *row = &host->kinds[kind];

	memset(ret, 0, sizeof(*ret));
	if (!msr_is_intel(host) && !msr_is_amd(host))
		return;
	add(ret, clocks, has_aperf ? COUNT(clocks) : 1);
	for (unsigned i = 1; i < ret->n && row->registers.times_1024; i++)
		ret->items[i].how = MSR_TIMES_1024;
	if (!is_known(&row->registers) || is_silvermont(row))
		return;
	if (msr_is_intel(host))
		add_intel(ret, host, row);
	else
		add_amd(ret, row);
}

bool msr_serves(enum counter counter)
{
	for (size_t g = 0; g < COUNT(all); g++)
		for (size_t i = 0; i < all[g].n; i++)
			if (all[g].items[i].counter == counter)
				return true;
	for (size_t i = 0; i < COUNT(ages); i++)
		if (ages[i] == counter)
			return true;
	return false;
}
