/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated machine: the models that are known, the keys of [machine], how CPUs are numbered. */
#include "config.h"

#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine machine;
struct cpu cpus[MAXCPU];
struct pkg packages[MAXPKG];
struct counts counts;
const char *const lic_scopes[LIC_SCOPES] = { "core", "thread", "halted-stops" };
const char *const lockdowns[LOCKDOWNS] = { "absent", "none", "integrity", "confidentiality" };

/* What all presets share. */
#define ANY \
	.bus_mhz = 100, .paranoid = 2, .lockdown = LOCKDOWN_NONE, .speed = 1, .tsc_base = 0x0000123456789abcULL, \
	.have_msr = true, .have_perf = true, .have_rapl = true, .have_powercap = true, \
	.have_hwmon = true, .have_thermal = true, .aperfmperf = true
#define ANY_INTEL ANY, .vendor = INTEL, .family = 6, .cpuidle = "intel_idle"
#define ANY_SERVER \
	ANY_INTEL, .sockets = 2, .cores = 4, .threads = 2, .nodes = 2, .nturbo = 8, .esu = 14, \
	.xtal_mhz = 25, .cstates = 1 | 2 | 8, .pcstates = 1 | 4, \
	.have_dram = true, .have_hwp = true, .have_avx512 = true, .have_lic = true, \
	.cpufreq = "intel_pstate"

