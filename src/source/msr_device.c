/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading registers by the device of the kernel. */
#include "config.h"

#include "source/msr_device.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/hostfs.h"

/* AMD has registers from 0xC0000000 on: an address that is signed would be negative. */
static_assert(sizeof(off_t) == 8, "an offset holds each address");

int msr_device_open(struct hostfs *fs, unsigned cpu_id)
{
	return hostfs_fd(fs, "dev/cpu/%u/msr", cpu_id);
}

int msr_device_read(int fd, uint32_t address, uint64_t *ret)
{
	uint64_t raw;
	ssize_t n;

	do
		n = pread(fd, &raw, sizeof(raw), (off_t)address);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n != (ssize_t)sizeof(raw))
		return -EIO;
	*ret = raw;
	return 0;
}

/* The entry of the first CPU is well within that. Reading on costs, and on kernels before 5.19
 * interrupts each CPU that is told (arch/x86/kernel/cpu/aperfmperf.c). */
#define ENTRY_BYTES 8192

bool msr_device_has_aperf(struct hostfs *fs)
{
	char buf[ENTRY_BYTES + 1], *line, *end;
	int fd = hostfs_fd(fs, "proc/cpuinfo");
	ssize_t n = fd < 0 ? -1 : pread(fd, buf, ENTRY_BYTES, 0);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	line = strstr(buf, "\nflags");
	end = line ? strchr(line + 1, '\n') : NULL;
	if (!end)
		return true;
	*end = '\0';
	return strstr(line, " aperfmperf") != NULL;
}
