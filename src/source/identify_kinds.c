/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each kind of core is: by /proc/cpuinfo, which tells of each CPU without a visit to it, and
 * by CPUID, which tells what may be executed, whose machine it is and the base clock. What we know
 * of it then is from data/cpu. */
#include "config.h"
#include "source/identify_kinds.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/hostfs.h"
#include "base/nls.h"
#include "model/facts.h"
#include "model/host.h"
#include "model/state.h"
#include "source/identity.h"

/* First CPU of the kind that may be disturbed (any: that is online), or -1. */
static int kind_cpu(const struct host *host, unsigned kind, bool any, unsigned from)
{
	for (unsigned i = from; i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];

		if (cpu->kind == kind && (any ? cpu->online : host_cpu_state(host, i) == STATE_OK))
			return (int)i;
	}
	return -1;
}

/* CPUID on an allowed CPU of the kind; where none may be touched but this process already runs on
 * one that may be of the kind, there. */
static int ask_cpuid(const struct host *host, unsigned kind, struct identity *ret)
{
	int r = -ENOTSUP;

	if (!host->live)
		return r;
	/* A CPU may go offline between the scan and now: then the next one. */
	for (int i = -1; (i = kind_cpu(host, kind, false, (unsigned)(i + 1))) >= 0;) {
		r = identity_read((int)host->cpus[i].id, ret);
		if (r == 0 || r == -ENOMEM)
			return r;
	}
	return host->n_kinds == 1 ? identity_read(-1, ret) : r;
}

static int ask_cpuinfo(const struct host *host, unsigned kind, const char *cpuinfo,
		       struct identity *ret)
{
	const int i = kind_cpu(host, kind, true, 0);
	int r;

	if (!cpuinfo || i < 0)
		return -ENOTSUP;
	r = identity_from_cpuinfo(cpuinfo, host->cpus[i].id, ret);
	return r == 0 && host->live && (!ret->vendor[0] || ret->family == 0) ? -ENODATA : r;
}

static bool same_model(const struct identity *a, const struct identity *b)
{
	return strcmp(a->vendor, b->vendor) == 0 && a->family == b->family &&
	       a->model == b->model && a->stepping == b->stepping;
}

/* The kernel's word goes before that of CPUID, which an emulator or a mask of processes (CPUID
 * faulting) may change; but only CPUID knows the name of the hypervisor. */
static void join(const struct identity *cpuid, struct identity *told)
{
	told->isa = cpuid->isa;
	told->base_hertz = same_model(cpuid, told) ? cpuid->base_hertz : 0;
	if (told->hypervisor[0] && cpuid->hypervisor[0])
		memcpy(told->hypervisor, cpuid->hypervisor, sizeof(told->hypervisor));
}

static void take_identity(struct host *host, struct host_kind *kind,
			  const struct identity *identity)
{
	memcpy(host->vendor, identity->vendor, sizeof(host->vendor));
	memcpy(host->brand, identity->brand, sizeof(host->brand));
	if (!host->hypervisor[0] || strcmp(identity->hypervisor, "unknown") != 0)
		memcpy(host->hypervisor, identity->hypervisor, sizeof(host->hypervisor));
	kind->family = identity->family;
	kind->model = identity->model;
	kind->stepping = identity->stepping;
	kind->isa = identity->isa;
	kind->base_hertz = identity->base_hertz;
}

/* ret_amx: it claims AMX. 0: the kind is identified; -ENOMEM; else it could not be asked. */
static int identify_kind(struct host *host, unsigned index, const char *cpuinfo, bool *ret_amx)
{
	struct identity told = { 0 }, asked = { 0 };
	const int by_cpuinfo = ask_cpuinfo(host, index, cpuinfo, &told);
	const int by_cpuid = ask_cpuid(host, index, &asked);

	if (by_cpuid == -ENOMEM || (by_cpuinfo < 0 && by_cpuid < 0))
		return by_cpuid;
	*ret_amx = ((by_cpuinfo == 0 ? &told : &asked)->isa & ISA_AMX_TILE) != 0;
	if (by_cpuinfo < 0)
		told = asked;
	else if (by_cpuid == 0)
		join(&asked, &told);
	else if (host->live)
		told.isa = 0; /* nobody was asked what may be executed there */
	take_identity(host, &host->kinds[index], &told);
	return 0;
}

/* The name from data/cpu, for a kind that is identified. 0 or -errno: -ENOENT unknown to us. */
static int find_name(const struct host *host, const struct host_kind *kind, struct facts_model *ret,
		     struct problem *ret_problem)
{
	const char *name;
	char *text;
	int r = -ENOENT;