/* Turbo limits, brand and power of the last two servers are examples. */
static const struct machine presets[] = {
	{ ANY_INTEL,
	  .preset = "alderlake",
	  .have_c1_res = true,
	  .brand = "12th Gen Intel(R) Core(TM) i9-12900K",
	  .model = 0x97,
	  .stepping = 2,
	  .base_mhz = 3200,
	  .min_mhz = 800,
	  .sockets = 1,
	  .nodes = 1,
	  .cores = 8,
	  .threads = 2,
	  .ecores = 8,
	  .emax_mhz = 3900,
	  .turbo = { 5200, 5200, 5000, 5000, 4900, 4900, 4900, 4900 },
	  .nturbo = 8,
	  .have_hwp = true,
	  .have_dram = true,
	  .have_pp0 = true,
	  .have_pp1 = true,
	  .gp_counters = 6,
	  .xtal_mhz = 38.4,
	  .esu = 14,
	  .tjmax = 100,
	  .tdp = 125,
	  .cstates = 1 | 2 | 8 | 16,
	  .pcstates = 1 | 2 | 4 | 16 | 64,
	  .cpufreq = "intel_pstate" },
	{ ANY_INTEL,
	  .preset = "sandybridge",
	  .brand = "Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz",
	  .model = 0x2a,
	  .stepping = 7,
	  .base_mhz = 3400,
	  .min_mhz = 1600,
	  .sockets = 1,
	  .nodes = 1,
	  .cores = 4,
	  .threads = 2,
	  .turbo = { 3800, 3700, 3600, 3500 },
	  .nturbo = 4,
	  .have_pp0 = true,
	  .have_pp1 = true,
	  .gp_counters = 4,
	  .xtal_mhz = 24,
	  .esu = 16,
	  .tjmax = 98,
	  .tdp = 95,
	  .cstates = 1 | 2 | 4 | 8 | 16,
	  .pcstates = 15,
	  .cpufreq = "acpi-cpufreq" },
	{ ANY_INTEL,
	  .preset = "haswell-ep",
	  .brand = "Intel(R) Xeon(R) CPU E5-2699 v3 @ 2.30GHz",
	  .model = 0x3f,
	  .stepping = 2,
	  .base_mhz = 2300,
	  .min_mhz = 1200,
	  .sockets = 2,
	  .nodes = 2,
	  .cores = 4,
	  .threads = 2,
	  .turbo = { 3600, 3600, 3400, 3300, 3200, 3100, 3000, 2900, 2800, 2800, 2800, 2800, 2800,
		     2800, 2800, 2800, 2800, 2700 },
	  .nturbo = 18,
	  .have_dram = true,
	  .gp_counters = 4,
	  .xtal_mhz = 24,
	  .esu = 14,
	  .dram_esu = 16,
	  .tjmax = 88,
	  .tdp = 145,
	  .cstates = 1 | 2 | 4 | 8 | 16,
	  .pcstates = 15,
	  .cpufreq = "intel_pstate" },
	{ ANY_SERVER,
	  .preset = "skylake-sp",
	  .dram_esu = 16,
	  .brand = "Intel(R) Xeon(R) Gold 6138 CPU @ 2.00GHz",
	  .model = 0x55,
	  .stepping = 4,
	  .base_mhz = 2000,
	  .min_mhz = 1000,
	  .turbo = { 3700, 3700, 3500, 3500, 3400, 3400, 3400, 3400 },
	  .turbo_avx2 = 3000,
	  .turbo_avx512 = 2500,
	  .gp_counters = 4,
	  .tjmax = 95,
	  .tdp = 165 },
	{ ANY_SERVER,
	  .preset = "cascadelake-sp",
	  .dram_esu = 16,
	  .brand = "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
	  .model = 0x55,
	  .stepping = 7,
	  .base_mhz = 2500,
	  .min_mhz = 1000,
	  .turbo = { 3700, 3700, 3500, 3500, 3400, 3400, 3400, 3400 },
	  .turbo_avx2 = 3000,
	  .turbo_avx512 = 2500,
	  .gp_counters = 4,
	  .tjmax = 95,
	  .tdp = 165 },
	{ ANY_SERVER,
	  .preset = "icelake-sp",
	  .have_c1_res = true,
	  .dram_esu = 16,
	  .brand = "Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz",
	  .model = 0x6a,
	  .stepping = 6,
	  .base_mhz = 2300,
	  .min_mhz = 800,
	  .turbo = { 3400, 3400, 3200, 3200, 3100, 3100, 3000, 3000 },
	  .gp_counters = 8,
	  .tjmax = 100,
	  .tdp = 270 },
	{ ANY_SERVER,
	  .preset = "sapphire-rapids",
	  .have_c1_res = true,
	  .brand = "Intel(R) Xeon(R) Platinum 8480+",
	  .model = 0x8f,
	  .stepping = 8,
	  .base_mhz = 2000,
	  .min_mhz = 800,
	  .turbo = { 3800, 3800, 3700, 3500, 3300, 3100, 3000, 3000 },
	  .turbo_avx2 = 3500,
	  .turbo_avx512 = 3300,
	  .have_amx = true,
	  .lic_zero = true,
	  .gp_counters = 8,
	  .tjmax = 100,
	  .tdp = 350 },
	{ ANY_SERVER,
	  .preset = "granite-rapids",
	  .have_c1_res = true,
	  .brand = "Intel(R) Xeon(R) 6980P",
	  .model = 0xad,
	  .stepping = 1,
	  .base_mhz = 2000,
	  .min_mhz = 800,
	  .turbo = { 3900, 3900, 3800, 3700, 3500, 3400, 3300, 3200 },
	  .turbo_avx2 = 3600,
	  .turbo_avx512 = 3400,
	  .have_amx = true,
	  .lic_zero = true,
	  .gp_counters = 8,
	  .tjmax = 100,
	  .tdp = 500 },
	{ ANY,
	  .preset = "epyc-genoa",
	  .brand = "AMD EPYC 9354 32-Core Processor",
	  .vendor = AMD,
	  .family = 0x19,
	  .model = 0x11,
	  .stepping = 1,
	  .base_mhz = 3250,
	  .min_mhz = 1500,
	  .sockets = 1,
	  .nodes = 1,
	  .cores = 4,
	  .threads = 2,
	  .turbo = { 3800 },
	  .nturbo = 1,
	  .have_avx512 = true,
	  .gp_counters = 6,
	  .xtal_mhz = 24,
	  .esu = 16,
	  .tjmax = 95,
	  .tdp = 280,
	  .cstates = 1 | 8,
	  .cpufreq = "acpi-cpufreq",
	  .cpuidle = "acpi_idle" },
};

