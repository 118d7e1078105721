/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notices that the machine is no longer the one that was described: a CPU came that the description does
 * not have in full, or this process may run elsewhere than before. It serves no counter, so it has no row
 * in source_rows.h; the session hands it to the reader beside the sources. */
#ifndef AVXTOP_SOURCE_WATCH_H
#define AVXTOP_SOURCE_WATCH_H

#include <stdbool.h>

#include "source/source.h"

/* Before the machine is described, so that nothing is missed in between. live: this machine, as for
 * identify(). 0 or -ENOMEM. */
int watch_new(struct hostfs *fs, bool live, struct source **ret);
/* The description, which outlives the watch; before the first read. */
void watch_host(struct source *source, const struct host *host);

/* Only .read, which sets sample->stranger, and .close. A CPU that leaves and returns is no stranger: its
 * readings say where it is. */
extern const struct source_ops watch_ops;

#endif
