/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open and its descriptors. */
#include "config.h"

#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "event.h"
#include "fault.h"
#include "machine.h"

/* A kernel has no such limit; no program here comes near it. */
#define MAX_GROUP 512
#define FORMAT_LOST 16 /* PERF_FORMAT_LOST of Linux 6.0 */

struct pev {
	int id, leader;
	int cpu, asked_cpu; /* a task's (-1) are counted on CPU 0 */
	pid_t pid;
	uint32_t type;
	uint64_t config, rf;
	bool on, gp, pinned, dead, inherit;
	bool with_leader; /* is enabled when its leader is */
	double acc, en, run, t, q;
	struct pev *next;
};

struct asked {
	pid_t pid;
	int cpu, group;
	unsigned long flags;
	bool capable;
};

static struct pev *evs;

static int next_id = 1;

static struct pev *find(int id)
{
	for (struct pev *e = evs; e; e = e->next)
		if (e->id == id)
			return e;
	return NULL;
}

static int gp_avail(void)
{
	int n = machine.gp_counters - (machine.nmi_watchdog ? 1 : 0);
	return n < 0 ? 0 : n;
}

static double share(int cpu)
{
	int n = 0;
	for (struct pev *e = evs; e; e = e->next)
		if (e->on && !e->dead && e->gp && e->cpu == cpu)
			n++;
	return n > gp_avail() && n ? (double)gp_avail() / n : 1;
}

static void settle(int cpu, double t)
{
	double sh = share(cpu);
	for (struct pev *e = evs; e; e = e->next)
		if (e->cpu == cpu && !e->dead) {
			double q = ev_q(e->type, e->config, cpu, t),
			       f = e->gp && !e->pinned ? sh : 1;
			if (e->on) {
				e->acc += (q - e->q) * f;
				e->en += t - e->t;
				e->run += (t - e->t) * f;
			}
			e->q = q;
			e->t = t;
		}
}

/* The PMU that an event belongs to; software events and the msr PMU's are of none, and join any
 * group. */
static int pmu_of(uint32_t type)
{
	if (type == PERF_TYPE_SOFTWARE || type == T_MSR)
		return -1;
	return type > T_MSR ? (int)type : PERF_TYPE_RAW;
}

static bool needs_counter(uint32_t type, uint64_t config)
{
	return pmu_of(type) == PERF_TYPE_RAW && !ev_is_fixed(type, config);
}

/* What sys_perf_event_open() checks before it looks for the PMU (kernel/events/core.c). */
static int check_attr(const struct perf_event_attr *a, const struct asked *asked)
{
	const unsigned long flags = PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT |
				    PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC;

	if (asked->flags & ~flags || a->read_format & ~0x1fULL)
		return EINVAL;
	/* Debian's and Ubuntu's additional level 3; then perf_allow_kernel(). */
	if (!asked->capable &&
	    (machine.paranoid > 2 || (machine.paranoid > 1 && !a->exclude_kernel)))
		return EACCES;
	if (a->sample_type & PERF_SAMPLE_REGS_INTR && machine.lockdown == LOCKDOWN_CONFIDENTIALITY)
		return EPERM;
	if (asked->group >= 0 && !find(asked->group))
		return EBADF;
	if (asked->cpu < 0 ? asked->pid == -1 : asked->cpu >= machine.possible)
		return EINVAL;
	return 0;
}

