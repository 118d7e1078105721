/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as a source: which addresses on which CPU, and what of a made-up device comes out. Of
 * that only registers eight addresses apart can be told; tests/emu/msr.sh has all. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hostfs.h"
#include "fake.h"
#include "model/host.h"
#include "model/sample.h"
#include "source/msr_layout.h"
#include "source/source.h"
#include "tree.h"

#define AMD_LEAST 0xc0000000u

/* Time goes on by as much as the test says: the linker's --wrap in tests/local.mk. */
static uint64_t now_ns = 5 * NS_PER_S;
uint64_t __wrap_clock_mono_ns(void);

uint64_t __wrap_clock_mono_ns(void)
{
	return now_ns;
}

struct bench {
	char *root;
	struct source_env env;
	struct host *host;
	struct sample *sample;
	struct source *source;
	struct offer offer;
	bool wanted[COUNTER_N];
};

static void bench_open(struct bench *bench, struct host *host)
{
	*bench = (struct bench) { .root = tree_new(), .host = host };
	host->live = true;
	bench->env = (struct source_env) { .host = host,
					   .wanted = bench->wanted,
					   .interval_ns = NS_PER_S };
	assert_int_equal(hostfs_open(bench->root, &bench->env.fs), 0);
	bench->sample = sample_new(host);
	assert_non_null(bench->sample);
}

static void bench_close(struct bench *bench)
{
	msr_ops.close(bench->source);
	sample_free(bench->sample);
	hostfs_close(bench->env.fs);
	host_free(bench->host);
	tree_free(bench->root);
}

/* Sets a register of a CPU (index), whose device is a file that has it at its address. */
static void plant(struct bench *bench, unsigned cpu, uint32_t address, uint64_t value)
{
	char path[512];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/cpu/%u/msr", bench->root, bench->host->cpus[cpu].id);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0) {
		char relative[64];

		snprintf(relative, sizeof(relative), "dev/cpu/%u/msr", bench->host->cpus[cpu].id);
		tree_write(bench->root, relative, "%s", "");
		fd = open(path, O_WRONLY | O_CLOEXEC);
	}
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &value, sizeof(value), (off_t)address), sizeof(value));
	close(fd);
}

static void bench_start(struct bench *bench)
{
	struct problem problem;

	assert_int_equal(msr_ops.open(&bench->env, &bench->source, &problem), 0);
}

static void bench_read(struct bench *bench)
{
	sample_clear(bench->sample);
	assert_int_equal(msr_ops.read(bench->source, bench->sample), 0);
}

static const struct reading *reading(struct bench *bench, enum counter counter, unsigned index)
{
	return sample_get(bench->sample, counter, index, 0);
}

static int why(struct bench *bench, enum counter counter)
{
	struct problem problem;

	memset(&bench->offer, 0, sizeof(bench->offer));
	assert_int_equal(msr_ops.probe(&bench->env, &bench->offer), 0);
	assert_true(bench->offer.here[counter] != bench->offer.refused[counter]);
	if (bench->offer.here[counter])
		return 0;
	offer_why(&bench->offer, counter, &problem);
	return problem.err;
}

/* Skylake-SP, with all that a register layout can say. */
static struct host *intel(unsigned packages, unsigned cores, unsigned threads)
{
	struct host *host = fake_host(packages, cores, threads);

	host->kinds[0].family = 6;
	host->kinds[0].model = 0x55;
	host->kinds[0].registers = (struct registers) {
		.bclk_hertz = 1e8,
		.core_states = 1 << 1 | 1 << 6,
		.package_states = 1 << 2 | 1 << 10,
		.turbo = TURBO_FORM_GROUPS,
		.limit_reasons = 0x64f,
		.energies = ENERGY_PACKAGE | ENERGY_DRAM,
		.dram_joules = 0x1p-16,
		.tcc_bits = 6,
		.uncore_ratio = true,
	};
	return host;
}

static struct host *amd(unsigned cores, unsigned threads)
{
	struct host *host = fake_host(1, cores, threads);

	strcpy(host->vendor, "AuthenticAMD");
	host->kinds[0].family = 0x19;
	host->kinds[0].registers.energies = ENERGY_PACKAGE | ENERGY_CORES;
	return host;
}

static const struct msr_item *find(const struct msr_layout *layout, enum counter counter)
{
	for (unsigned i = 0; i < layout->n; i++)
		if (layout->items[i].counter == counter)
			return &layout->items[i];
	return NULL;
}

static uint32_t address(const struct host *host, enum counter counter)
{
	struct msr_layout layout;
	const struct msr_item *item;

	msr_layout(host, 0, true, &layout);
	item = find(&layout, counter);
	return item ? item->address : 0;
}

