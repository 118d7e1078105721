/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the keyboard of a terminal sends, by terminfo. */
#ifndef AVXTOP_TESTS_VTSHOT_KEYS_H
#define AVXTOP_TESTS_VTSHOT_KEYS_H

#include <stddef.h>

/* A TERM that is not in the database has no special keys. */
void keys_open(const char *term);

/* The first key of `text`: a character, an escape (\e \n \t \\ \xHH) or a name as <F1>. Returns the bytes of `text`
 * used, 0 when the terminal has no such key or the escape is unknown; what it sends goes to buf and *ret_n. */
size_t keys_take(const char *text, char *buf, size_t size, size_t *ret_n);

#endif