/* What the PMU's event_init() says, and perf_try_init_event() after it. */
static int check_event(const struct perf_event_attr *a, const struct asked *asked, double t)
{
	uint32_t type = a->type;
	int cpu = asked->cpu < 0 ? 0 : asked->cpu, rc;

	if (!machine.have_perf && type != PERF_TYPE_SOFTWARE)
		return ENOENT;
	rc = perf_fault(type, (int64_t)a->config, cpu);
	if (rc)
		return rc;
	/* A CPU that is possible and not there has no counts yet, but the event is known. */
	if (ev_q(type, a->config, cpu < machine.ncpu ? cpu : 0, t) == NOEV)
		return ev_is_counting_only(type) ? EINVAL : ENOENT;
	if (ev_is_counting_only(type)) {
		/* PERF_PMU_CAP_NO_EXCLUDE, and no interrupt to sample at. */
		if (a->sample_period || a->exclude_user || a->exclude_kernel || a->exclude_hv ||
		    a->exclude_idle || a->exclude_host || a->exclude_guest)
			return EINVAL;
		/* Only the msr PMU can follow a task. */
		if (asked->pid >= 0 && type != T_MSR)
			return EINVAL;
	}
	if (!asked->capable && machine.paranoid > 0 && type == PERF_TYPE_RAW &&
	    ev_anythread(a->config))
		return EACCES; /* it counts the sibling, too */
	return 0;
}

/* The PMU of the group's hardware events, -1 while it has none. */
static int group_pmu(int leader)
{
	for (struct pev *e = evs; e; e = e->next)
		if (e->leader == leader && pmu_of(e->type) >= 0)
			return pmu_of(e->type);
	return -1;
}

static int check_group(const struct perf_event_attr *a, const struct asked *asked,
		       const struct pev *lead)
{
	int need = needs_counter(a->type, a->config), pmu = pmu_of(a->type),
	    group = group_pmu(lead->id);

	/* A member cannot lead; one group, one CPU or one task; only a leader is pinned. */
	if (lead->leader != lead->id || lead->asked_cpu != asked->cpu || lead->pid != asked->pid ||
	    a->pinned || a->exclusive)
		return EINVAL;
	if (asked->pid >= 0 && lead->inherit != a->inherit)
		return EINVAL;
	if (pmu >= 0 && group >= 0 && pmu != group)
		return EINVAL;
	/* validate_group(): it must fit the counters. */
	for (struct pev *e = evs; e; e = e->next)
		if (e->leader == lead->id && e->gp)
			need++;
	return need > gp_avail() ? EINVAL : 0;
}

static int check_open(const struct perf_event_attr *a, const struct asked *asked, double t)
{
	int rc = check_attr(a, asked);

	if (!rc)
		rc = check_event(a, asked, t);
	if (rc)
		return rc;
	if (asked->pid == -1 && !asked->capable && machine.paranoid > 0)
		return EACCES;
	if (asked->cpu >= machine.ncpu || (asked->cpu >= 0 && !cpus[asked->cpu].online))
		return ENODEV;
	return asked->group >= 0 ? check_group(a, asked, find(asked->group)) : 0;
}

static int add_event(const struct perf_event_attr *a, const struct asked *asked, double t)
{
	struct pev *lead = asked->group >= 0 ? find(asked->group) : NULL, **end = &evs;
	struct pev *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENOMEM;
	e->id = next_id++;
	e->asked_cpu = asked->cpu;
	e->cpu = asked->cpu < 0 ? 0 : asked->cpu;
	e->pid = asked->pid;
	e->type = a->type;
	e->config = a->config;
	e->rf = a->read_format;
	e->pinned = a->pinned;
	e->inherit = a->inherit;
	e->leader = lead ? lead->id : e->id;
	e->gp = needs_counter(a->type, a->config);
	settle(e->cpu, t);
	e->q = ev_q(e->type, e->config, e->cpu, t);
	e->t = t;
	/* An exec that enables is taken to be imminent. */
	e->on = !a->disabled || a->enable_on_exec;
	if (e->on && lead && !lead->on) {
		e->on = false;
		e->with_leader = true;
	}
	while (*end)
		end = &(*end)->next;
	*end = e;
	return e->id;
}

