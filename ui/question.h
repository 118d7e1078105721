/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the questions before a load have in common: the list of kernels, fields below it, hints. */
#ifndef AVXTOP_UI_QUESTION_H
#define AVXTOP_UI_QUESTION_H

#include <stdbool.h>

struct canvas;
struct host;

#define QUESTION_LABEL_X 2
#define QUESTION_VALUE_X 13
#define QUESTION_KERNELS 5 /* shown at least, where the screen is high enough */

/* Reason that the kernel cannot run on this CPU (index in host; below 0: on any), translated; NULL
 * when it can. buf holds it. */
const char *question_unusable(const struct host *host, unsigned kernel, int cpu, char *buf,
			      unsigned long size);
/* The kernels, or where there is no room for all, the chosen one and its neighbors. here: the
 * cursor is on it. */
void question_kernels(const struct host *host, struct canvas *canvas, int y, int lines,
		      unsigned kernel, bool here, int cpu);
void question_field(struct canvas *canvas, int y, bool here, const char *label, const char *value,
		    const char *hint);
/* The cursor goes through the kernels, then through so many fields; *kernel follows it. */
void question_move(unsigned *cursor, unsigned *kernel, unsigned fields, int step);
/* Tab: the chosen kernel, each field, and around. */
void question_next_field(unsigned *cursor, unsigned kernel, unsigned fields, int step);
/* "Enter start  Esc close": names stand out. Pairs of key and word, ended by NULL. */
void question_hints(struct canvas *canvas, int y, const char *const *hints);

#endif
