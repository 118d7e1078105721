/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of a script. */
#ifndef AVXTOP_TESTS_VTSHOT_STEPS_H
#define AVXTOP_TESTS_VTSHOT_STEPS_H

struct shot;

/* One step as text, which is cut up. A step that fails or is unknown ends the program. */
void step_run(struct shot *shot, char *text);

double step_number(const char *text);			    /* ends the program when it is none */
void step_size(const char *text, int *ret_x, int *ret_y); /* "80x24", likewise */

#endif
