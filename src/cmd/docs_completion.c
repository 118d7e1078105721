/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the bash completion. */
#include "config.h"
#include "cmd/docs.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "engine/options.h"

static void add_commands(struct text *text)
{
	for (unsigned i = 0; command_name_at(i); i++)
		text_addf(text, "%s%s", i ? " " : "", command_name_at(i));
}

/* "-i|--interval": a pattern of case. */
static void add_pattern(struct text *text, const struct option_row *row)
{
	if (row->letter)
		text_addf(text, "-%c|", row->letter);
	text_add(text, row->name);
}

/* What may follow an option that takes an argument. */
static void add_arguments(struct text *text)
{
	for (int id = 0; id < OPTION_N; id++) {
		const struct option_row *row = option_row((enum option_id)id);

		if (!row->argument)
			continue;
		text_add(text, "\t");
		add_pattern(text, row);
		if (row->words) {
			text_add(text, ") words='");
			for (unsigned i = 0; row->words(i); i++)
				text_addf(text, "%s%s", i ? " " : "", row->words(i));
			text_add(text, "' ;;\n");
		} else if (strcmp(row->argument, "FILE") == 0) {
			text_add(text, ") files=-f ;;\n");
		} else if (strcmp(row->argument, "DIR") == 0) {
			text_add(text, ") files=-d ;;\n");
		} else {
			text_add(text, ") return ;;\n");
		}
	}
}

/* Options that take an argument, as one pattern: the word after is not the command. */
static void add_takers(struct text *text)
{
	const char *before = "";

	for (int id = 0; id < OPTION_N; id++) {
		const struct option_row *row = option_row((enum option_id)id);

		if (!row->argument)
			continue;
		text_add(text, before);
		add_pattern(text, row);
		before = "|";
	}
}

static void add_options(struct text *text)
{
	for (int i = 0; i < COMMAND_N; i++) {
		const struct command *command = command_row((enum command_id)i);

		text_addf(text, "\t%s) words='", command->name);
		for (const char *c = command->operand ? command->operand : ""; *c; c++)
			text_addf(text, "%c", *c == '|' ? ' ' : *c);
		for (int id = 0; id < OPTION_N; id++) {
			const struct option_row *row = option_row((enum option_id)id);

			if (!option_belongs((enum option_id)id, command))
				continue;
			text_addf(text, " %s", row->name);
			if (row->letter)
				text_addf(text, " -%c", row->letter);
		}
		text_add(text, "' ;;\n");
	}
}

const struct docs_fill docs_completion[] = {
	{ "ARGUMENTS", add_arguments },
	{ "COMMANDS", add_commands },
	{ "OPTIONS", add_options },
	{ "TAKERS", add_takers },
	{ NULL, NULL },
};
