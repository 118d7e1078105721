/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a burst may run: the rules of the manual's section on safety, each with its reason. */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "base/nls.h"
#include "base/num.h"
#include "burst/burst_own.h"
#include "burst/thermal.h"

#define FORBID_FILE "etc/avxtop/no-burst"
#define MARGIN_LEAST_CELSIUS 10.0

static int check_cpus(const struct burst_plan *plan, const struct host *host,
		      struct problem *ret_problem)
{
	if (!plan->cpus || list_count(plan->cpus) == 0)
		return problem_set(ret_problem, EINVAL, "", _("no CPU to drive"));
	for (int id = -1; (id = list_next(plan->cpus, id + 1)) >= 0;) {
		const int index = host_cpu_index(host, (unsigned)id);
		const struct host_cpu *cpu;

		if (index < 0)
			return problem_set(ret_problem, ENODEV, "", _("there is no CPU %d"), id);
		cpu = &host->cpus[index];
		if (!cpu->online)
			return problem_set(ret_problem, ENODEV, "", _("CPU %d is offline"), id);
		if (!cpu->allowed)
			return problem_set(ret_problem, EPERM,
					   _("name a CPU that taskset and the cpuset allow"),
					   _("this process may not run on CPU %d (cpuset or affinity)"),
					   id);
		if (cpu->isolated && !cpu->named)
			return problem_set(ret_problem, EPERM, _("name it with --cpus"),
					   _("CPU %d is isolated from general load"), id);
	}
	return 0;
}

static int check_kernel(const struct burst_plan *plan, const struct host *host,
			struct problem *ret_problem)
{
	for (int id = -1; (id = list_next(plan->cpus, id + 1)) >= 0;) {
		const int index = host_cpu_index(host, (unsigned)id);
		const int r = kernel_usable(plan->kernel, host, host->cpus[index].kind, ret_problem);

		if (r < 0)
			return r;
	}
	return 0;
}

/* A file that is there but cannot be looked at forbids too. */
static int check_forbidden(struct hostfs *fs, struct problem *ret_problem)
{
	const int fd = hostfs_fd(fs, FORBID_FILE);

	if (fd == -ENOENT || fd == -ENOTDIR)
		return 0;
	if (fd == -EMFILE || fd == -ENFILE)
		return problem_set(ret_problem, -fd, _("let it open more files (ulimit -n)"),
				   _("whether /%s forbids bursts cannot be looked up"), FORBID_FILE);
	if (fd >= 0)
		(void)close(fd);
	return problem_set(ret_problem, EPERM, _("ask whoever made that file"),
			   _("/%s exists: bursts are forbidden on this machine"), FORBID_FILE);
}

static int check_load(const struct burst_plan *plan, const struct host *host,
		      const double *os_busy, struct problem *ret_problem)
{
	if (plan->force || !os_busy)
		return 0;
	for (int id = -1; (id = list_next(plan->cpus, id + 1)) >= 0;) {
		const double busy = os_busy[host_cpu_index(host, (unsigned)id)];

		if (busy > BURST_BUSY_MOST)
			return problem_set(ret_problem, EBUSY,
					   _("choose another CPU, or use --force"),
					   _("CPU %d is %.0f %% busy with other work"), id, busy * 100);
	}
	return 0;
}

/* What can be had without swapping (Linux, Documentation/filesystems/proc.rst, "meminfo"). False
 * where the kernel does not say (before 3.14). */
static bool memory_available(struct hostfs *fs, uint64_t *ret_bytes)
{
	static const char key[] = "MemAvailable:";
	unsigned long long kib;
	bool found = false;
	const char *line;
	char *text;

	if (hostfs_read(fs, "proc/meminfo", &text, NULL) < 0)
		return false;
	line = strstr(text, key);
	if (line && sscanf(line + sizeof(key) - 1, "%llu kB", &kib) == 1 && kib <= UINT64_MAX / 1024) {
		*ret_bytes = (uint64_t)kib * 1024;
		found = true;
	}
	free(text);
	return found;
}

/* Buffers of copies: no more than half of what is free, so that nobody else has to go. */
static int check_memory(const struct burst_plan *plan, struct hostfs *fs,
			struct problem *ret_problem)
{
	const struct copy_shape shape = burst_copy_shape(plan);
	const double needed = (double)copier_memory(&shape) * list_count(plan->cpus);
	char needed_text[32], available_text[32];
	uint64_t available;

