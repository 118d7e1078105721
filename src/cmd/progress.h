/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bar on standard error that says how far a long command has come and how long it will take; nothing
 * where that is no terminal. */
#ifndef AVXTOP_CMD_PROGRESS_H
#define AVXTOP_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool shown;
	uint64_t began_ns;
	unsigned width; /* of the terminal, in cells */
};

void progress_begin(struct progress *progress);
/* done of all steps are over, and what comes next is `what`. expected_ns: how long a step takes, until
 * there is one to go by. */
void progress_show(struct progress *progress, unsigned done, unsigned all, uint64_t expected_ns,
		   const char *what);
/* Takes the bar away; before anything else is written there. */
void progress_clear(const struct progress *progress);

#endif
