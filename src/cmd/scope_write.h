/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a scope saw as table, CSV, JSON or picture. */
#ifndef AVXTOP_CMD_SCOPE_WRITE_H
#define AVXTOP_CMD_SCOPE_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct host;
struct microscope_result;
struct options;

/* One result; `first`: CSV begins with its header, the table is set apart from the one before.
 * Flushed at once. 0 or -errno. */
int scope_write(const struct options *options, const struct host *host,
		const struct microscope_result *result, bool first, FILE *out);

/* Parts of it: for people, for programs, and the picture, which is a whole document. 0 or -errno.
 */
int scope_write_table(const struct options *options, const struct host *host,
		      const struct microscope_result *result, bool first, FILE *out);
int scope_write_json(const struct host *host, const struct microscope_result *result, FILE *out);
int scope_write_svg(const struct host *host, const struct microscope_result *result, FILE *out);

#endif