static void test_addresses_of_intel(void **unused)
{
	struct host *host = intel(1, 1, 1);
	struct msr_layout layout;

	(void)unused;
	msr_layout(host, 0, true, &layout);
	for (unsigned i = 0; i < layout.n; i++) {
		assert_true(layout.items[i].address < AMD_LEAST);
		assert_true(i == 0 || layout.items[i].by >= layout.items[i - 1].by);
		assert_true(msr_serves(layout.items[i].counter));
	}
	assert_int_equal(address(host, COUNTER_APERF), 0xe8);
	assert_int_equal(address(host, COUNTER_CORE_C1), 0x660);
	assert_int_equal(address(host, COUNTER_CORE_C6), 0x3fd);
	assert_int_equal(address(host, COUNTER_CORE_C7), 0);
	assert_int_equal(address(host, COUNTER_PACKAGE_C10), 0x632);
	assert_int_equal(address(host, COUNTER_LIMIT_REASONS), 0x64f);
	assert_int_equal(address(host, COUNTER_TURBO_RATIOS_1), 0x1ae);
	assert_int_equal(address(host, COUNTER_TURBO_RATIOS_2), 0);
	/* 0x1AE of clients counts cores; of Haswell-EP it goes on with their ratios. */
	host->kinds[0].registers.turbo = TURBO_FORM_ACTIVE;
	assert_int_equal(address(host, COUNTER_TURBO_RATIOS_1), 0);
	host->kinds[0].model = 0x3f;
	assert_int_equal(address(host, COUNTER_TURBO_RATIOS_2), 0x1af);
	/* Knights Landing has another register, and counts once in 1024. */
	host->kinds[0].registers.times_1024 = true;
	assert_int_equal(address(host, COUNTER_CORE_C6), 0x3ff);
	msr_layout(host, 0, true, &layout);
	assert_int_equal(find(&layout, COUNTER_APERF)->how, MSR_TIMES_1024);
	assert_int_equal(find(&layout, COUNTER_CLOCK_TSC)->how, MSR_PLAIN);
	/* Silvermont has others at these addresses. */
	host->kinds[0].model = 0x4d;
	assert_int_equal(address(host, COUNTER_PACKAGE_ENERGY), 0);
	host_free(host);
}

static void test_addresses_of_others(void **unused)
{
	struct host *host = amd(1, 1);
	struct msr_layout layout;

	(void)unused;
	msr_layout(host, 0, true, &layout);
	for (unsigned i = 0; i < layout.n; i++)
		assert_true(layout.items[i].by == SCOPE_CPU ||
			    layout.items[i].address >= AMD_LEAST);
	assert_int_equal(address(host, COUNTER_PACKAGE_ENERGY), 0xc001029b);
	assert_int_equal(address(host, COUNTER_CORE_ENERGY), 0xc001029a);
	/* A model that nobody knows: what CPUID promises. */
	strcpy(host->vendor, "GenuineIntel");
	host->kinds[0].registers = (struct registers) { 0 };
	msr_layout(host, 0, true, &layout);
	assert_int_equal(layout.n, 3);
	msr_layout(host, 0, false, &layout);
	assert_int_equal(layout.n, 1);
	strcpy(host->vendor, "Shanghai");
	msr_layout(host, 0, true, &layout);
	assert_int_equal(layout.n, 0);
	host_free(host);
}

/* One die of two would tell half of the energy. */
static void test_dies(void **unused)
{
	struct host *host = intel(1, 2, 1);

	(void)unused;
	assert_int_equal(address(host, COUNTER_PACKAGE_ENERGY), 0x611);
	host->cores[1].die_id = 1;
	assert_int_equal(address(host, COUNTER_PACKAGE_ENERGY), 0);
	assert_int_equal(address(host, COUNTER_PACKAGE_C2), 0);
	assert_int_equal(address(host, COUNTER_CORE_C6), 0x3fd);
	host_free(host);
}

