/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open: perf sw | hw | lockdown | user | shortage | closed | open. */
/*
 * "sw" uses software events and the msr PMU and runs on the real kernel, so that each expectation
 * is known to be what Linux does; "hw" asks the same of cycles, instructions and license events on
 * the emulated machine, and what needs a PMU.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define TIMES (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)
#define CPU 1

static bool hw;

static int open_event(struct perf_event_attr *a, int pid, int cpu, int group, unsigned long flags)
{
	errno = 0;
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, group, flags);
}

static struct perf_event_attr attr(uint32_t type, uint64_t config, uint64_t format)
{
	struct perf_event_attr a = { .type = type, .size = sizeof(a), .config = config };

	a.read_format = format;
	return a;
}

/* The i-th of four events: cycles, instructions, LVL2, LVL0, or software ones. */
static struct perf_event_attr event(int i, uint64_t format)
{
	static const uint64_t hard[] = { 0, 1, 0x2028, 0x0728 }, soft[] = { 0, 1, 3, 2 };

	if (hw)
		return attr(i < 2 ? PERF_TYPE_HARDWARE : PERF_TYPE_RAW, hard[i], format);
	return attr(PERF_TYPE_SOFTWARE, soft[i], format);
}

/* Opens, closes, and says 0 or the errno. */
static int try_event(struct perf_event_attr a, int pid, int cpu, int group)
{
	int fd = open_event(&a, pid, cpu, group, 0), error = errno;

	if (fd < 0)
		return error;
	close(fd);
	return 0;
}

static void one_event(void)
{
	struct perf_event_attr a = event(0, TIMES | PERF_FORMAT_ID);
	int fd = open_event(&a, -1, CPU, -1, PERF_FLAG_FD_CLOEXEC);
	uint64_t b[8], id = 0, value, enabled;

	CHECK(fd >= 0);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	usleep(100000);
	CHECK(read(fd, b, sizeof(b)) == 32);
	CHECK(b[0] > 0);
	CHECK(b[1] >= 95000000 && b[1] < 1000000000);
	CHECK(b[2] == b[1]);
	CHECK(ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 && id == b[3]);
	CHECK(read(fd, b, 16) == -1 && errno == ENOSPC);
	value = b[0];
	CHECK(read(fd, b, 32) == 32 && b[0] >= value);
	CHECK(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) == 0);
	CHECK(read(fd, b, 32) == 32);
	value = b[0];
	enabled = b[1];
	usleep(20000);
	CHECK(read(fd, b, 32) == 32 && b[0] == value && b[1] == enabled);
	/* RESET leaves the times. */
	CHECK(ioctl(fd, PERF_EVENT_IOC_RESET, 0) == 0 && read(fd, b, 32) == 32 && b[0] == 0 &&
	      b[1] == enabled);
	CHECK(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0);
	usleep(20000);
	CHECK(read(fd, b, 32) == 32 && b[0] > 0 && b[1] > enabled);
	CHECK(ioctl(fd, 0x54321, 0) == -1 && errno == ENOTTY);
	CHECK(pread(fd, b, 32, 0) != -1 || errno == ESPIPE);
	close(fd);
}

/* A leader that is disabled, enabled with its group as one. */
static void group(void)
{
	struct perf_event_attr a = event(0, TIMES | PERF_FORMAT_ID | PERF_FORMAT_GROUP);
	uint64_t b[64], ids[4] = { 0 };
	int leader, member[4];

	a.disabled = 1;
	leader = open_event(&a, -1, CPU, -1, 0);
	CHECK(leader >= 0);
	CHECK(ioctl(leader, PERF_EVENT_IOC_ID, &ids[0]) == 0);
	for (int i = 1; i < 4; i++) {
		a = event(i, TIMES | PERF_FORMAT_ID | PERF_FORMAT_GROUP);
		member[i] = open_event(&a, -1, CPU, leader, 0);
		CHECK(member[i] >= 0);
		CHECK(ioctl(member[i], PERF_EVENT_IOC_ID, &ids[i]) == 0);
	}
	CHECK(read(leader, b, sizeof(b)) == 8 * (3 + 2 * 4));
	CHECK(b[0] == 4 && b[1] == 0 && b[2] == 0 && b[3] == 0);
	CHECK(ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) == 0);
	usleep(100000);
	CHECK(ioctl(leader, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) == 0);
	CHECK(read(leader, b, sizeof(b)) == 88 && b[0] == 4 && b[3] > 0);
	CHECK(b[4] == ids[0] && b[6] == ids[1] && b[8] == ids[2] && b[10] == ids[3]);
	if (hw) { /* the scenario: 1.9 GHz, 1.6 instructions a cycle, 90 % at license 2 */
		CHECK(fabs((double)b[7] / (double)b[3] - .90) < .001);
		CHECK(fabs((double)b[5] / (double)b[3] - 1.6) < .001);
		CHECK(fabs((double)b[3] / (double)b[1] - 1.9) < .01);
	}
	CHECK(read(leader, b, 80) == -1 && errno == ENOSPC);
	CHECK(read(member[1], b, sizeof(b)) == 88 && b[0] == 4 && b[4] == ids[0]);
	CHECK(try_event(event(1, 0), -1, CPU, member[1]) == EINVAL); /* a member cannot lead */
	CHECK(try_event(event(1, 0), -1, 0, leader) == EINVAL);	     /* nor a group span CPUs */
	close(leader);
	CHECK(read(member[1], b, sizeof(b)) == 40);
	for (int i = 1; i < 4; i++)
		close(member[i]);
}

