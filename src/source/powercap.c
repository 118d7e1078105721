/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Energy and power limits of packages below sys/class/powercap
 * (Documentation/power/powercap/powercap.rst; AMD is served by the zones called intel-rapl too). */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/energy_meter.h"
#include "source/instant.h"
#include "source/kept.h"
#include "source/place.h"
#include "source/source.h"
#include "source/zone.h"

/* Which zone serves which counter, and what it draws at the very most. It bounds what can have been
 * counted before a wrap. Packages of today stay below 600 W. */
static const struct {
	enum counter counter, age;
	double most_watts;
} energies[ZONE_KINDS] = {
	[ZONE_PACKAGE] = { COUNTER_PACKAGE_ENERGY, COUNTER_PACKAGE_ENERGY_AGE, 1000 },
	[ZONE_DRAM] = { COUNTER_DRAM_ENERGY, COUNTER_DRAM_ENERGY_AGE, 400 },
	[ZONE_CORE] = { COUNTER_CORE_ENERGY, COUNTER_CORE_ENERGY_AGE, 1000 },
};

/* Labels of LABEL_POWER_LIMIT as the kernel calls them. */
static const char *const limit_names[] = { "long_term", "short_term" };

#define N_LIMITS (sizeof(limit_names) / sizeof(*limit_names))

/* A zone as it is read. */
struct meter {
	struct energy_meter energy;
	struct kept enabled, limits[N_LIMITS];
	int constraint[N_LIMITS]; /* number of the kernel; -1: has no such limit */
};

/* Of the zones of one package, one for each die, and one kind together. */
struct sum {
	uint64_t uj;
	bool told;
	uint64_t middle_ns, width_ns; /* of the reading, which the count is of somewhere in */
};

struct source {
	const struct host *host;
	struct hostfs *fs;
	struct zones zones;
	struct meter *meters; /* by zone */
	struct sum *sums;     /* [package][kind] */
	uint64_t begin_ns;    /* of this read */
};

static const struct reason no_powercap = {
	ENOENT,
	N_("the kernel offers no energy counters here (no powercap driver)"),
	N_("load the driver intel_rapl_msr, which serves AMD too"),
};
static const struct reason no_virtual_powercap = {
	ENOENT,
	N_("the kernel offers no energy counters here (no powercap in a virtual machine)"),
	"",
};
static const struct reason root_only = {
	EACCES,
	N_("the kernel shows its energy counters to root only (since Linux 5.10: they leak keys)"),
	N_("start it anew by sudo, or let root make the files energy_uj below /sys/class/powercap "
	   "readable"),
};
static const struct reason no_zone = {
	ENOENT,
	N_("this CPU does not count this energy by itself"),
	"",
};
static const struct reason one_core = {
	ENOTSUP,
	N_("on AMD the kernel's zone \"core\" counts the energy of one core only"),
	"",
};
static const struct reason no_limits = {
	ENOENT,
	N_("the kernel tells no power limits here"),
	"",
};

static bool is_amd(const struct host *host)
{
	return strcmp(host->vendor, "AuthenticAMD") == 0 ||
	       strcmp(host->vendor, "HygonGenuine") == 0;
}

static const struct reason *nothing(const struct source_env *env)
{
	return env->host->hypervisor[0] ? &no_virtual_powercap : &no_powercap;
}

/* Opening tells whether it may be read; reading may take its time. */
static const struct reason *why_not(const struct source_env *env, const struct zones *zones,
				    enum zone_kind kind)
{
	bool denied = false;

	if (zones->n == 0)
		return nothing(env);
	/* MSR C001029A is of the core that reads it, and the kernel has one CPU of the package do
	 * that. */
	if (kind == ZONE_CORE && is_amd(env->host))
		return &one_core;
	for (size_t i = 0; i < zones->n; i++) {
		int fd;

		if (zones->items[i].kind != kind)
			continue;
		fd = hostfs_fd(env->fs, ZONE_PATH "/energy_uj", zones->items[i].name);
		if (fd >= 0) {
			close(fd);
			return NULL;
		}
		denied = denied || fd == -EACCES || fd == -EPERM;
	}
	return denied ? &root_only : &no_zone;
}

/* The number of the constraint with this name; -1 none. */
static int find_constraint(struct hostfs *fs, const char *zone, const char *wanted)
{
	char name[32];

	for (int i = 0; i < 8; i++) {
		if (hostfs_read_line(fs, name, sizeof(name), ZONE_PATH "/constraint_%d_name", zone,
				     i) < 0)
			break;
		if (strcmp(name, wanted) == 0)
			return i;
	}
	return -1;
}

