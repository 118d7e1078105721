/* What a counter or metric belongs to. */
#ifndef AVXTOP_MODEL_SCOPE_H
#define AVXTOP_MODEL_SCOPE_H

enum scope { SCOPE_CPU, SCOPE_CORE, SCOPE_PACKAGE, SCOPE_HOST, SCOPE_N };

const char *scope_name(enum scope scope); /* "cpu", "core", "package", "host" */

#endif
