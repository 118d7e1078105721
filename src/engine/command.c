/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands, made of its rows. */
#include "config.h"
#include "engine/command.h"

#include <stddef.h>
#include <string.h>

#include "base/nls.h"

static const struct command rows[] = {
#define COMMAND(id_, function, ...) [COMMAND_##id_] = { .id = COMMAND_##id_, __VA_ARGS__ },
#include "engine/command_rows.h"
#undef COMMAND
};

const struct command *command_row(enum command_id id)
{
	return &rows[id];
}

const char *command_name_at(unsigned index)
{
	return index < COMMAND_N ? rows[index].name : NULL;
}

int command_by_name(const char *name)
{
	for (int id = 0; id < COMMAND_N; id++) {
		if (strcmp(rows[id].name, name) == 0)
			return id;
	}
	return -1;
}