static bool any_limit(const struct source_env *env, const struct zones *zones)
{
	for (size_t i = 0; i < zones->n; i++)
		for (size_t k = 0; zones->items[i].kind == ZONE_PACKAGE && k < N_LIMITS; k++)
			if (find_constraint(env->fs, zones->items[i].name, limit_names[k]) >= 0)
				return true;
	return false;
}

static int powercap_probe(const struct source_env *env, struct offer *ret)
{
	struct zones zones;
	int r = zones_find(env->fs, env->host, &zones);

	for (unsigned k = 0; k < ZONE_KINDS; k++) {
		offer_counter(ret, energies[k].counter, why_not(env, &zones, (enum zone_kind)k));
		offer_counter(ret, energies[k].age, why_not(env, &zones, (enum zone_kind)k));
	}
	offer_counter(ret, COUNTER_POWER_LIMIT,
		      any_limit(env, &zones) ? NULL
		      : zones.n		     ? &no_limits
					     : nothing(env));
	zones_free(&zones);
	return r;
}

static void powercap_close(struct source *source)
{
	if (!source)
		return;
	for (size_t i = 0; source->meters && i < source->zones.n; i++) {
		kept_close(&source->meters[i].energy.file);
		kept_close(&source->meters[i].enabled);
		for (size_t k = 0; k < N_LIMITS; k++)
			kept_close(&source->meters[i].limits[k]);
	}
	free(source->meters);
	free(source->sums);
	zones_free(&source->zones);
	free(source);
}

static void init_meter(struct source *source, size_t zone, unsigned *budget)
{
	struct meter *meter = &source->meters[zone];
	const char *name = source->zones.items[zone].name;

	kept_init(&meter->enabled, budget);
	(void)hostfs_read_u64(source->fs, &meter->energy.count.range, ZONE_PATH "/max_energy_range_uj",
			      name);
	for (size_t k = 0; k < N_LIMITS; k++) {
		kept_init(&meter->limits[k], budget);
		meter->constraint[k] = find_constraint(source->fs, name, limit_names[k]);
	}
}

static int powercap_open(const struct source_env *env, struct source **ret,
			 struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));
	unsigned budget = kept_budget(8);

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->fs = env->fs;
	if (zones_find(env->fs, env->host, &source->zones) < 0)
		goto fail;
	source->sums =
		calloc((size_t)env->host->n_packages * ZONE_KINDS + 1, sizeof(*source->sums));
	source->meters = calloc(source->zones.n + 1, sizeof(*source->meters));
	if (!source->sums || !source->meters)
		goto fail;
	/* Before all else, while descriptors last: these are root's, the rest may be opened at any
	 * time. */
	for (size_t i = 0; i < source->zones.n; i++) {
		kept_init(&source->meters[i].energy.file, &budget);
		kept_open(&source->meters[i].energy.file, source->fs, ZONE_PATH "/energy_uj",
			  source->zones.items[i].name);
	}
	for (size_t i = 0; i < source->zones.n; i++)
		init_meter(source, i, &budget);
	*ret = source;
	return 0;
fail:
	powercap_close(source);
	return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
}

static bool worse(enum state a, enum state b)
{
	return state_row(a)->rank > state_row(b)->rank;
}

/* The moments of this reading and of the last may each be off by half of what it took. Watts shall
 * not be by more than a twentieth, which is what slow files come down to by engine/pace.h. */
static bool is_late(const struct sum *sum, uint64_t middle_ns, uint64_t width_ns)
{
	return (width_ns + sum->width_ns) / 2 > (middle_ns - sum->middle_ns) / 20;
}

/* Adds what all zones of one kind in one package counted since the last time: their sum does not
 * exist without each of them. False: there is none. */
static bool add_zones(struct source *source, unsigned package, unsigned kind, struct sum *sum,
		      enum state *ret_state, int *ret_err)
{
	bool any = false;

	*ret_state = STATE_OK;
	*ret_err = 0;
	for (size_t i = 0; i < source->zones.n; i++) {
		const struct zone *zone = &source->zones.items[i];
		uint64_t more;
		enum state one;
		int r;

		if (zone->package != package || zone->kind != kind)
			continue;
		any = true;
		one = energy_meter_read(&source->meters[i].energy, source->fs, zone->name,
					energies[kind].most_watts, &more, &r);
		sum->uj += more;
		if (worse(one, *ret_state)) {
			*ret_state = one;
			*ret_err = r;
		}
	}
	return any;
}

/* Again where something held up the thread in the middle of a read, unless the file itself is slow.
 */
