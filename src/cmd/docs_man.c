/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the manual page in roff, man(7). */
#include "config.h"
#include "cmd/docs.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "burst/kernel.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "model/metric.h"
#include "model/state.h"

/* Text that roff must not read as its own. */
static void add_escaped(struct text *text, const char *string)
{
	if (*string == '.' || *string == '\'')
		text_add(text, "\\&");
	for (; *string; string++) {
		switch (*string) {
		case '\\':
			text_add(text, "\\e");
			break;
		case '-':
			text_add(text, "\\-");
			break;
		case '~':
			text_add(text, "\\(ti");
			break;
		case '^':
			text_add(text, "\\(ha");
			break;
		case '`':
			text_add(text, "\\(ga");
			break;
		default:
			text_addf(text, "%c", *string);
		}
	}
}

/* A help text as a sentence: with a capital and a period. */
static void add_sentence(struct text *text, const char *help)
{
	char first[2] = { (char)toupper((unsigned char)*help), '\0' };

	if (!*help)
		return;
	add_escaped(text, first);
	add_escaped(text, help + 1);
	text_add(text, ".");
}

static void add_term(struct text *text, const char *term)
{
	text_add(text, ".TP\n\\fB");
	add_escaped(text, term);
	text_add(text, "\\fR");
}

static void add_commands(struct text *text)
{
	for (int id = 0; id < COMMAND_N; id++) {
		const struct command *command = command_row((enum command_id)id);

		add_term(text, command->name);
		if (command->operand)
			text_addf(text, " \\fI%s\\fR", command->operand);
		text_add(text, "\n");
		add_sentence(text, command->help);
		text_add(text, "\n");
	}
}

/* "(top, log)", nothing where all commands take it. */
static void add_owners(struct text *text, const struct option_row *row)
{
	const char *before = " (";

	if (row->commands == (1u << COMMAND_N) - 1)
		return;
	for (int id = 0; id < COMMAND_N; id++) {
		if (!(row->commands & 1u << id))
			continue;
		text_addf(text, "%s%s", before, command_row((enum command_id)id)->name);
		before = ", ";
	}
	text_add(text, ")");
}

static void add_options(struct text *text)
{
	for (int id = 0; id < OPTION_N; id++) {
		const struct option_row *row = option_row((enum option_id)id);

		text_add(text, ".TP\n");
		if (row->letter)
			text_addf(text, "\\fB\\-%c\\fR, ", row->letter);
		text_add(text, "\\fB");
		add_escaped(text, row->name);
		text_add(text, "\\fR");
		if (row->argument)
			text_addf(text, " \\fI%s\\fR", row->argument);
		add_owners(text, row);
		text_add(text, "\n");
		add_sentence(text, row->help);
		text_add(text, "\n");
	}
}

static void add_metrics(struct text *text)
{
	for (int id = 0; id < METRIC_N; id++) {
		const struct metric_row *row = metric_row((enum metric)id);

		add_term(text, row->name);
		text_addf(text, " (%s;", unit_name(row->unit));
		for (int scope = 0; scope < SCOPE_N; scope++) {
			if (metric_has_scope((enum metric)id, (enum scope)scope))
				text_addf(text, " %s", scope_name((enum scope)scope));
		}
		text_add(text, ")\n");
		add_sentence(text, row->help);
		text_add(text, "\n");
		if (row->needs) {
			add_sentence(text, row->needs);
			text_add(text, "\n");
		}
	}
}

static void add_states(struct text *text)
{
	for (int id = 0; id < STATE_N; id++) {
		add_term(text, state_row((enum state)id)->name);
		text_add(text, "\n");
		add_sentence(text, state_row((enum state)id)->text);
		text_add(text, "\n");
	}
}

static void add_kernels(struct text *text)
{
	for (int id = 0; id < KERNEL_N; id++) {
		const struct kernel_row *row = kernel_row((enum kernel)id);
		char needs[128];

		add_term(text, row->name);
		kernel_isa_names(row->isa, needs, sizeof(needs));
		text_addf(text, " (%s", row->weight);
		if (*needs) {
			text_add(text, "; needs ");
			add_escaped(text, needs);
		}
		text_add(text, ")\n");
		add_sentence(text, row->help);
		text_add(text, "\n");
	}
}

static void add_keys(struct text *text)
{
	const char *name, *help;
	char buf[64];

	for (unsigned i = 0; (name = cmd_key_at(i, buf, sizeof(buf), &help)); i++) {
		add_term(text, name);
		text_add(text, "\n");
		add_sentence(text, help);
		text_add(text, "\n");
	}
}

static void add_version(struct text *text)
{
	add_escaped(text, PACKAGE_VERSION);
}

const struct docs_fill docs_man[] = {
	{ "COMMANDS", add_commands },
	{ "KERNELS", add_kernels },
	{ "KEYS", add_keys },
	{ "METRICS", add_metrics },
	{ "OPTIONS", add_options },
	{ "STATES", add_states },
	{ "VERSION", add_version },
	{ NULL, NULL },
};
