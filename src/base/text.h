/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing string, and widths in terminal cells. */
#ifndef AVXTOP_BASE_TEXT_H
#define AVXTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *data; /* always NUL-terminated once anything was added; NULL before */
	size_t len, size;
	bool failed; /* out of memory: further additions are dropped */
};

void text_add(struct text *text, const char *string);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *text); /* NULL and zeroed structs are fine */

/* Cells that a UTF-8 string takes in the current locale; invalid bytes count one each. */
int text_width(const char *string);
/* Copies with control characters, escapes and invalid UTF-8 replaced by '?': for a terminal. */
void text_escape_terminal(const char *string, char *buf, size_t size);

/* Names of a table nearest to `word` by edit distance (at most a third of its length, at least 2),
 * as "a, b, c"; "" when none is near. `name(i)` returns NULL at the end. */
void text_near(const char *word, const char *(*name)(unsigned index), char *buf, size_t size);

#endif
