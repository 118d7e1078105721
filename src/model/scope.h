/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a counter or metric belongs to. */
#ifndef AVXTOP_MODEL_SCOPE_H
#define AVXTOP_MODEL_SCOPE_H

enum scope { SCOPE_CPU, SCOPE_CORE, SCOPE_PACKAGE, SCOPE_HOST, SCOPE_N };

struct host;

const char *scope_name(enum scope scope); /* "cpu", "core", "package", "host" */
/* How many CPUs, cores, packages (or 1) the host has. */
unsigned scope_items(const struct host *host, enum scope scope);

#endif
