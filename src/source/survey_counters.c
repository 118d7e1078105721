/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about hardware counters: the register device, what perf allows, and which PMUs there are. */
#include "config.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/text.h"
#include "model/host.h"
#include "model/state.h"
#include "source/survey.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38 /* Linux 5.8 */
#endif

#define DEVICES "sys/bus/event_source/devices"
/* Level of perf_event_paranoid from which kernels of Debian and Ubuntu ask for CAP_SYS_ADMIN, whatever
 * else a process has (their kernel/events/core.c). */
#define DEBIAN_LEVEL 3

static bool is_amd(const struct host *host)
{
	return strcmp(host->vendor, "AuthenticAMD") == 0 || strcmp(host->vendor, "HygonGenuine") == 0;
}

static bool has_capability(const struct survey_env *env, unsigned capability)
{
	return env->rights.capabilities >> capability & 1;
}

/* A CPU that is online, if possible one that may be disturbed. */
static unsigned some_cpu(const struct host *host)
{
	unsigned id = 0;

	for (unsigned i = host->n_cpus; i-- > 0;)
		if (host->cpus[i].online)
			id = host->cpus[i].id;
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host_cpu_state(host, i) == STATE_OK)
			return host->cpus[i].id;
	return id;
}

/* msr(4): mode 0600, and who opens needs CAP_SYS_RAWIO. "Run it as root" helps only who is not. */
static void tell_refused(const struct survey_env *env, int err, struct survey_fact *ret)
{
	if (env->host->live && env->rights.user == 0)
		survey_tell(ret, CAUSE_REFUSED, err,
			    _("run it outside of the container, or give it that capability and the "
			      "device"),
			    _("even root may not open the register device, as CAP_SYS_RAWIO is missing "
			      "or a security module forbids it"));
	else
		survey_tell(ret, CAUSE_REFUSED, err, _("it is opened as root"),
			    _("the register device is closed to ordinary users"));
}

/* Opened and closed; nothing is read, and so no CPU is interrupted. */
void survey_msr_device(const struct survey_env *env, struct survey_fact *ret)
{
	const unsigned cpu = some_cpu(env->host);
	int fd = hostfs_fd(env->fs, "dev/cpu/%u/msr", cpu);

	if (fd >= 0) {
		close(fd);
		(void)snprintf(ret->value, sizeof(ret->value), "dev/cpu/%u/msr", cpu);
		survey_tell(ret, CAUSE_FOUND, 0, "", _("the register device can be opened"));
	} else if (fd == -EACCES || fd == -EPERM) {
		tell_refused(env, -fd, ret);
	} else if (fd == -ENOENT) {
		survey_tell(ret, CAUSE_ABSENT, ENOENT, _("root can load it with modprobe msr"),
			    _("there is no register device, as the module msr is not loaded"));
	} else if (fd == -ENXIO || fd == -ENODEV) {
		survey_tell(ret, CAUSE_ABSENT, -fd, _("root can load it with modprobe msr"),
			    _("the register device has nothing behind it, as the module msr is not "
			      "loaded or the CPU has gone"));
	} else {
		survey_tell(ret, CAUSE_FAILS, -fd, "", _("the register device cannot be opened"));
	}
}

/* Documentation/admin-guide/perf-security.rst: above 0 no event of a whole CPU without CAP_PERFMON. */
static void tell_paranoid(const struct survey_env *env, long level, struct survey_fact *ret)
{
	const bool admin = has_capability(env, CAP_SYS_ADMIN);

	if (level <= 0)
		survey_tell(ret, CAUSE_FOUND, 0, "", _("level %ld lets all users count events of whole CPUs"),
			    level);
	else if (admin || (level < DEBIAN_LEVEL && has_capability(env, CAP_PERFMON)))
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("level %ld restricts ordinary users; this process has the capability to "
			      "count"),
			    level);
	else if (level < DEBIAN_LEVEL)
		survey_tell(ret, CAUSE_REFUSED, EACCES,
			    _("give it CAP_PERFMON, run it as root, or set the sysctl "
			      "kernel.perf_event_paranoid to 0"),
			    _("level %ld keeps ordinary users from counting events of whole CPUs"),
			    level);
	else
		survey_tell(ret, CAUSE_REFUSED, EACCES,
			    _("run it as root, or set the sysctl kernel.perf_event_paranoid to 0"),
			    _("level %ld, of distributions, refuses every event without CAP_SYS_ADMIN; "
			      "CAP_PERFMON is not enough"),
			    level);
}

