/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on the screen until the machine has been read. */
#ifndef AVXTOP_UI_OPENING_H
#define AVXTOP_UI_OPENING_H

struct options;

/* Between term_start() and the first frame: one line with the number of CPUs, where the title will
 * be. */
void opening_draw(const struct options *options);

#endif
