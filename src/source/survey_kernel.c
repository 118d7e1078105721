/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts from settings of the kernel: its drivers, its lockdown, its watchdog. */
#include "config.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "base/text.h"
#include "model/host.h"
#include "source/survey.h"

/* A word that the kernel or a driver wrote, made safe; 0 or -errno. */
static int read_word(const struct survey_env *env, struct survey_fact *ret, const char *path)
{
	char line[sizeof(ret->value)];
	int r = hostfs_read_line(env->fs, line, sizeof(line), "%s", path);

	if (r == 0)
		text_escape_terminal(line, ret->value, sizeof(ret->value));
	return r;
}

/* First CPU online, whose folder stands for all. */
static unsigned first_cpu(const struct host *host)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].online)
			return host->cpus[i].id;
	return 0;
}

void survey_cpufreq_driver(const struct survey_env *env, struct survey_fact *ret)
{
	char path[96];
	int r;

	(void)snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/cpufreq/scaling_driver",
		       first_cpu(env->host));
	r = read_word(env, ret, path);
	if (r == 0)
		survey_tell(ret, CAUSE_FOUND, 0, "", _("the driver %s sets the clock of the CPUs"),
			    ret->value);
	else
		survey_tell(ret, cause_of(-r, env->host), -r, "",
			    _("no driver of the kernel sets the clock of the CPUs"));
}

void survey_cpuidle_driver(const struct survey_env *env, struct survey_fact *ret)
{
	int r = read_word(env, ret, "sys/devices/system/cpu/cpuidle/current_driver");

	if (r == 0 && strcmp(ret->value, "none") == 0)
		r = -ENODEV;
	if (r == 0)
		survey_tell(ret, CAUSE_FOUND, 0, "", _("the driver %s chooses idle states"), ret->value);
	else
		survey_tell(ret, cause_of(-r, env->host), -r, "",
			    _("no driver of the kernel chooses idle states, so that an idle CPU just halts"));
}

/* The level between brackets in "none [integrity] confidentiality" replaces the line. */
static bool pick_level(char *line)
{
	char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return false;
	*close = '\0';
	memmove(line, open + 1, (size_t)(close - open));
	return true;
}

/* kernel_lockdown(7). Linux refuses to write registers; kernels of distributions may refuse to read them,
 * too (intel/pcm issue 102). Events of perf are counted all the same. */
void survey_lockdown(const struct survey_env *env, struct survey_fact *ret)
{
	int r = read_word(env, ret, "sys/kernel/security/lockdown");

	if (r < 0 || !pick_level(ret->value)) {
		ret->value[0] = '\0';
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("the kernel tells of no lockdown, so that nothing is known to be locked"));
	} else if (strcmp(ret->value, "none") == 0) {
		survey_tell(ret, CAUSE_FOUND, 0, "", _("the kernel is not locked down"));
	} else {
		survey_tell(ret, CAUSE_REFUSED, 0,
			    _("count by perf, which stays possible, or boot without Secure Boot"),
			    _("the kernel is locked down (%s), so that no register may be written, and "
			      "with some distributions none read"),
			    ret->value);
	}
}

void survey_nmi_watchdog(const struct survey_env *env, struct survey_fact *ret)
{
	int r = read_word(env, ret, "proc/sys/kernel/nmi_watchdog");

	if (r < 0) {
		survey_tell(ret, cause_of(-r, env->host), -r, _("nothing is lost by that"),
			    _("this kernel has no NMI watchdog"));
	} else if (strcmp(ret->value, "0") == 0) {
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("the NMI watchdog is off and takes no counter"));
	} else {
		survey_tell(ret, CAUSE_FOUND, 0, _("root can free it by setting the sysctl kernel.nmi_watchdog to 0"),
			    _("the NMI watchdog takes one counter of each CPU"));
	}
}
