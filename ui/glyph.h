/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single characters of UTF-8, and what stands for them where only ASCII can be shown. */
#ifndef AVXTOP_UI_GLYPH_H
#define AVXTOP_UI_GLYPH_H

#include <stddef.h>
#include <stdint.h>

/* Decodes the character at text (not empty); control characters and invalid bytes give '?'.
 * Returns the bytes it takes, at least 1. */
size_t glyph_next(const char *text, uint32_t *ret_point);
/* Back to UTF-8, NUL-terminated. */
void glyph_encode(uint32_t point, char ret[8]);
/* A look-alike of one cell. */
char glyph_ascii(uint32_t point);

#endif
