/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `avxtop docs`: fills a template from the tables; see docs.h. */
#include "config.h"
#include "cmd/docs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/nls.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "engine/options.h"

static const struct document {
	const char *name, *template;
	const struct docs_fill *fills;
} documents[] = {
	{ "man", "man/avxtop.1.in", docs_man },
	{ "completion", "completions/avxtop.in", docs_completion },
	{ "markdown", "man/tables.md.in", docs_markdown },
};
#define N_DOCUMENTS (sizeof(documents) / sizeof(documents[0]))

static const char *document_name_at(unsigned index)
{
	return index < N_DOCUMENTS ? documents[index].name : NULL;
}

/* Adds what stands for the mark at `at` ("@NAME@"); its length, 0 where there is none. */
static size_t add_mark(struct text *text, const char *at, const struct docs_fill *fills)
{
	for (; fills->name; fills++) {
		size_t length = strlen(fills->name);

		if (strncmp(at + 1, fills->name, length) == 0 && at[1 + length] == '@') {
			fills->add(text);
			length += 2;
			/* Whole lines take the place of a whole line. */
			if (text->len && text->data[text->len - 1] == '\n' && at[length] == '\n')
				length++;
			return length;
		}
	}
	return 0;
}

static void fill(struct text *text, const char *template, const struct docs_fill *fills)
{
	while (*template) {
		size_t plain = strcspn(template, "@");
		size_t mark;

		if (plain == 0) {
			mark = add_mark(text, template, fills);
			template += mark;
			if (mark)
				continue;
			plain = 1;
		}
		text_addf(text, "%.*s", (int)plain, template);
		template += plain;
	}
}

static int print(const struct document *document)
{
	struct problem problem;
	struct text text = { 0 };
	char *template;

	if (data_load(document->template, &template, &problem) < 0) {
		cmd_complain(&problem);
		return EXIT_FAILED;
	}
	fill(&text, template, document->fills);
	free(template);
	if (text.failed) {
		problem_set(&problem, ENOMEM, "", _("the document cannot be made"));
		cmd_complain(&problem);
		text_free(&text);
		return EXIT_FAILED;
	}
	fputs(text.data ? text.data : "", stdout);
	text_free(&text);
	return EXIT_DONE;
}

int command_docs(const struct options *options)
{
	const char *name = options->operand;
	struct problem problem;
	char near[64];

	if (!name) {
		problem_set(&problem, 0, "", _("avxtop docs needs one of: man, completion, markdown"));
		cmd_complain(&problem);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < N_DOCUMENTS; i++) {
		if (strcmp(documents[i].name, name) == 0)
			return print(&documents[i]);
	}
	text_near(name, document_name_at, near, sizeof(near));
	if (*near)
		problem_set(&problem, 0, "", _("unknown document \"%.64s\"; near: %s"), name, near);
	else
		problem_set(&problem, 0, "",
			    _("unknown document \"%.64s\"; there are man, completion, markdown"), name);
	cmd_complain(&problem);
	return EXIT_USAGE;
}
