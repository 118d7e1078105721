/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up /proc and /sys in a temporary folder. */
#include "config.h"
#include "tests/unit/tree.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void must(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(99); /* a hard error for Automake */
}

char *tree_new(void)
{
	const char *folder = getenv("TMPDIR");
	char *root;

	/* Thousands of small files: twenty times faster in memory. */
	if (!folder)
		folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : P_tmpdir;
	must(asprintf(&root, "%s/avxtop-tree-XXXXXX", folder) > 0, "asprintf");
	must(mkdtemp(root) != NULL, root);
	return root;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_free(char *root)
{
	must(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, root);
	free(root);
}

static void make_folders(char *path, size_t skip)
{
	for (char *slash = strchr(path + skip + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		must(mkdir(path, 0755) == 0 || errno == EEXIST, path);
		*slash = '/';
	}
}

static void locate(char full[PATH_MAX], const char *root, const char *path)
{
	must(snprintf(full, PATH_MAX, "%s/%s", root, path) < PATH_MAX, "path");
	make_folders(full, strlen(root));
}

void tree_write(const char *root, const char *path, const char *format, ...)
{
	char full[PATH_MAX];
	va_list args;
	FILE *file;

	locate(full, root, path);
	file = fopen(full, "w");
	must(file != NULL, full);
	va_start(args, format);
	must(vfprintf(file, format, args) >= 0, full);
	va_end(args);
	must(fclose(file) == 0, full);
}

void tree_mkdir(const char *root, const char *path)
{
	char full[PATH_MAX];

	locate(full, root, path);
	must(mkdir(full, 0755) == 0, full);
}

void tree_link(const char *root, const char *path, const char *target)
{
	char full[PATH_MAX];

	locate(full, root, path);
	must(symlink(target, full) == 0, full);
}

void tree_fifo(const char *root, const char *path)
{
	char full[PATH_MAX];

	locate(full, root, path);
	must(mkfifo(full, 0644) == 0, full);
}

void tree_remove(const char *root, const char *path)
{
	char full[PATH_MAX];

	locate(full, root, path);
	must(nftw(full, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, full);
}
