/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables as markdown. */
#include "config.h"
#include "cmd/docs.h"

#include <stddef.h>

#include "base/text.h"
#include "burst/kernel.h"
#include "cmd/cmd.h"
#include "engine/options.h"
#include "model/metric.h"
#include "model/state.h"

/* A cell: "|" would end it. */
static void add_cell(struct text *text, const char *string)
{
	text_add(text, " ");
	for (; *string; string++)
		text_addf(text, "%s%c", *string == '|' ? "\\" : "", *string);
	text_add(text, " |");
}

static void add_code(struct text *text, const char *string)
{
	text_addf(text, "| `%s` |", string);
}

static void add_commands(struct text *text)
{
	for (int id = 0; id < COMMAND_N; id++) {
		add_code(text, command_row((enum command_id)id)->name);
		add_cell(text, command_row((enum command_id)id)->help);
		text_add(text, "\n");
	}
}

static void add_options(struct text *text)
{
	for (int id = 0; id < OPTION_N; id++) {
		const struct option_row *row = option_row((enum option_id)id);

		text_add(text, "| `");
		if (row->letter)
			text_addf(text, "-%c, ", row->letter);
		text_addf(text, "%s%s%s` |", row->name, row->argument ? " " : "",
			  row->argument ? row->argument : "");
		for (int i = 0; i < COMMAND_N; i++) {
			if (row->commands & 1u << i)
				text_addf(text, " %s", command_row((enum command_id)i)->name);
		}
		text_add(text, " |");
		add_cell(text, row->help);
		text_add(text, "\n");
	}
}

static void add_metrics(struct text *text)
{
	for (int id = 0; id < METRIC_N; id++) {
		const struct metric_row *row = metric_row((enum metric)id);

		add_code(text, row->name);
		add_cell(text, unit_name(row->unit));
		add_cell(text, scope_name(row->scope));
		add_cell(text, row->help);
		text_add(text, "\n");
	}
}

static void add_kernels(struct text *text)
{
	for (int id = 0; id < KERNEL_N; id++) {
		const struct kernel_row *row = kernel_row((enum kernel)id);
		char needs[128];

		kernel_isa_names(row->isa, needs, sizeof(needs));
		add_code(text, row->name);
		add_cell(text, row->weight);
		add_cell(text, needs);
		add_cell(text, row->help);
		text_add(text, "\n");
	}
}

static void add_keys(struct text *text)
{
	const char *name, *help;
	char buf[64];

	for (unsigned i = 0; (name = cmd_key_at(i, buf, sizeof(buf), &help)); i++) {
		add_code(text, name);
		add_cell(text, help);
		text_add(text, "\n");
	}
}

static void add_states(struct text *text)
{
	for (int id = 0; id < STATE_N; id++) {
		add_code(text, state_row((enum state)id)->name);
		add_cell(text, state_row((enum state)id)->text);
		text_add(text, "\n");
	}
}

const struct docs_fill docs_markdown[] = {
	{ "COMMANDS", add_commands },
	{ "KERNELS", add_kernels },
	{ "KEYS", add_keys },
	{ "METRICS", add_metrics },
	{ "OPTIONS", add_options },
	{ "STATES", add_states },
	{ NULL, NULL },
};
