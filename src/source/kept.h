/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file of /sys that is read at each sample: kept open where descriptors suffice, since opening
 * takes three times as long as reading. */
#ifndef AVXTOP_SOURCE_KEPT_H
#define AVXTOP_SOURCE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

struct hostfs;

struct kept {
	int fd;	   /* -1: to be opened */
	bool keep; /* stays open */
};

/* How many files a source may keep open: one part in `parts` of what the process may. */
unsigned kept_budget(unsigned parts);
/* Keeps the file open from its first read on, as long as *budget lasts. */
void kept_init(struct kept *kept, unsigned *budget);
/* Opens it now, for root's rights may be gone later. Where that fails, or it is not kept, read
 * opens it. */
void kept_open(struct kept *kept, struct hostfs *fs, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));
void kept_close(struct kept *kept); /* may be read again: it is opened then */

/* A whole file that is one unsigned number. The path is used where the file is not open, or no
 * longer is what it was: the descriptor of a device that went away stays dead when that comes back.
 * 0, -errno of the kernel, -ENODATA nothing in it, -EINVAL or -ERANGE no such number. Allocates
 * nothing. */
int kept_read(struct kept *kept, struct hostfs *fs, uint64_t *ret, const char *path_format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