static void errors(void)
{
	struct perf_event_attr a = event(0, 0);
	struct rlimit was, few;
	int fd[16], n = 0;

	CHECK(try_event(event(0, 0), -1, -1, -1) == EINVAL);
	CHECK(try_event(event(0, 0), -1, 100000, -1) == EINVAL);
	CHECK(try_event(event(0, 1 << 9), -1, 0, -1) == EINVAL);
	CHECK(try_event(attr(4711, 0, 0), -1, 0, -1) == ENOENT);
	CHECK(try_event(event(0, 0), -1, 0, 9999) == EBADF);
	CHECK(try_event(event(0, 0), -1, 0, 0) == EBADF); /* not a perf event */
	CHECK(open_event(&a, -1, 0, -1, 1UL << 20) == -1 && errno == EINVAL);
	a.size = 8;
	CHECK(open_event(&a, -1, 0, -1, 0) == -1 && errno == E2BIG);
	CHECK(a.size >= PERF_ATTR_SIZE_VER0);
	CHECK(open_event((void *)1, -1, 0, -1, 0) == -1 && errno == EFAULT);
	getrlimit(RLIMIT_NOFILE, &was);
	few = was;
	few.rlim_cur = 8;
	setrlimit(RLIMIT_NOFILE, &few);
	a = event(0, 0);
	while (n < 16 && (fd[n] = open_event(&a, -1, 0, -1, 0)) >= 0)
		n++;
	CHECK(n < 16 && errno == EMFILE);
	while (n > 0)
		close(fd[--n]);
	setrlimit(RLIMIT_NOFILE, &was);
}

/* The number in the msr PMU's file `type`, 0 where there is none. */
static uint32_t msr_type(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/msr/type", "re");
	unsigned type = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%u", &type) != 1)
		type = 0;
	fclose(f);
	return type;
}

/* The msr PMU counts like a clock: for a task too, in any group, but for all privilege levels. */
static void msr_events(void)
{
	uint32_t type = msr_type();
	struct perf_event_attr a = attr(type, 0, 0), soft = attr(PERF_TYPE_SOFTWARE, 0, 0);
	uint64_t before = 0, after = 0;
	int fd;

	if (!type) {
		puts("no msr PMU here");
		return;
	}
	CHECK(try_event(a, -1, CPU, -1) == 0);
	fd = open_event(&a, 0, -1, -1, 0);
	CHECK(fd >= 0 && read(fd, &before, 8) == 8 && read(fd, &after, 8) == 8 && after > before);
	close(fd);
	a.inherit = 1;
	CHECK(try_event(a, 0, -1, -1) == 0);
	a.inherit = 0;
	fd = open_event(&soft, -1, CPU, -1, 0);
	CHECK(try_event(a, -1, CPU, fd) == 0);
	close(fd);
	fd = open_event(&a, -1, CPU, -1, 0);
	CHECK(try_event(soft, -1, CPU, fd) == 0);
	CHECK(try_event(a, -1, CPU, fd) == 0);
	a.pinned = 1;
	CHECK(try_event(a, -1, CPU, fd) == EINVAL); /* only a leader is pinned */
	close(fd);
	a.pinned = 0;
	a.exclude_kernel = 1;
	CHECK(try_event(a, -1, CPU, -1) == EINVAL);
	a.exclude_kernel = 0;
	a.exclude_hv = 1;
	CHECK(try_event(a, -1, CPU, -1) == EINVAL);
	a.exclude_hv = 0;
	a.exclude_user = 1;
	CHECK(try_event(a, -1, CPU, -1) == EINVAL);
	a.exclude_user = 0;
	a.sample_period = 1000;
	CHECK(try_event(a, -1, CPU, -1) == EINVAL);
}

/* Types of the emulated PMUs, as their files have them. */
enum { MSR = 31, CSTATE_CORE = 32, CSTATE_PKG = 33, POWER = 34 };

