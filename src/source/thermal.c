/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heat: the thermal sensors of hwmon, and how often the kernel saw a core or package throttled by it
 * (sys/devices/system/cpu/cpuN/thermal_throttle; drivers/thermal/intel/therm_throt.c). */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/hwmon.h"
#include "source/kept.h"
#include "source/place.h"
#include "source/source.h"

#define PATH "sys/devices/system/cpu/cpu%u/thermal_throttle/%s"
#define NOBODY UINT32_MAX

/* Each CPU keeps the counts of its own interrupts. An event of a core interrupts all its threads, one of a
 * package all CPUs: so one of them is asked, and nothing is summed. */
struct throttle {
	struct kept file;
	unsigned cpu; /* index of the CPU that was asked last, or NOBODY */
};

struct source {
	const struct host *host;
	struct hostfs *fs;
	struct hwmon hwmon;
	struct throttle *cores, *packages;
};

static const struct reason no_sensor = {
	ENOENT, N_("the kernel offers no thermal sensor of the CPU here (no driver)"),
	N_("load the driver coretemp (Intel) or k10temp (AMD)"),
};
static const struct reason no_virtual_sensor = {
	ENOENT, N_("the kernel offers no thermal sensor of the CPU here (a virtual machine)"), "",
};
static const struct reason no_core_sensor = {
	ENOENT, N_("the thermal sensors here are of whole packages, not of cores"), "",
};
static const struct reason no_limit = {
	ENOENT, N_("the thermal sensors here do not tell at which temperature the clock is throttled"), "",
};
static const struct reason no_throttle = {
	ENOENT, N_("the kernel counts no thermal throttling here (it does on Intel CPUs, and not in virtual machines)"),
	"",
};

static bool any_throttle(const struct source_env *env, const char *name)
{
	for (unsigned i = 0; i < env->host->n_cpus; i++) {
		int fd = hostfs_fd(env->fs, PATH, env->host->cpus[i].id, name);

		if (fd >= 0) {
			close(fd);
			return true;
		}
	}
	return false;
}

static void offer_sensors(const struct source_env *env, const struct hwmon *hwmon, bool package,
			  enum counter counter, enum counter limit, struct offer *ret)
{
	const struct reason *none = hwmon->n && !package ? &no_core_sensor :
				    env->host->hypervisor[0] ? &no_virtual_sensor : &no_sensor;
	bool any = false, limited = false;

	for (size_t i = 0; i < hwmon->n; i++) {
		if (hwmon->sensors[i].package != package)
			continue;
		any = true;
		limited = limited || hwmon_limit(env->fs, &hwmon->sensors[i]) > 0;
	}
	offer_counter(ret, counter, any ? NULL : none);
	offer_counter(ret, limit, limited ? NULL : any ? &no_limit : none);
}

static int thermal_probe(const struct source_env *env, struct offer *ret)
{
	struct hwmon hwmon;
	int r = hwmon_find(env->fs, env->host, &hwmon);

	offer_sensors(env, &hwmon, true, COUNTER_PACKAGE_TEMPERATURE,
		      COUNTER_PACKAGE_TEMPERATURE_LIMIT, ret);
	offer_sensors(env, &hwmon, false, COUNTER_CORE_TEMPERATURE, COUNTER_CORE_TEMPERATURE_LIMIT,
		      ret);
	if (hwmon.tctl)
		ret->note[COUNTER_PACKAGE_TEMPERATURE] =
			N_("here Tctl, which on some models stands above the temperature of the die");
	hwmon_free(&hwmon);
	offer_counter(ret, COUNTER_CORE_THROTTLE,
		      any_throttle(env, "core_throttle_count") ? NULL : &no_throttle);
	offer_counter(ret, COUNTER_PACKAGE_THROTTLE,
		      any_throttle(env, "package_throttle_count") ? NULL : &no_throttle);
	return r;
}

static void close_throttles(struct throttle *throttles, unsigned n)
{
	for (unsigned i = 0; throttles && i < n; i++)
		kept_close(&throttles[i].file);
	free(throttles);
}

static void thermal_close(struct source *source)
{
	if (!source)
		return;
	close_throttles(source->cores, source->host->n_cores);
	close_throttles(source->packages, source->host->n_packages);
	hwmon_free(&source->hwmon);
	free(source);
}

static struct throttle *new_throttles(unsigned n, unsigned *budget)
{
	struct throttle *throttles = calloc(n + 1, sizeof(*throttles));

	for (unsigned i = 0; throttles && i < n; i++) {
		kept_init(&throttles[i].file, budget);
		throttles[i].cpu = NOBODY;
	}
	return throttles;
}

static int thermal_open(const struct source_env *env, struct source **ret, struct problem *ret_problem)
{
	struct source *source = calloc(1, sizeof(*source));
	unsigned budget = kept_budget(4); /* cpuidle takes half */

	if (!source)
		return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
	source->host = env->host;
	source->fs = env->fs;
	if (hwmon_find(env->fs, env->host, &source->hwmon) < 0)
		goto fail;
	hwmon_keep(&source->hwmon, env->fs, &budget);
	source->packages = new_throttles(env->host->n_packages, &budget);
	source->cores = new_throttles(env->host->n_cores, &budget);
	if (!source->packages || !source->cores)
		goto fail;
	*ret = source;
	return 0;
fail:
	thermal_close(source);
	return problem_set(ret_problem, ENOMEM, "", _("out of memory"));
}

/* Counts of two CPUs are not to be subtracted: where another one has to be asked than the last time, the
 * counter begins anew. */
static struct reading read_throttle(struct source *source, struct throttle *throttle, unsigned cpu,
				    const char *name)
{
	bool anew = throttle->cpu != NOBODY && throttle->cpu != cpu;
	uint64_t count = 0;
	int r;

	if (throttle->cpu != cpu)
		kept_close(&throttle->file);
	r = kept_read(&throttle->file, source->fs, &count, PATH, source->host->cpus[cpu].id, name);
	if (r < 0) {
		/* It may be the file of a CPU that is not `throttle->cpu`. */
		kept_close(&throttle->file);
		return reading_failed(place_failed(r), r, SOURCE_THERMAL);
	}
	throttle->cpu = cpu;
	return (struct reading){ count, anew ? STATE_RESET : STATE_OK, SOURCE_THERMAL };
}

/* The counts are the kernel's own memory: nobody is disturbed by reading them. */
static void read_throttles(struct source *source, struct sample *into)
{
	unsigned cpu;

	for (unsigned i = 0; i < source->host->n_cores; i++) {
		enum state state = place_of_core(source->host, into, i, false, &cpu);

		*sample_at(into, COUNTER_CORE_THROTTLE, i, 0) =
			state == STATE_OK ? read_throttle(source, &source->cores[i], cpu, "core_throttle_count") :
					    (struct reading){ 0, (uint8_t)state, SOURCE_THERMAL };
	}
	for (unsigned i = 0; i < source->host->n_packages; i++) {
		enum state state = place_of_package(source->host, into, i, false, &cpu);

		*sample_at(into, COUNTER_PACKAGE_THROTTLE, i, 0) =
			state == STATE_OK ? read_throttle(source, &source->packages[i], cpu, "package_throttle_count") :
					    (struct reading){ 0, (uint8_t)state, SOURCE_THERMAL };
	}
}

static int thermal_read(struct source *source, struct sample *into)
{
	hwmon_read(&source->hwmon, source->fs, source->host, into);
	read_throttles(source, into);
	return 0;
}

const struct source_ops thermal_ops = {
	.probe = thermal_probe,
	.open = thermal_open,
	.read = thermal_read,
	.close = thermal_close,
};
