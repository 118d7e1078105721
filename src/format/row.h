/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all sample formats share: which rows there are, and when a value is one. */
#ifndef AVXTOP_FORMAT_ROW_H
#define AVXTOP_FORMAT_ROW_H

#include <stdbool.h>
#include <stdio.h>

#include "format/sink.h"
#include "model/snapshot.h"

/* A host, package, core or CPU, with its ids as the kernel numbers them; -1: none or unknown. */
struct row {
	enum scope scope;
	unsigned index;
	int package, die, core, cpu;
};

/* Largest scope first: scope number `i` of the order in which rows are written. */
enum scope row_scope(unsigned i);
/* False for an item without any CPU that is wanted. */
bool row_find(const struct host *host, enum scope scope, unsigned index, struct row *ret);

/* A number can be printed: usable and finite. */
bool value_present(const struct value *value);
/* Machine key of why a value is absent, NULL where the host record has told it already. */
const char *value_why(const struct value *value, const struct origin *origin);

/* Flushes what one write produced. 0 or -errno, -EPIPE when the reader is gone. */
int row_flush(FILE *out);

#endif
