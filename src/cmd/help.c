/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help and --version, looped from the rows of commands and options. */
#include "config.h"

#include <jansson.h>
#include <libcpuid.h>
#include <libsmartcols.h>
#include <stdio.h>

#include "base/nls.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/wrap.h"
#include "engine/options.h"

#define WIDTH 80
#define HELP_COLUMN 25

/* A name, then its help from HELP_COLUMN on, below the name where that is too long. */
static void add_entry(struct text *text, const char *name, const char *help)
{
	int gap = HELP_COLUMN - text_width(name);

	text_add(text, name);
	if (gap > 0)
		text_addf(text, "%*s", gap, "");
	else
		text_addf(text, "\n%*s", HELP_COLUMN, "");
	cmd_wrap(text, help, HELP_COLUMN, WIDTH);
	text_add(text, "\n");
}

static void add_option(struct text *text, const struct option_row *row)
{
	struct text name = { 0 };

	if (row->letter)
		text_addf(&name, "  -%c, %s", row->letter, row->name);
	else
		text_addf(&name, "      %s", row->name);
	if (row->argument)
		text_addf(&name, " %s", _(row->argument));
	add_entry(text, name.data ? name.data : "", _(row->help));
	text_free(&name);
}

static void print(struct text *text, FILE *out)
{
	if (text->data)
		(void)fputs(text->data, out);
	text_free(text);
}

void cmd_help(const struct command *command, FILE *out)
{
	struct text text = { 0 };

	if (command->operand)
		text_addf(&text, _("Usage: avxtop %s [OPTION]... %s\n"), command->name,
			  command->operand);
	else
		text_addf(&text, _("Usage: avxtop %s [OPTION]...\n"), command->name);
	cmd_wrap(&text, _(command->help), 0, WIDTH);
	text_add(&text, "\n\n");
	for (int id = 0; id < OPTION_N; id++) {
		if (option_belongs((enum option_id)id, command))
			add_option(&text, option_row((enum option_id)id));
	}
	print(&text, out);
}

/* Of more than one command. */
static bool is_common(const struct option_row *row)
{
	return (row->commands & (row->commands - 1)) != 0;
}

void cmd_help_all(FILE *out)
{
	struct text text = { 0 };

	text_add(&text, _("Usage: avxtop [COMMAND] [OPTION]...\n"));
	cmd_wrap(&text, _("the true clock of each CPU, live, and what vector code does to it"), 0,
		 WIDTH);
	text_addf(&text, "\n\n%s\n", _("Commands:"));
	for (int id = 0; id < COMMAND_N; id++) {
		const struct command *command = command_row((enum command_id)id);
		char name[40];

		(void)snprintf(name, sizeof(name), "  %s", command->name);
		add_entry(&text, name, _(command->help));
	}
	text_addf(&text, "\n%s\n", _("Common options (avxtop COMMAND --help lists all of a command):"));
	for (int id = 0; id < OPTION_N; id++) {
		if (is_common(option_row((enum option_id)id)))
			add_option(&text, option_row((enum option_id)id));
	}
	print(&text, out);
}

void cmd_version(FILE *out, const char *curses)
{
	const char *smartcols = "";

	(void)scols_get_library_version(&smartcols);
	fprintf(out, "avxtop %s\n", PACKAGE_VERSION);
	fputs(_("License: GPL-2.0-or-later. There is no warranty, to the extent permitted by law.\n"),
	      out);
	fprintf(out, _("Libraries: %s, libcpuid %s, jansson %s, libsmartcols %s\n"), curses,
		cpuid_lib_version(), jansson_version_str(), smartcols);
}