static void test_reasons(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, intel(1, 2, 1));
	assert_int_equal(why(&bench, COUNTER_APERF), ENOENT); /* no device */
	plant(&bench, 0, 0x2000, 1);
	assert_int_equal(why(&bench, COUNTER_APERF), 0);
	assert_int_equal(why(&bench, COUNTER_CORE_C7), ENOTSUP);     /* this model */
	assert_int_equal(why(&bench, COUNTER_CORE_VOLTAGE), ENODEV); /* reports nothing */
	tree_write(bench.root, "proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu aperfmperf ht\n\n");
	assert_int_equal(why(&bench, COUNTER_APERF), 0);
	tree_write(bench.root, "proc/cpuinfo",
		   "processor\t: 0\nflags\t\t: fpu ht\nbugs\t\t: aperfmperf\n\n");
	assert_int_equal(why(&bench, COUNTER_APERF), ENOTSUP);
	assert_int_equal(why(&bench, COUNTER_CLOCK_TSC), 0);
	strcpy(bench.host->hypervisor, "KVM");
	assert_int_equal(why(&bench, COUNTER_APERF), ENODEV);
	/* A file that ends before the register: as an EIO. */
	tree_write(bench.root, "dev/cpu/0/msr", "%s", "");
	assert_int_equal(why(&bench, COUNTER_PACKAGE_ENERGY), ENODEV);
	bench.host->hypervisor[0] = '\0';
	assert_int_equal(why(&bench, COUNTER_PACKAGE_ENERGY), EIO);
	bench.host->cpus[0].isolated = true;
	assert_int_equal(why(&bench, COUNTER_PACKAGE_ENERGY), ENOENT);
	bench.host->cpus[1].wanted = false;
	assert_int_equal(why(&bench, COUNTER_PACKAGE_ENERGY), ENODEV); /* no CPU is left */
	bench_close(&bench);
}

/* Energy of the package and of its memory, which has a unit of its own; wraps; a register that
 * stands still. */
static void test_energy(void **unused)
{
	struct bench bench;
	const double unit = 0x1p-14, dram = 0x1p-16;

	(void)unused;
	bench_open(&bench, intel(1, 1, 1));
	bench.wanted[COUNTER_PACKAGE_ENERGY] = bench.wanted[COUNTER_DRAM_ENERGY] = true;
	plant(&bench, 0, 0x606, 0xa0e03);
	plant(&bench, 0, 0x611, 0xfffffff0);
	plant(&bench, 0, 0x619, 0);
	bench_start(&bench);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_ENERGY, 0)->raw, 0);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_ENERGY, 0)->state, STATE_OK);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_ENERGY_AGE, 0)->state, STATE_OK);
	assert_int_equal(reading(&bench, COUNTER_APERF, 0)->source, SOURCE_NONE); /* not wanted */
	now_ns += NS_PER_S;
	plant(&bench, 0, 0x611, 0x1234500004000); /* bits above 31 are not energy */
	bench_read(&bench);
	assert_near((double)reading(&bench, COUNTER_PACKAGE_ENERGY, 0)->raw, 0x4010 * unit * 1e6,
		    1);
	assert_int_equal(reading(&bench, COUNTER_DRAM_ENERGY, 0)->state,
			 STATE_UNSUPPORTED); /* only ever 0 */
	now_ns += NS_PER_S;
	plant(&bench, 0, 0x619, 0x10000);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_DRAM_ENERGY, 0)->state, STATE_RESET);
	now_ns += NS_PER_S;
	plant(&bench, 0, 0x619, 0x20000);
	plant(&bench, 0, 0x611, 0x3000); /* a wrap would be of 260 kJ */
	bench_read(&bench);
	assert_near((double)reading(&bench, COUNTER_DRAM_ENERGY, 0)->raw, 0x10000 * dram * 1e6, 1);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_ENERGY, 0)->state, STATE_RESET);
	bench_close(&bench);
}

/* In a file 0xC0010299 and 0xC001029A lie on each other; the unit is read once, before all else. */
static void test_energy_of_cores(void **unused)
{
	struct bench bench;
	uint64_t before;

	(void)unused;
	bench_open(&bench, amd(2, 2));
	bench.wanted[COUNTER_CORE_ENERGY] = true;
	for (unsigned cpu = 0; cpu < 4; cpu += 2) {
		plant(&bench, cpu, 0xc00102a8, 0);
		plant(&bench, cpu, 0xc0010299, 0xa1003);
	}
	bench_start(&bench);
	bench_read(&bench);
	now_ns += NS_PER_S;
	plant(&bench, 0, 0xc001029a, 0xffffff00);
	plant(&bench, 2, 0xc001029a, 0x100000100);
	bench_read(&bench);
	now_ns += NS_PER_S;
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CORE_ENERGY, 0)->state, STATE_OK);
	before = reading(&bench, COUNTER_CORE_ENERGY, 0)->raw;
	now_ns += NS_PER_S;
	plant(&bench, 0, 0xc001029a, 0xff00);
	plant(&bench, 2, 0xc001029a, 0x30100);
	bench_read(&bench);
	assert_near((double)(reading(&bench, COUNTER_CORE_ENERGY, 0)->raw - before), 4e6, 1);
	/* Without one of its cores the sum is not that of the package. */
	bench.host->cpus[2].isolated = bench.host->cpus[3].isolated = true;
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CORE_ENERGY, 0)->state, STATE_ISOLATED);
	bench_close(&bench);
}

