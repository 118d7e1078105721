/* SPDX-License-Identifier: GPL-2.0-or-later */
/* At which turbo license cores run: a stacked bar for a row, one line for the machine. */
#ifndef AVXTOP_UI_LICENSE_H
#define AVXTOP_UI_LICENSE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/view.h"

#define LICENSE_PARTS 4

struct license {
	double shares[LICENSE_PARTS]; /* 0, 1, 2, not accounted for; they add up to 1 */
	unsigned core;		      /* index of the core that they are of */
	enum state state;	      /* usable: they mean something */
};

/* Of the core of a CPU; of a package: of that core whose license is highest. */
void license_gather(const struct ui *ui, const struct row *row, struct license *ret);
/* The highest level that had a share worth telling: 0 to 2; -1: none is known. */
int license_level(const struct license *license);
void license_draw_bar(struct canvas *canvas, const struct column *column, int y,
		      const struct license *license, bool idle);
void license_heading(struct canvas *canvas, const struct column *column, int y);
bool license_served(const struct ui *ui);
/* The line of the header, or why there is none. */
void license_draw_line(const struct ui *ui, struct canvas *canvas);

#endif
