/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which registers can be read here, and why not the others: each is tried once, on one CPU of each
 * kind, or, where that refuses it, of each package. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/nls.h"
#include "model/host.h"
#include "source/msr_device.h"
#include "source/msr_own.h"
#include "source/source.h"

#define TSC 0x10
#define APERF 0xe8
#define MPERF 0xe7

static const struct reason no_module = {
	ENOENT,
	N_("there is no register device, as the module msr is not loaded"),
	N_("root can load it with modprobe msr"),
};
static const struct reason no_driver = {
	ENXIO,
	N_("the register device has nothing behind it, as the module msr is not loaded or the CPU "
	   "has gone"),
	N_("root can load it with modprobe msr"),
};
static const struct reason not_root = {
	EACCES,
	N_("the register device is closed to ordinary users"),
	N_("run it by sudo"),
};
static const struct reason not_even_root = {
	EPERM,
	N_("even root may not open the register device, as CAP_SYS_RAWIO is missing or a security "
	   "module forbids it"),
	N_("run it outside of the container, or give it that capability and the device"),
};
static const struct reason locked_down = {
	EPERM,
	N_("the kernel is locked down and lets nobody read registers"),
	N_("count by perf, which stays possible, or boot without Secure Boot"),
};
static const struct reason not_opened = { EIO, N_("the register device cannot be opened"), "" };
static const struct reason no_cpu = {
	ENODEV,
	N_("no CPU is left whose registers may be read"),
	N_("name one with -c"),
};
static const struct reason not_read = { EIO, N_("the CPU refuses to have this register read"), "" };
static const struct reason not_passed = {
	ENODEV,
	N_("the hypervisor refuses to have this register read"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason no_aperf = {
	ENOTSUP,
	N_("the CPU has no APERF and MPERF, by its CPUID"),
	"",
};
static const struct reason not_passed_aperf = {
	ENODEV,
	N_("the hypervisor shows no APERF and MPERF"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason stands_still = {
	ENODEV,
	N_("APERF and MPERF can be read and do not count: they are 0 on all CPUs"),
	N_("look on the host of this virtual machine, which does not pass it on"),
};
static const struct reason silent = { ENODEV, N_("the register is there and reports nothing"), "" };
static const struct reason other_vendor = {
	ENOTSUP,
	N_("CPUs of this vendor have no such register"),
	"",
};
static const struct reason other_model = {
	ENOTSUP,
	N_("this CPU model is not known to have such a register"),
	"",
};

struct trial {
	const struct source_env *env;
	bool has_aperf;
	bool read[COUNTER_N], refused[COUNTER_N], zero[COUNTER_N];
	uint64_t tsc; /* first one seen; 0 none */
	int err;      /* why no device could be opened; 0 one was */
};

static bool is_locked_down(struct hostfs *fs)
{
	char line[96];

	return hostfs_read_line(fs, line, sizeof(line), "sys/kernel/security/lockdown") == 0 &&
	       strchr(line, '[') && !strstr(line, "[none]");
}

static const struct reason *why_closed(const struct trial *trial)
{
	switch (trial->err) {
	case -ENOENT:
		return &no_module;
	case -ENXIO:
	case -ENODEV:
		return &no_driver;
	case -EPERM:
		if (is_locked_down(trial->env->fs))
			return &locked_down;
		/* fall through */
	case -EACCES:
		return trial->env->host->live && geteuid() == 0 ? &not_even_root : &not_root;
	default:
		return &not_opened;
	}
}

/* A register that may only be 0 where it reports nothing. */
static bool is_silent(const struct msr_item *item, uint64_t raw)
{
	return (item->how == MSR_VOLTAGE && (raw >> 32 & 0xffff) == 0) ||
	       (item->how == MSR_LOW_7 && (raw & 0x7f) == 0);
}

static void try_items(struct trial *trial, int fd, const struct msr_layout *layout)
{
	for (unsigned i = 0; i < layout->n; i++) {
		const struct msr_item *item = &layout->items[i];
		uint64_t raw = 0;

		if (trial->read[item->counter])
			continue;
		if (msr_device_read(fd, item->address, &raw) < 0) {
			trial->refused[item->counter] = true;
			continue;
		}
		trial->zero[item->counter] |= is_silent(item, raw);
		trial->read[item->counter] = !is_silent(item, raw);
		if (item->address == TSC)
			trial->tsc = raw;
	}
}

static bool is_content(const struct trial *trial, const struct msr_layout *layout)
{
	for (unsigned i = 0; i < layout->n; i++)
		if (!trial->read[layout->items[i].counter])
			return false;
	return true;
}

/* The first CPU of each kind in each package that may be read, until each register has been. */
static int try_cpus(struct trial *trial)
{
	const struct host *host = trial->env->host;
	bool *tried = calloc((size_t)host->n_packages * host->n_kinds + 1, sizeof(*tried));
	struct msr_layout layout;

	if (!tried)
		return -ENOMEM;
	for (unsigned i = 0; i < host->n_cpus; i++) {
		const struct host_cpu *cpu = &host->cpus[i];
		bool *here = &tried[cpu->package * host->n_kinds + cpu->kind];
		int fd;

		if (*here || msr_may_read(host, NULL, i) != STATE_OK)
			continue;
		msr_layout(host, cpu->kind, trial->has_aperf, &layout);
		*here = true;
		if (layout.n == 0 || is_content(trial, &layout))
			continue;
		fd = msr_device_open(trial->env->fs, cpu->id);
		if (trial->err != 0)
			trial->err = fd < 0 ? fd : 0;
		if (fd < 0)
			continue;
		try_items(trial, fd, &layout);
		close(fd);
	}
	free(tried);
	return 0;
}

/* VMware lets APERF be read, as 0 (linux-pm 6511b6b). A CPU that has been idle since it came up may
 * show 0 too, so all are asked until one counts; where time stands still, as on an emulated
 * machine, that proves nothing. */
static bool counts(const struct trial *trial)
{
	const struct host *host = trial->env->host;
	uint64_t aperf = 0, mperf = 0, tsc = 0;

	for (unsigned i = 0; i < host->n_cpus && aperf == 0 && mperf == 0; i++) {
		int fd = msr_may_read(host, NULL, i) == STATE_OK
				 ? msr_device_open(trial->env->fs, host->cpus[i].id)
				 : -1;

		if (fd < 0)
			continue;
		if (msr_device_read(fd, APERF, &aperf) < 0 ||
		    msr_device_read(fd, MPERF, &mperf) < 0)
			aperf = 1;
		(void)msr_device_read(fd, TSC, &tsc);
		close(fd);
	}
	return aperf != 0 || mperf != 0 || tsc == trial->tsc;
}

static bool is_clock(enum counter counter)
{
	return counter == COUNTER_APERF || counter == COUNTER_MPERF;
}

static const struct reason *why_not(const struct trial *trial, enum counter counter)
{
	const struct host *host = trial->env->host;
	const bool guest = host->hypervisor[0] != '\0';

	if (trial->read[counter])
		return NULL;
	if (trial->refused[counter])
		return guest ? &not_passed : &not_read;
	if (trial->zero[counter])
		return &silent;
	if (is_clock(counter) && (msr_is_intel(host) || msr_is_amd(host)))
		return guest ? &not_passed_aperf : &no_aperf;
	return msr_is_intel(host) ? &other_model : &other_vendor;
}

static enum counter energy_of(enum counter age)
{
	switch (age) {
	case COUNTER_PACKAGE_ENERGY_AGE:
		return COUNTER_PACKAGE_ENERGY;
	case COUNTER_DRAM_ENERGY_AGE:
		return COUNTER_DRAM_ENERGY;
	case COUNTER_CORE_ENERGY_AGE:
		return COUNTER_CORE_ENERGY;
	default:
		return age;
	}
}

int msr_probe(const struct source_env *env, struct offer *ret)
{
	struct trial trial = { .env = env,
			       .has_aperf = msr_device_has_aperf(env->fs),
			       .err = -ENODEV };
	const struct reason *all = NULL;
	bool any = false;
	int r = 0;

	for (unsigned i = 0; i < env->host->n_cpus; i++)
		any = any || msr_may_read(env->host, NULL, i) == STATE_OK;
	if (!env->left_out)
		r = try_cpus(&trial);
	if (env->left_out)
		all = &reason_left_out;
	else if (!any)
		all = &no_cpu;
	else if (trial.err != 0 && (msr_is_intel(env->host) || msr_is_amd(env->host)))
		all = why_closed(&trial);
	for (unsigned c = 0; c < COUNTER_N; c++)
		if (msr_serves((enum counter)c))
			offer_counter(ret, (enum counter)c,
				      all ? all : why_not(&trial, energy_of((enum counter)c)));
	if (!all && trial.read[COUNTER_APERF] && trial.read[COUNTER_MPERF] && !counts(&trial)) {
		offer_counter(ret, COUNTER_APERF, &stands_still);
		offer_counter(ret, COUNTER_MPERF, &stands_still);
	}
	return r;
}
