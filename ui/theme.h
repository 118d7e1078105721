/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a role looks like on terminals of many, few and no colors. */
#ifndef AVXTOP_UI_THEME_H
#define AVXTOP_UI_THEME_H

#include <stdbool.h>

#include "ui/canvas.h"

enum theme_level { THEME_MONO, THEME_8, THEME_256 };

struct style {
	short color, back; /* index of the terminal's palette; -1 its default */
	bool bold, dim, reverse;
};

const char *theme_role_name(enum role role);
struct style theme_style(enum role role, enum theme_level level);

#endif
