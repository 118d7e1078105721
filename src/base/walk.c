/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What openat2(RESOLVE_IN_ROOT) does, component by component. */
#include "config.h"
#include "base/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel: path_resolution(7) */

/* Takes the last component off a path. */
static void pop(char *path)
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = '\0';
}

/* Puts the target of the link `done` in front of `todo`; `done` then names the link's folder. */
static int splice_link(int root, char *done, char *todo)
{
	char target[PATH_MAX], rest[PATH_MAX];
	const ssize_t len = readlinkat(root, done, target, sizeof(target) - 1);
	int n;

	if (len < 0)
		return -errno;
	target[len] = '\0';
	if (target[0] == '/')
		done[0] = '\0'; /* absolute: from our root */
	else
		pop(done);
	memcpy(rest, todo, strlen(todo) + 1);
	n = snprintf(todo, PATH_MAX, "%s%s%s", target, rest[0] ? "/" : "", rest);
	return n < 0 || n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* Appends one component and looks what it is. */
static int step(int root, char *done, const char *name, struct stat *ret)
{
	const size_t len = strlen(done);

	if (len + strlen(name) + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	(void)snprintf(done + len, PATH_MAX - len, "%s%s", len ? "/" : "", name);
	return fstatat(root, done, ret, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
}

/* `done` never holds a link, so opening it cannot leave the root. */
int walk_open(int root, const char *path, int flags)
{
	char done[PATH_MAX] = "", todo[PATH_MAX], name[NAME_MAX + 1];
	int links = 0, fd, r;

	if (strlen(path) >= sizeof(todo))
		return -ENAMETOOLONG;
	memcpy(todo, path, strlen(path) + 1);
	for (;;) {
		const char *at = todo + strspn(todo, "/");
		const size_t len = strcspn(at, "/");
		struct stat st;

		if (len == 0)
			break;
		if (len > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, at, len);
		name[len] = '\0';
		memmove(todo, at + len, strlen(at + len) + 1);
		if (strcmp(name, ".") == 0)
			continue;
		if (strcmp(name, "..") == 0) {
			pop(done);
			continue;
		}
		r = step(root, done, name, &st);
		if (r == 0 && S_ISLNK(st.st_mode))
			r = ++links > LINKS_MAX ? -ELOOP : splice_link(root, done, todo);
		if (r < 0)
			return r;
	}
	fd = openat(root, done[0] ? done : ".", flags | O_NOFOLLOW);
	return fd < 0 ? -errno : fd;
}
