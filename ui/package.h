/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is to say of a package, in pieces that are measured before they are drawn. */
#ifndef AVXTOP_UI_PACKAGE_H
#define AVXTOP_UI_PACKAGE_H

#include <stdbool.h>

#include "ui/view.h"

struct piece {
	char text[96];
	enum role role;
};

#define PACKAGE_PIECES 6

/* The first is its name; how many there are is the same for all packages. */
int package_describe(const struct ui *ui, unsigned package, struct piece *pieces);
void package_celsius(const struct ui *ui, unsigned package, struct piece *piece);
/* Of the package itself; never NULL. */
const struct value *package_value(const struct ui *ui, enum metric metric, unsigned package);
bool package_throttled(const struct value *events);	     /* by heat, in this interval */
bool package_limited(const struct ui *ui, unsigned package); /* draws as much power as it may */
bool package_online(const struct ui *ui, unsigned package);
bool package_alone(const struct ui *ui); /* no other is online */

#endif
