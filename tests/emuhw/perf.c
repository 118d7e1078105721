/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open and its descriptors. */
#include "config.h"

#include "perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "event.h"
#include "fault.h"
#include "machine.h"
#include "scenario.h"

/* A kernel has no such limit; no program here comes near it. */
#define MAX_GROUP 512
#define FORMAT_LOST 16 /* PERF_FORMAT_LOST of Linux 6.0 */

struct pev {
	int id, leader;
	int cpu, asked_cpu; /* -1 was asked for: a task's, which are counted where it runs */
	pid_t pid;
	uint32_t type;
	uint64_t config, rf;
	enum ev_mode mode;
	double part; /* of what the CPU does: a task's share of it */
	bool enabled, gp, pinned, dead, inherit;
	double acc, en, run, t, q;
	struct pev *next;
};

struct asked {
	pid_t pid;
	int cpu, group;
	unsigned long flags;
	const struct pev_caller *caller;
};

/* By CPU, the oldest first; by identity, of which the first is 1. */
static struct pev *evs[MAXCPU], **by_id;
static int next_id = 1;

static struct pev *find(int id)
{
	return id > 0 && id < next_id ? by_id[id] : NULL;
}

static int gp_avail(void)
{
	int n = machine.gp_counters - (machine.nmi_watchdog ? 1 : 0);
	return n < 0 ? 0 : n;
}

/* A group counts as one, while its leader is enabled. */
static bool active(const struct pev *e)
{
	return e->enabled && !e->dead && (e->leader == e->id || find(e->leader)->enabled);
}

/* General counters that the group of this leader takes; none while it cannot have them all. */
static int group_need(int leader, int cpu)
{
	int need = 0;

	for (const struct pev *e = evs[cpu]; e; e = e->next)
		need += e->leader == leader && e->gp && active(e);
	return need;
}

/*
 * The share of the time in which the group of an event is on the counters: all of its members or
 * none, also those that need no counter. What other programs count takes turns with it.
 */
static double share(const struct pev *event)
{
	const struct pev *leader = find(event->leader);
	int need = group_need(leader->id, event->cpu), demand = machine.other_events;

	if (!need)
		return 1;
	if (need > gp_avail())
		return 0;
	if (leader->pinned)
		return 1;
	for (const struct pev *e = evs[event->cpu]; e; e = e->next)
		if (e->leader == e->id && group_need(e->id, e->cpu) <= gp_avail())
			demand += group_need(e->id, e->cpu);
	return demand > gp_avail() ? (double)gp_avail() / demand : 1;
}

static double count(const struct pev *e, double t)
{
	if (e->asked_cpu < 0 && e->type == T_MSR && e->config == 0) {
		double q[NQ]; /* a task's TSC goes on only while it runs */

		cpu_q(e->cpu, t, q);
		return q[Q_C0] * machine.tsc_mhz * 1e6 * e->part;
	}
	return ev_q(e->type, e->config, e->cpu, t, e->mode) * e->part;
}

/* The time that counts for it: all, or that in which the task runs. */
static double passed(const struct pev *e, double t)
{
	double q[NQ];

	if (e->asked_cpu >= 0)
		return t;
	cpu_q(e->cpu, t, q);
	return q[Q_C0] * e->part;
}

