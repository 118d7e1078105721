/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs as the kernel writes them: 0-3,8. */
#ifndef AVXTOP_TESTS_EMUHW_LIST_H
#define AVXTOP_TESTS_EMUHW_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* "*" has all. */
bool list_has(const char *list, int n);
/* Writes the list of those below LIMIT that F accepts. */
void list_write(char *b, size_t n, bool (*f)(int cpu, int arg), int arg, int limit);

#endif
