/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sets of CPU numbers: "0-3,8" to and from a bitmap that grows with the machine. */
#ifndef AVXTOP_BASE_LIST_H
#define AVXTOP_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define LIST_MAX_ID 65535u /* larger ids are refused: a typing error, not a machine */

struct list; /* opaque */

struct list *list_new(void); /* empty; NULL when out of memory */
struct list *list_copy(const struct list *list);
void list_free(struct list *list); /* NULL is fine */

int list_add(struct list *list, unsigned id);
void list_remove(struct list *list, unsigned id);
bool list_has(const struct list *list, unsigned id); /* NULL list: false */
unsigned list_count(const struct list *list);
/* Smallest member >= from, or -1. for (int id = -1; (id = list_next(l, id + 1)) >= 0;) */
int list_next(const struct list *list, int from);

/* Kernel list syntax "0-3,8,10-12", spaces and one newline at the end allowed; "" is empty.
 * Returns 0, -EINVAL, -ERANGE (over LIST_MAX_ID), -ENOMEM; *ret untouched on failure. */
int list_parse(const char *text, struct list **ret);
/* The same back; caller frees; NULL when out of memory. */
char *list_format(const struct list *list);

#endif
