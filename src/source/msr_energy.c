/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers that count energy, or time, in 32 bits and come round: their wraps are taken out here.
 * Linux and turbostat take 32 bits of AMD's too, whose higher bits are not zero. */
#include "config.h"

#include <math.h>

#include "base/clock.h"
#include "model/host.h"
#include "model/registers.h"
#include "model/sample.h"
#include "source/instant.h"
#include "source/msr_device.h"
#include "source/msr_own.h"
#include "source/place.h"
#include "source/source.h"

#define RANGE (1ull << 32)
#define INTEL_POWER_UNIT 0x606
#define AMD_POWER_UNIT 0xc0010299

/* What a meter of each kind counts, and how fast at the very most: it bounds what can have been
 * counted before a wrap. Packages of today stay below 600 W, a core below 60. */
static const struct {
	enum counter counter, age;
	double most_per_s; /* W, or s/s */
} kinds[MSR_METERS] = {
	[MSR_METER_PACKAGE] = { COUNTER_PACKAGE_ENERGY, COUNTER_PACKAGE_ENERGY_AGE, 1000 },
	[MSR_METER_CORES] = { COUNTER_CORE_ENERGY, COUNTER_CORE_ENERGY_AGE, 1000 },
	[MSR_METER_DRAM] = { COUNTER_DRAM_ENERGY, COUNTER_DRAM_ENERGY_AGE, 400 },
	[MSR_METER_THROTTLE] = { COUNTER_POWER_THROTTLE, COUNTER_POWER_THROTTLE, 2 },
};
#define CORE_MOST_WATTS 100

static enum msr_meter_kind kind_of(const struct msr_item *item)
{
	switch (item->counter) {
	case COUNTER_CORE_ENERGY:
		return MSR_METER_CORES;
	case COUNTER_DRAM_ENERGY:
		return MSR_METER_DRAM;
	case COUNTER_POWER_THROTTLE:
		return MSR_METER_THROTTLE;
	default:
		return MSR_METER_PACKAGE;
	}
}

int msr_need_units(struct source *source, unsigned cpu)
{
	struct msr_package *package = &source->packages[source->host->cpus[cpu].package];
	uint64_t raw;
	int r = 0;

	if (!package->have_units)
		r = msr_device_read(source->cpus[cpu].fd,
				    source->amd ? AMD_POWER_UNIT : INTEL_POWER_UNIT, &raw);
	if (r < 0 || package->have_units)
		return r;
	package->units = msr_units(raw);
	package->have_units = true;
	return 0;
}

/* Joules, or seconds, of one step of the register. */
static double unit_of(struct source *source, const struct msr_item *item, unsigned cpu)
{
	const struct host_cpu *row = &source->host->cpus[cpu];
	const struct msr_units *units = &source->packages[row->package].units;
	const double dram = source->host->kinds[row->kind].registers.dram_joules;

	if (item->how == MSR_THROTTLE_TIME)
		return units->seconds;
	return item->how == MSR_DRAM_ENERGY && dram > 0 ? dram : units->joules;
}

/* As source/powercap.c: watts shall not be off by more than a twentieth for a moment that is not
 * known. */
static bool is_late(const struct instant *from, const struct instant *to)
{
	const uint64_t width_ns = to->end_ns - to->begin_ns + from->end_ns - from->begin_ns;

	return width_ns / 2 > (instant_ns(to) - instant_ns(from)) / 20;
}

static enum state add(struct msr_meter *meter, uint64_t raw, const struct instant *at,
		      double most_steps)
{
	uint64_t more;
	enum state state;

	meter->count.range = RANGE;
	state = energy_count(&meter->count, raw, instant_ns(at), most_steps, &more);
	meter->total += more;
	if (state == STATE_RESET && !meter->told)
		state = STATE_OK; /* nothing was told that it could be compared with */
	if (state == STATE_OK && meter->told && is_late(&meter->at, at))
		state = STATE_LATE;
	meter->told |= state == STATE_OK;
	meter->at = *at;
	return state;
}

/* Energy is always drawn: a register that has stood still since it was read first is not connected
 * (0x639 and 0x619 of servers read 0, the latter of a Xeon 658X 2: dumps of InstLatx64). */
static bool is_silent(struct msr_meter *meter, const struct msr_item *item, uint64_t raw)
{
	const unsigned enough = raw == 0 ? 2 : 3;

	if (item->how == MSR_THROTTLE_TIME)
		return false;
	meter->moved |= meter->still > 0 && raw != meter->count.last;
	meter->still += meter->still < enough;
	return !meter->moved && meter->still >= enough;
}