static void settle(int cpu, double t)
{
	for (struct pev *e = evs[cpu]; e; e = e->next) {
		double q, at, f;

		if (e->dead)
			continue;
		q = count(e, t);
		at = passed(e, t);
		f = share(e);
		if (active(e)) {
			e->acc += (q - e->q) * f;
			e->en += at - e->t;
			e->run += (at - e->t) * f;
		}
		e->q = q;
		e->t = at;
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
	/* Debian's and Ubuntu's additional levels ask for CAP_SYS_ADMIN; then perf_allow_kernel().
	 */
	if (machine.paranoid > 2 && !asked->caller->admin)
		return EACCES;
	if (machine.paranoid > 1 && !asked->caller->perfmon && !a->exclude_kernel)
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
	if (ev_q(type, a->config, cpu < machine.ncpu ? cpu : 0, t, EV_ALL) == NOEV)
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
	if (!asked->caller->perfmon && machine.paranoid > 0 && type == PERF_TYPE_RAW &&
	    ev_anythread(a->config))
		return EACCES; /* it counts the sibling, too */
	return 0;
}

/* The PMU of the group's hardware events, -1 while it has none. */
static int group_pmu(int leader)
{
	for (struct pev *e = evs[find(leader)->cpu]; e; e = e->next)
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
	/* validate_group(): it must fit all counters; those that are taken are not asked for, so
	 * that a group may be opened that never counts. */
	for (struct pev *e = evs[lead->cpu]; e; e = e->next)
		if (e->leader == lead->id && e->gp)
			need++;
	return need > machine.gp_counters ? EINVAL : 0;
}

/* find_lively_task_by_vpid() and ptrace_may_access(): whose task it is, and whether there is one.
 */
static int check_task(const struct asked *asked)
{
	const struct proc *p = process_of(asked->pid);

	if (asked->pid <= 0)
		return 0;
	if (!p)
		return kill(asked->pid, 0) && errno == ESRCH ? ESRCH : 0;
	return asked->caller->perfmon || asked->caller->uid == (uid_t)p->uid ? 0 : EACCES;
}

static int check_open(const struct perf_event_attr *a, const struct asked *asked, double t)
{
	int rc = check_attr(a, asked);

	if (!rc)
		rc = check_task(asked);
	if (!rc)
		rc = check_event(a, asked, t);
	if (rc)
		return rc;
	if (asked->pid == -1 && !asked->caller->perfmon && machine.paranoid > 0)
		return EACCES;
	if (asked->cpu >= machine.ncpu || (asked->cpu >= 0 && !cpus[asked->cpu].online))
		return ENODEV;
	return asked->group >= 0 ? check_group(a, asked, find(asked->group)) : 0;
}

/* Where a task runs, and what of that CPU's work is its own. A real one is taken for the first
 * CPU's work. */
static void place(struct pev *e)
{
	const struct proc *p = e->asked_cpu < 0 ? process_of(e->pid) : NULL;
	double busy;

	e->part = 1;
	e->cpu = e->asked_cpu < 0 ? 0 : e->asked_cpu;
	if (!p)
		return;
	e->cpu = p->cpu;
	busy = cpu_s(p->cpu, 0)->busy;
	if (busy > 0 && p->busy / p->threads < busy)
		e->part = p->busy / p->threads / busy;
}

/* A place for the next identity; 0 or -ENOMEM. */
static int make_room(void)
{
	struct pev **more;

	if (next_id & (next_id - 1))
		return 0; /* there is room up to the next power of 2 */
	more = realloc(by_id, sizeof(struct pev *) * (size_t)next_id * 2);
	if (!more)
		return -ENOMEM;
	by_id = more;
	return 0;
}

static int add_event(const struct perf_event_attr *a, const struct asked *asked, double t)
{
	struct pev *lead = asked->group >= 0 ? find(asked->group) : NULL, **end;
	struct pev *e = calloc(1, sizeof(*e));

	if (!e || make_room()) {
		free(e);
		return -ENOMEM;
	}
	e->id = next_id;
	e->asked_cpu = asked->cpu;
	e->pid = asked->pid;
	place(e);
	e->type = a->type;
	e->config = a->config;
	e->mode = a->exclude_kernel ? EV_USER : a->exclude_user ? EV_KERNEL : EV_ALL;
	e->rf = a->read_format;
	e->pinned = a->pinned;
	e->inherit = a->inherit;
	e->leader = lead ? lead->id : e->id;
	e->gp = needs_counter(a->type, a->config);
	settle(e->cpu, t);
	e->q = count(e, t);
	e->t = passed(e, t);
	/* An exec that enables is taken to be imminent. */
	e->enabled = !a->disabled || a->enable_on_exec;
	for (end = &evs[e->cpu]; *end; end = &(*end)->next)
		;
	*end = e;
	by_id[next_id++] = e;
	return e->id;
}

int pev_open(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags,
	     const struct pev_caller *caller, double t)
{
	const struct asked asked = { pid, cpu, group, flags, caller };
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

/* The values of one event, or of each of its group, as read_format says; a group's times are its
 * leader's. */
static size_t layout(const struct pev *e, unsigned char *b)
{
	bool group = e->rf & PERF_FORMAT_GROUP;
	const struct pev *times = group ? find(e->leader) : e;
	uint64_t members = 0;
	size_t o = 0;

	for (struct pev *x = evs[e->cpu]; x; x = x->next)
		members += x->leader == e->leader;
	put(b, &o, group ? members : (uint64_t)(int64_t)e->acc);
	if (e->rf & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(b, &o, (uint64_t)(times->en * 1e9));
	if (e->rf & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(b, &o, (uint64_t)(times->run * 1e9));
	for (const struct pev *x = group ? evs[e->cpu] : e; x; x = x->next) {
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

/* Whichever member is read, the whole group is returned, the leader (the oldest) first. A pinned
 * one that cannot have its counters is in error, and reads as the end of a file. */
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
	for (struct pev *x = evs[e->cpu]; x; x = x->next)
		members += x->leader == e->leader;
	if (members > MAX_GROUP)
		return -EINVAL;
	if (find(e->leader)->pinned && share(e) <= 0)
		return 0;
	length = layout(e, b);
	if (n < length)
		return -ENOSPC;
	memcpy(buf, b, length);
	return (int)length;
}

int pev_ioctl(int id, unsigned cmd, uintptr_t arg, void *data, double t)
{
	struct pev *e = find(id);
	uint64_t v;

	counts.perf_ioctl++;
	if (!e)
		return -EBADF;
	settle(e->cpu, t);
	switch (cmd) {
	case PERF_EVENT_IOC_ENABLE:
	case PERF_EVENT_IOC_DISABLE:
	case PERF_EVENT_IOC_RESET:
		for (struct pev *x = evs[e->cpu]; x; x = x->next) {
			if (x != e && (!(arg & PERF_IOC_FLAG_GROUP) || x->leader != e->leader))
				continue;
			if (cmd == PERF_EVENT_IOC_RESET)
				x->acc = 0;
			else
				x->enabled = cmd == PERF_EVENT_IOC_ENABLE;
		}
		return 0;
	case PERF_EVENT_IOC_ID:
		v = (uint64_t)e->id;
		memcpy(data, &v, 8);
		return 0;
	}
	return -ENOTTY;
}

void pev_close(int id, double t)
{
	struct pev *e = find(id), **at;

	if (!e)
		return;
	settle(e->cpu, t);
	for (struct pev *x = evs[e->cpu]; x; x = x->next)
		if (x->leader == id)
			x->leader = x->id; /* siblings survive alone */
	for (at = &evs[e->cpu]; *at != e; at = &(*at)->next)
		;
	*at = e->next;
	by_id[id] = NULL;
	free(e);
}

void pev_cpu_offline(int cpu, double t)
{
	settle(cpu, t);
	for (struct pev *e = evs[cpu]; e; e = e->next)
		e->dead = e->asked_cpu >= 0;
}
