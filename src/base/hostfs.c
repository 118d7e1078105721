/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads of /proc and /sys below an injectable root; nothing below a sysroot leads out of it. */
#include "config.h"
#include "base/hostfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/num.h"
#include "base/walk.h"

#define FILE_MAX_BYTES (32u << 20) /* proc/cpuinfo of 8,192 CPUs with 4 KiB each */
#define LINE_MAX_BYTES 4096u

struct hostfs {
	int root;
	bool live;	 /* the root is "/": the kernel resolves paths as for everybody */
	unsigned fail_n; /* accesses until one fails; 0 off */
	int fail_err;
};

int hostfs_open(const char *root, struct hostfs **ret)
{
	struct stat here, real;
	struct hostfs *fs = calloc(1, sizeof(*fs));
	int r;

	if (!fs)
		return -ENOMEM;
	fs->root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fs->root < 0 || fstat(fs->root, &here) < 0 || stat("/", &real) < 0) {
		r = -errno;
		hostfs_close(fs);
		return r;
	}
	fs->live = here.st_dev == real.st_dev && here.st_ino == real.st_ino;
	*ret = fs;
	return 0;
}

void hostfs_close(struct hostfs *fs)
{
	if (!fs)
		return;
	if (fs->root >= 0)
		(void)close(fs->root);
	free(fs);
}

void hostfs_fail_after(struct hostfs *fs, unsigned n, int err)
{
	fs->fail_n = n;
	fs->fail_err = err;
}

/* Counts one access; its error when a test asked for it. */
static int count_access(struct hostfs *fs)
{
	if (fs->fail_n == 0 || --fs->fail_n > 0)
		return 0;
	return -fs->fail_err;
}

/* Relative, not empty, no "..": so that a stray absolute path fails at once. */
static int check_path(const char *path)
{
	if (path[0] == '\0' || path[0] == '/')
		return -EINVAL;
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (at[0] == '.' && at[1] == '.' && (at[2] == '/' || at[2] == '\0'))
			return -EINVAL;
	}
	return 0;
}

static int open_below(const struct hostfs *fs, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd;

	do {
		fd = fs->live ? openat(fs->root, path, flags)
			      : (int)syscall(SYS_openat2, fs->root, path, &how, sizeof(how));
	} while (fd < 0 && (errno == EINTR || (errno == EAGAIN && !fs->live)));
	if (fd >= 0)
		return fd;
	if (!fs->live && (errno == ENOSYS || errno == EPERM || errno == E2BIG))
		return walk_open(fs->root, path, flags);
	return -errno;
}

/* O_NONBLOCK: opening a fifo must not wait for a writer. */
static int open_file(struct hostfs *fs, const char *path)
{
	struct stat st;
	int r = check_path(path), fd;

	if (r == 0)
		r = count_access(fs);
	if (r < 0)
		return r;
	fd = open_below(fs, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		r = -errno;
	else if (S_ISDIR(st.st_mode))
		r = -EISDIR;
	else if (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode))
		r = -EINVAL;
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	return fd;
}

static int read_all(int fd, char **ret, size_t *ret_len)
{
	size_t size = 4096, len = 0;
	char *text = malloc(size);
	int r = text ? 0 : -ENOMEM;

	while (r == 0) {
		const ssize_t n = read(fd, text + len, size - 1 - len);

		if (n == 0)
			break;
		if (n < 0) {
			r = errno == EINTR ? 0 : -errno;
			continue;
		}
		len += (size_t)n;
		if (len > FILE_MAX_BYTES) {
			r = -EFBIG;
		} else if (len == size - 1) {
			char *more = realloc(text, size * 2);

			if (more) {
				text = more;
				size *= 2;
			} else {
				r = -ENOMEM;
			}
		}
	}
	if (r < 0) {
		free(text);
		return r;
	}
	text[len] = '\0';
	*ret = text;
	if (ret_len)
		*ret_len = len;
	return 0;
}

