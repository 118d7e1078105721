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

struct pev {
	int id, cpu, leader, nsib;
	uint32_t type;
	uint64_t config, rf;
	bool on, gp, pinned, dead, inherit;
	double acc, en, run, t, q;
	uint64_t serial;
	struct pev *next;
	pid_t pid;
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

int pev_open(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags,
	     bool capable, double t)
{
	counts.perf_open++;
	if (cpu >= 0 && cpu < machine.ncpu)
		cpus[cpu].n_perf_open++;
	int rc = 0;
	uint32_t type = a->type;
	uint64_t cfg = a->config;
	if (flags & ~(unsigned long)(PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT |
				     PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC))
		rc = EINVAL;
	else if (a->read_format & ~0x1fULL)
		rc = EINVAL;
	else if (pid == -1 && cpu < 0)
		rc = EINVAL;
	else if (!capable &&
		 (machine.paranoid > 2 || (machine.paranoid > 0 && pid == -1) ||
		  (machine.paranoid > 1 && !a->exclude_kernel && type != PERF_TYPE_SOFTWARE)))
		rc = EACCES;
	else if (!capable && machine.paranoid > 0 && type == PERF_TYPE_RAW &&
		 machine.vendor == INTEL && cfg & ANYTHREAD)
		rc = EACCES; /* counts the sibling, too */
	else if (cpu >= machine.ncpu)
		rc = cpu < machine.possible ? ENODEV : EINVAL;
	else if (cpu >= 0 && !cpus[cpu].online)
		rc = ENODEV;
	else if (!machine.have_perf && type != PERF_TYPE_SOFTWARE)
		rc = ENOENT;
	else if (type >= T_MSR && type <= T_UNC && (pid >= 0 || a->sample_period))
		rc = EINVAL; /* counting-only PMUs */
	else if ((rc = perf_fault(type, (int64_t)cfg, cpu < 0 ? 0 : cpu)))
		;
	else if (ev_q(type, cfg, cpu < 0 ? 0 : cpu, t) == NOEV)
		rc = type >= T_MSR && type <= T_UNC ? EINVAL : ENOENT;
	struct pev *lead = NULL;
	if (!rc && group >= 0) {
		lead = find(group);
		if (!lead)
			rc = EBADF;
		else if (lead->leader != lead->id || lead->cpu != (cpu < 0 ? 0 : cpu))
			rc = EINVAL;
		else {
			int gp = !ev_is_fixed(type, cfg) && type != PERF_TYPE_SOFTWARE &&
				 type < T_MSR;
			for (struct pev *e = evs; e; e = e->next)
				if (e->leader == group && e->gp)
					gp++;
			if (gp > gp_avail())
				rc = EINVAL;
		} /* validate_group() */
	}
	emu_log("perf_open type=%u config=%#llx pid=%d cpu=%d group=%d flags=%#lx excl=%d -> %s",
		type, (unsigned long long)cfg, pid, cpu, group, flags, a->exclude_kernel,
		rc ? strerrorname_np(rc) : "ok");
	if (rc) {
		counts.perf_err++;
		return -rc;
	}
	struct pev *e = calloc(1, sizeof *e);
	e->id = next_id++;
	e->cpu = cpu < 0 ? 0 : cpu;
	e->type = type;
	e->config = cfg;
	e->rf = a->read_format;
	e->pid = pid;
	e->pinned = a->pinned;
	e->leader = lead ? lead->id : e->id;
	e->gp = type != PERF_TYPE_SOFTWARE && type < T_MSR && !ev_is_fixed(type, cfg);
	settle(e->cpu, t);
	e->q = ev_q(type, cfg, e->cpu, t);
	e->t = t;
	bool on = !a->disabled || a->enable_on_exec; /* exec is taken to be imminent */
	e->on = on && (!lead || lead->on);
	if (on && lead && !lead->on)
		e->on = false, e->inherit = true; /* waits for its leader */
	struct pev **pp = &evs;
	while (*pp)
		pp = &(*pp)->next;
	*pp = e;
	return e->id;
}

static void put(unsigned char *b, size_t *o, uint64_t v)
{
	memcpy(b + *o, &v, 8);
	*o += 8;
}

int pev_read(int id, void *buf, size_t n, double t)
{
	counts.perf_read++;
	struct pev *e = find(id);
	if (!e)
		return -EBADF;
	cpus[e->cpu].n_perf_read++;
	settle(e->cpu, t);
	unsigned char b[8 * 3 + 24 * 512];
	size_t o = 0;
#define HDR                                                   \
	do {                                                  \
		if (e->rf & PERF_FORMAT_TOTAL_TIME_ENABLED)   \
			put(b, &o, (uint64_t)(e->en * 1e9));  \
		if (e->rf & PERF_FORMAT_TOTAL_TIME_RUNNING)   \
			put(b, &o, (uint64_t)(e->run * 1e9)); \
	} while (0)
	if (e->rf & PERF_FORMAT_GROUP) {
		/* whichever member is read, the whole group is returned, the leader (the oldest)
		 * first */
		uint64_t cnt = 0;
		for (struct pev *x = evs; x; x = x->next)
			if (x->leader == e->leader)
				cnt++;
		if (cnt > 512)
			return -EINVAL;
		put(b, &o, cnt);
		HDR;
		for (struct pev *x = evs; x; x = x->next)
			if (x->leader == e->leader) {
				put(b, &o, (uint64_t)(int64_t)x->acc);
				if (e->rf & PERF_FORMAT_ID)
					put(b, &o, (uint64_t)x->id);
				if (e->rf & 16)
					put(b, &o, 0);
			}
	} else {
		put(b, &o, (uint64_t)(int64_t)e->acc);
		HDR;
		if (e->rf & PERF_FORMAT_ID)
			put(b, &o, (uint64_t)e->id);
		if (e->rf & 16)
			put(b, &o, 0);
	}
	if (n < o)
		return -ENOSPC;
	memcpy(buf, b, o);
	return (int)o;
}

static void set_on(struct pev *e, bool on)
{
	e->on = on;
	e->inherit = false;
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
			    (x->leader == e->id && x->inherit && cmd == PERF_EVENT_IOC_ENABLE)) {
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