void survey_perf_paranoid(const struct survey_env *env, struct survey_fact *ret)
{
	char *end = ret->value;
	long level;
	int r = hostfs_read_line(env->fs, ret->value, 16, "proc/sys/kernel/perf_event_paranoid");

	level = r == 0 ? strtol(ret->value, &end, 10) : 0;
	if (r == 0 && end > ret->value && *end == '\0') {
		tell_paranoid(env, level, ret);
		return;
	}
	ret->value[0] = '\0';
	if (r == 0 || r == -ENOENT)
		survey_tell(ret, CAUSE_ABSENT, ENOENT, _("it takes a kernel with CONFIG_PERF_EVENTS"),
			    _("this kernel has no perf events"));
	else
		survey_tell(ret, cause_of(-r, env->host), -r, "",
			    _("what perf allows cannot be read"));
}

/* Puts the names that begin with one of `prefixes` into ret->value, as "a,b". 0, -ENOENT: none, -errno. */
static int list_names(const struct survey_env *env, const char *folder, const char *const *prefixes,
		      struct survey_fact *ret)
{
	struct text text = { 0 };
	char **names = NULL;
	int r = hostfs_names(env->fs, folder, &names);

	if (r < 0)
		return r;
	for (unsigned i = 0; names[i]; i++)
		for (const char *const *prefix = prefixes; *prefix; prefix++)
			if (strncmp(names[i], *prefix, strlen(*prefix)) == 0) {
				text_addf(&text, "%s%s", text.len ? "," : "", names[i]);
				break;
			}
	hostfs_names_free(names);
	text_escape_terminal(text.data ? text.data : "", ret->value, sizeof(ret->value));
	text_free(&text);
	return ret->value[0] ? 0 : -ENOENT;
}

static void tell_pmu(const struct survey_env *env, int r, const char *found, const char *missing,
		     struct survey_fact *ret)
{
	if (r == 0)
		survey_tell(ret, CAUSE_FOUND, 0, "", "%s (%s)", found, ret->value);
	else
		survey_tell(ret, cause_of(-r, env->host), -r,
			    env->host->hypervisor[0] ? _("a hypervisor may grant a virtual PMU to its guest")
						     : "",
			    "%s", missing);
}

void survey_pmu_core(const struct survey_env *env, struct survey_fact *ret)
{
	static const char *const prefixes[] = { "cpu", NULL }; /* cpu; cpu_core and cpu_atom */

	tell_pmu(env, list_names(env, DEVICES, prefixes, ret),
		 _("perf has the counters of the cores"), _("perf has no counters of the cores"), ret);
}

void survey_pmu_msr(const struct survey_env *env, struct survey_fact *ret)
{
	static const char *const prefixes[] = { "aperf", "mperf", NULL };

	tell_pmu(env, list_names(env, DEVICES "/msr/events", prefixes, ret),
		 _("perf has the counters that tell the mean clock while not halted"),
		 _("perf has no APERF and MPERF, which would tell the mean clock while not halted"),
		 ret);
}

void survey_pmu_cstate(const struct survey_env *env, struct survey_fact *ret)
{
	static const char *const prefixes[] = { "cstate_", NULL };
	int r = list_names(env, DEVICES, prefixes, ret);

	/* arch/x86/events/intel/cstate.c serves Intel alone. */
	if (r < 0 && is_amd(env->host))
		survey_tell(ret, CAUSE_NOT_ON_CPU, 0, "",
			    _("CPUs of AMD have no residency counters of idle states"));
	else
		tell_pmu(env, r, _("perf has the residency of the hardware in idle states"),
			 _("perf has no residency of the hardware in idle states"), ret);
}

void survey_pmu_power(const struct survey_env *env, struct survey_fact *ret)
{
	static const char *const prefixes[] = { "power", NULL };

	tell_pmu(env, list_names(env, DEVICES, prefixes, ret),
		 _("perf has the energy counters"), _("perf has no energy counters"), ret);
}