int machine_preset(const char *name)
{
	for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++)
		if (!strcmp(presets[i].preset, name)) {
			machine = presets[i];
			return 0;
		}
	return -1;
}

/* The keys of a kind, with the place of each in struct machine. */
struct key {
	const char *name;
	size_t at, size;
};

#define KEY(x) { #x, offsetof(struct machine, x), sizeof(machine.x) }
#define HAVE(x) { #x, offsetof(struct machine, have_##x), sizeof(bool) }
/* clang-format off */
static const struct key texts[] = {
	KEY(name), KEY(brand), KEY(cpufreq), KEY(cpuidle), KEY(isolated), KEY(nohz_full), KEY(clock),
};
static const struct key whole[] = {
	KEY(family), KEY(model), KEY(stepping), KEY(sockets), KEY(cores), KEY(threads), KEY(nodes),
	KEY(possible), KEY(gp_counters), KEY(nmi_watchdog), KEY(paranoid), KEY(cstates),
	KEY(pcstates), KEY(no_turbo), KEY(turbo_avx2), KEY(turbo_avx512), KEY(ecores), KEY(emax_mhz),
	KEY(other_events), KEY(tcc_offset),
};
static const struct key numbers[] = {
	KEY(base_mhz), KEY(min_mhz), KEY(bus_mhz), KEY(tjmax), KEY(tdp), KEY(esu), KEY(dram_esu),
	KEY(speed),
};
static const struct key switches[] = {
	HAVE(msr), HAVE(perf), HAVE(dram), HAVE(pp0), HAVE(pp1), HAVE(hwp), HAVE(avx512), HAVE(amx),
	HAVE(lic), HAVE(rapl), HAVE(powercap), HAVE(hwmon), HAVE(thermal), KEY(hypervisor),
	KEY(lic_zero), KEY(react), KEY(sparse_core_ids), KEY(aperfmperf), KEY(zeros), HAVE(c1_res),
};
/* clang-format on */

/* The place of the key in the machine, or NULL. */
#define FIND(keys, name) find(keys, sizeof(keys) / sizeof(*(keys)), name)
static const struct key *find(const struct key *keys, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

static int set_turbo(const char *value)
{
	char *end;

	machine.nturbo = 0;
	while (*value && machine.nturbo < 32) {
		machine.turbo[machine.nturbo++] = (int)strtol(value, &end, 10);
		if (end == value)
			return -1;
		value = *end ? end + 1 : end;
	}
	return 0;
}

static int set_choice(const char *value, const char *const *choices, int count, int *ret_choice)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(value, choices[i])) {
			*ret_choice = i;
			return 0;
		}
	return -1;
}

int machine_key(const char *name, const char *value)
{
	char *base = (char *)&machine;
	const struct key *key;

	if ((key = FIND(texts, name))) {
		snprintf(base + key->at, key->size, "%s", value);
		return 0;
	}
	if ((key = FIND(whole, name))) {
		*(int *)(void *)(base + key->at) = (int)strtol(value, NULL, 0);
		if (!strcmp(name, "sockets"))
			machine.nodes = machine.sockets;
		return 0;
	}
	if (!strcmp(name, "base_mhz") && !strcmp(value, "host")) {
		machine.base_host = true;
		return 0;
	}
	if ((key = FIND(numbers, name))) {
		*(double *)(void *)(base + key->at) = strtod(value, NULL);
		return 0;
	}
	if ((key = FIND(switches, name))) {
		*(bool *)(base + key->at) = !strcmp(value, "yes");
		return strcmp(value, "yes") && strcmp(value, "no") ? -1 : 0;
	}
	if (!strcmp(name, "preset"))
		return machine_preset(value);
	if (!strcmp(name, "lic_scope"))
		return set_choice(value, lic_scopes, LIC_SCOPES, &machine.lic_scope);
	if (!strcmp(name, "lockdown"))
		return set_choice(value, lockdowns, LOCKDOWNS, &machine.lockdown);
	if (!strcmp(name, "turbo"))
		return set_turbo(value);
	if (!strcmp(name, "tsc_base")) {
		machine.tsc_base = strtoull(value, NULL, 0);
		return 0;
	}
	if (!strcmp(name, "energy_base")) {
		machine.energy_base = strtoull(value, NULL, 0);
		return 0;
	}
	if (!strcmp(name, "tsc_mhz")) {
		machine.tsc_host = !strcmp(value, "host");
		machine.tsc_mhz = machine.tsc_host ? 0 : strtod(value, NULL);
		return 0;
	}
	return -1;
}