	for (unsigned i = 0; r == -ENOENT && (name = data_name("cpu/", i)); i++) {
		r = data_load(name, &text, ret_problem);
		if (r < 0)
			return r;
		r = facts_match(text, host->vendor, kind->family, kind->model, kind->stepping,
				kind->name, ret);
		free(text);
	}
	if (r < 0 && r != -ENOENT)
		return problem_set(ret_problem, -r, "", _("cannot read data/cpu"));
	return r;
}

static int find_registers(const struct host *host, const struct host_kind *kind,
			  struct registers *ret, struct problem *ret_problem)
{
	char *text;
	int r = data_load("cpu/registers.ini", &text, ret_problem);

	if (r < 0)
		return r;
	r = facts_registers(text, host->vendor, kind->family, kind->model, kind->stepping,
			    kind->name, ret);
	free(text);
	if (r == -EINVAL)
		return problem_set(ret_problem, EINVAL,
				   _("unset AVXTOP_DATADIR, or correct the file"),
				   _("cpu/registers.ini has a wrong line for this CPU"));
	if (r < 0 && r != -ENOENT)
		return problem_set(ret_problem, -r, "", _("cannot read data/cpu"));
	return r;
}

static int know_kind(const struct host *host, struct host_kind *kind, bool amx,
		     struct problem *ret_problem)
{
	struct facts_model facts = { 0 };
	struct registers registers = { 0 };
	int r = find_name(host, kind, &facts, ret_problem);

	if (r < 0 && r != -ENOENT)
		return r;
	/* A hypervisor shows an older model than there is: no name is better than a wrong one, and
	 * no register better than another's. */
	if (r == 0 && amx && !facts.amx)
		return 0;
	memcpy(kind->uarch, facts.core, sizeof(kind->uarch));
	memcpy(kind->codename, facts.name, sizeof(kind->codename));
	kind->license_events = facts.license_events;
	r = find_registers(host, kind, &registers, ret_problem);
	if (r == 0)
		kind->registers = registers;
	return r == -ENOENT ? 0 : r;
}

/* What cpufreq says where CPUID does not: intel_pstate has it in kHz. */
static double base_by_cpufreq(struct hostfs *fs, const struct host *host, unsigned kind)
{
	const int i = kind_cpu(host, kind, true, 0);
	uint64_t khz = 0;

	if (i < 0 ||
	    hostfs_read_u64(fs, &khz, "sys/devices/system/cpu/cpu%u/cpufreq/base_frequency",
			    host->cpus[i].id) < 0)
		return 0;
	return identity_base_hertz(khz);
}

/* One for all kinds: leaf 16h of P-cores and E-cores tells the same (InstLatx64 dumps 0090672,
 * 00A06A4, 00B06D1), and turbostat 6.12 and the kernel's own average take one. base_frequency of
 * E-cores is another. */
static void fill_base(struct hostfs *fs, struct host *host)
{
	double hertz = 0;

	for (unsigned i = 0; i < host->n_kinds && hertz == 0; i++)
		hertz = host->kinds[i].base_hertz;
	if (hertz == 0 && host->n_kinds)
		hertz = base_by_cpufreq(fs, host, 0);
	for (unsigned i = 0; i < host->n_kinds; i++)
		host->kinds[i].base_hertz = hertz;
}

int identify_kinds(struct hostfs *fs, struct host *host, struct problem *ret_problem)
{
	const struct host_kind *asked = NULL;
	char *cpuinfo = NULL;
	bool amx = false;
	int r = 0;

	(void)hostfs_read(fs, "proc/cpuinfo", &cpuinfo, NULL);
	for (unsigned i = 0; i < host->n_kinds && r != -ENOMEM; i++) {
		bool claims = false;

		r = identify_kind(host, i, cpuinfo, &claims);
		if (r == 0 && !asked)
			asked = &host->kinds[i];
		amx |= r == 0 && claims;
	}
	free(cpuinfo);
	if (r == -ENOMEM)
		return problem_set(ret_problem, ENOMEM, "", _("no memory to identify the CPU"));
	r = 0;
	/* Kinds that could not be asked share the model of one that was (leaf 1 is the same on all
	 * cores of the hybrid parts there are), but no instruction set is claimed for them. */
	for (unsigned i = 0; i < host->n_kinds && asked && r == 0; i++) {
		struct host_kind *kind = &host->kinds[i];

		if (kind->family == 0) {
			kind->family = asked->family;
			kind->model = asked->model;
			kind->stepping = asked->stepping;
		}
		r = know_kind(host, kind, amx, ret_problem);
	}
	if (r == 0)
		fill_base(fs, host);
	return r;
}
