/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaking sentences into lines that fit a terminal. */
#include "config.h"
#include "cmd/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void cmd_wrap(struct text *text, const char *string, int indent, int width)
{
	int column = indent;
	bool first = true;

	for (;;) {
		size_t length;
		char word[256];
		int cells;

		string += strspn(string, " ");
		if (!*string)
			return;
		length = strcspn(string, " ");
		(void)snprintf(word, sizeof(word), "%.*s", (int)length, string);
		string += length;
		cells = text_width(word);
		if (!first && column + 1 + cells > width) {
			text_addf(text, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			text_add(text, " ");
			column++;
		}
		text_add(text, word);
		column += cells;
		first = false;
	}
}