/* One PMU a group: the kernel schedules a group on one PMU; software and msr events fit everywhere.
 */
static void pmus(void)
{
	static const uint32_t only[] = { CSTATE_CORE, CSTATE_PKG, POWER };
	struct perf_event_attr cycles = attr(PERF_TYPE_HARDWARE, 0, 0), a;
	int fd = open_event(&cycles, -1, CPU, -1, 0), soft;

	for (int i = 0; i < 3; i++) {
		a = attr(only[i], 2, 0);
		CHECK(try_event(a, -1, CPU, -1) == 0);
		CHECK(try_event(a, -1, CPU, fd) == EINVAL);
		CHECK(try_event(a, 0, -1, -1) == EINVAL); /* not for a task */
		a.exclude_kernel = 1;
		CHECK(try_event(a, -1, CPU, -1) == EINVAL);
	}
	CHECK(try_event(attr(MSR, 1, 0), -1, CPU, fd) == 0);
	CHECK(try_event(attr(PERF_TYPE_SOFTWARE, 0, 0), -1, CPU, fd) == 0);
	CHECK(try_event(attr(PERF_TYPE_RAW, 0x2028, 0), -1, CPU, fd) == 0);
	close(fd);
	a = attr(CSTATE_CORE, 2, 0);
	fd = open_event(&a, -1, CPU, -1, 0);
	CHECK(try_event(cycles, -1, CPU, fd) == EINVAL);
	CHECK(try_event(a, -1, CPU, fd) == 0);
	close(fd);
	/* A software leader: the first hardware event decides. */
	cycles = attr(PERF_TYPE_SOFTWARE, 0, 0);
	soft = open_event(&cycles, -1, CPU, -1, 0);
	fd = open_event(&a, -1, CPU, soft, 0);
	CHECK(fd >= 0);
	CHECK(try_event(attr(PERF_TYPE_HARDWARE, 0, 0), -1, CPU, soft) == EINVAL);
	close(fd);
	CHECK(try_event(attr(PERF_TYPE_HARDWARE, 0, 0), -1, CPU, soft) == 0);
	close(soft);
	CHECK(try_event(attr(MSR, 9, 0), -1, 0, -1) == EINVAL);
}

/* Eight events on four counters run half of the time; a group must fit the counters. */
static void multiplexing(void)
{
	struct perf_event_attr a = event(2, TIMES);
	uint64_t b[3] = { 0 };
	double share;
	int fd[8], leader;

	for (int i = 0; i < 8; i++)
		fd[i] = open_event(&a, -1, CPU, -1, 0);
	usleep(100000);
	CHECK(read(fd[7], b, sizeof(b)) == 24);
	share = (double)b[2] / (double)b[1];
	CHECK(share > .4 && share < .62);
	CHECK(fabs((double)b[0] / share / ((double)b[1] * 1.71) - 1) < .01);
	for (int i = 0; i < 8; i++)
		close(fd[i]);
	a = event(0, TIMES);
	leader = open_event(&a, -1, CPU, -1, 0);
	a = event(2, 0);
	for (int i = 0; i < 5; i++)
		fd[i] = open_event(&a, -1, CPU, leader, 0);
	CHECK(fd[3] >= 0 && fd[4] == -1 && errno == EINVAL);
	for (int i = 0; i < 4; i++)
		close(fd[i]);
	close(leader);
}

/* In confidentiality: only a sample that shows registers is refused; counting goes on. */
static void lockdown(void)
{
	struct perf_event_attr a = attr(PERF_TYPE_HARDWARE, 0, 0);

	CHECK(try_event(a, -1, CPU, -1) == 0);
	CHECK(try_event(attr(MSR, 0, 0), -1, CPU, -1) == 0);
	a.sample_type = PERF_SAMPLE_REGS_INTR;
	CHECK(try_event(a, -1, CPU, -1) == EPERM);
}

/* The clock of a task by cycles:u and ref-cycles:u, as a share of the TSC's, 0 where they cannot be
 * opened. */
static double task_clock(int pid)
{
	struct perf_event_attr a = attr(PERF_TYPE_HARDWARE, 0, TIMES);
	uint64_t cycles[3] = { 0 }, ref[3] = { 0 };
	int fd, other;

	a.exclude_kernel = 1;
	fd = open_event(&a, pid, -1, -1, 0);
	a.config = PERF_COUNT_HW_REF_CPU_CYCLES;
	other = open_event(&a, pid, -1, fd, 0);
	usleep(200000);
	if (fd < 0 || other < 0 || read(fd, cycles, 24) != 24 || read(other, ref, 24) != 24)
		return 0;
	/* The time that counts is that in which the task ran, and 90 % of it in user mode. */
	CHECK(fabs((double)ref[0] / ((double)ref[1] * 2 * .9) - 1) < .05);
	close(other);
	close(fd);
	return (double)cycles[0] / (double)ref[0];
}

