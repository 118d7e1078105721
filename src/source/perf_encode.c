/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Codes of events by libpfm4. */
#include "config.h"

#include "source/perf_encode.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/nls.h"
#include "model/events.h"

/* What libpfm4 takes from the environment; not from whoever starts a program with more rights. */
static const char *const variables[] = {
	"LIBPFM_VERBOSE",	  "LIBPFM_DEBUG",	  "LIBPFM_DEBUG_STDOUT", "LIBPFM_FORCE_PMU",
	"LIBPFM_ENCODE_INACTIVE", "LIBPFM_DISABLED_PMUS", "LIBPFM_PROC_CPUINFO",
};

int perf_encode_init(struct problem *ret_problem)
{
	int r;

	if (getauxval(AT_SECURE))
		for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
			(void)unsetenv(variables[i]);
	/* Else it only knows the PMU of the CPU that CPUID tells, where a hypervisor may have told
	 * another. Once: a session that follows another is opened while threads run. */
	if (!getenv("LIBPFM_ENCODE_INACTIVE") && setenv("LIBPFM_ENCODE_INACTIVE", "1", 1) < 0)
		return problem_set(ret_problem, errno, "", _("libpfm4 cannot be begun with"));
	r = pfm_initialize();
	if (r != PFM_SUCCESS)
		return problem_set(ret_problem, ENOTSUP, "", _("libpfm4 cannot be begun with: %s"),
				   pfm_strerror(r));
	return 0;
}

static int encode_one(const char *name, uint64_t *ret, struct problem *ret_problem)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	int r;

	if (!strstr(name, "::"))
		return problem_set(ret_problem, EINVAL,
				   _("put the name of its PMU and :: before it"),
				   _("%s does not say of which PMU it is"), name);
	r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (r != PFM_SUCCESS)
		return problem_set(ret_problem, ENOENT, "", _("libpfm4 cannot encode %s: %s"), name,
				   pfm_strerror(r));
	*ret = attr.config;
	return 0;
}

int perf_encode(const char *name, uint64_t *ret, struct problem *ret_problem)
{
	uint64_t config = 0, one = 0;
	char names[sizeof(((struct event *)0)->name)];
	char *rest = names;
	int r = perf_encode_init(ret_problem);

	if (r < 0)
		return r;
	if (snprintf(names, sizeof(names), "%s", name) >= (int)sizeof(names))
		return problem_set(ret_problem, EINVAL, "", _("the name of the event is too long"));
	for (char *part; (part = strsep(&rest, "|"));) {
		part += strspn(part, " ");
		part[strcspn(part, " ")] = '\0';
		r = encode_one(part, &one, ret_problem);
		if (r < 0)
			return r;
		config |= one; /* the same event: umasks add up */
	}
	*ret = config;
	return 0;
}

uint64_t perf_encode_event(const struct event *event)
{
	uint64_t config;

	return perf_encode(event->name, &config, NULL) < 0 ? event->raw : config;
}
