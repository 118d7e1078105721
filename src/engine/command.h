/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands: names and words. What each one runs is known to main.c alone. */
#ifndef AVXTOP_ENGINE_COMMAND_H
#define AVXTOP_ENGINE_COMMAND_H

#include <stdbool.h>

enum command_id {
#define COMMAND(id, ...) COMMAND_##id,
#include "engine/command_rows.h"
#undef COMMAND
	COMMAND_N
};

struct command {
	enum command_id id;
	const char *name;
	const char *operand; /* the one operand it takes, as "this|that"; NULL: none */
	const char *help;    /* untranslated, lower case, no period */
	bool opens_session;  /* which gives back the rights of root; without, main.c does */
};

const struct command *command_row(enum command_id id);
const char *command_name_at(unsigned index); /* NULL at the end */
int command_by_name(const char *name);	     /* enum command_id, or -1 */

#endif
