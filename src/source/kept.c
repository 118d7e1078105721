/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files that are read again and again: sysfs makes the content anew at each pread(2) from 0. */
#include "config.h"

#include "source/kept.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/num.h"

/* The program's own: streams, signals, the root of files, what is open for a moment. */
#define NEEDED 12

unsigned kept_budget(unsigned parts)
{
	struct rlimit limit = { 0 };
	rlim_t part;

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	part = limit.rlim_cur > NEEDED ? (limit.rlim_cur - NEEDED) / parts : 0;
	return part > UINT_MAX ? UINT_MAX : (unsigned)part;
}

void kept_init(struct kept *kept, unsigned *budget)
{
	*kept = (struct kept) { .fd = -1, .keep = *budget > 0 };
	*budget -= *budget > 0;
}

static int open_at(struct kept *kept, struct hostfs *fs, const char *path_format, va_list args)
	__attribute__((format(printf, 3, 0)));

static int open_at(struct kept *kept, struct hostfs *fs, const char *path_format, va_list args)
{
	char path[160];
	int r = vsnprintf(path, sizeof(path), path_format, args);

	if (r < 0 || (size_t)r >= sizeof(path))
		return -ENAMETOOLONG;
	r = hostfs_fd(fs, "%s", path);
	kept->fd = r < 0 ? -1 : r;
	return r < 0 ? r : 0;
}

void kept_open(struct kept *kept, struct hostfs *fs, const char *path_format, ...)
{
	va_list args;

	if (!kept->keep || kept->fd >= 0)
		return;
	va_start(args, path_format);
	(void)open_at(kept, fs, path_format, args);
	va_end(args);
}

void kept_close(struct kept *kept)
{
	if (kept->fd >= 0)
		close(kept->fd);
	kept->fd = -1;
}

static int read_number(int fd, uint64_t *ret)
{
	char buf[32];
	ssize_t n = pread(fd, buf, sizeof(buf) - 1, 0);

	if (n <= 0)
		return n < 0 ? -errno : -ENODATA;
	buf[n - (buf[n - 1] == '\n')] = '\0';
	return buf[0] ? num_parse_u64(buf, ret) : -ENODATA;
}

/* What is opened anew would tell the same. */
static bool is_answer(int err)
{
	return err == 0 || err == -EINVAL || err == -ERANGE || err == -EAGAIN || err == -EBUSY;
}

int kept_read(struct kept *kept, struct hostfs *fs, uint64_t *ret, const char *path_format, ...)
{
	va_list args;
	int r;

	if (kept->fd >= 0) {
		r = read_number(kept->fd, ret);
		if (is_answer(r))
			return r;
		kept_close(kept);
	}
	va_start(args, path_format);
	r = open_at(kept, fs, path_format, args);
	va_end(args);
	if (r < 0)
		return r;
	r = read_number(kept->fd, ret);
	if (!kept->keep || !is_answer(r))
		kept_close(kept);
	return r;
}