/* Core numbers with gaps, 0,1,2,4,5,6,8..., as cores that were fused off leave them. */
static int sparse(int core)
{
	return machine.sparse_core_ids ? core + core / 3 : core;
}

/* How many bits count to n. */
static int bits(int n)
{
	int b = 0;

	while ((1 << b) < n)
		b++;
	return b;
}

/* Siblings are neighbors, E-cores come last. */
static void number_hybrid(struct cpu *c, int i)
{
	int large = machine.cores * machine.threads;

	c->atom = i >= large;
	c->core = c->atom ? machine.cores + i - large : i / machine.threads;
	c->thread = c->atom ? 0 : i % machine.threads;
	c->core_id = c->atom ? machine.cores * 4 + i - large : c->core * 4;
	c->apicid = c->core_id * 2 + c->thread;
	c->lead = i - c->thread;
	c->sib = !c->atom && c->thread + 1 < machine.threads ? i + 1 : -1;
}

/* Linux enumerates all first threads, then all second threads. */
static void number_plain(struct cpu *c, int i)
{
	int cores = machine.sockets * machine.cores, r = i % cores;
	int per_socket = machine.nodes / machine.sockets;
	int thread_bits = bits(machine.threads);
	int core_bits = bits(machine.cores + (machine.sparse_core_ids ? machine.cores / 3 : 0));

	c->pkg = r / machine.cores;
	c->core = r % machine.cores;
	c->thread = i / cores;
	c->lead = r;
	c->sib = i + cores < cores * machine.threads ? i + cores : -1;
	c->core_id = sparse(c->core);
	c->node = c->pkg * machine.nodes / machine.sockets;
	if (per_socket > 1)
		c->node += c->core * per_socket / machine.cores;
	c->apicid = c->pkg << (core_bits + thread_bits) | c->core_id << thread_bits | c->thread;
}

int machine_topology(void)
{
	machine.ncpu = machine.sockets * machine.cores * machine.threads + machine.ecores;
	if (machine.possible < machine.ncpu)
		machine.possible = machine.ncpu;
	if (machine.possible > MAXCPU || machine.sockets > MAXPKG || machine.threads > MAXSMT)
		return -1;
	for (int i = 0; i < machine.ncpu; i++) {
		if (machine.ecores)
			number_hybrid(&cpus[i], i);
		else
			number_plain(&cpus[i], i);
		cpus[i].online = true;
	}
	return 0;
}

int machine_cap_mhz(int cpu)
{
	if (cpus[cpu].atom)
		return machine.emax_mhz;
	return machine.nturbo ? machine.turbo[0] : (int)machine.base_mhz;
}

int first_online(int pkg)
{
	for (int i = 0; i < machine.ncpu; i++)
		if (cpus[i].online && (pkg < 0 || cpus[i].pkg == pkg))
			return i;
	return -1;
}

int core_thread(int cpu)
{
	return cpus[cpus[cpu].lead].online ? cpus[cpu].lead : cpu;
}
