/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From registers to readings of counters. */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "model/host.h"
#include "model/registers.h"
#include "model/sample.h"
#include "source/msr_device.h"
#include "source/msr_own.h"
#include "source/place.h"
#include "source/source.h"

#define TEMPERATURE_TARGET 0x1a2
#define PLATFORM_INFO 0xce

unsigned msr_item_index(const struct host *host, const struct msr_item *item, unsigned cpu)
{
	switch (counter_row(item->counter)->scope) {
	case SCOPE_CORE:
		return host->cpus[cpu].core;
	case SCOPE_PACKAGE:
		return host->cpus[cpu].package;
	default:
		return cpu;
	}
}

unsigned msr_item_label(const struct msr_item *item)
{
	return item->how == MSR_LIMIT_SHORT ? 1 : 0;
}

/* EIO is an answer that stays: it is not asked again. A device that has gone is opened anew the
 * next time. */
int msr_register(struct source *source, struct msr_visit *visit, unsigned i, uint64_t *ret)
{
	struct msr_cpu *cpu = &source->cpus[visit->cpu];
	const uint32_t address = visit->layout->items[i].address;

	if (cpu->dropped >> i & 1)
		return -EIO;
	if (visit->address != address) {
		visit->address = address;
		visit->err = cpu->fd < 0 ? -ENXIO : msr_device_read(cpu->fd, address, &visit->raw);
	}
	if (visit->err == -EIO) {
		cpu->dropped |= 1ull << i;
	} else if (visit->err == -ENXIO && cpu->fd >= 0) {
		close(cpu->fd);
		cpu->fd = -1;
	}
	*ret = visit->raw;
	return visit->err;
}

/* TjMax does not change: once a package, by the first CPU that can tell. */
static int need_target(struct source *source, const struct msr_visit *visit,
		       struct msr_package *package)
{
	const struct host_kind *kind = &source->host->kinds[source->host->cpus[visit->cpu].kind];
	uint64_t target, info = 0;
	int r;

	if (package->have_target)
		return 0;
	r = msr_device_read(source->cpus[visit->cpu].fd, TEMPERATURE_TARGET, &target);
	if (r < 0)
		return r;
	(void)msr_device_read(source->cpus[visit->cpu].fd, PLATFORM_INFO, &info);
	package->tjmax = msr_tjmax(target);
	package->offset = msr_tcc_offset(target, info, kind->registers.tcc_bits);
	package->have_target = true;
	return 0;
}

static struct reading reading_of(uint64_t raw)
{
	return (struct reading) { raw, STATE_OK, SOURCE_MSR };
}

/* What a register can only read where it reports nothing. */
static struct reading not_zero(uint64_t raw)
{
	return raw ? reading_of(raw) : (struct reading) { 0, STATE_UNSUPPORTED, SOURCE_MSR };
}

static struct reading failed(int err)
{
	return reading_failed(place_failed(err), err, SOURCE_MSR);
}

static struct reading temperature(struct source *source, const struct msr_visit *visit,
				  uint64_t raw, bool limit)
{
	struct msr_package *package = &source->packages[source->host->cpus[visit->cpu].package];
	int r = need_target(source, visit, package), celsius = 0;

	if (r < 0)
		return failed(r);
	if (limit)
		celsius = (int)package->tjmax - (int)package->offset;
	else if (!msr_celsius(raw, package->tjmax, &celsius))
		return (struct reading) { 0, STATE_UNSUPPORTED, SOURCE_MSR };
	return celsius < 0 ? failed(-ERANGE) : reading_of((uint64_t)celsius * 1000);
}

/* A limit that is not enabled is not in force. */
static struct reading power_limit(struct source *source, const struct msr_visit *visit,
				  uint64_t raw, unsigned which)
{
	struct msr_package *package = &source->packages[source->host->cpus[visit->cpu].package];
	struct msr_power_limit limit;
	int r = msr_need_units(source, visit->cpu);

	if (r < 0)
		return failed(r);
	limit = msr_power_limit(raw, which, &package->units);
	return not_zero(limit.enabled ? (uint64_t)llround(limit.watts * 1e6) : 0);
}

static struct reading reasons(struct source *source, const struct msr_visit *visit, uint64_t raw)
{
	const struct host_cpu *cpu = &source->host->cpus[visit->cpu];
	struct msr_package *package = &source->packages[cpu->package];

	package->reported |= raw != 0;
	if (!package->reported && source->host->kinds[cpu->kind].registers.limit_reasons_doubtful)
		return not_zero(0);
	return reading_of(raw);
}

static struct reading make(struct source *source, struct msr_visit *visit,
			   const struct msr_item *item, uint64_t raw)
{
	const unsigned bits = counter_row(item->counter)->bits;

	switch (item->how) {
	case MSR_TIMES_1024:
		return reading_of(raw * 1024);
	case MSR_LOW_7:
		return not_zero(raw & 0x7f);
	case MSR_VOLTAGE:
		return not_zero(raw >> 32 & 0xffff);
	case MSR_BIT_25:
		return reading_of(raw >> 25 & 1);
	case MSR_BIT_38:
		return reading_of(raw >> 38 & 1);
	case MSR_REASONS:
		return reasons(source, visit, raw);
	case MSR_TEMPERATURE:
	case MSR_TEMPERATURE_LIMIT:
		return temperature(source, visit, raw, item->how == MSR_TEMPERATURE_LIMIT);
	case MSR_LIMIT_LONG:
	case MSR_LIMIT_SHORT:
		return power_limit(source, visit, raw, msr_item_label(item));
	default:
		return reading_of(bits < 64 ? raw & ((1ull << bits) - 1) : raw);
	}
}

/* The same for as long as the machine runs: one read does. */
static int constant(struct source *source, struct msr_visit *visit, unsigned i, uint64_t *ret)
{
	struct msr_package *package = &source->packages[source->host->cpus[visit->cpu].package];
	const unsigned number = visit->layout->items[i].number;
	int r = 0;

	if (!package->have_constant[number])
		r = msr_register(source, visit, i, &package->constants[number]);
	package->have_constant[number] = r == 0;
	*ret = package->constants[number];
	return r;
}

void msr_item_read(struct source *source, struct msr_visit *visit, unsigned i, struct sample *into)
{
	const struct msr_item *item = &visit->layout->items[i];
	uint64_t raw = 0;
	int r = 0;

	if (item->how == MSR_CONSTANT)
		r = constant(source, visit, i, &raw);
	else if (item->how != MSR_TEMPERATURE_LIMIT)
		r = msr_register(source, visit, i, &raw);
	*sample_at(into, item->counter, msr_item_index(source->host, item, visit->cpu),
		   msr_item_label(item)) = r < 0 ? failed(r) : make(source, visit, item, raw);
}
