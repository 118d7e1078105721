/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Perf events and sysfs while CPU 1 leaves and returns: hotplug sw | hotplug hw. */
/*
 * "sw" takes software events, so that a real kernel can be asked the same where it may lose a CPU.
 * What is expected is what Linux 6.1 did, with 8 CPUs possible and 4 present.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FOLDER "/sys/devices/system/cpu/cpu1/"

static int open_event(int cpu, uint32_t type)
{
	struct perf_event_attr a = { .type = type, .size = sizeof(a) };

	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	errno = 0;
	return (int)syscall(SYS_perf_event_open, &a, -1, cpu, -1, 0);
}

/* What has been counted since the last time, as words that do not depend on time. */
static void show(const char *when, int fd, uint64_t *last)
{
	uint64_t b[3] = { 0 };
	ssize_t n = read(fd, b, sizeof(b));

	printf("%s: %s %s\n", when, n == sizeof(b) ? "counts" : strerrorname_np(errno),
	       b[1] > *last + 10000000 ? "go on" : "stand still");
	*last = b[1];
}

static void set_online(const char *text)
{
	int fd = open(FOLDER "online", O_WRONLY);
	ssize_t n = write(fd, text, 1);

	printf("write %s: %s\n", text, n == 1 ? "ok" : strerrorname_np(errno));
	close(fd);
}

static void try(int cpu, uint32_t type)
{
	int fd = open_event(cpu, type);

	printf("open on cpu%d: %s\n", cpu, fd >= 0 ? "ok" : strerrorname_np(errno));
	close(fd);
}

int main(int argc, char **argv)
{
	uint32_t type = argc > 1 && !strcmp(argv[1], "hw") ? PERF_TYPE_HARDWARE :
							     PERF_TYPE_SOFTWARE;
	int fd = open_event(1, type), file, fresh;
	uint64_t last = 0, fresh_last = 0, last_read[3] = { 0 };
	char text[64];
	ssize_t n;

	usleep(50000);
	show("before", fd, &last);
	set_online("0");
	if (read(fd, last_read, sizeof(last_read)) > 0)
		last = last_read[1];
	usleep(50000);
	show("offline", fd, &last);
	try(1, type);
	printf("enable offline: %d\n", ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	set_online("1");
	usleep(50000);
	show("online again", fd, &last);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	usleep(50000);
	show("enabled again", fd, &last);
	fresh = open_event(1, type);
	usleep(50000);
	show("a new event", fresh, &fresh_last);
	for (int cpu = 3; cpu < 9; cpu += 2)
		try(cpu, type);
	try(9000, type);
	file = open(FOLDER "topology/core_id", O_RDONLY);
	set_online("0");
	n = pread(file, text, sizeof(text), 0);
	printf("topology, open before: %s\n", n > 0 ? "ok" : strerrorname_np(errno));
	set_online("2");
	set_online("0");
	set_online("1");
	return 0;
}
