/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that is known of a row, for the panel behind `i`. */
#ifndef AVXTOP_UI_KNOWN_H
#define AVXTOP_UI_KNOWN_H

#include "ui/view.h"

/* Lines that they take at this width of the panel. */
int known_lines(const struct ui *ui, const struct row *row, int width);
/* Those lines from `first` on, `visible` of them, at y. */
void known_draw(const struct ui *ui, struct canvas *canvas, const struct row *row, int y, int first,
		int visible);

#endif
