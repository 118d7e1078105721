/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of facts, and those that need no file: hypervisor, CPUs, rights, time-stamp counter. */
#include "config.h"

#include "source/survey.h"

#include <linux/capability.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "model/host.h"

#define NOBODY 65534 /* the kernel's overflow uid: a user without rights */

static const struct survey_row rows[] = {
#define SURVEY(id, function, ...) [SURVEY_##id] = { .look = function, __VA_ARGS__ },
#include "source/survey_rows.h"
#undef SURVEY
};

const struct survey_row *survey_row(enum survey survey)
{
	return &rows[survey];
}

/* capget(2), for which the C library has no function. A kernel without it (CONFIG_MULTIUSER=n, ENOSYS)
 * refuses nobody. */
static uint64_t capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { 0 };

	if (syscall(SYS_capget, &head, data) < 0)
		return UINT64_MAX;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

void survey_rights_read(const struct host *host, bool sudo, struct survey_rights *ret)
{
	*ret = (struct survey_rights){ .user = NOBODY };
	if (!host->live)
		return;
	ret->user = geteuid();
	ret->capabilities = capabilities();
	ret->sudo = sudo;
}

void survey_tell(struct survey_fact *fact, enum cause cause, int err, const char *remedy,
		 const char *format, ...)
{
	char text[sizeof(fact->meaning.text)];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	(void)problem_set(&fact->meaning, err, remedy, "%s", text);
	fact->meaning.err = err;
	fact->cause = cause;
}

void survey_virtual_machine(const struct survey_env *env, struct survey_fact *ret)
{
	const char *name = env->host->hypervisor;

	if (!name[0]) {
		(void)snprintf(ret->value, sizeof(ret->value), "none");
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("no hypervisor makes itself known, so that what the CPU counts is its own"));
		return;
	}
	(void)snprintf(ret->value, sizeof(ret->value), "%s", name);
	survey_tell(ret, CAUSE_VIRTUAL, 0,
		    _("look on its host for what is absent here"),
		    _("the hypervisor (%s) decides which counters and drivers there are, and gives its "
		      "CPUs to other machines, too"),
		    ret->value);
}

/* Numbers of the CPUs that are online and for which `is` holds, as "0-3,8". Returns how many. */
static unsigned cpu_list(const struct host *host, bool (*is)(const struct host_cpu *), char *buf,
			 size_t size)
{
	struct list *list = list_new();
	unsigned count = 0;
	char *text = NULL;

	for (unsigned i = 0; list && i < host->n_cpus; i++) {
		if (host->cpus[i].online && is(&host->cpus[i]) &&
		    list_add(list, host->cpus[i].id) == 0)
			count++;
	}
	if (list)
		text = list_format(list);
	(void)snprintf(buf, size, "%s", text && count ? text : "none");
	free(text);
	list_free(list);
	return count;
}

static bool is_allowed(const struct host_cpu *cpu)
{
	return cpu->allowed;
}

static bool is_isolated(const struct host_cpu *cpu)
{
	return cpu->isolated;
}

void survey_cpus(const struct survey_env *env, struct survey_fact *ret)
{
	const unsigned online = host_online(env->host, NULL).cpus;
	unsigned allowed = cpu_list(env->host, is_allowed, ret->value, sizeof(ret->value));

	if (!env->host->live)
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    P_("the tree has %u CPU online", "the tree has %u CPUs online", online),
			    online);
	else if (allowed == online)
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    P_("this process may run on the %u CPU that is online (%s)",
			       "this process may run on all %u CPUs that are online (%s)", online),
			    online, ret->value);
	else
		survey_tell(ret, CAUSE_REFUSED, 0, _("widen its affinity (taskset) or its cpuset"),
			    _("this process may run on %u of %u CPUs only (%s), so that the ruler "
			      "measures no other"),
			    allowed, online, ret->value);
}

void survey_isolated_cpus(const struct survey_env *env, struct survey_fact *ret)
{
	if (cpu_list(env->host, is_isolated, ret->value, sizeof(ret->value)))
		survey_tell(ret, CAUSE_FOUND, 0, _("name them by -c to have them measured"),
			    _("isolated CPUs (%s) are not disturbed by a probe"), ret->value);
	else
		survey_tell(ret, CAUSE_FOUND, 0, "", _("no CPU is isolated"));
}

void survey_rights(const struct survey_env *env, struct survey_fact *ret)
{
	const bool root = env->rights.user == 0;

	(void)snprintf(ret->value, sizeof(ret->value), "%s", root ? "root" : "user");
	if (!env->host->live) {
		ret->value[0] = '\0';
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("it is judged as an ordinary user would see that machine"));
	} else if (root) {
		survey_tell(ret, CAUSE_FOUND, 0, "", _("it runs as root"));
	} else if (env->rights.sudo) {
		(void)snprintf(ret->value, sizeof(ret->value), "sudo");
		survey_tell(ret, CAUSE_FOUND, 0, _("sudo env -u SUDO_UID avxtop keeps them"),
			    _("files that only root may read were opened by sudo's rights, which are given "
			      "back: the rest is as user %u may see it"),
			    env->rights.user);
	} else {
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("it runs as an ordinary user, for whom some files are closed"));
	}
}

void survey_tsc(const struct survey_env *env, struct survey_fact *ret)
{
	const double hertz = env->host->tsc_hertz;

	if (hertz > 0) {
		(void)num_format(hertz, ret->value, sizeof(ret->value));
		survey_tell(ret, CAUSE_FOUND, 0, "",
			    _("the time-stamp counter runs at a steady %.2f MHz, which the ruler "
			      "measures by"),
			    hertz / 1e6);
	} else if (!env->host->live) {
		survey_tell(ret, CAUSE_LEFT_OUT, 0, _("run it on that machine, without --sysroot"),
			    _("the time-stamp counter of a machine that is only files cannot be read"));
	} else {
		survey_tell(ret, env->host->hypervisor[0] ? CAUSE_VIRTUAL : CAUSE_NOT_ON_CPU, 0,
			    _("let the guest read it untouched (a setting of the hypervisor), or choose "
			      "tsc as clock source"),
			    _("the time-stamp counter is intercepted or not steady, so that the ruler "
			      "has nothing to measure by"));
	}
}
