/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaking sentences into lines that fit a terminal. */
#ifndef AVXTOP_CMD_WRAP_H
#define AVXTOP_CMD_WRAP_H

struct text;

/* Adds `string` broken at spaces, so that lines end before column `width`; the first begins at column
 * `indent`, the others are indented by it. A word that is wider than a line stands alone. */
void cmd_wrap(struct text *text, const char *string, int indent, int width);

#endif
