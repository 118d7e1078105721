/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One small text file of the user's state folder: four lines, replaced as a whole. */
#include "config.h"

#include "engine/release.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hostfs.h"
#include "base/num.h"
#include "base/text.h"
#include "model/host.h"

#define FILE_NAME "release"
#define FILE_SIZE_MAX 1024
/* Published holds are 0.65 to 2 ms (Skylake-SP); what lies beyond is not a measurement. */
#define RELEASE_S_MAX 10.0

/* The lines that must be there before the value counts. Caller frees; NULL: no identity. */
static char *identity(const struct host *host, struct hostfs *fs)
{
	struct text text = { 0 };
	char boot[64];

	if (!host->live || host->n_kinds == 0 ||
	    hostfs_read_line(fs, boot, sizeof(boot), "proc/sys/kernel/random/boot_id") < 0)
		return NULL;
	text_addf(&text, "avxtop release 1\nboot %s\ncpu %s %u/%u/%u %s\n", boot, host->vendor,
		  host->kinds[0].family, host->kinds[0].model, host->kinds[0].stepping, host->brand);
	if (text.failed) {
		text_free(&text);
		return NULL;
	}
	return text.data;
}

/* Only absolute paths count (XDG Base Directory Specification); secure_getenv() gives nothing to a
 * program with more rights than its caller. */
static bool state_folder(char *path, size_t size)
{
	const char *state = secure_getenv("XDG_STATE_HOME");
	const char *home = secure_getenv("HOME");
	int len = -1;

	if (state && state[0] == '/')
		len = snprintf(path, size, "%s/avxtop", state);
	else if (home && home[0] == '/')
		len = snprintf(path, size, "%s/.local/state/avxtop", home);
	return len > 0 && (size_t)len < size;
}

/* Opens the folder, made where it is missing. -1: no. Nothing is made in a folder of somebody else:
 * under sudo with the user's HOME, root leaves nothing there that the user could not replace. */
static int make_folder(char *path)
{
	struct stat st;
	bool ours = false;
	int fd;

	for (char *slash = path; slash;) {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (stat(path, &st) == 0)
			ours = st.st_uid == geteuid();
		else if (!ours || mkdir(path, 0700) < 0)
			return -1;
		if (slash)
			*slash = '/';
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_uid != geteuid())) {
		close(fd);
		return -1;
	}
	return fd;
}

/* At most size - 1 bytes; false when it is not a small regular file. */
static bool read_small(int folder, char *buf, size_t size)
{
	/* O_NONBLOCK: somebody may have left a FIFO there. */
	int fd = openat(folder, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	ssize_t n = -1;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		n = read(fd, buf, size - 1);
	close(fd);
	if (n < 0 || memchr(buf, '\0', (size_t)n))
		return false;
	buf[n] = '\0';
	return true;
}

/* "<identity>release_s <number>\n" and nothing else. */
static double parse(char *buf, const char *want)
{
	static const char key[] = "release_s ";
	size_t len = strlen(want);
	double value;
	char *end;

	if (strncmp(buf, want, len) != 0 || strncmp(buf + len, key, sizeof(key) - 1) != 0)
		return NAN;
	buf += len + sizeof(key) - 1;
	end = strchr(buf, '\n');
	if (!end || end[1] != '\0')
		return NAN;
	*end = '\0';
	if (num_parse_double(buf, &value) < 0 || !(value >= 0 && value <= RELEASE_S_MAX))
		return NAN;
	return value;
}

double release_load(const struct host *host, struct hostfs *fs)
{
	char path[PATH_MAX], buf[FILE_SIZE_MAX];
	double value = NAN;
	char *want = identity(host, fs);
	int folder;

	if (want && state_folder(path, sizeof(path))) {
		folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (folder >= 0) {
			if (read_small(folder, buf, sizeof(buf)))
				value = parse(buf, want);
			close(folder);
		}
	}
	free(want);
	return value;
}

static void replace(int folder, const char *identity_lines, double release_s)
{
	char name[32], number[64];
	int fd;
	bool written;

	snprintf(name, sizeof(name), FILE_NAME ".%ld", (long)getpid());
	fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	written = dprintf(fd, "%srelease_s %s\n", identity_lines,
			  num_format(release_s, number, sizeof(number))) > 0;
	if (close(fd) < 0 || !written || renameat(folder, name, folder, FILE_NAME) < 0)
		(void)unlinkat(folder, name, 0);
}

void release_save(const struct host *host, struct hostfs *fs, double release_s)
{
	char path[PATH_MAX];
	char *lines;
	int folder;

	if (!(release_s >= 0 && release_s <= RELEASE_S_MAX))
		return;
	lines = identity(host, fs);
	if (lines && state_folder(path, sizeof(path))) {
		folder = make_folder(path);
		if (folder >= 0) {
			replace(folder, lines, release_s);
			close(folder);
		}
	}
	free(lines);
}
