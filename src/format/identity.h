/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine as a JSON object: part of every report that names numbers of it. */
#ifndef AVXTOP_FORMAT_IDENTITY_H
#define AVXTOP_FORMAT_IDENTITY_H

#include <jansson.h>

struct host;

/* A new reference; NULL when out of memory. Unknown is null. */
json_t *identity_object(const struct host *host);
/* Any text as a JSON string: invalid UTF-8 and control characters replaced; "" and NULL are null. */
json_t *identity_text(const char *text);

#endif
