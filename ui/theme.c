/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Role to color and attribute: the only place that knows colors. */
#include "config.h"

#include "ui/theme.h"

struct role_row {
	const char *name;
	short color256, back256, color8, back8; /* back 0: the terminal's own */
	bool bold, dim, reverse;
};

static const struct role_row rows[ROLE_N] = {
#define ROLE(id, ...) [ROLE_##id] = { __VA_ARGS__ },
#include "ui/role_rows.h"
#undef ROLE
};

const char *theme_role_name(enum role role)
{
	return rows[role].name;
}

struct style theme_style(enum role role, enum theme_level level)
{
	const struct role_row *row = &rows[role];

	switch (level) {
	case THEME_256: /* the shades of the palette do the dimming */
		return (struct style){ row->color256, row->back256 ? row->back256 : -1, row->bold,
				       false, false };
	case THEME_8:
		return (struct style){ row->color8, row->back8 ? row->back8 : -1, row->bold,
				       row->dim, false };
	case THEME_MONO:
		break;
	}
	return (struct style){ -1, -1, row->bold, row->dim, row->reverse };
}
