/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results of bursts as table, CSV or JSON. */
#ifndef AVXTOP_CMD_BURST_WRITE_H
#define AVXTOP_CMD_BURST_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct burst_result;
struct host;
struct options;

/* One result; `first`: CSV begins with its header, the table is set apart from the one before.
 * Flushed at once. 0 or -errno. */
int burst_write(const struct options *options, const struct host *host,
		const struct burst_result *result, bool first, FILE *out);

/* For people; part of the above. */
int burst_write_table(const struct options *options, const struct host *host,
		      const struct burst_result *result, bool first, FILE *out);

#endif