static void read_energy(struct source *source, unsigned package, unsigned kind, struct sample *into)
{
	struct sum *sum = &source->sums[package * ZONE_KINDS + kind];
	enum counter counter = energies[kind].counter;
	const uint64_t first_ns = clock_mono_ns();
	const uint64_t elapsed_ns = sum->told ? first_ns - sum->middle_ns : 0;
	struct instant at = { first_ns, first_ns };
	uint64_t width_ns, middle_ns;
	enum state state;
	bool any;
	int err;

	do {
		at.begin_ns = at.end_ns;
		any = add_zones(source, package, kind, sum, &state, &err);
		at.end_ns = clock_mono_ns();
	} while (state == STATE_OK && instant_again(&at, first_ns, elapsed_ns));
	if (!any || (kind == ZONE_CORE && is_amd(source->host)))
		state = STATE_UNSUPPORTED;
	if (state == STATE_RESET && !sum->told)
		state = STATE_OK; /* nothing was told that it could be compared with */
	width_ns = at.end_ns - at.begin_ns;
	middle_ns = instant_ns(&at);
	if (state == STATE_OK && sum->told && is_late(sum, middle_ns, width_ns))
		state = STATE_LATE;
	/* For good: over a time that one zone did not tell, the sum lacks what that counted. */
	sum->told = sum->told || state == STATE_OK;
	sum->middle_ns = middle_ns;
	sum->width_ns = width_ns;
	*sample_at(into, counter, package, 0) =
		err ? reading_failed(state, err, SOURCE_POWERCAP)
		    : (struct reading) { sum->uj, (uint8_t)state, SOURCE_POWERCAP };
	sample_set(into, energies[kind].age, package, 0, middle_ns - source->begin_ns,
		   SOURCE_POWERCAP);
}

/* A limit of 0 or of a zone that is switched off is not in force. 0 or -errno. */
static int read_limit(struct source *source, size_t zone, size_t k, uint64_t *ret)
{
	struct meter *meter = &source->meters[zone];
	const char *name = source->zones.items[zone].name;
	uint64_t enabled = 1;
	int r = meter->constraint[k] < 0 ? -ENOENT : 0;

	if (r == 0 &&
	    kept_read(&meter->enabled, source->fs, &enabled, ZONE_PATH "/enabled", name) == 0 &&
	    enabled == 0)
		r = -ENOENT;
	if (r == 0)
		r = kept_read(&meter->limits[k], source->fs, ret,
			      ZONE_PATH "/constraint_%d_power_limit_uw", name,
			      meter->constraint[k]);
	if (r == 0 && *ret == 0)
		r = -ENOENT;
	return r;
}

static void read_limits(struct source *source, unsigned package, struct sample *into)
{
	for (unsigned k = 0; k < N_LIMITS; k++) {
		enum state state = STATE_UNSUPPORTED, one;
		uint64_t sum = 0, uw = 0;
		bool any = false;
		int err = 0, r;

		for (size_t i = 0; i < source->zones.n; i++) {
			if (source->zones.items[i].package != package ||
			    source->zones.items[i].kind != ZONE_PACKAGE)
				continue;
			r = read_limit(source, i, k, &uw);
			one = r < 0 ? place_failed(r) : STATE_OK;
			if (!any || worse(one, state)) {
				state = one;
				err = r;
			}
			sum += r == 0 ? uw : 0;
			any = true;
		}
		*sample_at(into, COUNTER_POWER_LIMIT, package, k) =
			state == STATE_OK ? (struct reading) { sum, STATE_OK, SOURCE_POWERCAP }
					  : reading_failed(state, err, SOURCE_POWERCAP);
	}
}

static void fail_package(unsigned package, enum state state, struct sample *into)
{
	for (unsigned k = 0; k < ZONE_KINDS; k++)
		sample_fail(into, energies[k].counter, package, 0, state, SOURCE_POWERCAP);
	for (unsigned k = 0; k < N_LIMITS; k++)
		sample_fail(into, COUNTER_POWER_LIMIT, package, k, state, SOURCE_POWERCAP);
}

/* The kernel has the first CPU of a package read its registers. */
static int powercap_read(struct source *source, struct sample *into)
{
	unsigned cpu;

	source->begin_ns = clock_mono_ns();
	for (unsigned i = 0; i < source->host->n_packages; i++) {
		enum state state = place_of_package(source->host, into, i, true, &cpu);

		if (state != STATE_OK) {
			fail_package(i, state, into);
			continue;
		}
		for (unsigned k = 0; k < ZONE_KINDS; k++)
			read_energy(source, i, k, into);
		read_limits(source, i, into);
	}
	return 0;
}

const struct source_ops powercap_ops = {
	.probe = powercap_probe,
	.open = powercap_open,
	.read = powercap_read,
	.close = powercap_close,
};
