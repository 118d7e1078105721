/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every read of /proc and /sys goes through here, below an injectable root (--sysroot). */
#ifndef AVXTOP_BASE_HOSTFS_H
#define AVXTOP_BASE_HOSTFS_H

#include <stddef.h>
#include <stdint.h>

struct hostfs;

/* root "/" is this machine. Returns 0 or -errno. Paths below are relative: "proc/stat"; an absolute
 * path or one with ".." is -EINVAL. Links below another root are followed inside it, never out of it.
 * Nothing blocks: a fifo is -EINVAL, a folder -EISDIR. */
int hostfs_open(const char *root, struct hostfs **ret);
void hostfs_close(struct hostfs *fs);

/* Whole file, NUL-terminated, trailing newline kept, at most 32 MiB (-EFBIG). Caller frees *ret. */
int hostfs_read(struct hostfs *fs, const char *path, char **ret, size_t *ret_len);
/* First line as text without newline into buf (-EOVERFLOW: does not fit) / as an unsigned number
 * (-EINVAL: not one, "-1" too; -ENODATA: empty). */
int hostfs_read_line(struct hostfs *fs, char *buf, size_t size, const char *path_format, ...)
	__attribute__((format(printf, 4, 5)));
int hostfs_read_u64(struct hostfs *fs, uint64_t *ret, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));
/* Opens read-only for repeated pread; the caller closes the descriptor. -errno on failure. */
int hostfs_fd(struct hostfs *fs, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));
/* Names in a folder (symlinks too), sorted by number then text; NULL-terminated; free each and all. */
int hostfs_names(struct hostfs *fs, const char *path, char ***ret);
void hostfs_names_free(char **names);

/* For tests: the n-th coming access (1 = next; each call above is one) fails with the positive errno
 * err; 0 switches it off. */
void hostfs_fail_after(struct hostfs *fs, unsigned n, int err);

#endif