/* Reads anew where something held up the thread in the middle. */
static enum state read_meter(struct source *source, struct msr_visit *visit, unsigned i,
			     struct msr_meter *meter, double most_per_s, int *ret_err)
{
	const struct msr_item *item = &visit->layout->items[i];
	const uint64_t first_ns = clock_mono_ns();
	const uint64_t elapsed_ns =
		meter->told ? first_ns - instant_ns(&meter->at) : source->interval_ns;
	struct instant at = { first_ns, first_ns };
	uint64_t raw = 0;
	int r = msr_need_units(source, visit->cpu);

	while (r == 0) {
		at.begin_ns = clock_mono_ns();
		visit->address = 0;
		r = msr_register(source, visit, i, &raw);
		at.end_ns = clock_mono_ns();
		if (!instant_again(&at, first_ns, elapsed_ns))
			break;
	}
	*ret_err = r;
	if (r < 0) {
		meter->count.read_ns = 0;
		return place_failed(r);
	}
	raw &= RANGE - 1;
	if (is_silent(meter, item, raw)) {
		meter->count.read_ns = 0;
		return STATE_UNSUPPORTED;
	}
	return add(meter, raw, &at, most_per_s / unit_of(source, item, visit->cpu));
}

void msr_energy_fail(const struct msr_item *item, unsigned package, enum state state, int err,
		     struct sample *into)
{
	*sample_at(into, item->counter, package, 0) = reading_failed(state, err, SOURCE_MSR);
	if (item->how != MSR_THROTTLE_TIME)
		sample_fail(into, kinds[kind_of(item)].age, package, 0, state, SOURCE_MSR);
}

static void tell(struct source *source, const struct msr_item *item, unsigned package, double told,
		 uint64_t at_ns, struct sample *into)
{
	sample_set(into, item->counter, package, 0, (uint64_t)llround(told), SOURCE_MSR);
	if (item->how != MSR_THROTTLE_TIME)
		sample_set(into, kinds[kind_of(item)].age, package, 0, at_ns - source->begin_ns,
			   SOURCE_MSR);
}

static void read_core(struct source *source, struct msr_visit *visit, unsigned i)
{
	struct msr_core *core = &source->cores[source->host->cpus[visit->cpu].core];

	core->energy =
		read_meter(source, visit, i, &core->meter, CORE_MOST_WATTS, &core->energy_err);
	core->energy_ns = instant_ns(&core->meter.at);
}

void msr_energy_read(struct source *source, struct msr_visit *visit, unsigned i,
		     struct sample *into)
{
	const struct msr_item *item = &visit->layout->items[i];
	const enum msr_meter_kind kind = kind_of(item);
	const unsigned index = source->host->cpus[visit->cpu].package;
	struct msr_meter *meter = &source->packages[index].meters[kind];
	double step;
	enum state state;
	int err;

	if (item->how == MSR_CORE_ENERGY) {
		read_core(source, visit, i);
		return;
	}
	state = read_meter(source, visit, i, meter, kinds[kind].most_per_s, &err);
	if (state != STATE_OK) {
		msr_energy_fail(item, index, state, err, into);
		return;
	}
	step = unit_of(source, item, visit->cpu) * (item->how == MSR_THROTTLE_TIME ? 1e9 : 1e6);
	tell(source, item, index, (double)meter->total * step, instant_ns(&meter->at), into);
}

/* A core that is offline draws nothing; without any other one the sum is not that of the package.
 */
void msr_energy_of_cores(struct source *source, unsigned package, struct sample *into)
{
	static const struct msr_item item = { COUNTER_CORE_ENERGY, 0, MSR_CORE_ENERGY, SCOPE_CORE,
					      0 };
	const struct host_package *row = &source->host->packages[package];
	uint64_t steps = 0, ages_ns = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < row->n_cores; i++) {
		const struct msr_core *core = &source->cores[row->cores[i]];
		const bool reads = core->place.state == STATE_OK;
		const enum state state = reads ? core->energy : core->place.state;

		steps += core->meter.total;
		if (state == STATE_OFFLINE)
			continue;
		if (state != STATE_OK) {
			msr_energy_fail(&item, package, state, reads ? core->energy_err : 0, into);
			return;
		}
		ages_ns += core->energy_ns - source->begin_ns;
		n++;
	}
	if (n == 0)
		msr_energy_fail(&item, package, STATE_OFFLINE, 0, into);
	else
		tell(source, &item, package,
		     (double)steps * source->packages[package].units.joules * 1e6,
		     source->begin_ns + ages_ns / n, into);
}