int hostfs_read(struct hostfs *fs, const char *path, char **ret, size_t *ret_len)
{
	const int fd = open_file(fs, path);
	int r;

	if (fd < 0)
		return fd;
	r = read_all(fd, ret, ret_len);
	(void)close(fd);
	return r;
}

static int format_path(char path[PATH_MAX], const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static int format_path(char path[PATH_MAX], const char *format, va_list args)
{
	const int len = vsnprintf(path, PATH_MAX, format, args);

	return len < 0 || len >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Up to the end of the first line, or of the file, or of buf: most files are one short line, and there
 * are thousands of them. */
static int read_line(int fd, char *buf, size_t size)
{
	size_t len = 0;

	while (len < size && !memchr(buf, '\n', len)) {
		const ssize_t n = read(fd, buf + len, size - len);

		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return -errno;
		len += n > 0 ? (size_t)n : 0;
	}
	for (size_t i = 0; i < len; i++) {
		if (buf[i] == '\n' || buf[i] == '\0')
			len = i;
	}
	if (len == size)
		return -EOVERFLOW;
	buf[len] = '\0';
	return 0;
}

int hostfs_read_line(struct hostfs *fs, char *buf, size_t size, const char *path_format, ...)
{
	char path[PATH_MAX], line[LINE_MAX_BYTES];
	va_list args;
	int r, fd;

	if (size > sizeof(line))
		return -EINVAL;
	va_start(args, path_format);
	r = format_path(path, path_format, args);
	va_end(args);
	if (r < 0)
		return r;
	fd = open_file(fs, path);
	if (fd < 0)
		return fd;
	r = read_line(fd, line, size);
	(void)close(fd);
	if (r == 0)
		memcpy(buf, line, strlen(line) + 1);
	return r;
}

int hostfs_read_u64(struct hostfs *fs, uint64_t *ret, const char *path_format, ...)
{
	char path[PATH_MAX], line[32];
	va_list args;
	int r;

	va_start(args, path_format);
	r = format_path(path, path_format, args);
	va_end(args);
	if (r == 0)
		r = hostfs_read_line(fs, line, sizeof(line), "%s", path);
	if (r == -EOVERFLOW)
		return -EINVAL; /* no number is that long */
	if (r < 0)
		return r;
	return line[0] == '\0' ? -ENODATA : num_parse_u64(line, ret);
}

int hostfs_fd(struct hostfs *fs, const char *path_format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int r;

	va_start(args, path_format);
	r = format_path(path, path_format, args);
	va_end(args);
	return r < 0 ? r : open_file(fs, path);
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b); /* cpu2 before cpu10 */
}

static int read_names(DIR *dir, char ***ret)
{
	size_t count = 0, size = 16;
	char **names = calloc(size, sizeof(*names));
	struct dirent *entry;

	if (!names)
		return -ENOMEM;
	while ((errno = 0, entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (count + 1 == size) {
			char **more = reallocarray(names, size *= 2, sizeof(*names));

			if (!more)
				break;
			names = more;
		}
		names[count + 1] = NULL;
		names[count] = strdup(entry->d_name);
		if (!names[count])
			break;
		count++;
	}
	if (errno != 0) {
		const int r = -errno;

		hostfs_names_free(names);
		return r;
	}
	qsort(names, count, sizeof(*names), compare_names);
	*ret = names;
	return 0;
}

int hostfs_names(struct hostfs *fs, const char *path, char ***ret)
{
	int r = check_path(path), fd;
	DIR *dir;

	if (r == 0)
		r = count_access(fs);
	if (r < 0)
		return r;
	fd = open_below(fs, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		r = -errno;
		(void)close(fd);
		return r;
	}
	r = read_names(dir, ret);
	(void)closedir(dir);
	return r;
}

void hostfs_names_free(char **names)
{
	if (!names)
		return;
	for (char **name = names; *name; name++)
		free(*name);
	free(names);
}
