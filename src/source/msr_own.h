/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the msr*.c files share with each other and with nobody else. */
#ifndef AVXTOP_SOURCE_MSR_OWN_H
#define AVXTOP_SOURCE_MSR_OWN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/msr_decode.h"
#include "model/state.h"
#include "source/energy_meter.h"
#include "source/instant.h"
#include "source/msr_layout.h"

struct host;
struct hostfs;
struct offer;
struct sample;
struct source_env;

/* A register of 32 bits that counts up, and what it has counted since it was first read. */
struct msr_meter {
	struct energy_count count;
	uint64_t total;
	unsigned still; /* how often it has read the same, since it was read first */
	bool told, moved;
	struct instant at; /* of the last read */
};

enum msr_meter_kind {
	MSR_METER_PACKAGE,
	MSR_METER_CORES,
	MSR_METER_DRAM,
	MSR_METER_THROTTLE,
	MSR_METERS
};

struct msr_cpu {
	int fd;		  /* -1: to be opened */
	bool keep;	  /* stays open */
	int err;	  /* 0, or -errno of opening it */
	uint64_t dropped; /* bit i: item i of its layout failed, and is not tried again */
	uint64_t clock_ns, usual_ns; /* when its clocks were read; how long that takes */
};

/* Who reads for a core or package, and what is known of it. */
struct msr_place {
	enum state state; /* STATE_OK, or why nobody reads */
	unsigned cpu;	  /* index */
};

struct msr_core {
	struct msr_place place;
	struct msr_meter meter; /* AMD: energy of this core */
	enum state energy;	/* of its last read */
	uint64_t energy_ns;	/* and when */
	int energy_err;
};

struct msr_package {
	struct msr_place place;
	struct msr_meter meters[MSR_METERS];
	uint64_t constants[MSR_CONSTANTS];
	bool have_constant[MSR_CONSTANTS], have_units, have_target, reported;
	struct msr_units units;
	unsigned tjmax, offset; /* degrees Celsius */
};

/* One visit to a CPU: items of one register share its reading. */
struct msr_visit {
	unsigned cpu;
	const struct msr_layout *layout;
	uint32_t address; /* read last; 0 nothing */
	uint64_t raw;
	int err;
};

struct source {
	const struct host *host;
	struct hostfs *fs;
	bool amd;
	uint64_t interval_ns, begin_ns; /* of this read */
	struct msr_layout *layouts;	/* one a kind: of what is to be served */
	struct msr_cpu *cpus;
	struct msr_core *cores;
	struct msr_package *packages;
};

/* May this CPU be interrupted? STATE_OK or the reason. Being outside of our cpuset is none: nobody
 * runs there. sample: NULL: as the host was described. */
enum state msr_may_read(const struct host *host, const struct sample *sample, unsigned cpu);

/* msr_probe.c */
int msr_probe(const struct source_env *env, struct offer *ret);

/* msr_items.c: reads item i of the layout and tells it. */
void msr_item_read(struct source *source, struct msr_visit *visit, unsigned i, struct sample *into);
/* The register of item i, 0 or -errno; one that fails is dropped. */
int msr_register(struct source *source, struct msr_visit *visit, unsigned i, uint64_t *ret);
/* Where the counter of the item is in a sample. */
unsigned msr_item_index(const struct host *host, const struct msr_item *item, unsigned cpu);
unsigned msr_item_label(const struct msr_item *item);

/* msr_energy.c: the units of power of the package, 0 or -errno; then items that come round. */
int msr_need_units(struct source *source, unsigned cpu);
void msr_energy_read(struct source *source, struct msr_visit *visit, unsigned i,
		     struct sample *into);
/* AMD: the sum of the cores, after each of them has been read. */
void msr_energy_of_cores(struct source *source, unsigned package, struct sample *into);
/* Tells an energy and when it was read. */
void msr_energy_fail(const struct msr_item *item, unsigned package, enum state state, int err,
		     struct sample *into);

#endif
