/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The emulated msr device against msr(4): msr | msr locked | msr -l for what a call costs | msr -r
 * CPU ADDRESS... */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "check.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void call_msr(int fd)
{
	uint64_t v;

	if (pread(fd, &v, 8, 0xe8) != 8)
		perror("msr");
}

static void call_tsc(int fd)
{
	(void)fd;
	(void)__rdtsc();
}

static void call_affinity(int fd)
{
	cpu_set_t set;

	(void)fd;
	sched_getaffinity(0, sizeof(set), &set);
}

static void call_sysfs(int fd)
{
	char text[64];

	(void)fd;
	fd = open("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", O_RDONLY);
	if (read(fd, text, sizeof(text)) < 0)
		perror("sysfs");
	close(fd);
}

static void call_clock(int fd)
{
	(void)fd;
	now();
}

static int costs(int fd)
{
	static const struct {
		const char *name;
		void (*call)(int fd);
		int times;
	} calls[] = {
		{ "msr pread", call_msr, 2000 },
		{ "rdtsc", call_tsc, 2000 },
		{ "sched_getaffinity", call_affinity, 2000 },
		{ "sysfs open+read+close", call_sysfs, 200 },
		{ "clock_gettime", call_clock, 2000 },
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		double began = now();

		for (int k = 0; k < calls[i].times; k++)
			calls[i].call(fd);
		printf("%s %.2f us\n", calls[i].name, (now() - began) / calls[i].times * 1e6);
	}
	return 0;
}

static void reading(int fd)
{
	uint64_t v[2] = { 0 };

	CHECK(fd >= 0);
	CHECK(pread(fd, v, 8, 0xce) == 8 && v[0] != 0);
	CHECK(pread(fd, v, 16, 0x1a2) == 16 && v[0] == v[1]); /* one register, twice */
	CHECK(pread(fd, v, 4, 0xce) == -1 && errno == EINVAL);
	CHECK(pread(fd, v, 8, 0xdead) == -1 && errno == EIO);
	CHECK(pread(fd, v, 8, 0xc0010299) == -1 && errno == EIO); /* AMD's */
	CHECK(pwrite(fd, v, 8, 0x38f) == -1 && errno == EBADF);	  /* opened read-only */
	CHECK(open("/dev/cpu/999/msr", O_RDONLY) == -1 && errno == ENOENT);
}

static void writing(int fd)
{
	uint64_t v = 0, x = 0x700000003ULL, a = 0, b = 0;

	CHECK(fd >= 0 && pwrite(fd, &x, 8, 0x38f) == 8);
	CHECK(pread(fd, &v, 8, 0x38f) == 8 && v == x);
	CHECK(pwrite(fd, &x, 8, 0xce) == -1 && errno == EIO); /* read-only: #GP */
	x = 0x333;
	CHECK(pwrite(fd, &x, 8, 0x38d) == 8 && pread(fd, &a, 8, 0x30a) == 8);
	usleep(100000);
	CHECK(pread(fd, &b, 8, 0x30a) == 8 && b > a);
	x = 0;
	CHECK(pwrite(fd, &x, 8, 0x38d) == 8 && pread(fd, &a, 8, 0x30a) == 8);
	usleep(50000);
	CHECK(pread(fd, &b, 8, 0x30a) == 8 && a == b); /* disabled: it stands still */
}

/* Under lockdown registers can be read (LOCKDOWN_MSR is asked for in msr_write only). */
static void locked(int fd)
{
	uint64_t v = 0;

	CHECK(fd >= 0 && pread(fd, &v, 8, 0xce) == 8);
	CHECK(pwrite(fd, &v, 8, 0x38f) == -1 && errno == EPERM);
}

/* Prints each register, or its error. */
static int show(const char *cpu, char *const *address)
{
	char path[64];
	uint64_t v;
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%s/msr", cpu);
	fd = open(path, O_RDONLY);
	for (; *address; address++)
		if (pread(fd, &v, 8, (off_t)strtoull(*address, NULL, 0)) == 8)
			printf("%s %#llx\n", *address, (unsigned long long)v);
		else
			printf("%s %s\n", *address, strerrorname_np(errno));
	return 0;
}

int main(int argc, char **argv)
{
	int fd = open("/dev/cpu/0/msr", O_RDONLY);

	if (argc > 3 && !strcmp(argv[1], "-r"))
		return show(argv[2], argv + 3);
	if (argc > 1 && !strcmp(argv[1], "-l"))
		return costs(fd);
	if (argc > 1) {
		locked(open("/dev/cpu/1/msr", O_RDWR));
		return check_end();
	}
	reading(fd);
	writing(open("/dev/cpu/1/msr", O_RDWR));
	return check_end();
}
