/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up /proc and /sys in a temporary folder. Any failure to build one ends the test program. */
#ifndef AVXTOP_TESTS_UNIT_TREE_H
#define AVXTOP_TESTS_UNIT_TREE_H

/* A new empty folder below $TMPDIR, /dev/shm or /tmp; tree_free() removes it and all that is in it. */
char *tree_new(void);
void tree_free(char *root);

/* Makes the folders of the path too. The content is given as for printf; path: relative. */
void tree_write(const char *root, const char *path, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void tree_mkdir(const char *root, const char *path);
void tree_link(const char *root, const char *path, const char *target);
void tree_fifo(const char *root, const char *path);
void tree_remove(const char *root, const char *path);

#endif