int pev_open(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags,
	     bool capable, double t)
{
	const struct asked asked = { pid, cpu, group, flags, capable };
	int rc;

	counts.perf_open++;
	if (cpu >= 0 && cpu < machine.ncpu)
		cpus[cpu].n_perf_open++;
	rc = check_open(a, &asked, t);
	emu_log("perf_open type=%u config=%#llx pid=%d cpu=%d group=%d flags=%#lx excl=%d -> %s",
		a->type, (unsigned long long)a->config, pid, cpu, group, flags, a->exclude_kernel,
		rc ? strerrorname_np(rc) : "ok");
	if (!rc)
		return add_event(a, &asked, t);
	counts.perf_err++;
	return -rc;
}

static void put(unsigned char *b, size_t *o, uint64_t v)
{
	memcpy(b + *o, &v, 8);
	*o += 8;
}

/* The values of one event, or of each of its group, as read_format says. */
static size_t layout(const struct pev *e, unsigned char *b)
{
	bool group = e->rf & PERF_FORMAT_GROUP;
	uint64_t count = 0;
	size_t o = 0;

	for (struct pev *x = evs; x; x = x->next)
		count += x->leader == e->leader;
	put(b, &o, group ? count : (uint64_t)(int64_t)e->acc);
	if (e->rf & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(b, &o, (uint64_t)(e->en * 1e9));
	if (e->rf & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(b, &o, (uint64_t)(e->run * 1e9));
	for (const struct pev *x = group ? evs : e; x; x = x->next) {
		if (group && x->leader != e->leader)
			continue;
		if (group)
			put(b, &o, (uint64_t)(int64_t)x->acc);
		if (e->rf & PERF_FORMAT_ID)
			put(b, &o, (uint64_t)x->id);
		if (e->rf & FORMAT_LOST)
			put(b, &o, 0);
		if (!group)
			break;
	}
	return o;
}

/* Whichever member is read, the whole group is returned, the leader (the oldest) first. */
int pev_read(int id, void *buf, size_t n, double t)
{
	unsigned char b[8 * 3 + 24 * MAX_GROUP];
	struct pev *e = find(id);
	size_t length;
	int members = 0;

	counts.perf_read++;
	if (!e)
		return -EBADF;
	cpus[e->cpu].n_perf_read++;
	settle(e->cpu, t);
	for (struct pev *x = evs; x; x = x->next)
		members += x->leader == e->leader;
	if (members > MAX_GROUP)
		return -EINVAL;
	length = layout(e, b);
	if (n < length)
		return -ENOSPC;
	memcpy(buf, b, length);
	return (int)length;
}

static void set_on(struct pev *e, bool on)
{
	e->on = on;
	e->with_leader = false;
}

int pev_ioctl(int id, unsigned cmd, uintptr_t arg, void *data, double t)
{
	counts.perf_ioctl++;
	struct pev *e = find(id);
	if (!e)
		return -EBADF;
	settle(e->cpu, t);
	switch (cmd) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
		for (struct pev *x = evs; x; x = x->next)
			if (x == e || ((arg & PERF_IOC_FLAG_GROUP) && x->leader == e->leader) ||
			    (x->leader == e->id && x->with_leader &&
			     cmd == PERF_EVENT_IOC_ENABLE)) {
				if (cmd == PERF_EVENT_IOC_RESET)
					x->acc = 0;
				else
					set_on(x, cmd == PERF_EVENT_IOC_ENABLE);
			}
		return 0;
	case PERF_EVENT_IOC_ID: {
		uint64_t v = (uint64_t)e->id;
		memcpy(data, &v, 8);
		return 0;
	}
	}
	return -ENOTTY;
}

void pev_close(int id, double t)
{
	for (struct pev **pp = &evs; *pp; pp = &(*pp)->next)
		if ((*pp)->id == id) {
			struct pev *e = *pp;
			settle(e->cpu, t);
			for (struct pev *x = evs; x; x = x->next)
				if (x->leader == id && x != e)
					x->leader = x->id; /* siblings survive alone */
			*pp = e->next;
			free(e);
			return;
		}
}

void pev_cpu_offline(int cpu, double t)
{
	settle(cpu, t);
	for (struct pev *e = evs; e; e = e->next)
		if (e->cpu == cpu)
			e->dead = true;
}
