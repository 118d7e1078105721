/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents made of the program's own rows: a template of data/ holds the prose, and @NAME@ in it
 * stands for what is looped from a table. Never translated: the same in every locale. */
#ifndef AVXTOP_CMD_DOCS_H
#define AVXTOP_CMD_DOCS_H

struct text;

/* One @NAME@ of a template. */
struct docs_fill {
	const char *name;
	void (*add)(struct text *text);
};

/* Each ended by a NULL name. */
extern const struct docs_fill docs_man[], docs_completion[], docs_markdown[];

#endif
