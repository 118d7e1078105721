/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPUs tell by CPUID and by their registers, as comments of a dump: for who looks at it, since a
 * tree of files has neither. */
#include "config.h"

#include <cpuid.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/errand.h"
#include "base/hostfs.h"
#include "base/list.h"
#include "base/text.h"
#include "cmd/dump.h"
#include "model/host.h"
#include "model/state.h"
#include "source/affinity.h"

/* Bits: whose registers these are. */
enum vendor { NEITHER, INTEL, AMD, BOTH };

static const struct leaves {
	uint32_t first, last;
	unsigned subleaves;
} leaves[] = {
#define LEAVES(first, last, subleaves) { first, last, subleaves },
#define REGISTER(vendor, address)
#include "cmd/dump_register_rows.h"
#undef LEAVES
#undef REGISTER
};

static const struct address {
	enum vendor vendor;
	uint32_t address;
} addresses[] = {
#define LEAVES(first, last, subleaves)
#define REGISTER(vendor, address) { vendor, address },
#include "cmd/dump_register_rows.h"
#undef LEAVES
#undef REGISTER
};

struct visit {
	unsigned cpu;
	struct text *into;
};

static void put_leaf(const struct visit *visit, uint32_t leaf, uint32_t subleaf)
{
	uint32_t a, b, c, d;

	__cpuid_count(leaf, subleaf, a, b, c, d);
	if (subleaf > 0 && !(a | b | c | d))
		return;
	text_addf(visit->into,
		  "# cpuid %u 0x%08" PRIx32 " 0x%02" PRIx32 " 0x%08" PRIx32 " 0x%08" PRIx32
		  " 0x%08" PRIx32 " 0x%08" PRIx32 "\n",
		  visit->cpu, leaf, subleaf, a, b, c, d);
}

/* 0: this CPU has no leaves of this range. */
static uint32_t last_leaf(uint32_t leaf)
{
	uint32_t a, b, c, d;
	const uint32_t range = leaf & 0xc0000000;

	if (range == 0x40000000) {
		__cpuid(1, a, b, c, d);
		if (!(c >> 31)) /* no hypervisor */
			return 0;
	}
	__cpuid(range, a, b, c, d);
	return a;
}

static int put_leaves(void *of)
{
	const struct visit *visit = of;
	struct list *only = list_new();
	int r = only ? list_add(only, visit->cpu) : -ENOMEM;

	if (r == 0)
		r = affinity_set(only);
	list_free(only);
	for (size_t i = 0; r == 0 && i < sizeof(leaves) / sizeof(*leaves); i++)
		for (uint32_t leaf = leaves[i].first;
		     leaf <= leaves[i].last && leaf <= last_leaf(leaf); leaf++)
			for (uint32_t sub = 0; sub < leaves[i].subleaves; sub++)
				put_leaf(visit, leaf, sub);
	return r;
}

/* Is the CPU the first of its kind (and of its package, if that counts) that may be disturbed? */
static bool speaks_for_others(const struct host *host, unsigned index, bool by_package)
{
	const struct host_cpu *cpu = &host->cpus[index];

	if (host_cpu_state(host, index) != STATE_OK)
		return false;
	for (unsigned i = 0; i < index; i++)
		if (host->cpus[i].kind == cpu->kind && host_cpu_state(host, i) == STATE_OK &&
		    (!by_package || host->cpus[i].package == cpu->package))
			return false;
	return true;
}

void dump_cpuid(const struct host *host, struct text *into)
{
	for (unsigned i = 0; host->live && i < host->n_cpus; i++) {
		struct visit visit = { .cpu = host->cpus[i].id, .into = into };
		int r = speaks_for_others(host, i, false) ? errand_run(put_leaves, &visit) : 0;

		if (r < 0)
			text_addf(into, "# cpuid %u: %s\n", visit.cpu, strerrordesc_np(-r));
	}
}

static enum vendor vendor_of(const struct host *host)
{
	if (strcmp(host->vendor, "GenuineIntel") == 0)
		return INTEL;
	if (strcmp(host->vendor, "AuthenticAMD") == 0 || strcmp(host->vendor, "HygonGenuine") == 0)
		return AMD;
	return NEITHER;
}

static void put_register(int fd, unsigned cpu, uint32_t address, struct text *into)
{
	uint64_t value;
	const ssize_t n = pread(fd, &value, sizeof(value), (off_t)address);

	if (n == sizeof(value))
		text_addf(into, "# msr %u 0x%" PRIx32 " 0x%016" PRIx64 "\n", cpu, address, value);
	else
		text_addf(into, "# msr %u 0x%" PRIx32 ": %s\n", cpu, address,
			  strerrordesc_np(n < 0 ? errno : EIO));
}

/* Read only: msr(4). */
static void put_registers(struct hostfs *fs, unsigned cpu, enum vendor vendor, struct text *into)
{
	const int fd = hostfs_fd(fs, "dev/cpu/%u/msr", cpu);

	if (fd < 0) {
		text_addf(into, "# dev/cpu/%u/msr: %s\n", cpu, strerrordesc_np(-fd));
		return;
	}
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		if (addresses[i].vendor & vendor)
			put_register(fd, cpu, addresses[i].address, into);
	(void)close(fd);
}

void dump_registers(const struct host *host, struct hostfs *fs, struct text *into)
{
	for (unsigned i = 0; host->live && i < host->n_cpus; i++)
		if (speaks_for_others(host, i, true))
			put_registers(fs, host->cpus[i].id, vendor_of(host), into);
}