/* Whom nobody may interrupt is not opened; another CPU speaks for the package; one without a device
 * fails alone. */
static void test_places(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, intel(1, 4, 1));
	bench.wanted[COUNTER_CLOCK_TSC] = bench.wanted[COUNTER_CORE_C6] =
		bench.wanted[COUNTER_PACKAGE_C2] = true;
	bench.host->cpus[0].isolated = true;
	plant(&bench, 1, 0x10, 1000);
	plant(&bench, 1, 0x3fd, 66);
	plant(&bench, 1, 0x60d, 22);
	plant(&bench, 3, 0x2000, 0);
	bench_start(&bench);
	sample_fail(bench.sample, COUNTER_OS_BUSY, 3, 0, STATE_OFFLINE, SOURCE_PROCFS);
	assert_int_equal(msr_ops.read(bench.source, bench.sample), 0);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 0)->state, STATE_ISOLATED);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 0)->state, STATE_ISOLATED);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 1)->raw, 1000);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 1)->raw, 66);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_C2, 0)->raw, 22);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_C2, 0)->state, STATE_OK);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 2)->state, STATE_UNSUPPORTED);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 3)->state, STATE_OFFLINE);
	/* The device comes later. */
	plant(&bench, 2, 0x10, 2000);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 2)->raw, 2000);
	bench_close(&bench);
}

/* What fails is dropped for good, on that CPU: until the source is opened anew. */
static void test_dropped(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, intel(1, 2, 1));
	bench.wanted[COUNTER_CLOCK_TSC] = bench.wanted[COUNTER_CORE_C6] = true;
	plant(&bench, 0, 0x10, 10); /* ends before 0x3fd */
	plant(&bench, 1, 0x10, 10);
	plant(&bench, 1, 0x3fd, 6);
	bench_start(&bench);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 0)->state, STATE_OK);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 0)->state, STATE_FAILED);
	assert_int_equal(reading_errno(reading(&bench, COUNTER_CORE_C6, 0)), EIO);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 1)->raw, 6);
	plant(&bench, 0, 0x3fd, 7);
	plant(&bench, 0, 0x10, 11);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CLOCK_TSC, 0)->raw, 11);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 0)->state, STATE_FAILED);
	msr_ops.close(bench.source);
	bench_start(&bench);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_CORE_C6, 0)->raw, 7);
	bench_close(&bench);
}

/* 0 of a register that may not report is no "nothing limits"; temperatures need TjMax. */
static void test_moments(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_open(&bench, intel(1, 1, 1));
	bench.host->kinds[0].registers.limit_reasons_doubtful = true;
	bench.wanted[COUNTER_LIMIT_REASONS] = bench.wanted[COUNTER_PACKAGE_TEMPERATURE] = true;
	bench.wanted[COUNTER_PACKAGE_TEMPERATURE_LIMIT] = bench.wanted[COUNTER_TURBO_RATIOS] = true;
	plant(&bench, 0, 0x1a2, 0x7640000);
	plant(&bench, 0, 0xce, 0x70000000);
	plant(&bench, 0, 0x1b1, 0x882f0002);
	plant(&bench, 0, 0x64f, 0);
	bench_start(&bench);
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_LIMIT_REASONS, 0)->state, STATE_UNSUPPORTED);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_TEMPERATURE, 0)->raw, 53000);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_TEMPERATURE_LIMIT, 0)->raw, 93000);
	plant(&bench, 0, 0x64f, 2);
	plant(&bench, 0, 0x1b1, 0x082f0002); /* not valid */
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_LIMIT_REASONS, 0)->raw, 2);
	assert_int_equal(reading(&bench, COUNTER_PACKAGE_TEMPERATURE, 0)->state, STATE_UNSUPPORTED);
	plant(&bench, 0, 0x64f, 0);
	plant(&bench, 0, 0x1ad, 5); /* a constant is read once */
	bench_read(&bench);
	assert_int_equal(reading(&bench, COUNTER_LIMIT_REASONS, 0)->raw, 0);
	assert_int_equal(reading(&bench, COUNTER_LIMIT_REASONS, 0)->state, STATE_OK);
	assert_int_not_equal(reading(&bench, COUNTER_TURBO_RATIOS, 0)->raw, 5);
	bench_close(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses_of_intel),
		cmocka_unit_test(test_addresses_of_others),
		cmocka_unit_test(test_dies),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_energy_of_cores),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_moments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
