/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens below a folder without leaving it, where the kernel cannot (Linux before 5.6, old seccomp filters). */
#ifndef AVXTOP_BASE_WALK_H
#define AVXTOP_BASE_WALK_H

/* Links are followed by hand, each taken relative to the folder `root`. Returns a descriptor or -errno. */
int walk_open(int root, const char *path, int flags);

#endif
