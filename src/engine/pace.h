/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How often a source is read: reading it may take one part in twenty of the time, so a slow one is
 * read less often than each interval. Pure. */
#ifndef AVXTOP_ENGINE_PACE_H
#define AVXTOP_ENGINE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Zero-filled: never read. */
struct pace {
	uint64_t begin_ns;   /* of the last read */
	uint64_t took_ns[2]; /* the last two: one that was long by chance does not count */
};

bool pace_due(const struct pace *pace, uint64_t now_ns, uint64_t interval_ns);
void pace_note(struct pace *pace, uint64_t begin_ns, uint64_t end_ns);

#endif
