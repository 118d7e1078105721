/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys as a table, and the names that people know them by. */
#include "config.h"

#include "ui/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/nls.h"
#include "ui/action.h"
#include "ui/ui.h"

static const struct key_row rows[] = {
#define KEY(id, action, ...) { .run = action, __VA_ARGS__ },
#include "ui/key_rows.h"
#undef KEY
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

const struct key_row *keys_get(unsigned index)
{
	return index < N_ROWS ? &rows[index] : NULL;
}

const struct key_row *keys_find(int code)
{
	for (size_t i = 0; i < N_ROWS && code != KEY_CODE_NONE; i++)
		for (size_t k = 0; k < KEY_MAX; k++)
			if (rows[i].codes[k] == code)
				return &rows[i];
	return NULL;
}

const char *keys_group_title(enum key_group group)
{
	static const char *const titles[KEY_GROUP_N] = {
		[KEY_GROUP_VIEW] = N_("Views"),	     [KEY_GROUP_LOOK] = N_("What is shown"),
		[KEY_GROUP_MOVE] = N_("Moving"),     [KEY_GROUP_BURST] = N_("Bursts"),
		[KEY_GROUP_GENERAL] = N_("General"),
	};

	return titles[group];
}

const char *keys_name(int code, char *buf, size_t size)
{
	static const struct {
		int code;
		const char *name;
	} names[] = {
		{ ' ', N_("Space") },
		{ KEY_CODE_TAB, N_("Tab") },
		{ KEY_CODE_ENTER, N_("Enter") },
		{ KEY_CODE_ESCAPE, N_("Esc") },
		{ KEY_CODE_BACKSPACE, N_("Backspace") },
		{ KEY_CODE_UP, "↑" },
		{ KEY_CODE_DOWN, "↓" },
		{ KEY_CODE_LEFT, "←" },
		{ KEY_CODE_RIGHT, "→" },
		{ KEY_CODE_PAGE_UP, N_("PgUp") },
		{ KEY_CODE_PAGE_DOWN, N_("PgDn") },
		{ KEY_CODE_HOME, N_("Home") },
		{ KEY_CODE_END, N_("End") },
		{ KEY_CODE_CLICK, N_("click") },
		{ KEY_CODE_WHEEL_UP, N_("wheel") },
		{ KEY_CODE_WHEEL_DOWN, N_("wheel") },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].code == code) {
			snprintf(buf, size, "%s", _(names[i].name));
			return buf;
		}
	}
	if (code >= KEY_CODE_F0)
		snprintf(buf, size, "F%d", code - KEY_CODE_F0);
	else if (code > 0 && code < ' ')
		snprintf(buf, size, "Ctrl-%c", code + '@');
	else
		snprintf(buf, size, "%c", code);
	return buf;
}

const char *keys_names(const struct key_row *row, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < KEY_MAX && row->codes[i] != KEY_CODE_NONE; i++) {
		char name[16];

		keys_name(row->codes[i], name, sizeof(name));
		int n = snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name);

		if (n < 0 || (size_t)n >= size - used)
			break;
		used += (size_t)n;
	}
	return buf;
}

const char *ui_key_at(unsigned index, char *buf, size_t size, const char **ret_help)
{
	const struct key_row *row = keys_get(index);

	if (!row)
		return NULL;
	*ret_help = row->help;
	return keys_names(row, buf, size);
}