/* Of the scenario: 4242 on CPU 1, at 1.9 GHz; anybody else on CPU 0, at 1.2; the TSC has 2. */
static void tasks(void)
{
	CHECK(fabs(task_clock(0) - .6) < .01);
	CHECK(fabs(task_clock(4242) - .95) < .01);
	CHECK(try_event(attr(PERF_TYPE_HARDWARE, 0, 0), 4194001, -1, -1) == ESRCH);
}

/*
 * Three general counters are left of four, and three events of others want them, too: a group of
 * APERF and three license events counts half of the time, all of it. One of four may be opened and
 * never counts.
 */
static void shortage(void)
{
	static const struct {
		uint32_t type;
		uint64_t config;
	} member[] = { { MSR, 0 }, { MSR, 1 }, { 4, 0x0728 }, { 4, 0x1828 }, { 4, 0x2028 } };
	struct perf_event_attr a;
	uint64_t was[16] = { 0 }, b[16] = { 0 };
	int fd[6], n;

	for (n = 0; n < 5; n++) {
		a = attr(member[n].type, member[n].config, TIMES | PERF_FORMAT_GROUP);
		fd[n] = open_event(&a, -1, CPU, n ? fd[0] : -1, 0);
		CHECK(fd[n] >= 0);
	}
	CHECK(read(fd[0], was, sizeof(was)) == 64);
	usleep(100000);
	CHECK(read(fd[0], b, sizeof(b)) == 64);
	for (n = 1; n < 8; n++)
		b[n] -= was[n];
	n = 5;
	CHECK(fabs((double)b[2] / (double)b[1] - .5) < .0001);
	CHECK(fabs((double)b[3] / (double)b[2] - 2.0) < .001); /* the TSC, while it ran */
	CHECK(fabs((double)b[7] / (double)b[4] - .5) < .0001); /* LVL2 of APERF */
	a = attr(4, 0x10c7, TIMES | PERF_FORMAT_GROUP);
	fd[n] = open_event(&a, -1, CPU, fd[0], 0);
	CHECK(fd[n] >= 0);
	CHECK(read(fd[0], b, sizeof(b)) == 72);
	usleep(50000);
	n = (int)b[2];
	CHECK(read(fd[0], b, sizeof(b)) == 72 && (int)b[2] == n);
	a = attr(PERF_TYPE_HARDWARE, 0, TIMES);
	n = open_event(&a, -1, CPU, -1, 0); /* cycles have a counter of their own */
	usleep(50000);
	CHECK(read(n, b, sizeof(b)) == 24 && b[1] == b[2]);
}

/* At Debian's level 3 (and 4) CAP_PERFMON is not enough, at 2 it is. */
static void by_right(int want)
{
	struct perf_event_attr a = event(0, 0);

	CHECK(try_event(a, -1, CPU, -1) == want);
	CHECK(try_event(attr(MSR, 1, 0), -1, CPU, -1) == want);
	a.exclude_kernel = 1;
	CHECK(try_event(a, 0, -1, -1) == want);
}

/* As an ordinary user at perf_event_paranoid 2. */
static void user(void)
{
	struct perf_event_attr a = event(0, 0);

	CHECK(try_event(a, 0, -1, -1) == EACCES);
	CHECK(try_event(a, -1, CPU, -1) == EACCES);
	CHECK(try_event(attr(msr_type(), 0, 0), 0, -1, -1) == EACCES);
	a.exclude_kernel = 1;
	CHECK(try_event(a, -1, CPU, -1) == EACCES);
	CHECK(try_event(a, 0, -1, -1) == 0);
	if (hw)
		CHECK(fabs(task_clock(0) - .6) < .01);
	if (hw)
		CHECK(try_event(a, 4242, -1, -1) == EACCES); /* root's */
	a = attr(msr_type(), 0, 0);
	a.exclude_kernel = 1;
	CHECK(try_event(a, 0, -1, -1) == EINVAL); /* so he gets nothing of it */
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	hw = strcmp(what, "sw") && strcmp(what, "user-sw");
	if (!strcmp(what, "lockdown")) {
		lockdown();
		return check_end();
	}
	if (!strcmp(what, "shortage")) {
		shortage();
		return check_end();
	}
	if (!strcmp(what, "closed") || !strcmp(what, "open")) {
		by_right(*what == 'c' ? EACCES : 0);
		return check_end();
	}
	if (!strncmp(what, "user", 4)) {
		user();
		return check_end();
	}
	one_event();
	group();
	errors();
	msr_events();
	if (hw) {
		pmus();
		multiplexing();
		tasks();
	}
	return check_end();
}
