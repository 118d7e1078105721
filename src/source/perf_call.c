/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf_event_open(2), which glibc has no function for. */
#include "config.h"

#include "source/perf_call.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

int perf_call_open(const struct perf_what *what, pid_t task, int cpu, int leader)
{
	const bool user_only = task >= 0;
	struct perf_event_attr attr = {
		.type = what->type,
		.size = sizeof(attr),
		.config = what->config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = user_only,
		.exclude_hv = user_only,
	};
	const long r = syscall(SYS_perf_event_open, &attr, task, cpu, leader,
			       (unsigned long)PERF_FLAG_FD_CLOEXEC);

	return r < 0 ? -errno : (int)r;
}

ssize_t perf_call_read(int leader, uint64_t *buf, size_t size)
{
	const ssize_t n = read(leader, buf, size);

	return n < 0 ? -errno : n;
}

void perf_call_close(int fd)
{
	close(fd);
}