	if (!kernel_row(plan->kernel)->copy || !memory_available(fs, &available) ||
	    needed <= (double)available / 2)
		return 0;
	(void)num_human_rate(needed, "B", needed_text, sizeof(needed_text));
	(void)num_human_rate((double)available, "B", available_text, sizeof(available_text));
	return problem_set(ret_problem, EAGAIN, _("drive fewer CPUs"),
			   _("the copies need %s of memory, more than half of the %s that are available"),
			   needed_text, available_text);
}

static int check_thermal(const struct thermal_state *thermal, struct problem *ret_problem,
			 struct problem *ret_note)
{
	const struct thermal_margin *margin = &thermal->nearest;

	if (thermal->limited)
		return problem_set(ret_problem, EAGAIN, _("let the machine cool down first"),
				   _("CPU %u is being throttled by a thermal or power limit now"),
				   thermal->limited_cpu);
	if (!thermal->known) {
		(void)problem_set(ret_note, ENODATA, "",
				  _("temperature unknown: no sensor with a limit can be read here"));
		return 0;
	}
	if (margin->limit_celsius - margin->celsius < MARGIN_LEAST_CELSIUS)
		return problem_set(ret_problem, EAGAIN, _("let the machine cool down first"),
				   _("%s is at %.0f °C, within 10 °C of its limit of %.0f °C"),
				   margin->sensor, margin->celsius, margin->limit_celsius);
	return 0;
}

/* Others still have a CPU? Not with all driven: allowed where named, and said. */
static void note_all_driven(const struct burst_plan *plan, const struct host *host,
			    struct problem *ret_note)
{
	for (unsigned i = 0; i < host->n_cpus; i++)
		if (host->cpus[i].online && !list_has(plan->cpus, host->cpus[i].id))
			return;
	(void)problem_set(ret_note, EBUSY, "",
			  _("every CPU of this machine is driven: other programs will be slow"));
}

int burst_check(const struct burst_plan *plan, const struct host *host, struct hostfs *fs,
		const double *os_busy, const struct thermal_state *thermal,
		struct problem *ret_problem, struct problem *ret_note)
{
	struct problem note = { 0 };
	struct thermal_state asked;
	int r = 0;

	if (!host->live)
		r = problem_set(ret_problem, EPERM, _("leave out --sysroot"),
				_("a burst drives this machine only, not one that is read from files"));
	if (r == 0)
		r = check_cpus(plan, host, ret_problem);
	if (r == 0)
		r = check_forbidden(fs, ret_problem);
	if (r == 0)
		r = check_kernel(plan, host, ret_problem);
	if (r == 0)
		r = check_memory(plan, fs, ret_problem);
	if (r == 0)
		r = check_load(plan, host, os_busy, ret_problem);
	if (r == 0) {
		note_all_driven(plan, host, &note);
		if (!thermal)
			thermal_ask(fs, plan->cpus, &asked);
		r = check_thermal(thermal ? thermal : &asked, ret_problem, &note);
	}
	if (r < 0 && ret_problem)
		ret_problem->err = 0; /* the sentence says it all; a strerror() behind it would not */
	note.err = 0;
	if (r == 0 && ret_note)
		*ret_note = note;
	return r;
}

/* Not CPU 0 nor its siblings, where interrupts and whoever does not care go, if there is another
 * one; of the kind of core that CPU 0 is. The last one is the least used. */
static int grade(const struct host *host, unsigned cpu)
{
	const struct host_cpu *const c = &host->cpus[cpu], *const first = &host->cpus[0];

	if (!c->online || !c->allowed || c->isolated)
		return 0;
	if (cpu == 0)
		return 1;
	if (c->kind != first->kind)
		return 2;
	return c->core == first->core ? 3 : 4;
}

struct list *burst_default_cpus(const struct host *host)
{
	struct list *const list = list_new();
	int best = 0;
	unsigned chosen = 0;

	for (unsigned cpu = 0; cpu < host->n_cpus; cpu++) {
		const int g = grade(host, cpu);

		if (g >= best && g > 0) {
			best = g;
			chosen = cpu;
		}
	}
	if (!list || best == 0 || list_add(list, host->cpus[chosen].id) < 0) {
		list_free(list);
		return NULL;
	}
	return list;
}

struct list *burst_all_cpus(const struct host *host)
{
	struct list *const list = list_new();

	for (unsigned i = 0; list && i < host->n_cpus; i++) {
		const struct host_cpu *const cpu = &host->cpus[i];

		if (cpu->online && cpu->allowed && !cpu->isolated && list_add(list, cpu->id) < 0) {
			list_free(list);
			return NULL;
		}
	}
	return list;
}
